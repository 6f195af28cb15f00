import Foundation
import Rewind
import RewindTestSupport
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Cookies of an answer are stored where the session keeps its own, live and on replay, and sent with the next request.
final class CookieTests: XCTestCase {
    /// Cookies are secret by default; here they are to be compared.
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

    func testSeveralCookiesAreStoredAndSentWithTheNextRequest() async throws {
        let twice = try await Twice(configuration: configuration) { await self.visit($0[0], .ephemeral) }
        XCTAssertEqual(twice.live, twice.replayed)
        XCTAssertEqual(twice.live.stored, ["flavour=oat", "shape=round"])
        XCTAssertEqual(
            twice.live.sent.map { Set($0.components(separatedBy: "; ")) },
            ["flavour=oat", "shape=round"]
        )
        XCTAssertEqual(twice.cassette.interactions[0].response?.headers.values(for: "Set-Cookie").count, 2)
    }

    func testCookiesOfARedirectAreStoredAndSentToTheNextHop() async throws {
        let twice = try await Twice(configuration: configuration) { servers in
            let session = URLSession(configuration: .ephemeral)
            _ = await Outcome(of: servers[0]["cookies"], in: session)
            return await Outcome(of: servers[0]["location/302?/echo"], in: session).headers["X-Sent-Cookie"]
                ?? ""
        }
        XCTAssertEqual(twice.live, twice.replayed)
        XCTAssertTrue(twice.live.contains("flavour=oat"))
    }

    func testARequestThatDoesNotHandleCookiesStoresNone() async throws {
        let twice = try await Twice(configuration: configuration) {
            await self.visit($0[0], .ephemeral, handled: false)
        }
        XCTAssertEqual(twice.live, twice.replayed)
        XCTAssertEqual(twice.live.stored, [])
    }

    func testASessionWithoutAStorageOrThatAcceptsNoneStoresNone() async throws {
        for isWithout in [true, false] {
            let twice = try await Twice(configuration: configuration) { servers in
                let configuration = URLSessionConfiguration.ephemeral
                if isWithout {
                    configuration.httpCookieStorage = nil
                } else {
                    configuration.httpCookieAcceptPolicy = .never
                }
                return await self.visit(servers[0], configuration)
            }
            XCTAssertEqual(twice.live, twice.replayed)
            XCTAssertEqual(twice.live, Visit())
        }
    }

    func testByDefaultTheValuesAreTakenOutAndTheNamesStay() async throws {
        let twice = try await Twice { servers in
            let configuration = URLSessionConfiguration.ephemeral
            _ = await Outcome(of: servers[0]["cookies"], in: URLSession(configuration: configuration))
            let stored = configuration.httpCookieStorage?.cookies(for: servers[0]["/"]) ?? []
            return stored.map { "\($0.name)=\($0.value)" }.sorted()
        }
        XCTAssertEqual(twice.live, ["flavour=oat", "shape=round"])
        XCTAssertEqual(twice.replayed, ["flavour=<flavour:1>", "shape=<shape:1>"])
        let text = String(decoding: HARFormat.write(twice.cassette), as: UTF8.self)
        XCTAssertFalse(text.contains("oat"))
    }
}
