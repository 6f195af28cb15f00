import Foundation
import RewindServer
import RewindTestSupport
import XCTest

import RewindXCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// The code of the README, compiled and run; `ReadmeTests` sees to it that it is the same.

final class TimelineTests: CassetteTestCase {
    func testTimeline() async throws {
        let posts = try await APIClient().timeline()
        XCTAssertEqual(posts.count, 20)
    }
}

final class SearchTests: CassetteTestCase {
    override var configuration: Configuration {
        var configuration = super.configuration
        configuration.matching = .default.ignoring(
            .queryItems("ts", "utm_*"),
            .jsonPaths("$.meta.requestId", "$..timestamp"),
            .segments("/users/*/posts")
        )
        configuration.repeats = .last
        configuration.unplayed = .fail
        configuration.maxAge = .days(90, .warn)
        return configuration
    }

    func testItsSettingsHold() {
        XCTAssertEqual(stubber.configuration.matching.map(\.name), ["method", "url", "body"])
        XCTAssertEqual(
            stubber.configuration.matching[1].ignored.map(\.description),
            [#".queryItems("ts", "utm_*")"#, #".segments("/users/*/posts")"#]
        )
    }
}

final class AccountTests: CassetteTestCase {
    override var configuration: Configuration {
        var configuration = super.configuration
        configuration.redaction.add(.header("X-Tenant-Key"), .field("pin"), .jsonPath("$.user.ssn"))
        configuration.redaction.replace(ProcessInfo.processInfo.environment["API_KEY"], with: "<API_KEY>")
        return configuration
    }

    func testItsSettingsHold() {
        let redactor = Redactor(configuration.redaction)
        let body = redactor.redact(Request(url: "https://h/", body: Body(#"{"pin":"1","user":{"ssn":"2"}}"#)))
            .body
        XCTAssertEqual(body, Body(#"{"pin":"<pin:1>","user":{"ssn":"<ssn:1>"}}"#))
    }
}

final class CheckoutTests: CassetteTestCase {
    override var recordingMode: RecordingMode { .newEpisodes }
    override var cassetteDirectory: URL { CassetteDirectory.beside(#filePath) }

    override var configuration: Configuration {
        var configuration = super.configuration
        configuration.matching = [.method, .path]
        configuration.passthroughHosts = ["localhost"]
        return configuration
    }

    func testItsSettingsHold() {
        XCTAssertEqual(stubber.location.source.lastPathComponent, "testItsSettingsHold.har")
        XCTAssertEqual(stubber.location.source.deletingLastPathComponent().lastPathComponent, "Cassettes")
        XCTAssertEqual(stubber.configuration.matching.map(\.name), ["method", "path"])
        XCTAssertEqual(stubber.mode, .newEpisodes)
    }
}

final class AnywhereTests: XCTestCase {
    func testAnywhere() async throws {
        let posts = try await withCassette("timeline") { stubber in
            try await APIClient().timeline()
        }
        XCTAssertEqual(posts.count, 20)
    }

    func testWithItsOwnSession() async throws {
        let stubber = try Stubber(cassette: "timeline")
        let posts = try await APIClient(session: stubber.session).timeline()
        try stubber.eject()
        XCTAssertEqual(posts.count, 20)
    }
}

final class StubbedTests: XCTestCase {
    func testOffline() async throws {
        try await withCassette("timeline") { stubber in
            let stub = stubber.stub(.path("/timeline"), respond: .failure(.notConnectedToInternet))
            let nothing = try? await APIClient().timeline()
            XCTAssertNil(nothing)
            stub.remove()
            let posts = try await APIClient().timeline()
            XCTAssertEqual(posts.count, 20)
        }
    }

    func testByHand() async throws {
        let posts = try await withStubs { stubber in
            stubber.stub(.path("/timeline") && .query(["page": "1"])) { request in
                .json([["id": 1, "title": "Hello"]])
            }
            return try await APIClient().timeline()
        }
        XCTAssertEqual(posts.map(\.title), ["Hello"])
    }
}

final class CheckoutUITests: XCTestCase {
    func testCheckout() throws {
        let upstream = try XCTUnwrap(URL(string: "https://api.example.com"))
        let server = try CassetteServer(upstream: upstream, cassette: "checkout")
        let app = XCUIApplication()
        app.launchEnvironment["BASE_URL"] = try server.start().absoluteString
        app.launch()
        app.terminate()
        try server.stop()
    }
}

/// Stands for the app of a UI test, which Linux does not have.
private final class XCUIApplication {
    var launchEnvironment: [String: String] = [:]

    func launch() {
        XCTAssertTrue(launchEnvironment["BASE_URL"]?.hasPrefix("http://127.0.0.1:") ?? false)
    }

    func terminate() {
        launchEnvironment = [:]
    }
}

/// The app of the README; `Docs/Contributing.md` tells how its cassettes are recorded.
struct APIClient {
    struct Post: Decodable {
        let id: Int
        let title: String
    }

    var session = URLSession.shared

    func timeline() async throws -> [Post] {
        guard let url = URL(string: "http://127.0.0.1:8017/timeline?page=1") else { throw URLError(.badURL) }
        let (data, _) = try await session.data(from: url)
        return try JSONDecoder().decode([Post].self, from: data)
    }
}
