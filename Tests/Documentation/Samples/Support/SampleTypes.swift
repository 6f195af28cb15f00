import Foundation
import RewindXCTest
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Types of the reader's own code that the samples use.

/// The client of an app. `Docs/Contributing.md` describes how its cassettes are recorded.
struct APIClient {
    struct Post: Decodable {
        let id: Int
        let title: String
    }

    struct User: Decodable {
        let id: String
        let name: String
    }

    var baseURL = URL(fileURLWithPath: "/")
    var session = URLSession.shared

    init(baseURL: URL? = URL(string: "http://127.0.0.1:8017"), session: URLSession = .shared) {
        if let baseURL { self.baseURL = baseURL }
        self.session = session
    }

    func timeline(page: Int = 1) async throws -> [Post] {
        try await get("timeline?page=\(page)")
    }

    func user(_ id: String) async throws -> User {
        try await get("users/\(id)")
    }

    private func get<Answer: Decodable>(_ path: String) async throws -> Answer {
        guard let url = URL(string: path, relativeTo: baseURL) else { throw URLError(.badURL) }
        let (data, _) = try await session.data(from: url.absoluteURL)
        return try JSONDecoder().decode(Answer.self, from: data)
    }
}

/// A replacement for the class of XCTest, which does not exist on Linux.
final class XCUIApplication {
    var launchEnvironment: [String: String] = [:]

    func launch() {
        if launchEnvironment["REWIND_CASSETTE"] != nil { return launchTool() }
        XCTAssertTrue(launchEnvironment["BASE_URL"]?.hasPrefix("http://127.0.0.1:") ?? false)
    }

    func terminate() {
        launchEnvironment = [:]
    }

    /// A tool in place of an app that replays by its environment.
    private func launchTool() {
        let tool = Process()
        let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        tool.executableURL = products.appendingPathComponent("WeatherTool")
        tool.arguments = ["http://127.0.0.1:8017", "get", "/users/42"]
        tool.environment = ProcessInfo.processInfo.environment.merging(launchEnvironment) { $1 }
        tool.standardOutput = FileHandle.nullDevice
        XCTAssertNoThrow(try tool.run())
        tool.waitUntilExit()
    }
}
