import Foundation

/// A command that is run with some variables more than this one has.
struct ChildCommand: Sendable {
    private let words: [String]
    private let variables: [String: String]

    /// Prepares a command, which is looked for as a shell does.
    init(_ words: [String], adding variables: [String: String]) {
        self.words = words
        self.variables = variables
    }

    /// Runs the command to its end, and hands on to it the signals that come.
    /// - Returns: Its exit status; for one that a signal ended, the signal's number and 128, as shells have it.
    /// - Throws: What launching it throws.
    func run(endedBy end: EndSignal) async throws -> ExitStatus {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        let ended = AsyncStream<Void>.makeStream()
        process.terminationHandler = { _ in ended.continuation.finish() }
        try process.run()
        let identifier = process.processIdentifier
        end.whenReceived { kill(identifier, $0) }
        for await _ in ended.stream {}
        let isSignal = process.terminationReason == .uncaughtSignal
        return ExitStatus(code: process.terminationStatus + (isSignal ? 128 : 0))
    }
}
