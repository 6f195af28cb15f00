import Foundation
import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One conversation held three ways: natively, while it is recorded, and from its cassette with the server gone.
package struct ThreeWay: Sendable {
    /// What was noted, and what reached the server.
    package struct Run: Sendable {
        /// What the app could see.
        package var lines: [String] = []
        /// The requests as they were on the wire.
        package var requests: [String] = []
    }

    /// What was said.
    package let conversation: Conversation
    /// The call with which it was said.
    package let call: SessionCall
    /// Without Rewind.
    package let native: Run
    /// While the conversation was recorded.
    package let recorded: Run
    /// From the cassette, the server gone.
    package let replayed: Run
    /// What a test would be failed for: misses and problems at the end.
    package let failures: [String]

    /// Holds conversations three ways, several at a time.
    ///
    /// All of them are held natively first, as nothing may be intercepted then.
    /// - Parameter pairs: The conversations, each with the call to make.
    /// - Returns: What came of each, in order.
    /// - Throws: What starting the servers throws.
    package static func hold(_ pairs: [(Conversation, SessionCall)]) async throws -> [ThreeWay] {
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

    /// What differs, as lines marked with the run that has them; none where an app cannot tell the runs apart.
    package var differences: [String] {
        let lines = native.lines.filter { !Conversation.leftOut.isLine($0) }
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

/// A conversation with a server and a folder of its own.
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
            // Placeholders on replay are a difference on purpose, which is not to be mixed with others.
            configuration.redaction = .off
            configuration.requestMatchingFailed = { miss in
                failures.withLock { $0.append("\(mode.rawValue): \(miss)") }
            }
            do {
                transcript = try await withCassette(
                    "talk",
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
