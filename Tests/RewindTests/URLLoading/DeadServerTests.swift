import Foundation
import RewindServer
import RewindTestSupport
import XCTest

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A test that tolerates errors is recorded while its server does not answer: the cassette stays, and the test fails.
final class DeadServerTests: ConversationTestCase {
    /// Five requests of an app that shows errors instead of failing.
    private func fiveRequests() async -> [Outcome] {
        var outcomes: [Outcome] = []
        for path in ["json", "visit", "visit", "echo?a=1", "redirect/1"] {
            outcomes.append(await Outcome(of: server[path]))
        }
        return outcomes
    }

    private func contents(_ name: String = "talk") throws -> Data {
        try Data(contentsOf: folder["\(name).har"])
    }

    /// Runs a scope that must end with an error about unanswered requests, and returns that error.
    private func unanswered(
        _ name: String = "talk",
        mode: RecordingMode = .all,
        configuration: Stubber.Configuration = Stubber.Configuration(),
        line: UInt = #line,
        _ body: (Stubber) async throws -> Void
    ) async throws -> String {
        do {
            try await withCassette(name, in: folder.url, mode: mode, configuration: configuration, body)
            XCTFail("the scope ended without an error", line: line)
            return ""
        } catch let error as Stubber.ScopeError where error.isUnanswered {
            return error.description
        }
    }

    // MARK: Recording again

    func testADeadServerReplacesNoneOfFiveAnswers() async throws {
        let live = try await withCassette("talk", in: folder.url, mode: .once) { _ in await fiveRequests() }
        let untouched = try contents()
        server.stop()
        let message = try await unanswered { _ in _ = await fiveRequests() }
        XCTAssertEqual(try contents(), untouched)
        XCTAssertEqual(folder.files, ["talk.failed.har", "talk.har"])
        let failed = try Cassette(contentsOf: folder["talk.failed.har"])
        XCTAssertEqual(failed.interactions.map { $0.failure?.code }, Array(repeating: -1004, count: 5))
        let lines = message.split(separator: "\n").map(String.init)
        XCTAssertEqual(
            lines.first,
            "These requests got no answer, but the cassette \(folder["talk.har"].path) has one, so it was not changed:"
        )
        XCTAssertEqual(lines.count, 7, message)
        XCTAssertTrue(lines[1].hasPrefix("  GET \(server["json"].absoluteString): "), message)
        XCTAssertTrue(lines[1].hasSuffix("(NSURLErrorDomain -1004)"), message)
        XCTAssertEqual(
            lines.last,
            "  Make sure that the server is reachable, and record again. If these errors are expected now, delete the"
                + " cassette first."
        )
        let replayed = try await withCassette("talk", in: folder.url, mode: .never) { _ in await fiveRequests()
        }
        XCTAssertEqual(live, replayed)
    }

    func testTheNextRecordingWithTheServerReplacesTheCassette() async throws {
        _ = try await withCassette("talk", in: folder.url, mode: .once) { _ in
            await Outcome(of: server["visit"])
        }
        let port = UInt16(server.url.port ?? 0)
        server.stop()
        _ = try await unanswered { _ in _ = await Outcome(of: server["visit"]) }
        let again = HTTPServer { _, response in try response.respond(body: Data("back".utf8)) }
        try again.start(port: port)
        defer { again.stop() }
        _ = try await withCassette("talk", in: folder.url, mode: .all) { _ in await Outcome(of: server["visit"])
        }
        XCTAssertEqual(folder.files, ["talk.har"])
        XCTAssertEqual(try Cassette(contentsOf: folder["talk.har"]).interactions.map(\.text), ["back"])
    }

    func testOneDeadServerOfTwoIsEnough() async throws {
        let other = try ConversationServer()
        defer { other.stop() }
        func requests() async { for url in [server["visit"], other["json"]] { _ = await Outcome(of: url) } }
        try await withCassette("talk", in: folder.url, mode: .once) { _ in await requests() }
        let untouched = try contents()
        other.stop()
        let message = try await unanswered { _ in await requests() }
        XCTAssertEqual(try contents(), untouched)
        XCTAssertTrue(message.contains("GET \(other["json"].absoluteString): "), message)
        XCTAssertFalse(message.contains(server["visit"].absoluteString), message)
    }

    func testEveryWayToGetLessOfAnAnswerKeepsTheCassette() async throws {
        let behavior = Locked("answer")
        let release = DispatchSemaphore(value: 0)
        let flaky = HTTPServer { _, response in
            switch behavior.withLock({ $0 }) {
            case "silent": response.abort()
            case "hang": release.wait()
            case "cut":
                try response.sendRaw(Data("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nonly this".utf8))
                response.abort()
            default: try response.respond(body: Data("everything".utf8))
            }
        }
        let url = try flaky.start()
        defer {
            release.signal()
            flaky.stop()
        }
        _ = try await withCassette("talk", in: folder.url, mode: .once) { _ in await Outcome(of: url) }
        let untouched = try contents()
        for way in ["silent", "hang", "cut"] {
            behavior.withLock { $0 = way }
            var request = URLRequest(url: url)
            // A busy machine may need as long for an answer, so only the request without one has a short timeout.
            if way == "hang" { request.timeoutInterval = 0.3 }
            _ = try await unanswered { [request] _ in _ = await Outcome(of: request) }
            XCTAssertEqual(try contents(), untouched, way)
        }
    }

    func testAFailureBesideTheAnswerOfARetryIsFine() async throws {
        let count = Locked(0)
        let flaky = HTTPServer { _, response in
            let isFirst = count.withLock { count in
                count += 1
                return count == 2
            }
            if isFirst {
                try response.sendRaw(Data("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nonly".utf8))
                return response.abort()
            }
            try response.respond(body: Data("answer".utf8))
        }
        let url = try flaky.start()
        defer { flaky.stop() }
        for mode in [RecordingMode.once, .all] {
            let text = try await withCassette("talk", in: folder.url, mode: mode) { _ in
                let first = await Outcome(of: url)
                return first.failure == nil ? first.text : await Outcome(of: url).text
            }
            XCTAssertEqual(text, "answer")
        }
        let recorded = try Cassette(contentsOf: folder["talk.har"]).interactions
        XCTAssertEqual(recorded.map { $0.failure == nil }, [false, true])
        XCTAssertEqual(folder.files, ["talk.har"])
    }

    func testAnErrorStatusIsAnAnswer() async throws {
        let status = Locked(200)
        let busy = HTTPServer { _, response in try response.respond(status: status.withLock { $0 }) }
        let url = try busy.start()
        defer { busy.stop() }
        for code in [200, 503] {
            status.withLock { $0 = code }
            _ = try await withCassette("talk", in: folder.url, mode: .all) { _ in await Outcome(of: url) }
            let recorded = try Cassette(contentsOf: folder["talk.har"]).interactions
            XCTAssertEqual(recorded.map { $0.response?.status }, [code])
        }
    }

    func testAnAppThatGivesUpOnAServerThatHangsKeepsTheCassette() async throws {
        let hangs = Locked(false)
        let release = DispatchSemaphore(value: 0)
        let server = HTTPServer { _, response in
            if hangs.withLock({ $0 }) { release.wait() }
            try response.respond(body: Data("answer".utf8))
        }
        let url = try server.start()
        defer {
            release.signal()
            server.stop()
        }
        _ = try await withCassette("talk", in: folder.url, mode: .once) { _ in await Outcome(of: url) }
        let untouched = try contents()
        hangs.withLock { $0 = true }
        let message = try await unanswered { stubber in
            let task = Task { await Outcome(of: url) }
            try await stubber.waitForRequests(.any)
            task.cancel()
            _ = await task.value
        }
        XCTAssertTrue(message.contains("-999"), message)
        XCTAssertEqual(try contents(), untouched)
    }

    func testARedirectWhoseTargetIsDownKeepsTheCassette() async throws {
        var configuration = Stubber.Configuration()
        configuration.matching = [.method, .path]
        let targets = try (0..<2).map { _ in try ConversationServer() }
        defer { for target in targets { target.stop() } }
        let link = server["location/302?\(targets[0]["json"].absoluteString)"]
        try await withCassette("talk", in: folder.url, mode: .once, configuration: configuration) { _ in
            _ = await Outcome(of: link)
        }
        let untouched = try contents()
        for target in targets { target.stop() }
        // The second link leads to a URL that the cassette lacks.
        for (target, path) in [(targets[0], "json"), (targets[1], "other")] {
            let link = server["location/302?\(target[path].absoluteString)"]
            let message = try await unanswered(configuration: configuration) { _ in _ = await Outcome(of: link)
            }
            XCTAssertEqual(try contents(), untouched)
            XCTAssertTrue(message.contains(": status 302, but no answer where it redirects to"), message)
        }
    }

    func testTheErrorOfARewindServerIsNoAnswer() async throws {
        for (path, count) in [("served", 1), ("unserved", 0)] {
            let cassette = folder["\(path).har"]
            let upstream = try ConversationServer()
            let inner = try CassetteServer(
                upstream: upstream.url,
                cassette: "inner",
                in: folder["\(path)"],
                mode: .all
            )
            let url = try inner.start()
            if count == 1 {
                try await withCassette(path, in: folder.url, mode: .all) { _ in _ = await Outcome(of: url) }
            }
            upstream.stop()
            let before = try? Data(contentsOf: cassette)
            let message = try await unanswered(path) { _ in
                let outcome = await Outcome(of: url)
                XCTAssertEqual(outcome.status, 502)
            }
            XCTAssertTrue(message.contains("status 502 of a server of Rewind"), message)
            XCTAssertEqual(try? Data(contentsOf: cassette), before)
            _ = try? inner.stop(testFailed: true)
        }
    }

    func testAllCassettesOfATestStayIfOneLosesAnAnswer() async throws {
        let other = try ConversationServer()
        defer { other.stop() }
        func requests(_ stubber: Stubber) async throws {
            _ = await Outcome(of: server["visit"])
            try stubber.insert("second")
            _ = await Outcome(of: other["visit"])
        }
        try await withCassette("talk", in: folder.url, mode: .once) { try await requests($0) }
        let untouched = try [contents(), contents("second")]
        other.stop()
        let message = try await unanswered { try await requests($0) }
        XCTAssertEqual(try [contents(), contents("second")], untouched)
        XCTAssertTrue(message.contains(folder["second.har"].path), message)
        XCTAssertEqual(folder.files, ["second.failed.har", "second.har", "talk.failed.har", "talk.har"])
    }

    func testARenewalThatLosesAnAnswerKeepsTheOldCassette() async throws {
        var old = Interaction.page(server["cut"].absoluteString, "everything")
        old.startedAt = Date(timeIntervalSinceNow: -86_400 * 40)
        try Cassette(interactions: [old]).write(to: folder["talk.har"])
        let untouched = try contents()
        var configuration = Stubber.Configuration()
        configuration.maxAge = .days(30, .reRecord)
        _ = try await unanswered(mode: .once, configuration: configuration) { _ in
            let outcome = await Outcome(of: server["cut"])
            XCTAssertNotNil(outcome.failure)
        }
        XCTAssertEqual(try contents(), untouched)
    }

    // MARK: Recording for the first time

    func testAFirstRecordingOfFailuresOnlyIsKeptByRenamingIt() async throws {
        server.stop()
        let message = try await unanswered(mode: .once) { _ in
            for path in ["json", "visit"] { _ = await Outcome(of: server[path]) }
        }
        let lines = message.split(separator: "\n").map(String.init)
        XCTAssertEqual(
            lines.first,
            "No request got an answer, so nothing was recorded to \(folder["talk.har"].path):"
        )
        XCTAssertEqual(lines.count, 4, message)
        XCTAssertEqual(
            lines.last,
            "  To keep the errors as the recording, rename talk.failed.har to talk.har. Otherwise, make sure that the"
                + " server is reachable, and record again."
        )
        XCTAssertEqual(folder.files, ["talk.failed.har"])
        try FileManager.default.moveItem(at: folder["talk.failed.har"], to: folder["talk.har"])
        let codes = try await withCassette("talk", in: folder.url, mode: .never) { _ in
            [await Outcome(of: server["json"]).failure, await Outcome(of: server["visit"]).failure]
        }
        XCTAssertEqual(codes, Array(repeating: "\(NSURLErrorDomain) -1004", count: 2))
        // From then on they are expected.
        try await withCassette("talk", in: folder.url, mode: .all) { _ in _ = await Outcome(of: server["json"])
        }
        XCTAssertEqual(folder.files, ["talk.har"])
    }

    func testARecordingWithAnAnswerMayContainFailures() async throws {
        let gone = try ConversationServer()
        gone.stop()
        try await withCassette("talk", in: folder.url, mode: .once) { _ in
            for url in [gone["json"], server["json"]] { _ = await Outcome(of: url) }
        }
        XCTAssertEqual(try Cassette(contentsOf: folder["talk.har"]).interactions.count, 2)
    }

    func testNewEpisodesAddsNoFailuresAlone() async throws {
        _ = try await withCassette("talk", in: folder.url, mode: .once) { _ in
            await Outcome(of: server["visit"])
        }
        let untouched = try contents()
        server.stop()
        func requests() async -> [String] {
            var texts: [String] = []
            for path in ["visit", "json"] { texts.append(await Outcome(of: server[path]).text) }
            return texts
        }
        let message = try await unanswered(mode: .newEpisodes) { _ in _ = await requests() }
        XCTAssertTrue(message.contains("GET \(server["json"].absoluteString): "), message)
        XCTAssertEqual(try contents(), untouched)
        try FileManager.default.removeItem(at: folder["talk.har"])
        try FileManager.default.moveItem(at: folder["talk.failed.har"], to: folder["talk.har"])
        let texts = try await withCassette("talk", in: folder.url, mode: .never) { _ in await requests() }
        XCTAssertEqual(texts, ["visit 1", ""], "the renamed file has the old answers too")
    }

    func testAFailedTestReportsItsOwnErrorOnly() async throws {
        struct Failing: Error {}
        server.stop()
        do {
            try await withCassette("talk", in: folder.url, mode: .once) { _ in
                _ = await Outcome(of: server["json"])
                throw Failing()
            }
            XCTFail("no error is thrown")
        } catch is Failing {}
        XCTAssertEqual(folder.files, ["talk.failed.har"])
    }
}
