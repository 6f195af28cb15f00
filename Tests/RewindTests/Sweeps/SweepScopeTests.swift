import Foundation
import Rewind
import RewindTestSupport
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a sweep needs from its scope, and what it leaves there.
final class SweepScopeTests: SweepTestCase {
    private enum AppError: Error { case broken }

    // MARK: What prevents a sweep

    func testASweepNeedsACassette() async throws {
        let outside = await message { try await Stubber.sweep(.faults) { _ in await Task.yield() } }
        XCTAssertTrue(
            outside.hasPrefix("A sweep was called outside of a test or scope with a cassette.\n"),
            outside
        )
        XCTAssertTrue(outside.contains("withCassette(name)"), outside)
        let stubs = await message {
            try await withStubs { _ in try await Stubber.sweep(.faults) { _ in await Task.yield() } }
        }
        XCTAssertEqual(stubs, outside)
        let missing = await message {
            try await scope { _ in try await Stubber.sweep(.faults) { _ in await Task.yield() } }
        }
        XCTAssertTrue(missing.hasPrefix("The cassette \(folder["talk.har"].path) does not exist"), missing)
        XCTAssertTrue(missing.contains("Record it first"), missing)
    }

    func testALimitMustBePositive() async throws {
        try await record("json")
        for limit in [0, -1] {
            let message = await message {
                try await scope { _ in
                    try await Stubber.sweep(.faults, limit: limit) { _ in await Task.yield() }
                }
            }
            XCTAssertTrue(
                message.hasPrefix("The limit \(limit) of a sweep is not a positive number.\n"),
                message
            )
        }
    }

    func testTheUnchangedConversationMustHold() async throws {
        try await record("json")
        let url = server.url
        let thrown = await message {
            try await scope { _ in
                try await Stubber.sweep(.faults) { _ in
                    await Task.yield()
                    throw AppError.broken
                }
            }
        }
        XCTAssertTrue(
            thrown.hasPrefix(
                "The sweep of talk did not begin, because the test fails on the unchanged conversation: it threw AppError.broken: broken\n"
            ),
            thrown
        )
        let missed = await message {
            try await scope { _ in
                try await Stubber.sweep(.faults) { _ in _ = try? await Self.get("other", url) }
            }
        }
        XCTAssertTrue(missed.contains("No recording matches this request"), missed)
        XCTAssertTrue(missed.contains("record its cassette again with REWIND_MODE=all"), missed)
        let late = await message {
            try await scope { _ in
                try await Stubber.sweep(.faults, timeLimit: .milliseconds(100)) { _ in
                    try await Task.sleep(for: .seconds(60))
                }
            }
        }
        XCTAssertTrue(late.contains("it did not end within 0.1 seconds"), late)
    }

    func testAClosureThatPlaysNothingIsAnError() async throws {
        try await record("visit")
        let url = server.url
        let nothing = await message {
            try await scope { _ in try await Stubber.sweep(.faults) { _ in await Task.yield() } }
        }
        XCTAssertTrue(nothing.hasPrefix("The sweep of talk has no variations: it played nothing.\n"), nothing)
        let text = await message {
            try await scope { _ in
                try await Stubber.sweep(.fields) { _ in _ = try await Self.get("visit", url) }
            }
        }
        XCTAssertTrue(text.contains("no answer contains JSON"), text)
    }

    // MARK: Recording

    func testARunThatRecordsRunsTheClosureOnceAndTheNextOneSweeps() async throws {
        let url = server.url
        let count = Locked(0)
        func run(_ mode: RecordingMode) async throws -> Int {
            count.withLock { $0 = 0 }
            try await scope(mode: mode) { _ in
                try await Stubber.sweep(.faults) { _ in
                    count.withLock { $0 += 1 }
                    _ = try? await Self.get("json", url)
                }
            }
            return count.withLock { $0 }
        }
        let recording = try await run(.once)
        XCTAssertEqual(recording, 1)
        let playing = try await run(.once)
        XCTAssertEqual(playing, 12)
        let again = try await run(.all)
        XCTAssertEqual(again, 1)
        for mode in [RecordingMode.verify, .live] {
            let live = try await run(mode)
            XCTAssertEqual(live, 1)
        }
        server.stop()
        // Nothing is new, so it sweeps after one run in the scope of the test.
        let added = try await run(.newEpisodes)
        XCTAssertEqual(added, 13)
    }

    // MARK: The scope of the test

    func testASweepUsesNothingUpAndItsInteractionsCountAsPlayed() async throws {
        try await record("json", "visit")
        let url = server.url
        var configuration = Stubber.Configuration()
        configuration.unplayed = .fail
        try await scope(configuration: configuration) { _ in
            for sweep in [Stubber.Sweep.faults, .fields] {
                try await Stubber.sweep(sweep) { _ in _ = try? await Self.get("json", url) }
            }
            let text = try await Self.get("visit", url).text
            XCTAssertEqual(text, "visit 1")
        }
        try await scope { _ in
            try await Stubber.sweep(.faults) { _ in _ = try? await Self.get("json", url) }
            let answer = try await Self.get("json", url)
            XCTAssertEqual(answer.response.statusCode, 200)
        }
    }

    func testStubsOfTheTestAnswerInEachVariation() async throws {
        try await record("json")
        let url = server.url
        try await scope { stubber in
            stubber.stub(.path("/clock"), respond: .text("now"))
            try await Stubber.sweep(.faults([.status500])) { _ in
                let clock = try await Self.get("clock", url).text
                XCTAssertEqual(clock, "now")
                _ = try? await Self.get("json", url)
                XCTAssertFalse(Stubber.current === stubber)
            }
            XCTAssertTrue(Stubber.current === stubber)
        }
    }

    func testHostsThatPassThroughAreNotReached() async throws {
        try await record("json")
        let url = server.url
        let other = try ConversationServer()
        defer { other.stop() }
        var configuration = Stubber.Configuration()
        configuration.passthroughHosts = ["127.0.0.1:\(other.url.port ?? 0)"]
        try await scope(configuration: configuration) { _ in
            try await Stubber.sweep(.faults([.status500])) { variation in
                _ = try await Self.get("json", url)
                if !variation.isUnchanged { _ = try? await Self.get("json", other.url) }
            }
        }
        XCTAssertEqual(other.requestCount, 0)
    }

    func testEachVariationHasItsOwnCookies() async throws {
        try await record("cookies")
        let url = server.url
        let counts = Locked<[Int]>([])
        try await scope { _ in
            try await Stubber.sweep(.faults([.cut, .slow])) { _ in
                let before = HTTPCookieStorage.shared.cookies(for: url)?.count ?? 0
                _ = try? await Self.get("cookies", url)
                let after = HTTPCookieStorage.shared.cookies(for: url)?.count ?? 0
                XCTAssertGreaterThan(after, 0)
                counts.withLock { $0.append(before) }
            }
        }
        XCTAssertEqual(counts.withLock { $0 }, [0, 0, 0])
    }

    func testASlowAnswerTakesNoTime() async throws {
        try await record("json")
        let url = server.url
        try await scope { _ in
            // It would take 30 seconds, and the limit is 20.
            try await Stubber.sweep(.faults([.slow]), timeLimit: .seconds(20)) { _ in
                let answer = try await Self.get("json", url)
                XCTAssertEqual(answer.response.statusCode, 200)
            }
        }
    }

    func testAClosureThatDoesNotSuspendIsSwept() async throws {
        try await record("json")
        let url = try XCTUnwrap(URL(string: "json", relativeTo: server.url))
        let statuses = Locked<[Int]>([])
        let cassettes = folder.url
        let isDone = expectation(description: "swept")
        Thread {
            do {
                try withCassette("talk", in: cassettes, mode: .never) { _ in
                    try Stubber.sweep(.faults([.status500, .status401])) { variation in
                        XCTAssertEqual(variation.fault == nil, variation.isUnchanged)
                        let done = DispatchSemaphore(value: 0)
                        URLSession.shared.dataTask(with: url) { _, response, _ in
                            statuses.withLock { $0.append((response as? HTTPURLResponse)?.statusCode ?? 0) }
                            done.signal()
                        }.resume()
                        done.wait()
                    }
                }
            } catch { XCTFail("\(error)") }
            isDone.fulfill()
        }.start()
        await fulfillment(of: [isDone], timeout: 60)
        XCTAssertEqual(statuses.withLock { $0 }, [200, 500, 401])
    }

    func testAClosureThatNeverEndsDoesNotStopTheSweep() async throws {
        try await record("json")
        let url = server.url
        do {
            try await scope { _ in
                try await Stubber.sweep(.faults([.status503, .status500]), timeLimit: .milliseconds(200)) {
                    variation in
                    _ = try await Self.get("json", url)
                    // It ignores its cancellation.
                    guard variation.fault == .status503 else { return }
                    await withCheckedContinuation { continuation in
                        Self.kept.withLock { $0.append(continuation) }
                    }
                }
            }
            XCTFail("nothing was found")
        } catch Stubber.SweepError.broken(let report) {
            XCTAssertEqual(report.broken.map(\.variation.id), ["fault-1-status-503"])
            XCTAssertEqual(report.variationCount, 2)
        }
    }

    private static let kept = Locked<[CheckedContinuation<Void, Never>]>([])

    func testTheTimeInWhichAllThreadsAreTakenDoesNotCount() async throws {
        try await record("json")
        let url = server.url
        let report = try await scope { _ in
            try await Stubber.sweep(.faults([.status500]), timeLimit: .milliseconds(300)) { variation in
                guard !variation.isUnchanged else { return _ = try await Self.get("json", url) }
                // As in a suite that starts hundreds of tests at once.
                for _ in 0..<500 * ProcessInfo.processInfo.activeProcessorCount {
                    Task { usleep(2000) }
                }
                _ = try await Self.get("json", url)
            }
        }
        XCTAssertEqual(report.variationCount, 1)
    }

    func testACancelledSweepEnds() async throws {
        try await record("json")
        let error = await withTaskGroup(of: (any Error)?.self) {
            [folder = folder.url, url = server.url] group in
            group.addTask {
                do {
                    try await SweepScopeTests.sweepForLong(in: folder, url)
                    return nil
                } catch { return error }
            }
            try? await Task.sleep(for: .milliseconds(50))
            group.cancelAll()
            return await group.next() ?? nil
        }
        XCTAssertTrue(error is CancellationError, "\(error.map { "\($0)" } ?? "no error")")
    }

    private static func sweepForLong(in folder: URL, _ url: URL) async throws {
        try await withCassette("talk", in: folder, mode: .never) { _ in
            try await Stubber.sweep(.faults) { variation in
                _ = try? await get("json", url)
                if !variation.isUnchanged { try await Task.sleep(for: .seconds(60)) }
            }
        }
    }
}
