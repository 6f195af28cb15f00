import Foundation
import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One conversation run three times: without Rewind, while it is recorded, and from its cassette with the server stopped.
package struct ThreeWay: Sendable {
    /// What the app and the server received in one run.
    package struct Run: Sendable {
        /// What the app received.
        package var lines: [String] = []
        /// The bytes of the requests.
        package var requests: [String] = []
    }

    /// The conversation.
    package let conversation: Conversation
    /// The call that made the request.
    package let call: SessionCall
    /// The run without Rewind.
    package let native: Run
    /// The run while the conversation is recorded.
    package let recorded: Run
    /// The run from the cassette, with the server stopped.
    package let replayed: Run
    /// What would fail a test: misses and errors at the end of a scope.
    package let failures: [String]

    /// Runs conversations three times each, several in parallel.
    ///
    /// All of them run without Rewind first, as sessions must not be intercepted then.
    /// - Parameter pairs: The conversations, each with the call to make.
    /// - Returns: The results, in order.
    /// - Throws: An error if a server cannot be started.
    package static func run(_ pairs: [(Conversation, SessionCall)]) async throws -> [ThreeWay] {
        let stages = try pairs.map { try Stage($0, $1) }
        let native = await each(stages) { await $0.run(nil) }
        let recorded = await each(stages) { await $0.run(RecordingMode.all) }
        for stage in stages { stage.server.stop() }
        let replayed = await each(stages) { await $0.run(RecordingMode.never) }
        return stages.indices.map { index in
            ThreeWay(
                conversation: stages[index].conversation,
                call: stages[index].call,
                native: native[index],
                recorded: recorded[index],
                replayed: replayed[index],
                failures: stages[index].failures.withLock { $0 }
            )
        }
    }

    private static func each(_ stages: [Stage], _ run: @escaping @Sendable (Stage) async -> Run) async -> [Run]
    {
        await withTaskGroup(of: (Int, Run).self) { group in
            for (index, stage) in stages.enumerated() { group.addTask { (index, await run(stage)) } }
            return await group.reduce(into: Array(repeating: Run(), count: stages.count)) { $0[$1.0] = $1.1 }
        }
    }

    /// The lines that differ, each marked with its run; empty if an app cannot distinguish the runs.
    package var differences: [String] {
        let lines = native.lines.filter { !Conversation.ignored.isLine($0) }
        return Self.differences(lines, recorded.lines, "recorded")
            + Self.differences(lines, replayed.lines, "replayed") + failures
            + (conversation.reachesServer
                ? Self.differences(native.requests, recorded.requests, "on the wire") : [])
    }

    private static func differences(_ native: [String], _ other: [String], _ name: String) -> [String] {
        other.difference(from: native).map { change in
            switch change {
            case .insert(_, let line, _): "+ \(name): \(line)"
            case .remove(_, let line, _): "- \(name): \(line)"
            }
        }
    }
}

/// A conversation with its own server and folder.
private struct Stage: Sendable {
    let conversation: Conversation
    let call: SessionCall
    let folder: TemporaryDirectory
    let server: RawServer
    let failures = Locked<[String]>([])

    init(_ conversation: Conversation, _ call: SessionCall) throws {
        self.conversation = conversation
        self.call = call
        folder = try TemporaryDirectory()
        server = try RawServer(ServerScript.steps)
    }

    func run(_ mode: RecordingMode?) async -> ThreeWay.Run {
        let transcript: Transcript
        if let mode {
            var configuration = Stubber.Configuration()
            // Without redaction, as placeholders on replay are a deliberate difference.
            configuration.redaction = .off
            configuration.requestMatchingFailed = { miss in
                failures.withLock { $0.append("\(mode.rawValue): \(miss)") }
            }
            do {
                transcript = try await recordingFailures(
                    in: folder.url,
                    mode: mode,
                    configuration: configuration
                ) {
                    _ in await call.perform(conversation.step, at: server.url, in: folder)
                }
            } catch {
                failures.withLock { $0.append("\(mode.rawValue): \(error)") }
                transcript = Transcript()
            }
        } else {
            transcript = await call.perform(conversation.step, at: server.url, in: folder)
        }
        return ThreeWay.Run(
            lines: transcript.lines.map(withoutPort),
            requests: server.takeRequests().map { request in
                withoutPort(
                    (request.lines + [String(decoding: request.body, as: UTF8.self)]).joined(separator: "\n")
                )
            }
        )
    }

    private func withoutPort(_ text: String) -> String {
        text.replacingOccurrences(of: ":\(server.url.port ?? 0)", with: ":PORT")
    }
}
