import Foundation

/// The use of one cassette by one scope of this process: many may play it at once, but who records it has it alone.
package final class CassetteUse: Sendable {
    private struct Users: Sendable {
        var recorder: String?
        var players: [String] = []
    }

    private struct State: Sendable {
        var users: [String: Users] = [:]
        /// How each file's name is spelled, for those that differ only in case are one file on many disks.
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
            guard known == spelling else { throw CassetteInUse.differsOnlyInCase(spelling, known) }
            state.spellings[path] = spelling
            var users = state.users[path] ?? Users()
            if let recorder = users.recorder {
                throw CassetteInUse.isRecorded(path: spelling, by: recorder, test: test)
            }
            if isRecording, let player = users.players.first {
                throw CassetteInUse.isPlayed(path: spelling, by: player, test: test)
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

/// A cassette that two scopes of one process cannot use at once.
public enum CassetteInUse: Error, Hashable, Sendable {
    /// Another test is recording it.
    case isRecorded(path: String, by: String, test: String)
    /// Another test is playing it, and this one would record it.
    case isPlayed(path: String, by: String, test: String)
    /// Another cassette's name differs only in case.
    case differsOnlyInCase(String, String)
}

extension CassetteInUse: LocalizedError, CustomStringConvertible {
    /// What prevents the use and how to fix it.
    public var description: String {
        switch self {
        case .isRecorded(let path, let other, let test):
            "\(test) cannot use the cassette \(path) while \(other) records it.\n  \(remedy)"
        case .isPlayed(let path, let other, let test):
            "\(test) cannot record the cassette \(path) while \(other) plays it.\n  \(remedy)"
        case .differsOnlyInCase(let path, let other):
            "The cassettes \(path) and \(other) differ only in case, and would be one file on many disks.\n"
                + "  Give one of them another name."
        }
    }

    private var remedy: String {
        "Give each test a cassette of its own, or let the tests run one after the other (`.serialized`)."
    }

    /// What prevents the use and how to fix it.
    public var errorDescription: String? { description }
}
