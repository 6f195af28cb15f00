import Foundation
import Rewind
import RewindTestSupport
import XCTest

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Interception begins with the first stubber, ends with the last, and changes nothing else.
final class InterceptionTests: ConversationTestCase {
    override func setUpWithError() throws {
        // Another test of this process may have marked requests, which keeps interception on.
        StubberRegistry.shared.stopInterceptingForMarks()
        try super.setUpWithError()
    }

    func testSessionsAreInterceptedOnlyWhileAStubberIsActive() async throws {
        XCTAssertFalse(Interception.shared.isInstalled)
        try withCassette("talk", in: folder.url, mode: .never) { _ in
            XCTAssertTrue(Interception.shared.isInstalled)
        }
        XCTAssertFalse(Interception.shared.isInstalled)
        let status = await Outcome(of: server["json"]).status
        XCTAssertEqual(status, 200)
    }

    func testInterceptionEndsIfTheScopeThrows() async throws {
        struct Failing: Error {}
        do {
            try await withCassette("talk", in: folder.url, mode: .never) { _ in
                _ = await Outcome(of: server["json"])
                throw Failing()
            }
            XCTFail("expected an error")
        } catch is Failing {}
        XCTAssertFalse(Interception.shared.isInstalled)
    }

    func testOtherURLSchemesAreNotIntercepted() async throws {
        let file = folder["note.txt"]
        try Data("note".utf8).write(to: file)
        let data = try XCTUnwrap(URL(string: "data:text/plain,hello"))
        let outside = (try? Data(contentsOf: file), await Outcome(of: data))
        let inside = try await withCassette("talk", in: folder.url, mode: .never) { _ in
            (try? Data(contentsOf: file), await Outcome(of: data))
        }
        XCTAssertEqual(inside.0, outside.0)
        XCTAssertEqual(inside.1, outside.1)
    }

    func testReplayOpensNoConnection() async throws {
        let hosts = ["http://unresolvable.invalid/a", "http://192.0.2.1/b", "https://unresolvable.invalid/c"]
        let cassette = Cassette(
            interactions: hosts.map {
                Interaction(
                    request: Interaction.Request(url: $0),
                    outcome: .response(Interaction.Response(body: Interaction.Body($0)))
                )
            }
                + [
                    Interaction(
                        request: Interaction.Request(url: server["json"].absoluteString),
                        outcome: .response(Interaction.Response())
                    )
                ]
        )
        try HARFormat.write(cassette).write(to: folder["talk.har"])
        let outcomes = try await withCassette("talk", in: folder.url, mode: .never) { _ in
            var outcomes: [Outcome] = []
            for host in hosts { outcomes.append(await Outcome(of: try XCTUnwrap(URL(string: host)))) }
            outcomes.append(await Outcome(of: server["json"]))
            return outcomes
        }
        XCTAssertEqual(outcomes.map(\.text), hosts + [""])
        XCTAssertEqual(outcomes.map(\.status), [200, 200, 200, 200])
        XCTAssertEqual(server.requestCount, 0)
    }

    func testTheSessionOfAStubberWorksWithoutInterception() async throws {
        let stubber = try Stubber(cassette: "talk", in: folder.url, mode: .once)
        let session = stubber.session
        XCTAssertFalse(Interception.shared.isInstalled)
        let live = await Outcome(of: server["visit"], in: session)
        let report = try stubber.eject()
        XCTAssertEqual(report.cassetteURL, folder["talk.har"])
        server.stop()
        let replaying = try Stubber(cassette: "talk", in: folder.url, mode: .once)
        let replayed = await Outcome(of: server["visit"], in: replaying.session)
        XCTAssertEqual(live, replayed)
        XCTAssertEqual(replayed.text, "visit 1")
    }

    func testConcurrentStubbersAnswerTheirOwnRequestsThroughOneSession() async throws {
        let url = try XCTUnwrap(URL(string: "http://shared.invalid/"))
        for number in 0..<8 {
            let answers = (0..<20).map {
                Interaction(
                    request: Interaction.Request(url: url.absoluteString),
                    outcome: .response(Interaction.Response(body: Interaction.Body("\(number).\($0)")))
                )
            }
            try HARFormat.write(Cassette(interactions: answers)).write(to: folder["\(number).har"])
        }
        let directory = folder.url
        let results = try await withThrowingTaskGroup(of: (Int, [String]).self) { group in
            for number in 0..<8 {
                group.addTask {
                    let texts = try await withCassette("\(number)", in: directory, mode: .never) {
                        _ in
                        var texts: [String] = []
                        for _ in 0..<20 { texts.append(await Outcome(of: url).text) }
                        return texts
                    }
                    return (number, texts)
                }
            }
            return try await group.reduce(into: [Int: [String]]()) { $0[$1.0] = $1.1 }
        }
        for number in 0..<8 { XCTAssertEqual(results[number], (0..<20).map { "\(number).\($0)" }) }
    }

    func testDetachedWorkUsesTheOnlyStubberOrTheInnermostOfATest() async throws {
        let url = server["visit"]
        let directory = folder.url
        let (alone, inside) = try await withCassette("outer", in: directory, mode: .once) { _ in
            let alone = await Task.detached { await Outcome(of: url) }.value
            let inside = try await withCassette("inner", in: directory, mode: .once) { _ in
                await Task.detached { await Outcome(of: url) }.value
            }
            return (alone, inside)
        }
        XCTAssertEqual([alone.text, inside.text], ["visit 1", "visit 2"])
        XCTAssertEqual(folder.files, ["inner.har", "outer.har"])
    }

    func testDetachedWorkIsRefusedIfSeveralTestsRunAndBothSuggestionsWork() async throws {
        let url = server["visit"]
        let one = try CassetteScope(Stubber(cassette: "one", in: folder.url, mode: .once))
        let other = try CassetteScope(Stubber(cassette: "other", in: folder.url, mode: .once))
        let (refused, withSession, carried) = await one.run {
            let stubber = one.stubber
            return (
                await Task.detached { await Outcome(of: url) }.value,
                await Task.detached { await Outcome(of: url, in: stubber.session) }.value,
                await Task.detached { await stubber.run { await Outcome(of: url) } }.value
            )
        }
        XCTAssertEqual(refused.failure, "Rewind 5")
        XCTAssertEqual([withSession.text, carried.text], ["visit 1", "visit 2"])
        await one.settle()
        XCTAssertEqual(one.end(testFailed: false).count + other.end(testFailed: false).count, 0)
        XCTAssertEqual(try Cassette(contentsOf: folder["one.har"]).interactions.count, 2)
    }

    func testNestedRunsOfOneStubberEndSeparately() async throws {
        let stubber = Stubber(stubsOnly: Stubber.Configuration())
        stubber.stub(.any, respond: .text("stubbed"))
        let url = server["visit"]
        let text = await stubber.run {
            _ = await Task.detached { await stubber.run { await Outcome(of: url) } }.value
            return await Outcome(of: url).text
        }
        XCTAssertEqual(text, "stubbed")
        try stubber.eject()
    }

    func testTheInnerScopeAnswersFirstAndOnlyItRecords() async throws {
        for (name, path) in [("outer", "json"), ("inner", "visit")] {
            try await withCassette(name, in: folder.url, mode: .once) { _ in _ = await Outcome(of: server[path])
            }
        }
        let outcomes = try await withCassette("outer", in: folder.url, mode: .newEpisodes) { _ in
            try await withCassette("inner", in: folder.url, mode: .once) { inner in
                let outcomes = [
                    await Outcome(of: server["visit"]), await Outcome(of: server["json"]),
                    await Outcome(of: server["empty"]),
                ]
                XCTAssertEqual(inner.takeMisses().map(\.request.url), [server["empty"].absoluteString])
                return outcomes
            }
        }
        XCTAssertEqual(outcomes.map { $0.failure ?? "\($0.status)" }, ["200", "200", "Rewind 2"])
        XCTAssertEqual(server.requestCount, 2)
    }

    func testAnErrorOfAnInnerScopeEndsTheOuterScope() async throws {
        try await withCassette("inner", in: folder.url, mode: .once) { _ in
            _ = await Outcome(of: server["json"])
        }
        var configuration = Stubber.Configuration()
        configuration.unplayed = .fail
        for _ in 0..<2 {
            do {
                _ = try await withCassette("outer", in: folder.url, mode: .once) { _ in
                    _ = await Outcome(of: server["visit"])
                    try withCassette("inner", in: folder.url, mode: .never, configuration: configuration) { _ in
                    }
                }
                XCTFail("expected a problem")
            } catch {
                XCTAssertTrue("\(error)".contains("without playing"), "\(error)")
            }
            XCTAssertFalse(Interception.shared.isInstalled)
        }
        XCTAssertEqual(folder.files, ["inner.har", "outer.failed.har"])
    }

    func testRequestsOfATestsTasksUseItsCassetteWhileAnotherTestRuns() async throws {
        let url = server["visit"]
        let scopes = try ["own", "other"].map {
            try CassetteScope(Stubber(cassette: $0, in: folder.url, mode: .once))
        }
        let outcomes = await scopes[0].run {
            async let child = Outcome(of: url)
            let grouped = await withTaskGroup(of: Outcome.self) { group in
                for _ in 0..<2 { group.addTask { await Outcome(of: url) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let unstructured = await Task { await Outcome(of: url) }.value
            return [await Outcome(of: url), await child, unstructured] + grouped
        }
        XCTAssertEqual(Set(outcomes.map(\.text)), Set((1...5).map { "visit \($0)" }))
        await scopes[0].settle()
        for scope in scopes { XCTAssertEqual(scope.end(testFailed: false).count, 0) }
        XCTAssertEqual(folder.files, ["own.har"])
        XCTAssertEqual(try Cassette(contentsOf: folder["own.har"]).interactions.count, 5)
    }

    func testTheThreadThatResumesATaskDecidesOnItsTest() async throws {
        let url = server["visit"]
        let scopes = try ["one", "other"].map { try scope($0, test: "Tests.\($0)") }
        func outcome(_ resume: @escaping @Sendable (URLSessionTask) -> Void) async -> Outcome {
            await withCheckedContinuation { continuation in
                let task = URLSession.shared.dataTask(with: url) { data, response, error in
                    continuation.resume(returning: Outcome(data, response, error))
                }
                resume(task)
            }
        }
        let own = scopes[0]
        let elsewhere = await own.run {
            await outcome { task in DispatchQueue.global().async { task.resume() } }
        }
        XCTAssertEqual(elsewhere.failure, "Rewind 5", "made in the test, resumed on a queue")
        let inside = await outcome { task in own.run { task.resume() } }
        XCTAssertEqual(inside.text, "visit 1", "made outside of the test, resumed in it")
        await own.settle()
        for scope in scopes { _ = scope.end(testFailed: false) }
        XCTAssertEqual(folder.files, ["one.har"])
    }

    /// Ways to make a request on a thread that belongs to no task.
    private static let threads: [@Sendable (@escaping @Sendable () -> Void) -> Void] = [
        { work in DispatchQueue.global().async(execute: work) },
        { work in DispatchQueue.global().asyncAfter(deadline: .now() + 0.001, execute: work) },
        { work in Thread { work() }.start() },
        { work in OperationQueue().addOperation(work) },
        { work in Task.detached { work() } },
        { work in
            Thread {
                _ = Timer.scheduledTimer(withTimeInterval: 0.001, repeats: false) { _ in work() }
                RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.5))
            }.start()
        },
    ]

    func testWorkOfNoTaskUsesTheCassetteOfTheOnlyTestAndIsRefusedBesideAnother() async throws {
        let url = server["visit"]
        @Sendable func outcomes() async -> [Outcome] {
            var outcomes: [Outcome] = []
            for start in Self.threads {
                outcomes.append(
                    await withCheckedContinuation { continuation in
                        start {
                            URLSession.shared.dataTask(with: url) { data, response, error in
                                continuation.resume(returning: Outcome(data, response, error))
                            }.resume()
                        }
                    }
                )
            }
            return outcomes
        }
        let alone = try await withCassette("only", in: folder.url, mode: .once) { _ in await outcomes() }
        XCTAssertEqual(alone.map(\.text), (1...Self.threads.count).map { "visit \($0)" })
        XCTAssertEqual(try Cassette(contentsOf: folder["only.har"]).interactions.count, Self.threads.count)
        let scopes = try ["one", "two"].map { try scope($0, test: "Tests.\($0)") }
        let beside = await scopes[0].run { await outcomes() }
        XCTAssertEqual(beside.map(\.failure), Array(repeating: "Rewind 5", count: Self.threads.count))
        let error = await Task.detached { () -> String in
            do {
                _ = try await URLSession.shared.data(from: url)
                return ""
            } catch { return error.localizedDescription }
        }.value
        for part in [
            "Several tests are running", "Tests.one", "Tests.two", "stubber.session", "stubber.install(in:",
            "stubber.route(&request)",
        ] {
            XCTAssertTrue(error.contains(part), "\(part): \(error)")
        }
        for scope in scopes { _ = scope.end(testFailed: false) }
        XCTAssertEqual(server.requestCount, Self.threads.count)
    }

    func testASecondRecorderIsRefusedWithTheNameOfTheFirst() throws {
        let first = try scope("talk", test: "UserTests.testLogin")
        XCTAssertThrowsError(try scope("talk", test: "UserTests.testLogout")) {
            XCTAssertTrue("\($0)".contains("UserTests.testLogin"), "\($0)")
        }
        XCTAssertEqual(first.end(testFailed: false).count, 0)
        XCTAssertEqual(try scope("talk", test: "UserTests.testLogout").end(testFailed: false).count, 0)
    }

    private func scope(_ name: String, test: String) throws -> CassetteScope {
        let location = try CassetteLocation(name: name, in: folder.url)
        return try CassetteScope(
            Stubber(at: location, mode: .once, testName: test, environment: Environment([:]))
        )
    }

    #if canImport(FoundationNetworking)
        func testAStubberCanBeInstalledInAnExistingSession() async throws {
            let session = URLSession(configuration: .default)
            let stubber = try Stubber(cassette: "talk", in: folder.url, mode: .never)
            stubber.install(in: session)
            let outcome = await Outcome(of: server["json"], in: session)
            XCTAssertEqual(outcome.failure, "Rewind 1")
            XCTAssertEqual(server.requestCount, 0)
        }
    #endif

    func testACassetteHasManyPlayersOrOneRecorder() async throws {
        func scope(_ name: String, _ mode: RecordingMode) throws -> CassetteScope {
            try CassetteScope(Stubber(cassette: name, in: folder.url, mode: mode))
        }
        let recorder = try scope("talk", .once)
        XCTAssertThrowsError(try scope("talk", .once)) {
            XCTAssertTrue("\($0)".contains("records it"), "\($0)")
        }
        XCTAssertThrowsError(try scope("Talk", .never)) {
            XCTAssertTrue("\($0)".contains("only in letter case"), "\($0)")
        }
        _ = await recorder.run { await Outcome(of: server["visit"]) }
        await recorder.settle()
        XCTAssertEqual(recorder.end(testFailed: false).count, 0)
        let players = try [scope("talk", .once), scope("talk", .never)]
        XCTAssertThrowsError(try scope("talk", .all)) { XCTAssertTrue("\($0)".contains("plays it"), "\($0)") }
        for player in players {
            let outcome = await player.run { await Outcome(of: server["visit"]) }
            XCTAssertEqual(outcome.text, "visit 1")
            XCTAssertEqual(player.end(testFailed: false).count, 0)
        }
    }

    func testSessionsOfStubbersWorkWithoutInterception() async throws {
        let interception = Interception(sessions: { throw InterceptionError(cause: "simulated failure") })
        let stubber = try Stubber(cassette: "talk", in: folder.url, mode: .never)
        let slot = StubberRegistry.shared.classes(for: stubber)
        interception.retain(slot.routed, isolating: true)
        defer { interception.release(slot.routed, isolating: true) }
        XCTAssertFalse(interception.isInstalled)
        XCTAssertTrue(interception.failure?.contains("stubber.session") == true)
        let outcome = await Outcome(of: server["json"], in: stubber.session)
        XCTAssertEqual(outcome.failure, "Rewind 1")
    }
}
