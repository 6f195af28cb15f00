import Foundation
import Rewind
import RewindTestSupport
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A test case with a recorded conversation, and sweeps of it with other environment variables.
class SweepTestCase: ConversationTestCase {
    /// Records requests and stops the server.
    func record(_ paths: String..., to name: String = "talk") async throws {
        let url = server.url
        try await withCassette(name, in: folder.url, mode: .once) { _ in
            for path in paths { _ = try await Self.get(path, url) }
        }
        server.stop()
    }

    static func get(_ path: String, _ url: URL) async throws -> (text: String, response: HTTPURLResponse) {
        let url = try XCTUnwrap(URL(string: path, relativeTo: url))
        let (data, response) = try await URLSession.shared.data(from: url)
        return (String(decoding: data, as: UTF8.self), try XCTUnwrap(response as? HTTPURLResponse))
    }

    /// Runs code in a scope with a cassette and with environment variables.
    @discardableResult
    func scope<Result>(
        _ environment: [String: String] = [:],
        mode: RecordingMode = .never,
        name: String = "talk",
        configuration: Stubber.Configuration = Stubber.Configuration(),
        _ body: (Stubber) async throws -> Result
    ) async throws -> Result {
        let stubber = try Stubber(
            at: CassetteLocation(name: name, in: folder.url),
            mode: mode,
            configuration: configuration,
            environment: Environment(environment)
        )
        return try await CassetteScope.serve(stubber) { try await body(stubber) }
    }

    /// The message of an error.
    func message<Result>(_ body: () async throws -> Result) async -> String {
        do {
            _ = try await body()
            return "no error"
        } catch { return "\(error)" }
    }
}
