import Foundation
import Rewind
import RewindTestSupport
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The live side is the user's to shape, and what the app's session says holds live and on replay.
final class LiveSessionTests: XCTestCase {
    func testTheHeadersOfTheAppsSessionAreSentRecordedAndMatched() async throws {
        var configuration = Stubber.Configuration()
        configuration.matching = .default + [.custom("token") { $0.headers["X-Token"] ?? "" }]
        let twice = try await Twice(configuration: configuration) { servers in
            let session = URLSessionConfiguration.ephemeral
            session.httpAdditionalHeaders = ["X-Token": "of the session", "X-Session": "yes"]
            var request = URLRequest(url: servers[0]["echo"])
            request.setValue("of the request", forHTTPHeaderField: "x-token")
            return await Outcome(of: request, in: URLSession(configuration: session))
        }
        XCTAssertEqual(twice.live, twice.replayed)
        XCTAssertEqual(twice.live.headers["X-Sent-X-Token"], "of the request")
        XCTAssertEqual(twice.live.headers["X-Sent-X-Session"], "yes")
        XCTAssertEqual(twice.cassette.interactions.first?.request.headers["X-Session"], "yes")
    }

    func testTheHeadersOfTheLiveSessionAreSentAndNotRecorded() async throws {
        let live = URLSessionConfiguration.ephemeral
        live.httpAdditionalHeaders = ["X-Token": "of the live side"]
        var configuration = Stubber.Configuration()
        configuration.liveSession = live
        let twice = try await Twice(configuration: configuration) { servers in
            await Outcome(of: servers[0]["echo"])
        }
        XCTAssertEqual(twice.live.headers["X-Sent-X-Token"], "of the live side")
        XCTAssertEqual(twice.live, twice.replayed)
        XCTAssertNil(twice.cassette.interactions.first?.request.headers["X-Token"])
    }

    func testTheTimeoutOfTheLiveSessionHolds() async throws {
        let live = URLSessionConfiguration.ephemeral
        live.timeoutIntervalForRequest = 1
        var configuration = Stubber.Configuration()
        configuration.liveSession = live
        let twice = try await Twice(configuration: configuration) { servers in
            await Outcome(of: servers[0]["slow/1500"])
        }
        XCTAssertEqual(twice.live.failure, "\(NSURLErrorDomain) \(NSURLErrorTimedOut)")
        XCTAssertEqual(twice.live, twice.replayed)
    }

    func testEndlessTimeoutsOfTheLiveSessionDoNotStopTheProcess() async throws {
        let live = URLSessionConfiguration.ephemeral
        live.timeoutIntervalForRequest = .infinity
        live.timeoutIntervalForResource = .infinity
        var configuration = Stubber.Configuration()
        configuration.liveSession = live
        let twice = try await Twice(configuration: configuration) { servers in
            await Outcome(of: servers[0]["json"])
        }
        XCTAssertEqual(twice.live.status, 200)
        XCTAssertEqual(twice.live, twice.replayed)
    }

    func testTheCookieStorageOfTheLiveSessionIsUsed() async throws {
        let live = URLSessionConfiguration.ephemeral
        var configuration = Stubber.Configuration()
        configuration.liveSession = live
        configuration.redaction = .off
        let twice = try await Twice(configuration: configuration) { servers in
            _ = await Outcome(of: servers[0]["cookies"], in: URLSession(configuration: .ephemeral))
            return live.httpCookieStorage?.cookies(for: servers[0]["/"])?.map(\.name).sorted() ?? []
        }
        XCTAssertEqual(twice.live, ["flavour", "shape"])
    }

    func testEndlessTimeoutsInLiveModeDoNotStopTheProcess() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        let status = try await withCassette("none", mode: .live) { _ in
            var request = URLRequest(url: server["json"])
            request.timeoutInterval = .infinity
            return await Outcome(of: request).status
        }
        XCTAssertEqual(status, 200)
    }
}
