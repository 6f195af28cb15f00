import Foundation
import Rewind

/// A conversation held live while it is recorded, and again from the cassette with the servers gone.
package struct Twice<Result: Sendable>: Sendable {
    /// What came of it live.
    package let live: Result
    /// What came of the replay.
    package let replayed: Result
    /// What was recorded.
    package let cassette: Cassette

    /// Holds a conversation twice.
    /// - Parameters:
    ///   - count: How many servers there are to talk to; one by default.
    ///   - configuration: How the stubbers match and play.
    ///   - conversation: What is said to the servers.
    /// - Throws: What starting the servers, the conversation or the cassette throws.
    package init(
        servers count: Int = 1,
        configuration: Stubber.Configuration = Stubber.Configuration(),
        _ conversation: ([ConversationServer]) async throws -> Result
    ) async throws {
        let folder = try TemporaryDirectory()
        let servers = try (0..<count).map { _ in try ConversationServer() }
        defer { for server in servers { server.stop() } }
        live = try await withCassette("talk", in: folder.url, mode: .once, configuration: configuration) { _ in
            try await conversation(servers)
        }
        for server in servers { server.stop() }
        replayed = try await withCassette("talk", in: folder.url, mode: .never, configuration: configuration) {
            _ in
            try await conversation(servers)
        }
        cassette = try Cassette(contentsOf: folder["talk.har"])
    }
}
