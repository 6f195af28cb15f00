import Foundation
import Rewind

/// Runs a conversation live while it is recorded, and again from the cassette with the servers stopped.
package struct RecordAndReplay<Result: Sendable>: Sendable {
    /// The result of the live run.
    package let live: Result
    /// The result of the replay.
    package let replayed: Result
    /// The recorded cassette.
    package let cassette: Cassette

    /// Runs a conversation twice.
    /// - Parameters:
    ///   - count: The number of servers; one by default.
    ///   - configuration: The configuration of both scopes.
    ///   - conversation: Makes requests to the servers and returns what to compare.
    /// - Throws: An error of the servers, the conversation or the cassette.
    package init(
        servers count: Int = 1,
        configuration: Stubber.Configuration = Stubber.Configuration(),
        _ conversation: ([ConversationServer]) async throws -> Result
    ) async throws {
        let folder = try TemporaryDirectory()
        let servers = try (0..<count).map { _ in try ConversationServer() }
        defer { for server in servers { server.stop() } }
        live = try await recordingFailures(in: folder.url, configuration: configuration) { _ in
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
