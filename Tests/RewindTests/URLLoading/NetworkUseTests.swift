import Foundation
import RewindTestSupport
import XCTest

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What happens to a request in every combination of mode, pause, passthrough, forbidden network, stub and cassette, with
/// a real server that counts its connections.
final class NetworkUseTests: XCTestCase {
    private enum Passthrough: CaseIterable { case none, host, closure }
    private enum Recorded: CaseIterable { case noCassette, otherRequests, thisRequest }

    private enum Result: Equatable {
        case live, recorded, replayed
        /// The request fails with this code of ``Miss/errorCode``.
        case miss(Int)

        var usesNetwork: Bool { self == .live || self == .recorded }
    }

    private struct Situation: CustomStringConvertible {
        var mode: RecordingMode
        var method: String
        var cassette: Recorded
        var passthrough = Passthrough.none
        var isPaused = false
        var forbidsNetwork = false
        var hasStub = false

        var description: String {
            "\(mode) \(method) \(cassette) \(passthrough)" + (isPaused ? " paused" : "")
                + (forbidsNetwork ? " forbidden" : "") + (hasStub ? " stub" : "")
        }

        static var all: [Situation] {
            var all: [Situation] = []
            for mode in RecordingMode.allCases {
                for method in ["GET", "POST"] {
                    for cassette in Recorded.allCases {
                        for passthrough in Passthrough.allCases {
                            for number in 0..<8 {
                                var situation = Situation(mode: mode, method: method, cassette: cassette)
                                situation.passthrough = passthrough
                                situation.isPaused = number & 1 != 0
                                situation.forbidsNetwork = number & 2 != 0
                                situation.hasStub = number & 4 != 0
                                all.append(situation)
                            }
                        }
                    }
                }
            }
            return all
        }

        /// The documented result: the table of the article on recording modes, and the rules below it.
        var documented: Result {
            let network: Result = forbidsNetwork ? .miss(12) : .live
            if hasStub || mode == .live || passthrough != .none { return network }
            if isPaused { return mode == .never ? .miss(10) : network }
            let recorded: Result = forbidsNetwork ? .miss(12) : .recorded
            switch (mode, cassette) {
            case (.once, .noCassette), (.newEpisodes, .noCassette), (.newEpisodes, .otherRequests), (.all, _):
                return recorded
            case (.never, .noCassette), (.verify, .noCassette): return .miss(1)
            case (.verify, _) where method == "GET" && !forbidsNetwork: return .live
            case (_, .otherRequests): return .miss(2)
            case (_, .thisRequest): return .replayed
            case (_, .noCassette): return network
            }
        }
    }

    private var server: EveryAddressServer!

    override func setUpWithError() throws { server = try EveryAddressServer() }
    override func tearDown() { server.stop() }

    private func interaction(_ method: String, _ path: String) -> Interaction {
        var interaction = Interaction.page("http://127.0.0.1:\(server.port)/\(path)", "old")
        interaction.request.method = method
        return interaction
    }

    private func request(_ method: String, _ session: URLSession) async throws -> Outcome {
        let text = "http://127.0.0.1:\(server.port)/page"
        var request = URLRequest(url: try XCTUnwrap(URL(string: text)))
        request.httpMethod = method
        return await Outcome(of: request, in: session)
    }

    private func stubber(_ situation: Situation, _ studio: Studio) throws -> Stubber {
        switch situation.cassette {
        case .noCassette: break
        case .otherRequests: try studio.put([interaction("GET", "other"), interaction("POST", "other")])
        case .thisRequest: try studio.put([interaction("GET", "page"), interaction("POST", "page")])
        }
        var configuration = Stubber.Configuration()
        configuration.drift = .ignore
        switch situation.passthrough {
        case .none: break
        case .host: configuration.passthroughHosts = ["127.0.0.1"]
        case .closure: configuration.passthrough = { $0.url.hasSuffix("/page") }
        }
        let stubber = try studio.stubber(situation.mode, configuration: configuration)
        if situation.hasStub { stubber.stub(.path("/page"), respond: .passthrough) }
        if situation.isPaused { stubber.pause() }
        if situation.forbidsNetwork { stubber.forbidNetwork() }
        return stubber
    }

    func testEachSituationUsesTheNetworkOnlyAsDocumented() async throws {
        for situation in Situation.all {
            let studio = try Studio()
            let stubber = try stubber(situation, studio)
            let before = try? studio.contents
            let count = server.connectionCount
            let session = stubber.session
            let outcome = try await request(situation.method, session)
            session.finishTasksAndInvalidate()
            let misses = stubber.takeMisses()
            try stubber.eject()
            let used = server.connectionCount - count
            let isSaved = before != (try? studio.contents)
            let result: Result? =
                if let failure = outcome.failure {
                    failure.split(separator: " ").last.flatMap { Int($0) }.map { .miss($0) }
                } else {
                    outcome.text == "old" ? .replayed : isSaved ? .recorded : .live
                }
            let expected = situation.documented
            XCTAssertEqual(result, expected, "\(situation)")
            if case .miss = expected {
                XCTAssertEqual(misses.map { .miss($0.errorCode) }, [expected], "\(situation)")
            } else {
                XCTAssertEqual(misses.count, 0, "\(situation)")
            }
            XCTAssertEqual(used, expected.usesNetwork ? 1 : 0, "connections: \(situation)")
            XCTAssertEqual(isSaved, expected == .recorded, "changed: \(situation)")
        }
    }

    func testAfterTheEndNothingUsesTheNetwork() async throws {
        for mode in RecordingMode.allCases {
            for passthrough in Passthrough.allCases {
                let studio = try Studio()
                var situation = Situation(mode: mode, method: "GET", cassette: .thisRequest)
                situation.passthrough = passthrough
                situation.hasStub = true
                let stubber = try stubber(situation, studio)
                // The session would release its stubber with the end of the test.
                let session = URLSession(configuration: stubber.install(in: .ephemeral))
                try stubber.eject()
                let outcome = try await request("GET", session)
                session.finishTasksAndInvalidate()
                XCTAssertEqual(outcome.failure, "Rewind 4", "\(situation)")
            }
        }
        XCTAssertEqual(server.connectionCount, 0)
    }

    func testANestedScopeHasItsOwnRulesExceptForAForbiddenNetwork() async throws {
        for forbids in [false, true] {
            for (outerHosts, innerHosts) in [(["*"], []), ([], ["*"])] as [(Set<String>, Set<String>)] {
                let (folder, count) = (try TemporaryDirectory(), server.connectionCount)
                var (outer, inner) = (Stubber.Configuration(), Stubber.Configuration())
                (outer.passthroughHosts, inner.passthroughHosts) = (outerHosts, innerHosts)
                let (around, within) = (outer, inner)
                let failure = try await withCassette(
                    "outer",
                    in: folder.url,
                    mode: .never,
                    configuration: around
                ) {
                    if forbids { $0.forbidNetwork() }
                    $0.pause()
                    return try await withCassette("inner", in: folder.url, mode: .once, configuration: within) {
                        let failure = try await request("GET", .shared).failure
                        XCTAssertEqual($0.takeMisses().count, forbids ? 1 : 0)
                        return failure
                    }
                }
                XCTAssertEqual(failure, forbids ? "Rewind 12" : nil)
                XCTAssertEqual(server.connectionCount - count, forbids ? 0 : 1)
                XCTAssertEqual(folder.files, forbids || innerHosts == ["*"] ? [] : ["inner.har"])
            }
        }
    }

    #if canImport(FoundationNetworking)
        /// Foundation on Linux follows redirects of requests that it loads itself without asking for a protocol again.
        func testARedirectOfAPassthroughHostIsFollowedLiveToAnyHost() async throws {
            let (folder, redirecting) = (try TemporaryDirectory(), try ConversationServer())
            defer { redirecting.stop() }
            for hosts in [["127.0.0.1"], ["*"]] as [Set<String>] {
                var configuration = Stubber.Configuration()
                configuration.passthroughHosts = hosts
                let count = server.connectionCount
                let target = "http://localhost:\(server.port)/"
                let outcome = try await withCassette(
                    "talk",
                    in: folder.url,
                    mode: .never,
                    configuration: configuration
                ) { _ in await Outcome(of: redirecting["location/302?\(target)"]) }
                XCTAssertEqual(outcome.text, "live")
                XCTAssertEqual(server.connectionCount - count, 1)
            }
        }
    #endif

    /// Foundation on Linux has no WebSocket without a libcurl that supports it, so only the decision can be tested.
    func testTasksThatCannotBeReplayedUseTheNetworkWhereOtherRequestsMay() throws {
        for situation in Situation.all where !situation.hasStub && situation.method == "GET" {
            let stubber = try stubber(situation, Studio())
            let answer = stubber.answerToUnsupported(interaction("GET", "page").request, "WebSocket task")
            let (mode, isPassedThrough) = (situation.mode, situation.passthrough != .none)
            let records =
                mode == .all || mode == .newEpisodes || mode == .once && situation.cassette == .noCassette
            let isAllowed =
                isPassedThrough || records || mode == .live || mode == .verify
                || situation.isPaused && mode != .never
            let expected: Int? = !isAllowed ? 7 : situation.forbidsNetwork ? 12 : nil
            var code: Int?
            if case .refuse(let miss) = answer { code = miss.errorCode }
            XCTAssertEqual(code, expected, "\(situation)")
        }
    }
}
