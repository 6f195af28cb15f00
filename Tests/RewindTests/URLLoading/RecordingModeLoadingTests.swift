import Foundation
import Rewind
import RewindTestSupport
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Each recording mode with real sessions and a real server.
final class RecordingModeLoadingTests: XCTestCase {
    private func withServer(
        _ body: (TemporaryDirectory, ConversationServer) async throws -> Void
    ) async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        try await body(TemporaryDirectory(), server)
    }

    private func visit(
        _ server: ConversationServer,
        _ folder: TemporaryDirectory,
        _ mode: RecordingMode,
        path: String = "visit"
    ) async throws -> String {
        try await withCassette("talk", in: folder.url, mode: mode) { stubber in
            let outcome = await Outcome(of: server[path])
            let misses = stubber.takeMisses().map { "Rewind \($0.errorCode)" }
            XCTAssertEqual(misses, [outcome.failure].compactMap(\.self))
            return outcome.failure ?? outcome.text
        }
    }

    func testOnceRecordsWithoutACassetteAndPlaysWithOne() async throws {
        try await withServer { folder, server in
            let first = try await visit(server, folder, .once)
            let second = try await visit(server, folder, .once)
            XCTAssertEqual([first, second], ["visit 1", "visit 1"])
            let other = try await visit(server, folder, .once, path: "json")
            XCTAssertEqual(other, "Rewind 2")
            XCTAssertEqual(server.requestCount, 1)
        }
    }

    func testNeverUsesNoNetworkAndFailsAtTheFirstRequest() async throws {
        try await withServer { folder, server in
            XCTAssertEqual(try withCassette("talk", in: folder.url, mode: .never) { _ in 42 }, 42)
            let answer = try await visit(server, folder, .never)
            XCTAssertEqual(answer, "Rewind 1")
            XCTAssertEqual(server.requestCount, 0)
            XCTAssertEqual(folder.files, [])
        }
    }

    func testNewEpisodesPlaysRecordedRequestsAndRecordsOthers() async throws {
        try await withServer { folder, server in
            _ = try await visit(server, folder, .once)
            let before = try String(contentsOf: folder["talk.har"], encoding: .utf8)
            let answers = try await withCassette("talk", in: folder.url, mode: .newEpisodes) { _ in
                [await Outcome(of: server["visit"]).text, await Outcome(of: server["visit"]).text]
            }
            XCTAssertEqual(answers, ["visit 1", "visit 2"])
            let after = try String(contentsOf: folder["talk.har"], encoding: .utf8)
            let kept = before.components(separatedBy: "\n").dropLast(4).joined(separator: "\n")
            XCTAssertTrue(after.hasPrefix(kept), "the existing interactions keep their bytes")
            let replayed = try await visit(server, folder, .never)
            XCTAssertEqual(replayed, "visit 1")
        }
    }

    func testAllReRecordsTheCassette() async throws {
        try await withServer { folder, server in
            _ = try await visit(server, folder, .once)
            let again = try await visit(server, folder, .all)
            let replayed = try await visit(server, folder, .never)
            XCTAssertEqual([again, replayed], ["visit 2", "visit 2"])
            XCTAssertEqual(try Cassette(contentsOf: folder["talk.har"]).interactions.count, 1)
        }
    }

    func testLiveIgnoresCassettes() async throws {
        try await withServer { folder, server in
            _ = try await visit(server, folder, .once)
            let before = try Data(contentsOf: folder["talk.har"])
            let live = try await visit(server, folder, .live)
            XCTAssertEqual(live, "visit 2")
            XCTAssertEqual(try Data(contentsOf: folder["talk.har"]), before)
        }
    }

    func testPassthroughHostsUseTheNetworkInEveryModeWithoutBeingRecorded() async throws {
        try await withServer { folder, server in
            var configuration = Stubber.Configuration()
            configuration.passthroughHosts = ["127.0.0.1"]
            for mode in RecordingMode.allCases {
                let answer = try await withCassette(
                    "talk",
                    in: folder.url,
                    mode: mode,
                    configuration: configuration
                ) { _ in await Outcome(of: server["json"]).status }
                XCTAssertEqual(answer, 200, mode.rawValue)
            }
            XCTAssertEqual(folder.files, [])
        }
    }

    func testAMissFailsTheRequestAndIsReportedOnce() async throws {
        try await withServer { folder, server in
            let misses = Locked<[Miss]>([])
            var configuration = Stubber.Configuration()
            configuration.requestMatchingFailed = { miss in misses.withLock { $0.append(miss) } }
            let error = try await withCassette(
                "talk",
                in: folder.url,
                mode: .never,
                configuration: configuration
            ) { _ in
                do {
                    _ = try await URLSession.shared.data(from: server["json"])
                    return NSError(domain: "none", code: 0)
                } catch {
                    return error as NSError
                }
            }
            XCTAssertEqual(error.domain, "Rewind")
            XCTAssertEqual(error.code, 1)
            XCTAssertTrue(error.localizedDescription.contains("talk.har (missing)"), error.localizedDescription)
            XCTAssertEqual(misses.withLock { $0.map(\.request.url) }, [server["json"].absoluteString])
        }
    }

    func testTheErrorOfARequestIsTheTextOfItsMiss() async throws {
        try await withServer { folder, server in
            _ = try await visit(server, folder, .once)
            let misses = Locked<[String]>([])
            var configuration = Stubber.Configuration()
            configuration.requestMatchingFailed = { miss in misses.withLock { $0.append(miss.description) } }
            let text = try await withCassette(
                "talk",
                in: folder.url,
                mode: .never,
                configuration: configuration
            ) { _ in
                do {
                    _ = try await URLSession.shared.data(from: server["visit?page=2"])
                    return ""
                } catch {
                    return error.localizedDescription
                }
            }
            XCTAssertTrue(text.contains("nearest:  #1 GET \(server["visit"].absoluteString)"), text)
            XCTAssertEqual(misses.withLock { $0 }, [text])
        }
    }

    func testTheEndOfAScopeReportsUnplayedInteractionsAsConfigured() async throws {
        struct Failing: Error {}
        try await withServer { folder, server in
            _ = try await visit(server, folder, .once)
            for severity in Stubber.Configuration.Severity.allCases {
                for fails in [false, true] {
                    var configuration = Stubber.Configuration()
                    configuration.unplayed = severity
                    let notes = Locked<[String]>([])
                    var thrown: (any Error)?
                    do {
                        try Note.withReader({ note in notes.withLock { $0.append(note) } }) {
                            try withCassette("talk", in: folder.url, mode: .never, configuration: configuration)
                            {
                                _ in if fails { throw Failing() }
                            }
                        }
                    } catch { thrown = error }
                    let text = notes.withLock { $0.joined() }
                    let what = "\(severity), the test \(fails ? "fails" : "passes"): \(text)"
                    // A test that failed may have ended before its other requests.
                    XCTAssertEqual(thrown is Failing, fails, what)
                    XCTAssertEqual(thrown is Stubber.ScopeError, severity == .fail && !fails, what)
                    XCTAssertEqual(
                        text.contains("without playing these recorded interactions"),
                        severity == .warn && !fails,
                        what
                    )
                }
            }
        }
    }

    func testTheCallbacksOfARecordingAreCalled() async throws {
        try await withServer { folder, server in
            let told = Locked<[String]>([])
            var configuration = Stubber.Configuration()
            configuration.didBeginRecording = { request in
                told.withLock { $0.append("begin \(request.method)") }
            }
            configuration.didEndRecording = { interaction in
                told.withLock { $0.append("end \(interaction.response?.status ?? 0)") }
            }
            for _ in 0..<2 {
                _ = try await withCassette("talk", in: folder.url, mode: .once, configuration: configuration) {
                    _ in
                    await Outcome(of: server["json"]).status
                }
            }
            XCTAssertEqual(told.withLock { $0 }, ["begin GET", "end 200"])
        }
    }

    func testUnplayedInteractionsFailTheTestIfConfigured() async throws {
        try await withServer { folder, server in
            _ = try await visit(server, folder, .once)
            var configuration = Stubber.Configuration()
            configuration.unplayed = .fail
            do {
                try withCassette("talk", in: folder.url, mode: .once, configuration: configuration) { _ in }
                XCTFail("expected a problem")
            } catch {
                XCTAssertTrue("\(error)".contains("GET \(server["visit"].absoluteString)"), "\(error)")
            }
        }
    }

    func testOnlyTheFirstUnplayedInteractionsAreListed() async throws {
        let folder = try TemporaryDirectory()
        let interactions = (0..<25).map {
            Interaction(
                request: Interaction.Request(url: "http://h/\($0)"),
                outcome: .response(Interaction.Response())
            )
        }
        try HARFormat.write(Cassette(interactions: interactions)).write(to: folder["talk.har"])
        var configuration = Stubber.Configuration()
        configuration.unplayed = .fail
        XCTAssertThrowsError(
            try withCassette("talk", in: folder.url, mode: .never, configuration: configuration) { _ in }
        ) { error in
            let lines = "\(error)".split(separator: "\n")
            XCTAssertEqual(lines[1...20].last, "  GET http://h/19")
            XCTAssertEqual(lines[21], "  and 5 more")
        }
    }

    func testRepeatsPlayTheLastOrAllInteractionsAgain() async throws {
        try await withServer { folder, server in
            func three(_ mode: RecordingMode, _ repeats: Stubber.Configuration.Repeats) async throws -> [String]
            {
                var configuration = Stubber.Configuration()
                configuration.repeats = repeats
                return try await withCassette("talk", in: folder.url, mode: mode, configuration: configuration)
                { stubber in
                    var answers: [String] = []
                    for _ in 0..<(mode == .all ? 2 : 4) {
                        let outcome = await Outcome(of: server["visit"])
                        answers.append(outcome.failure ?? outcome.text)
                    }
                    let count = answers.filter { $0.hasPrefix("Rewind") }.count
                    XCTAssertEqual(stubber.takeMisses().count, count)
                    return answers
                }
            }
            _ = try await three(.all, .never)
            let never = try await three(.never, .never)
            let last = try await three(.never, .last)
            let all = try await three(.never, .all)
            XCTAssertEqual(never, ["visit 1", "visit 2", "Rewind 3", "Rewind 3"])
            XCTAssertEqual(last, ["visit 1", "visit 2", "visit 2", "visit 2"])
            XCTAssertEqual(all, ["visit 1", "visit 2", "visit 1", "visit 2"])
        }
    }

    func testRecordedTimingIsReplayedOnlyIfConfigured() async throws {
        let folder = try TemporaryDirectory()
        let body = Interaction.Body(
            Data("abcd".utf8),
            chunks: [.init(offset: 0, count: 2), .init(offset: 60, count: 2)]
        )
        let interaction = Interaction(
            request: Interaction.Request(url: "http://slow.invalid/"),
            outcome: .response(Interaction.Response(body: body)),
            timing: .init(wait: 60, receive: 60)
        )
        try HARFormat.write(Cassette(interactions: [interaction])).write(to: folder["talk.har"])
        let url = try XCTUnwrap(URL(string: "http://slow.invalid/"))
        for timing in [Stubber.Configuration.Timing.immediate, .recorded, .scaled(0.5)] {
            var configuration = Stubber.Configuration()
            configuration.timing = timing
            let start = Date()
            let text = try await withCassette(
                "talk",
                in: folder.url,
                mode: .never,
                configuration: configuration
            ) { _ in
                await Outcome(of: url).text
            }
            XCTAssertEqual(text, "abcd")
            // Only a lower bound is reliable: nothing may arrive early.
            XCTAssertGreaterThanOrEqual(Date().timeIntervalSince(start), 0.12 * timing.factor)
        }
    }
}
