import Foundation
import Rewind
import RewindTestSupport
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Cookies of a response are stored in the session's storage and sent with the next request, live and on replay.
final class CookieTests: XCTestCase {
    /// Without redaction, as the tests compare cookies.
    private var configuration: Stubber.Configuration {
        var configuration = Stubber.Configuration()
        configuration.redaction = .off
        return configuration
    }

    private struct Visit: Equatable, Sendable {
        var stored: [String] = []
        var sent: String?
    }

    private func visit(
        _ server: ConversationServer,
        _ session: URLSessionConfiguration,
        handled: Bool = true
    ) async -> Visit {
        var request = URLRequest(url: server["cookies"])
        request.httpShouldHandleCookies = handled
        let own = URLSession(configuration: session)
        _ = await Outcome(of: request, in: own)
        let stored = session.httpCookieStorage?.cookies(for: server["/"]) ?? []
        let echo = await Outcome(of: server["echo"], in: own)
        return Visit(
            stored: stored.map { "\($0.name)=\($0.value)" }.sorted(),
            sent: echo.headers["X-Sent-Cookie"]
        )
    }

    func testCookiesAreStoredAndSentWithTheNextRequest() async throws {
        let result = try await RecordAndReplay(configuration: configuration) {
            await self.visit($0[0], .ephemeral)
        }
        XCTAssertEqual(result.live, result.replayed)
        XCTAssertEqual(result.live.stored, ["fruit=apple", "size=small"])
        XCTAssertEqual(
            result.live.sent.map { Set($0.components(separatedBy: "; ")) },
            ["fruit=apple", "size=small"]
        )
        XCTAssertEqual(result.cassette.interactions[0].response?.headers.values(for: "Set-Cookie").count, 2)
    }

    func testCookiesOfARedirectAreStoredAndSentToTheNextHop() async throws {
        let result = try await RecordAndReplay(configuration: configuration) { servers in
            let session = URLSession(configuration: .ephemeral)
            _ = await Outcome(of: servers[0]["cookies"], in: session)
            return await Outcome(of: servers[0]["location/302?/echo"], in: session).headers["X-Sent-Cookie"]
                ?? ""
        }
        XCTAssertEqual(result.live, result.replayed)
        XCTAssertTrue(result.live.contains("fruit=apple"))
    }

    func testARequestThatDoesNotHandleCookiesStoresNone() async throws {
        let result = try await RecordAndReplay(configuration: configuration) {
            await self.visit($0[0], .ephemeral, handled: false)
        }
        XCTAssertEqual(result.live, result.replayed)
        XCTAssertEqual(result.live.stored, [])
    }

    func testASessionWithoutCookieStorageOrThatAcceptsNoCookiesStoresNone() async throws {
        for isWithout in [true, false] {
            let result = try await RecordAndReplay(configuration: configuration) { servers in
                let configuration = URLSessionConfiguration.ephemeral
                if isWithout {
                    configuration.httpCookieStorage = nil
                } else {
                    configuration.httpCookieAcceptPolicy = .never
                }
                return await self.visit(servers[0], configuration)
            }
            XCTAssertEqual(result.live, result.replayed)
            XCTAssertEqual(result.live, Visit())
        }
    }

    func testCookiesThatLookLikeSettingsAreNotRedacted() async throws {
        let result = try await RecordAndReplay { servers in
            let configuration = URLSessionConfiguration.ephemeral
            _ = await Outcome(of: servers[0]["cookies"], in: URLSession(configuration: configuration))
            let stored = configuration.httpCookieStorage?.cookies(for: servers[0]["/"]) ?? []
            return stored.map { "\($0.name)=\($0.value)" }.sorted()
        }
        XCTAssertEqual(result.live, ["fruit=apple", "size=small"])
        XCTAssertEqual(result.replayed, result.live)
    }
}
