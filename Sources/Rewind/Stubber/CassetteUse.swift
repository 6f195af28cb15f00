import Foundation

/// The use of one cassette by one scope of this process. Many may replay it at the same time; only one may record it.
package final class CassetteUse: Sendable {
    private struct Users: Sendable {
        var recorder: String?
        var players: [String] = []
    }

    private struct State: Sendable {
        var users: [String: Users] = [:]
        /// The exact path of each file. Paths that differ only in letter case are one file on many disks.
        var spellings: [String: String] = [:]
    }

    private static let state = Locked(State())

    private let path: String
    private let test: String
    private let status: Locked<(isRecording: Bool, hasEnded: Bool)>

    /// Claims a cassette, or extends the claim of the same test to recording.
    static func claim(_ session: CassetteSession, by testName: String?, extending use: CassetteUse?) throws
        -> CassetteUse
    {
        guard let use, !use.status.withLock({ $0.hasEnded }) else {
            return try CassetteUse(of: session, by: testName)
        }
        if session.isRecording { try use.record(at: session.location.destination.path) }
        return use
    }

    init(of session: CassetteSession, by testName: String?) throws {
        let spelling = session.location.destination.path
        path = spelling.lowercased()
        test = testName ?? "(unnamed)"
        let isRecording = session.isRecording
        status = Locked((isRecording, hasEnded: session.mode == .live))
        guard session.mode != .live else { return }
        try Self.state.withLock { [path, test, isRecording] state in
            let known = state.spellings[path] ?? spelling
            guard known == spelling else {
                throw CassetteError(path: spelling, problem: .differsOnlyInCase(from: known))
            }
            state.spellings[path] = spelling
            var users = state.users[path] ?? Users()
            if let recorder = users.recorder {
                throw CassetteError(
                    path: spelling,
                    problem: .inUse(by: recorder, test: test, isRecording: true)
                )
            }
            if isRecording, let player = users.players.first {
                throw CassetteError(path: spelling, problem: .inUse(by: player, test: test, isRecording: false))
            }
            if isRecording { users.recorder = test } else { users.players.append(test) }
            state.users[path] = users
        }
    }

    /// Claims the cassette for recording, if no other test uses it.
    private func record(at spelling: String) throws {
        try Self.state.withLock { [path, test] state in
            guard !status.withLock({ $0.isRecording }), var users = state.users[path] else { return }
            if let position = users.players.firstIndex(of: test) { users.players.remove(at: position) }
            if let player = users.players.first {
                throw CassetteError(path: spelling, problem: .inUse(by: player, test: test, isRecording: false))
            }
            users.recorder = test
            state.users[path] = users
            status.withLock { $0.isRecording = true }
        }
    }

    deinit { end() }

    /// Ends the use; only the first call counts.
    package func end() {
        let (isFirst, isRecording) = status.withLock { status in
            defer { status.hasEnded = true }
            return (!status.hasEnded, status.isRecording)
        }
        guard isFirst else { return }
        Self.state.withLock { state in
            guard var users = state.users[path] else { return }
            if isRecording { users.recorder = nil }
            if !isRecording, let position = users.players.firstIndex(of: test) {
                users.players.remove(at: position)
            }
            state.users[path] = users.recorder == nil && users.players.isEmpty ? nil : users
        }
    }
}
