import Foundation
import Rewind
import RewindTestSupport
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Details of a replay that an app can observe beyond status and body: indices, errors, types and the time of the end.
final class AppViewTests: XCTestCase {
    func testTheIndicesOfEachChunkBeginAtZero() async throws {
        let result = try await RecordAndReplay { servers in
            let starts = Locked<Set<Int>>([])
            for path in ["chunks/4", "binary/17000000"] {
                let delegate = IndexDelegate(starts)
                let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
                session.dataTask(with: servers[0][path]).resume()
                await delegate.end()
            }
            return starts.withLock { $0 }
        }
        XCTAssertEqual(result.live, [0])
        XCTAssertEqual(result.replayed, [0])
    }

    func testTheIndicesOfStubbedChunksBeginAtZero() async throws {
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

    func testARecordedCancellationWaitsUntilTheAppCancels() async throws {
        for timing in [Stubber.Configuration.Timing.immediate, .recorded] {
            var configuration = Stubber.Configuration()
            configuration.timing = timing
            let result = try await RecordAndReplay(configuration: configuration) { servers in
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
            XCTAssertEqual(result.live, ["\(NSURLErrorDomain) \(NSURLErrorCancelled)", "in time"])
            XCTAssertEqual(result.replayed, result.live)
        }
    }

    func testARecordedCancellationEndsWithTheTestIfTheAppDoesNotCancel() async throws {
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

    func testATaskThatIsSuspendedAtOnceGetsNoAnswerUntilItIsResumed() async throws {
        let result = try await RecordAndReplay { servers in
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
        XCTAssertEqual([result.live.all, result.replayed.all], [100, 100])
        // On a busy machine the thread may pause between the two calls; then an answer arrives without Rewind too.
        XCTAssertLessThan(result.live.early, 20)
        XCTAssertLessThan(result.replayed.early, 20)
    }

    func testARecordedFailureIsReplayedWithTheSameError() async throws {
        let refused = try XCTUnwrap(URL(string: "http://127.0.0.1:1/?token=s3cr3t-v4lue-0f-app"))
        let folder = try TemporaryDirectory()
        func errors(_ mode: RecordingMode) async throws -> [String] {
            try await recordingFailures(in: folder.url, mode: mode) { _ in
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
        XCTAssertFalse(text.contains("s3cr3t-v4lue-0f-app"), "the secret is in the cassette")
    }

    func testTheAppSeesNoTypeOfRewind() async throws {
        let result = try await RecordAndReplay { servers in
            var types: Set<String> = []
            for path in ["json", "cookies", "unauthorized/Basic", "unauthorized/Bearer", "basic"] {
                let (_, response) = try await URLSession(configuration: .ephemeral).data(from: servers[0][path])
                XCTAssertTrue(type(of: response) == HTTPURLResponse.self, path)
                types.insert(String(reflecting: type(of: response)))
                types.insert("\(response)".hasPrefix("<HTTPURLResponse 0x") ? "as shown" : "\(response)")
            }
            return types
        }
        XCTAssertEqual(result.live, result.replayed)
        XCTAssertEqual(result.live, [String(reflecting: HTTPURLResponse.self), "as shown"])
    }

    func testTheTimeoutOfARequestsInitializerAppliesWhileRecording() async throws {
        let result = try await RecordAndReplay { servers in
            let request = URLRequest(
                url: servers[0]["slow/3000"],
                cachePolicy: .useProtocolCachePolicy,
                timeoutInterval: 0.3
            )
            return await Outcome(of: request)
        }
        XCTAssertEqual(result.live.failure, "\(NSURLErrorDomain) \(NSURLErrorTimedOut)")
        XCTAssertEqual(result.live, result.replayed)
    }
}

/// A delegate that records the first index of each chunk.
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
