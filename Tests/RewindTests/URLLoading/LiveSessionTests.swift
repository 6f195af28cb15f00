import Foundation
import Rewind
import RewindTestSupport
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The settings of the configuration's live session apply while recording; those of the app's session always apply.
final class LiveSessionTests: XCTestCase {
    func testHeadersOfTheAppsSessionAreSentRecordedAndMatched() async throws {
        var configuration = Stubber.Configuration()
        configuration.matching = .default + [.custom("token") { $0.headers["X-Token"] ?? "" }]
        let result = try await RecordAndReplay(configuration: configuration) { servers in
            let session = URLSessionConfiguration.ephemeral
            session.httpAdditionalHeaders = ["X-Token": "of the session", "X-Session": "yes"]
            var request = URLRequest(url: servers[0]["echo"])
            request.setValue("of the request", forHTTPHeaderField: "x-token")
            return await Outcome(of: request, in: URLSession(configuration: session))
        }
        XCTAssertEqual(result.live, result.replayed)
        XCTAssertEqual(result.live.headers["X-Sent-X-Token"], "of the request")
        XCTAssertEqual(result.live.headers["X-Sent-X-Session"], "yes")
        XCTAssertEqual(result.cassette.interactions.first?.request.headers["X-Session"], "yes")
    }

    func testHeadersOfTheLiveSessionAreSentButNotRecorded() async throws {
        let live = URLSessionConfiguration.ephemeral
        live.httpAdditionalHeaders = ["X-Token": "of the live side"]
        var configuration = Stubber.Configuration()
        configuration.liveSession = live
        let result = try await RecordAndReplay(configuration: configuration) { servers in
            await Outcome(of: servers[0]["echo"])
        }
        XCTAssertEqual(result.live.headers["X-Sent-X-Token"], "of the live side")
        XCTAssertEqual(result.live, result.replayed)
        XCTAssertNil(result.cassette.interactions.first?.request.headers["X-Token"])
    }

    func testTheTimeoutOfTheLiveSessionApplies() async throws {
        let live = URLSessionConfiguration.ephemeral
        live.timeoutIntervalForRequest = 1
        var configuration = Stubber.Configuration()
        configuration.liveSession = live
        let result = try await RecordAndReplay(configuration: configuration) { servers in
            await Outcome(of: servers[0]["slow/1500"])
        }
        XCTAssertEqual(result.live.failure, "\(NSURLErrorDomain) \(NSURLErrorTimedOut)")
        XCTAssertEqual(result.live, result.replayed)
    }

    func testInfiniteTimeoutsOfTheLiveSessionDoNotCrash() async throws {
        let live = URLSessionConfiguration.ephemeral
        live.timeoutIntervalForRequest = .infinity
        live.timeoutIntervalForResource = .infinity
        var configuration = Stubber.Configuration()
        configuration.liveSession = live
        let result = try await RecordAndReplay(configuration: configuration) { servers in
            await Outcome(of: servers[0]["json"])
        }
        XCTAssertEqual(result.live.status, 200)
        XCTAssertEqual(result.live, result.replayed)
    }

    func testTheCookieStorageOfTheLiveSessionIsUsed() async throws {
        let live = URLSessionConfiguration.ephemeral
        var configuration = Stubber.Configuration()
        configuration.liveSession = live
        configuration.redaction = .off
        let result = try await RecordAndReplay(configuration: configuration) { servers in
            _ = await Outcome(of: servers[0]["cookies"], in: URLSession(configuration: .ephemeral))
            return live.httpCookieStorage?.cookies(for: servers[0]["/"])?.map(\.name).sorted() ?? []
        }
        XCTAssertEqual(result.live, ["fruit", "size"])
    }

    func testInfiniteTimeoutsInLiveModeDoNotCrash() async throws {
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
