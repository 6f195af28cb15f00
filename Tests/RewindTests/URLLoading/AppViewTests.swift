import Foundation
import Rewind
import RewindTestSupport
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a replay gives an app beyond bytes and statuses: indices, errors, types, and the moment of an end.
final class AppViewTests: XCTestCase {
    func testEveryPieceOfABodyBeginsAtIndexZero() async throws {
        let twice = try await Twice { servers in
            let starts = Locked<Set<Int>>([])
            for path in ["chunks/4", "binary/17000000"] {
                let delegate = IndexDelegate(starts)
                let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
                session.dataTask(with: servers[0][path]).resume()
                await delegate.end()
            }
            return starts.withLock { $0 }
        }
        XCTAssertEqual(twice.live, [0])
        XCTAssertEqual(twice.replayed, [0])
    }

    func testStubbedPiecesAndBodiesMadeOfSlicesBeginAtIndexZero() async throws {
        let starts = Locked<Set<Int>>([])
        let slice = Data("skip this".utf8).dropFirst(5)
        try await withStubs { stubber in
            stubber.stub(.path("/pieces"), respond: .chunks([slice, slice, Data("end".utf8)], every: .zero))
            stubber.stub(.path("/slice"), respond: .data(slice, contentType: "text/plain"))
            for path in ["pieces", "slice"] {
                let delegate = IndexDelegate(starts)
                let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
                session.dataTask(with: try XCTUnwrap(URL(string: "http://h.invalid/\(path)"))).resume()
                await delegate.end()
                let url = try XCTUnwrap(URL(string: "http://h.invalid/\(path)"))
                let (data, _) = try await session.data(from: url)
                starts.withLock { _ = $0.insert(data.startIndex) }
            }
        }
        XCTAssertEqual(starts.withLock { $0 }, [0])
        XCTAssertEqual(Interaction.Body(slice).data[0], UInt8(ascii: "t"))
    }

    func testARecordedCancellationIsHeldUntilTheAppCancels() async throws {
        for timing in [Stubber.Configuration.Timing.immediate, .recorded] {
            var configuration = Stubber.Configuration()
            configuration.timing = timing
            let twice = try await Twice(configuration: configuration) { servers in
                let ended = Locked<Date?>(nil)
                let url = servers[0]["slow/5000"]
                let outcome = await withCheckedContinuation { continuation in
                    let task = URLSession.shared.dataTask(with: url) { data, response, error in
                        ended.withLock { $0 = Date() }
                        continuation.resume(returning: Outcome(data, response, error))
                    }
                    task.resume()
                    DispatchQueue.global().asyncAfter(deadline: .now() + 0.15) {
                        ended.withLock { if $0 != nil { $0 = .distantPast } }
                        task.cancel()
                    }
                }
                return [outcome.failure ?? "", ended.withLock { $0 } == .distantPast ? "too early" : "in time"]
            }
            XCTAssertEqual(twice.live, ["\(NSURLErrorDomain) \(NSURLErrorCancelled)", "in time"])
            XCTAssertEqual(twice.replayed, twice.live)
        }
    }

    func testACancellationThatTheAppDoesNotRepeatIsHeldUntilTheTestEnds() async throws {
        let folder = try TemporaryDirectory()
        let cancelled = Interaction(
            request: Interaction.Request(url: "http://h.invalid/"),
            outcome: .failure(Interaction.Failure(code: NSURLErrorCancelled), after: nil)
        )
        try HARFormat.write(Cassette(interactions: [cancelled])).write(to: folder["talk.har"])
        let url = try XCTUnwrap(URL(string: "http://h.invalid/"))
        let request = try await withCassette("talk", in: folder.url, mode: .never) { stubber in
            let request = Task { await Outcome(of: url) }
            try await stubber.waitForRequests(.path("/"))
            return request
        }
        let outcome = await request.value
        XCTAssertEqual(outcome.failure, "\(NSURLErrorDomain) \(NSURLErrorCancelled)")
    }

    func testATaskThatIsSuspendedAtOnceIsNotAnsweredUntilItIsResumed() async throws {
        let twice = try await Twice { servers in
            let answered = Locked((early: 0, all: 0))
            let isResumed = Locked(false)
            let done = DispatchGroup()
            let tasks = (0..<100).map { round in
                done.enter()
                return URLSession.shared.dataTask(with: servers[0]["json?n=\(round)"]) { _, _, _ in
                    let isEarly = !isResumed.withLock { $0 }
                    answered.withLock { answered in
                        answered.all += 1
                        answered.early += isEarly ? 1 : 0
                    }
                    done.leave()
                }
            }
            for task in tasks {
                task.resume()
                task.suspend()
            }
            try await Task.sleep(nanoseconds: 80_000_000)
            isResumed.withLock { $0 = true }
            for task in tasks { task.resume() }
            await withCheckedContinuation { continuation in
                done.notify(queue: .global()) { continuation.resume() }
            }
            return answered.withLock { $0 }
        }
        XCTAssertEqual([twice.live.all, twice.replayed.all], [100, 100])
        // A busy machine may leave the thread no time between the two calls, and then an answer comes natively as well.
        XCTAssertLessThan(twice.live.early, 20)
        XCTAssertLessThan(twice.replayed.early, 20)
    }

    func testTheErrorOfARecordedFailureIsTheSameAgain() async throws {
        let refused = try XCTUnwrap(URL(string: "http://127.0.0.1:1/?token=s3cr3t-v4lue-0f-app"))
        let folder = try TemporaryDirectory()
        func errors(_ mode: RecordingMode) async throws -> [String] {
            try await withCassette("talk", in: folder.url, mode: mode) { _ in
                do {
                    _ = try await URLSession.shared.data(from: refused)
                    return []
                } catch {
                    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
                    return [Description.of(error), "\(underlying?.code ?? 0)"]
                }
            }
        }
        let live = try await errors(.all)
        let replayed = try await errors(.never)
        XCTAssertEqual(live, replayed)
        XCTAssertEqual(live.last, "\(NSURLErrorCannotConnectToHost)")
        XCTAssertTrue(
            live.first?.contains("token=s3cr3t-v4lue-0f-app") == true,
            "the app's own URL is in the error"
        )
        let text = try String(contentsOf: folder["talk.har"], encoding: .utf8)
        XCTAssertFalse(text.contains("s3cr3t-v4lue-0f-app"), "and is not written")
    }

    func testNoTypeOfOursIsSeen() async throws {
        let twice = try await Twice { servers in
            var types: Set<String> = []
            for path in ["json", "cookies", "unauthorized/Basic", "unauthorized/Bearer", "basic"] {
                let (_, response) = try await URLSession(configuration: .ephemeral).data(from: servers[0][path])
                XCTAssertTrue(type(of: response) == HTTPURLResponse.self, path)
                types.insert(String(reflecting: type(of: response)))
                types.insert("\(response)".hasPrefix("<HTTPURLResponse 0x") ? "as shown" : "\(response)")
            }
            return types
        }
        XCTAssertEqual(twice.live, twice.replayed)
        XCTAssertEqual(twice.live, [String(reflecting: HTTPURLResponse.self), "as shown"])
    }

    func testATimeoutGivenToAnInitializerHoldsWhileRecording() async throws {
        let twice = try await Twice { servers in
            let request = URLRequest(
                url: servers[0]["slow/3000"],
                cachePolicy: .useProtocolCachePolicy,
                timeoutInterval: 1
            )
            return await Outcome(of: request)
        }
        XCTAssertEqual(twice.live.failure, "\(NSURLErrorDomain) \(NSURLErrorTimedOut)")
        XCTAssertEqual(twice.live, twice.replayed)
    }
}

/// A delegate that keeps the first index of each piece.
private final class IndexDelegate: NSObject, URLSessionDataDelegate {
    private let starts: Locked<Set<Int>>
    private let transcript = Transcript()

    init(_ starts: Locked<Set<Int>>) {
        self.starts = starts
    }

    func end() async {
        _ = await transcript.waitForEnd(atMost: 60)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        starts.withLock { _ = $0.insert(data.startIndex) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        transcript.end()
    }
}
