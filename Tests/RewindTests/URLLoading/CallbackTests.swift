import Foundation
import RewindTestSupport
import XCTest

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The closures of a test may use sessions, wait for requests, and use the stubber that calls them.
final class CallbackTests: XCTestCase {
    func testEveryClosureMayUseSessionsAndTheStubber() throws {
        #if canImport(ObjectiveC)
            throw XCTSkip("Apple's XCTest cannot run a single test of a bundle in a child process")
        #else
            for closure in UserClosure.allCases {
                let child = try ChildProcess(
                    URL(fileURLWithPath: CommandLine.arguments[0]),
                    ["RewindTests.CallbackFixtures/testClosure"],
                    environment: [CallbackFixtures.closure: closure.rawValue]
                )
                XCTAssertEqual(child.answers, Self.answers(of: closure), "\(closure): \(child.output)")
                XCTAssertEqual(child.status, 0, "\(closure)")
            }
        #endif
    }

    func testWhatClosuresCaptureMayUseASessionWhenItIsReleased() throws {
        #if canImport(ObjectiveC)
            throw XCTSkip("Apple's XCTest cannot run a single test of a bundle in a child process")
        #else
            let child = try ChildProcess(
                URL(fileURLWithPath: CommandLine.arguments[0]),
                ["RewindTests.CallbackFixtures/testRelease"],
                environment: [CallbackFixtures.closure: "release"]
            )
            XCTAssertEqual(child.answers, ["released"], child.output)
            XCTAssertEqual(child.status, 0)
        #endif
    }

    private static func answers(of closure: UserClosure) -> [String] {
        CallbackAct.Kind.allCases.flatMap { kind in
            [CallbackFixtures.Phase.recording, .replay].map { phase in
                guard closure.phases.contains(phase) else { return "\(kind) \(phase) 200 without" }
                let status = closure == .requestMatchingFailed ? "Rewind 2" : "200"
                return switch kind {
                case .request: "\(kind) \(phase) \(status) visit 1"
                case .invalidation: "\(kind) \(phase) \(status) invalidated"
                case .stubber: "\(kind) \(phase) \(status) 1 request"
                }
            }
        }
    }

    // MARK: Who answers

    func testAScopeAnswersTheRequestsOfItsCallbacks() async throws {
        let folder = try TemporaryDirectory()
        let server = try ConversationServer()
        defer { server.stop() }
        let seen = Locked<[Bool]>([])
        var configuration = Stubber.Configuration()
        configuration.log = { line in
            guard line.contains("/json") else { return }
            seen.withLock { $0.append(Stubber.current != nil) }
            _ = Outcome(waitingFor: server["visit"]).text
        }
        try await withCassette("talk", in: folder.url, mode: .once, configuration: configuration) { _ in
            _ = await Outcome(of: server["json"])
        }
        XCTAssertEqual(seen.withLock { $0 }, [true])
        let paths = try Cassette(contentsOf: folder["talk.har"]).interactions.map {
            URL(string: $0.request.url)?.path
        }
        XCTAssertEqual(Set(paths), ["/json", "/visit"])
    }

    func testAStubberWithoutAScopeAnswersTheRequestsOfItsCallbacks() async throws {
        let folder = try TemporaryDirectory()
        let server = try ConversationServer()
        let texts = Locked<[String]>([])
        for mode in [RecordingMode.once, .never] {
            var configuration = Stubber.Configuration()
            configuration.passthrough = { request in
                if request.url.hasSuffix("/json") {
                    texts.withLock { $0.append(Outcome(waitingFor: server["visit"]).text) }
                }
                return false
            }
            let stubber = try Stubber(at: folder["talk.har"], mode: mode, configuration: configuration)
            let outcome = await Outcome(of: server["json"], in: stubber.session)
            XCTAssertEqual(outcome.status, 200)
            try stubber.eject()
            server.stop()
        }
        XCTAssertEqual(texts.withLock { $0 }, ["visit 1", "visit 1"])
    }

    func testClosuresOfOuterScopesMayUseBothStubbers() async throws {
        let server = try ConversationServer()
        let folder = try TemporaryDirectory()
        try await withCassette("outer", in: folder.url, mode: .once) { _ in
            _ = await (Outcome(of: server["json"]), Outcome(of: server["visit"]))
        }
        server.stop()
        var configuration = Stubber.Configuration()
        let used = Locked(0)
        let stubbers = Locked<[Stubber]>([])
        let use = { @Sendable (url: String) in
            guard url.hasSuffix("/json") else { return }
            let all = stubbers.withLock { $0 }
            for stubber in all { _ = (stubber.requests, stubber.stubs, stubber.mode, stubber.requestsInFlight) }
            if all.count == 2 { used.withLock { $0 += 1 } }
        }
        configuration.matching += [
            .custom("projection") { request in
                use(request.url)
                return ""
            },
            .custom("comparison") { live, _ in
                use(live.url)
                return true
            },
        ]
        configuration.beforePlayback = {
            use($0.request.url)
            return $0
        }
        let outcome = try await withCassette(
            "outer",
            in: folder.url,
            mode: .never,
            configuration: configuration
        ) {
            outer in
            outer.stub(
                .request {
                    use($0.url)
                    return false
                },
                respond: .status(500)
            )
            return try await withCassette("inner", in: folder.url, mode: .never) { inner in
                stubbers.withLock { $0 = [outer, inner] }
                return await Outcome(of: server["json"])
            }
        }
        XCTAssertEqual(outcome.status, 200)
        // The condition, both matchers and `beforePlayback`.
        XCTAssertGreaterThanOrEqual(used.withLock { $0 }, 4)
    }

    // MARK: Many

    func testManyClosuresMayWaitForEachOther() async throws {
        let folder = try TemporaryDirectory()
        let server = try ConversationServer()
        let count = 64
        try await withCassette("talk", in: folder.url, mode: .once) { _ in
            for number in 0..<count {
                _ = await Outcome(of: server["status/200?outer=\(number)"])
                _ = await Outcome(of: server["status/201?inner=\(number)"])
            }
        }
        server.stop()
        var configuration = Stubber.Configuration()
        let waiting = DispatchGroup()
        for _ in 0..<count { waiting.enter() }
        configuration.beforePlayback = { interaction in
            let number = interaction.request.url.split(separator: "=").last ?? ""
            guard interaction.request.url.contains("outer") else { return interaction }
            // All wait at the same time.
            waiting.leave()
            waiting.wait()
            var interaction = interaction
            let inner = Outcome(waitingFor: server["status/201?inner=\(number)"]).text
            interaction.outcome = .response(Interaction.Response(body: Interaction.Body(inner + " \(number)")))
            return interaction
        }
        let texts = try await withCassette("talk", in: folder.url, mode: .never, configuration: configuration) {
            _ in
            await withTaskGroup(of: String.self) { group in
                for number in 0..<count {
                    group.addTask { await Outcome(of: server["status/200?outer=\(number)"]).text }
                }
                return await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
        }
        XCTAssertEqual(texts, Set((0..<count).map { "201 \($0)" }))
    }

    func testManyRecordingsMayWaitForRequestsAtTheSameTime() async throws {
        let folder = try TemporaryDirectory()
        let server = try ConversationServer()
        defer { server.stop() }
        let count = 32
        var configuration = Stubber.Configuration()
        let waiting = DispatchGroup()
        for _ in 0..<count { waiting.enter() }
        configuration.beforeRecord = { interaction in
            guard interaction.request.url.contains("outer") else { return interaction }
            waiting.leave()
            waiting.wait()
            var interaction = interaction
            interaction.request.headers["X-Note"] = Outcome(waitingFor: server["status/201"]).text
            return interaction
        }
        try await withCassette("talk", in: folder.url, mode: .once, configuration: configuration) { _ in
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<count {
                    group.addTask { _ = await Outcome(of: server["status/200?outer=\(number)"]) }
                }
            }
        }
        let recorded = try Cassette(contentsOf: folder["talk.har"]).interactions
        XCTAssertEqual(
            recorded.compactMap { $0.request.headers["X-Note"] },
            Array(repeating: "201", count: count)
        )
    }

    func testRequestsOneAfterAnotherStayInOrder() async throws {
        let folder = try TemporaryDirectory()
        let lines = Locked<[String]>([])
        var configuration = Stubber.Configuration()
        configuration.log = { line in lines.withLock { $0.append(line) } }
        let server = try ConversationServer()
        func visits(_ mode: RecordingMode) async throws -> [String] {
            try await withCassette("talk", in: folder.url, mode: mode, configuration: configuration) { _ in
                var texts: [String] = []
                for _ in 0..<20 { texts.append(await Outcome(of: server["visit"]).text) }
                return texts
            }
        }
        let live = try await visits(.once)
        server.stop()
        lines.withLock { $0 = [] }
        let replayed = try await visits(.never)
        XCTAssertEqual(live, (1...20).map { "visit \($0)" })
        XCTAssertEqual(replayed, live)
        // Each line is there when its request has its answer.
        let numbers = lines.withLock { $0 }.map { line in
            line.components(separatedBy: "replayed #").last.flatMap { Int($0.prefix(while: \.isNumber)) }
        }
        XCTAssertEqual(numbers, Array(1...20))
    }

    // MARK: Cost

    func testOnlyClosuresMoveADecisionToAnotherThread() throws {
        func hasCallbacks(
            _ configuration: Stubber.Configuration = Stubber.Configuration(),
            _ add: (Stubber) -> Void = { _ in }
        ) -> Bool {
            let stubber = Stubber(stubsOnly: configuration)
            add(stubber)
            return stubber.receive(IncomingRequest(Interaction.Request(url: "https://h/json"))).hasCallbacks
        }
        XCTAssertFalse(hasCallbacks())
        var plain = Stubber.Configuration()
        plain.matching = .default.ignoring(.queryItems("ts")) + [.json, .graphQL]
        plain.redaction.add(.pattern("[0-9]{9}", name: "number"), .field("pin"), .jsonPath("$.pin"))
        plain.redaction.replace("secret", with: "<SECRET>")
        plain.passthroughHosts = ["localhost"]
        (plain.didEndRecording, plain.requestMatchingFailed) = ({ _ in }, { _ in })
        XCTAssertFalse(
            hasCallbacks(plain) { stubber in
                stubber.stub(
                    .get("https://h/*") && !.header("X"),
                    respond: .sequence([.recorded, .status(200)])
                )
                stubber.stub(.path("/other")) { _ in .recorded }
            }
        )
        let act = CallbackAct(.stubber, for: "/json", requesting: URL(fileURLWithPath: "/"))
        let deciding = UserClosure.allCases.filter { closure in
            var configuration = Stubber.Configuration()
            closure.set(in: &configuration, act)
            return hasCallbacks(configuration) { closure.add(to: $0, act) }
        }
        XCTAssertEqual(
            deciding,
            [
                .beforePlayback, .log, .passthrough, .projection, .comparison, .overriding, .redaction,
                .stubCondition, .stubTransform,
            ]
        )
    }
}
