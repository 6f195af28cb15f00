import Foundation
import Rewind
import RewindTestSupport
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A failure of the live request is replayed as the same failure.
final class FailureTests: XCTestCase {
    func testAnUnknownHostFailsTheSameOnReplay() async throws {
        let url = try XCTUnwrap(URL(string: "http://nowhere.invalid/"))
        let result = try await RecordAndReplay { _ in await Outcome(of: url) }
        XCTAssertEqual(result.live.failure, "\(NSURLErrorDomain) \(NSURLErrorCannotFindHost)")
        XCTAssertEqual(result.live, result.replayed)
    }

    func testADelegateReceivesThePartialBodyBeforeTheErrorOfACutConnection() async throws {
        let result = try await RecordAndReplay { servers in
            let observer = TaskObserver()
            let session = URLSession(configuration: .default, delegate: observer, delegateQueue: nil)
            _ = await observer.outcome(of: session.dataTask(with: servers[0]["cut"]))
            return observer.events
        }
        XCTAssertEqual(result.live, result.replayed)
        XCTAssertEqual(result.live.prefix(2), ["response 200", "data 9"])
        XCTAssertEqual(result.live.count, 3)
        XCTAssertTrue(result.live[2].hasPrefix("failed -"), result.live[2])
    }

    func testTheTimeoutOfARequestIsRecordedAndReplayed() async throws {
        let result = try await RecordAndReplay { servers in
            var request = URLRequest(url: servers[0]["slow/1500"])
            request.timeoutInterval = 1
            return await Outcome(of: request)
        }
        XCTAssertEqual(result.live.failure, "\(NSURLErrorDomain) \(NSURLErrorTimedOut)")
        XCTAssertEqual(result.live, result.replayed)
    }

    func testTheTimeoutOfASessionAppliesLiveAndOnReplay() async throws {
        let result = try await RecordAndReplay { servers in
            let request = URLSessionConfiguration.ephemeral
            request.timeoutIntervalForRequest = 1
            let resource = URLSessionConfiguration.ephemeral
            resource.timeoutIntervalForResource = 0.3
            return [
                await Outcome(of: servers[0]["slow/1500"], in: URLSession(configuration: request)),
                await Outcome(of: servers[0]["slow/1200"], in: URLSession(configuration: resource)),
            ]
        }
        let timedOut = "\(NSURLErrorDomain) \(NSURLErrorTimedOut)"
        XCTAssertEqual(result.live.map(\.failure), [timedOut, timedOut])
        XCTAssertEqual(result.live, result.replayed)
    }

    func testTimeoutsApplyToReplayWithRecordedTiming() async throws {
        let folder = try TemporaryDirectory()
        let slow = Interaction(
            request: Interaction.Request(url: "http://slow.invalid/"),
            outcome: .response(Interaction.Response(body: Interaction.Body("late"))),
            timing: .init(wait: 5000, receive: 10)
        )
        try HARFormat.write(Cassette(interactions: [slow, slow])).write(to: folder["talk.har"])
        let url = try XCTUnwrap(URL(string: "http://slow.invalid/"))
        var configuration = Stubber.Configuration()
        configuration.timing = .recorded
        let outcomes = try await withCassette(
            "talk",
            in: folder.url,
            mode: .never,
            configuration: configuration
        ) { _ in
            var request = URLRequest(url: url)
            request.timeoutInterval = 0.1
            let session = URLSessionConfiguration.ephemeral
            session.timeoutIntervalForResource = 0.1
            return [await Outcome(of: request), await Outcome(of: url, in: URLSession(configuration: session))]
        }
        let timedOut = "\(NSURLErrorDomain) \(NSURLErrorTimedOut)"
        XCTAssertEqual(outcomes.map(\.failure), [timedOut, timedOut])
    }

    func testInfiniteTimeoutsDoNotCrash() async throws {
        for timeout in [TimeInterval.infinity, .greatestFiniteMagnitude, .nan] {
            let result = try await RecordAndReplay { servers in
                let configuration = URLSessionConfiguration.ephemeral
                configuration.timeoutIntervalForRequest = timeout
                configuration.timeoutIntervalForResource = timeout
                var request = URLRequest(url: servers[0]["json"])
                request.timeoutInterval = timeout
                return await Outcome(of: request, in: URLSession(configuration: configuration))
            }
            XCTAssertEqual(result.live.status, 200)
            XCTAssertEqual(result.live, result.replayed)
        }
    }

    func testAnUploadOfAMissingFileFailsAsWithoutRewind() async throws {
        let folder = try TemporaryDirectory()
        let server = try ConversationServer()
        defer { server.stop() }
        let missing = folder["missing.txt"]
        let outcome = try await withCassette("talk", in: folder.url, mode: .once) { _ in
            var request = URLRequest(url: server["echo"])
            request.httpMethod = "POST"
            do {
                let (data, response) = try await URLSession.shared.upload(for: request, fromFile: missing)
                return Outcome(data, response, nil)
            } catch {
                return Outcome(nil, nil, error)
            }
        }
        XCTAssertEqual(outcome.failure, "\(NSURLErrorDomain) \(NSURLErrorFileDoesNotExist)")
        XCTAssertEqual(server.requestCount, 0)
    }
}
