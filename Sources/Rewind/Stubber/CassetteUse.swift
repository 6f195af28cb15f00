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
    private let isRecording: Bool
    private let hasEnded = Locked(false)

    init(of session: CassetteSession, by testName: String?) throws {
        let spelling = session.location.destination.path
        path = spelling.lowercased()
        test = testName ?? "(unnamed)"
        isRecording = session.isRecording
        guard session.mode != .live else {
            hasEnded.withLock { $0 = true }
            return
        }
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

    /// Ends the use; only the first call counts.
    package func end() {
        let isFirst = hasEnded.withLock { hasEnded in
            defer { hasEnded = true }
            return !hasEnded
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
