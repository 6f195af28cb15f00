import Foundation
import RewindTestSupport
import XCTest

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Whichever way a test ends, the same problems make it fail.
final class TestEndTests: ConversationTestCase {
    private struct Failing: Error {}

    private enum End: CaseIterable {
        case asyncScope, scope, eject
        /// The problem is that of a cassette that was replaced.
        case insert
    }

    /// A problem, and the text of its error.
    private struct Problem {
        var text: String
        var mode = RecordingMode.never
        var isOfTheCassette = true
        var configure: (inout Stubber.Configuration) -> Void = { _ in }
        var act: (Stubber) -> Void = { _ in }
    }

    private var problems: [String: Problem] {
        let url = server["visit"]
        return [
            "unplayed": Problem(
                text: "without playing these recorded interactions",
                configure: { $0.unplayed = .fail }
            ),
            "age": Problem(
                text: "older than `configuration.maxAge` allows",
                configure: { $0.maxAge = .days(30, .fail) }
            ),
            "drift": Problem(
                text: "The live API differs",
                mode: .verify,
                configure: { $0.drift = .fail },
                act: { Self.load(url, $0) }
            ),
            "stubs": Problem(
                text: "no request matched these stubs",
                isOfTheCassette: false,
                configure: { $0.unusedStubs = .fail },
                act: { $0.stub(.path("/never"), respond: .status(204)) }
            ),
            "invalid stub": Problem(
                text: "the status code 7 is invalid",
                isOfTheCassette: false,
                act: { $0.stub(.path("/never"), respond: .status(7)) }
            ),
            "in flight": Problem(
                text: "These requests had no response in time",
                mode: .newEpisodes,
                isOfTheCassette: false,
                configure: { $0.inFlightTimeout = 0.05 },
                act: { stubber in
                    stubber.session.dataTask(
                        with: url.deletingLastPathComponent().appendingPathComponent("slow/500")
                    )
                    .resume()
                    while stubber.requestsInFlight.isEmpty { usleep(1000) }
                }
            ),
            "lost answer": Problem(
                text: "These requests got no answer, but the cassette",
                mode: .all,
                configure: { $0.matching = [.method] },
                act: { Self.load(Self.closedPort, $0) }
            ),
            "no answer": Problem(
                text: "No request got an answer",
                mode: .newEpisodes,
                act: { Self.load(Self.closedPort, $0) }
            ),
            "miss": Problem(
                text: "No recording matches this request",
                isOfTheCassette: false,
                act: { Self.load(url.deletingLastPathComponent().appendingPathComponent("other"), $0) }
            ),
        ]
    }

    private static let closedPort = URL(string: "http://127.0.0.1:1/") ?? URL(fileURLWithPath: "/")

    /// Loads a URL and ignores the result.
    private static func load(_ url: URL, _ stubber: Stubber) {
        let done = DispatchSemaphore(value: 0)
        stubber.session.dataTask(with: url) { _, _, _ in done.signal() }.resume()
        done.wait()
    }

    /// An old cassette whose answer is not that of the server.
    private func put(_ name: String) throws {
        var page = Interaction.page(server["visit"].absoluteString, "[]")
        page.outcome = .response(
            Interaction.Response(headers: ["Content-Type": "application/json"], body: Interaction.Body("[]"))
        )
        try Cassette(interactions: [page]).write(to: folder["\(name).har"])
    }

    private func run(_ end: End, _ name: String, _ problem: Problem, throwing error: (any Error)? = nil)
        async throws
    {
        var configuration = Stubber.Configuration()
        problem.configure(&configuration)
        func body(_ stubber: Stubber) throws {
            problem.act(stubber)
            if let error { throw error }
        }
        switch end {
        case .asyncScope:
            try await withCassette(name, in: folder.url, mode: problem.mode, configuration: configuration) {
                stubber in
                await Task.yield()
                try body(stubber)
            }
        case .scope:
            try withCassetteNow(name, problem.mode, configuration, body)
        case .eject, .insert:
            let stubber = try Stubber(
                cassette: name,
                in: folder.url,
                mode: problem.mode,
                configuration: configuration
            )
            problem.act(stubber)
            if end == .insert { try stubber.insert("empty", mode: .newEpisodes) }
            do {
                try stubber.eject(testFailed: error != nil)
            } catch {
                XCTAssertTrue(stubber.isEjected)
                let report = try stubber.eject()
                XCTAssertEqual(report.replacedCassettes.count, end == .insert ? 1 : 0)
                throw error
            }
        }
    }

    private func withCassetteNow(
        _ name: String,
        _ mode: RecordingMode,
        _ configuration: Stubber.Configuration,
        _ body: (Stubber) throws -> Void
    ) throws {
        try withCassette(name, in: folder.url, mode: mode, configuration: configuration) { try body($0) }
    }

    func testEveryEndFailsForTheSameProblems() async throws {
        for (kind, problem) in problems.sorted(by: { $0.key < $1.key }) {
            for end in End.allCases where end != .insert || problem.isOfTheCassette {
                let name = "\(kind)-\(end)"
                try put(name)
                let before = try Data(contentsOf: folder["\(name).har"])
                do {
                    try await run(end, name, problem)
                    XCTFail("\(name): no error is thrown")
                } catch {
                    XCTAssertTrue("\(error)".contains(problem.text), "\(name): \(error)")
                    XCTAssertTrue(error is Stubber.ScopeError || error is StubError, "\(name): \(error)")
                }
                XCTAssertEqual(try Data(contentsOf: folder["\(name).har"]), before, name)
            }
        }
    }

    func testTheErrorOfTheTestWins() async throws {
        for (kind, problem) in problems {
            for end in [End.asyncScope, .scope] {
                let name = "\(kind)-\(end)"
                try put(name)
                do {
                    try await run(end, name, problem, throwing: Failing())
                    XCTFail("\(name): no error is thrown")
                } catch {
                    XCTAssertTrue(error is Failing, "\(name): \(error)")
                }
            }
            try put("\(kind)-eject")
            try await run(.eject, "\(kind)-eject", problem, throwing: Failing())
        }
    }

    func testARecordingOfATestThatFailsAtItsEndIsKeptBeside() async throws {
        for (name, configure) in [
            ("miss", { (_: inout Stubber.Configuration) in }),
            ("stubs", { $0.unusedStubs = .fail }),
        ] {
            var configuration = Stubber.Configuration()
            configure(&configuration)
            do {
                try await withCassette(name, in: folder.url, mode: .once, configuration: configuration) {
                    stubber in
                    _ = await Outcome(of: server["visit"])
                    if name == "stubs" { stubber.stub(.path("/never"), respond: .status(204)) }
                    if name == "miss" { stubber.forbidNetwork() }
                    if name == "miss" { _ = await Outcome(of: server["json"]) }
                }
                XCTFail("\(name): no error is thrown")
            } catch is Stubber.ScopeError {}
        }
        XCTAssertEqual(folder.files, ["miss.failed.har", "stubs.failed.har"])
    }

    // MARK: Waiting in eject

    func testEjectWaitsForRequestsInFlight() async throws {
        let stubber = try Stubber(cassette: "talk", in: folder.url, mode: .once)
        stubber.session.dataTask(with: server["slow/300"]).resume()
        let report = try stubber.eject()
        XCTAssertEqual(report.requestsInFlight, [])
        XCTAssertEqual(try Cassette(contentsOf: folder["talk.har"]).interactions.map(\.text), ["slow"])
    }

    func testEjectOnTheMainThreadKeepsItsRunLoopRunning() throws {
        XCTAssertTrue(Thread.isMainThread)
        let challenged = Locked(false)
        let stubber = try Stubber(cassette: "talk", in: folder.url, mode: .once)
        // A timer of the run loop starts the second request while `eject` waits for the first.
        let session = stubber.session
        let urls = [server["slow/300"], server["slow/400"]]
        session.dataTask(with: urls[0]).resume()
        let timer = Timer(timeInterval: 0.05, repeats: false) { _ in
            session.dataTask(with: urls[1]).resume()
            challenged.withLock { $0 = true }
        }
        RunLoop.main.add(timer, forMode: .default)
        try stubber.eject()
        XCTAssertTrue(challenged.withLock { $0 })
        XCTAssertEqual(try Cassette(contentsOf: folder["talk.har"]).interactions.count, 2)
    }

    func testEjectOnTheQueueOfADelegateDoesNotDeadlock() async throws {
        let stubber = try Stubber(cassette: "talk", in: folder.url, mode: .once)
        let (first, slow) = (server["visit"], server["slow/200"])
        let session = stubber.session
        let result: Result<EjectReport, any Error> = await withCheckedContinuation { continuation in
            session.dataTask(with: first) { _, _, _ in
                session.dataTask(with: slow).resume()
                continuation.resume(returning: Result { try stubber.eject() })
            }.resume()
        }
        XCTAssertEqual(try result.get().recordedCount, 2)
    }

    func testEjectInACallbackOfTheStubberDoesNotWaitForItself() async throws {
        var configuration = Stubber.Configuration()
        configuration.inFlightTimeout = 3600
        let holder = Locked<Stubber?>(nil)
        let reports = AsyncStream<EjectReport?>.makeStream()
        configuration.didEndRecording = { _ in
            reports.continuation.yield(try? holder.withLock { $0 }?.eject())
        }
        let stubber = try Stubber(cassette: "talk", in: folder.url, mode: .once, configuration: configuration)
        holder.withLock { $0 = stubber }
        _ = await Outcome(of: server["visit"], in: stubber.session)
        for await report in reports.stream {
            XCTAssertEqual(report?.recordedCount, 1)
            break
        }
        holder.withLock { $0 = nil }
    }

    func testASecondCallReturnsTheSameReport() throws {
        try put("talk")
        var configuration = Stubber.Configuration()
        configuration.unplayed = .fail
        let stubber = try Stubber(cassette: "talk", in: folder.url, mode: .never, configuration: configuration)
        XCTAssertThrowsError(try stubber.eject())
        XCTAssertEqual(try stubber.eject().unplayed.map(\.text), ["[]"])
        XCTAssertEqual(try stubber.eject(testFailed: true).unplayed.count, 1)
    }
}
