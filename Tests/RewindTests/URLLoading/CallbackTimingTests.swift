import Foundation
import RewindTestSupport
import XCTest

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What happens to a task while a closure of the test runs for it.
final class CallbackTimingTests: ConversationTestCase {
    /// A closure of a test that runs until it is released.
    private final class Gate: Sendable {
        let entered = DispatchSemaphore(value: 0)
        let released = DispatchSemaphore(value: 0)
        let passCount = Locked(0)

        func pass() {
            entered.signal()
            released.wait()
            passCount.withLock { $0 += 1 }
        }
    }

    private func serve<Result>(
        _ mode: RecordingMode,
        _ configure: (inout Stubber.Configuration) -> Void = { _ in },
        _ body: (Stubber) async throws -> Result
    ) async throws -> Result {
        var configuration = Stubber.Configuration()
        configure(&configuration)
        return try await withCassette("talk", in: folder.url, mode: mode, configuration: configuration) {
            try await body($0)
        }
    }

    private func begin(_ path: String, _ receive: @escaping @Sendable (Outcome) -> Void) -> URLSessionDataTask {
        let task = URLSession.shared.dataTask(with: server[path]) { receive(Outcome($0, $1, $2)) }
        task.resume()
        return task
    }

    private func wait(_ semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                semaphore.wait()
                continuation.resume()
            }
        }
    }

    // MARK: Cancellation and suspension

    func testTheTimeoutsOfASessionBeginWhenClosuresHaveReturned() async throws {
        let url = server["json"]
        _ = try await serve(.once) { _ in await Outcome(of: url) }
        server.stop()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 0.5
        let session = URLSession(configuration: configuration)
        let replayed = try await serve(.never) { configuration in
            configuration.beforePlayback = { interaction in
                Thread.sleep(forTimeInterval: 1.5)
                return interaction
            }
        } _: { _ in
            await Outcome(of: URLRequest(url: url), in: session)
        }
        XCTAssertEqual(replayed.status, 200, replayed.failure ?? "")
    }

    func testATaskCanBeCancelledDuringAClosure() async throws {
        for mode in [RecordingMode.once, .never] {
            let gate = Gate()
            let outcome = Locked<Outcome?>(nil)
            try await serve(mode) { configuration in
                configuration.passthrough = { _ in
                    gate.pass()
                    return false
                }
            } _: { _ in
                let ended = DispatchSemaphore(value: 0)
                let task = begin("json") { received in
                    outcome.withLock { $0 = received }
                    ended.signal()
                }
                await wait(gate.entered)
                task.cancel()
                await wait(ended)
                gate.released.signal()
            }
            XCTAssertEqual(
                outcome.withLock { $0 }?.failure,
                "\(NSURLErrorDomain) \(NSURLErrorCancelled)",
                "\(mode)"
            )
            // The scope has waited for the closure.
            XCTAssertEqual(gate.passCount.withLock { $0 }, 1)
            let recorded = try Cassette(contentsOf: folder["talk.har"]).interactions
            XCTAssertEqual(recorded.map(\.failure?.code), [NSURLErrorCancelled])
        }
    }

    func testATaskSuspendedDuringAClosureGetsItsAnswerWhenItIsResumed() async throws {
        for mode in [RecordingMode.once, .never] {
            let gate = Gate()
            let outcome = Locked<Outcome?>(nil)
            try await serve(mode) { configuration in
                configuration.passthrough = { _ in
                    gate.pass()
                    return false
                }
            } _: { stubber in
                let ended = DispatchSemaphore(value: 0)
                let task = begin("visit") { received in
                    outcome.withLock { $0 = received }
                    ended.signal()
                }
                await wait(gate.entered)
                task.suspend()
                gate.released.signal()
                while gate.passCount.withLock({ $0 }) == 0 { try await Task.sleep(for: .milliseconds(1)) }
                try await Task.sleep(for: .milliseconds(50))
                XCTAssertNil(outcome.withLock { $0 })
                task.resume()
                await wait(ended)
                XCTAssertEqual(stubber.requests.count, 1)
            }
            XCTAssertEqual(outcome.withLock { $0 }?.text, "visit 1", "\(mode)")
        }
    }

    func testATaskCancelledWhileItIsSuspendedAfterAClosureIsRecordedAsCancelled() async throws {
        let gate = Gate()
        try await serve(.once) { configuration in
            configuration.passthrough = { _ in
                gate.pass()
                return false
            }
        } _: { stubber in
            let ended = DispatchSemaphore(value: 0)
            let task = begin("visit") { _ in ended.signal() }
            await wait(gate.entered)
            task.suspend()
            gate.released.signal()
            while stubber.requestsInFlight.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
            task.cancel()
            await wait(ended)
        }
        let recorded = try Cassette(contentsOf: folder["talk.har"]).interactions
        XCTAssertEqual(recorded.map(\.failure?.code), [NSURLErrorCancelled])
        XCTAssertEqual(server.requestCount, 0)
    }

    func testATaskThatIsCancelledAtOnceRunsItsClosuresElsewhere() async throws {
        let texts = Locked<[String]>([])
        try await serve(.once) { [server] configuration in
            configuration.beforeRecord = { interaction in
                guard interaction.request.url.hasSuffix("/json"), let server else { return interaction }
                texts.withLock { $0.append(Outcome(waitingFor: server["visit"]).text) }
                return interaction
            }
        } _: { _ in
            let ended = DispatchSemaphore(value: 0)
            begin("json") { _ in ended.signal() }.cancel()
            await wait(ended)
        }
        XCTAssertEqual(texts.withLock { $0 }, ["visit 1"])
        let recorded = try Cassette(contentsOf: folder["talk.har"]).interactions
        XCTAssertEqual(recorded.compactMap(\.failure?.code), [NSURLErrorCancelled])
    }

    func testACancelledLiveRequestIsRecordedByAClosureThatWaits() async throws {
        let texts = Locked<[String]>([])
        try await serve(.once) { [server] configuration in
            configuration.beforeRecord = { interaction in
                guard interaction.request.url.hasSuffix("/slow/600"), let server else { return interaction }
                texts.withLock { $0.append(Outcome(waitingFor: server["visit"]).text) }
                return interaction
            }
        } _: { stubber in
            let ended = DispatchSemaphore(value: 0)
            let task = begin("slow/600") { _ in ended.signal() }
            try await stubber.waitForRequests(.path("/slow/600"))
            task.cancel()
            await wait(ended)
        }
        XCTAssertEqual(texts.withLock { $0 }, ["visit 1"])
    }

    // MARK: The end of the test

    func testTheEndOfAScopeWaitsForAClosure() async throws {
        let gate = Gate()
        let outcome = Locked<Outcome?>(nil)
        let ended = DispatchSemaphore(value: 0)
        try await serve(.once) { configuration in
            configuration.log = { _ in gate.pass() }
        } _: { _ in
            _ = begin("visit") { received in
                outcome.withLock { $0 = received }
                ended.signal()
            }
            await wait(gate.entered)
            DispatchQueue.global().asyncAfter(deadline: .now() + 0.1) { gate.released.signal() }
        }
        XCTAssertEqual(try Cassette(contentsOf: folder["talk.har"]).interactions.map(\.text), ["visit 1"])
        await wait(ended)
        XCTAssertEqual(outcome.withLock { $0 }?.text, "visit 1")
    }

    func testAScopeEndsAfterItsTimeLimitIfAClosureDoesNotReturn() async throws {
        let gate = Gate()
        let outcome = Locked<Outcome?>(nil)
        let ended = DispatchSemaphore(value: 0)
        try await serve(.once) { configuration in
            configuration.inFlightTimeout = 0.1
            configuration.passthrough = { _ in
                gate.pass()
                return false
            }
        } _: { _ in
            _ = begin("visit") { received in
                outcome.withLock { $0 = received }
                ended.signal()
            }
            await wait(gate.entered)
        }
        gate.released.signal()
        await wait(ended)
        // The request comes after the end of its test.
        XCTAssertEqual(outcome.withLock { $0 }?.failure?.hasPrefix(Miss.errorDomain), true)
        XCTAssertEqual(server.requestCount, 0)
    }

    // MARK: Kinds of requests

    func testEachHopOfARedirectCallsTheClosures() async throws {
        for mode in [RecordingMode.once, .never] {
            let lines = Locked(0)
            let outcome = try await serve(mode) { [server] configuration in
                configuration.log = { line in
                    guard let server, !line.contains("/visit") else { return }
                    _ = Outcome(waitingFor: server["visit"]).text
                    lines.withLock { $0 += 1 }
                }
            } _: { _ in
                await Outcome(of: server["redirect/2"])
            }
            XCTAssertEqual(outcome.status, 200, "\(mode)")
            XCTAssertEqual(lines.withLock { $0 }, 3, "\(mode)")
            server.stop()
        }
    }

    func testClosuresSeeTheBodiesOfUploads() async throws {
        for mode in [RecordingMode.once, .never] {
            let bodies = Locked<[String]>([])
            let outcomes = try await serve(mode) { configuration in
                configuration.matching += [
                    .custom("body") { request in
                        let text = String(decoding: request.body?.data ?? Data(), as: UTF8.self)
                        bodies.withLock { $0.append(text) }
                        return text
                    }
                ]
            } _: { _ in
                var request = URLRequest(url: server["echo"])
                request.httpMethod = "POST"
                let (data, response) = try await URLSession.shared.upload(
                    for: request,
                    from: Data("uploaded".utf8)
                )
                request.httpBodyStream = InputStream(data: Data("streamed".utf8))
                return [Outcome(data, response, nil).text, await Outcome(of: request).text]
            }
            XCTAssertEqual(outcomes, ["uploaded", "streamed"], "\(mode)")
            XCTAssertTrue(bodies.withLock { $0 }.contains("streamed"))
            server.stop()
        }
    }

    func testACassetteThatCannotBeRenewedIsReplayedWithClosures() async throws {
        _ = try await serve(.once) { _ in
            await (Outcome(of: server["json"]), Outcome(of: server["visit"]))
        }
        server.stop()
        var cassette = try Cassette(contentsOf: folder["talk.har"])
        for index in cassette.interactions.indices {
            cassette.interactions[index].startedAt = Date(timeIntervalSince1970: 1_000_000_000)
        }
        try cassette.write(to: folder["talk.har"])
        let stubbers = Locked<Stubber?>(nil)
        let isUsed = Locked(false)
        let use: @Sendable () -> Void = {
            guard let stubber = stubbers.withLock({ $0 }) else { return }
            _ = (stubber.mode, stubber.requests, stubber.requestsInFlight)
            isUsed.withLock { $0 = true }
        }
        let text = try await serve(.once) { configuration in
            configuration.maxAge = .days(30, .reRecord)
            configuration.matching += [
                .custom("own") { _, _ in
                    use()
                    return true
                }
            ]
            configuration.beforePlayback = {
                use()
                return $0
            }
        } _: { stubber in
            stubbers.withLock { $0 = stubber }
            return await Outcome(of: server["visit"]).text
        }
        XCTAssertEqual(text, "visit 1")
        XCTAssertTrue(isUsed.withLock { $0 })
    }
}
