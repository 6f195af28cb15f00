import Foundation
import RewindTestSupport
import XCTest

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A test that inserts other cassettes: all are written when it ends, by the same rules.
final class InsertedCassetteTests: ConversationTestCase {
    private struct Failing: Error {}

    private func visit(_ path: String = "visit") async -> String { await Outcome(of: server[path]).text }

    private func texts(_ name: String) throws -> [String] {
        try Cassette(contentsOf: folder["\(name).har"]).interactions.map(\.text)
    }

    /// Records the cassettes `a` and `b` with one visit each.
    private func recordBoth() async throws {
        for name in ["a", "b"] {
            try await withCassette(name, in: folder.url, mode: .once) { _ in _ = await visit() }
        }
    }

    // MARK: The outcome of the test

    func testAFailedTestChangesNoneOfItsCassettes() async throws {
        try await recordBoth()
        let cassettes = try ["a", "b"].map { try Data(contentsOf: folder["\($0).har"]) }
        do {
            try await withCassette("a", in: folder.url, mode: .all) { stubber in
                _ = await visit()
                try stubber.insert("b")
                _ = await visit()
                throw Failing()
            }
            XCTFail("no error is thrown")
        } catch is Failing {}
        XCTAssertEqual(folder.files, ["a.failed.har", "a.har", "b.failed.har", "b.har"])
        XCTAssertEqual(try ["a", "b"].map { try Data(contentsOf: folder["\($0).har"]) }, cassettes)
        XCTAssertEqual(try texts("a.failed") + texts("b.failed"), ["visit 3", "visit 4"])
    }

    func testATestThatFailedBeforeTheInsertionChangesNoCassette() async throws {
        try await recordBoth()
        let stubber = try Stubber(cassette: "a", in: folder.url, mode: .all)
        _ = await Outcome(of: server["visit"], in: stubber.session)
        try stubber.insert("b")
        let report = try stubber.eject(testFailed: true)
        XCTAssertEqual(report.replacedCassettes.map(\.failedRecording), [folder["a.failed.har"]])
        XCTAssertNil(report.replacedCassettes.first?.cassetteURL)
        XCTAssertEqual(try texts("a"), ["visit 1"])
        XCTAssertEqual(try texts("a.failed"), ["visit 3"])
    }

    func testAChangeOfModeDoesNotChangeTheCassettesOfAFailedTest() async throws {
        try await recordBoth()
        do {
            try await withCassette("a", in: folder.url, mode: .never) { stubber in
                stubber.mode = .all
                _ = await visit()
                try stubber.insert("b", mode: .never)
                stubber.mode = .newEpisodes
                _ = await visit("json")
                throw Failing()
            }
        } catch is Failing {}
        XCTAssertEqual(try texts("a") + texts("b"), ["visit 1", "visit 2"])
        XCTAssertEqual(folder.files, ["a.failed.har", "a.har", "b.failed.har", "b.har"])
    }

    func testTheEndOfTheTestWritesAllCassettes() async throws {
        let stubber = try Stubber(cassette: "a", in: folder.url, mode: .once)
        for name in ["b", "c"] {
            _ = await Outcome(of: server["visit"], in: stubber.session)
            let report = try stubber.insert(name)
            XCTAssertEqual(report.recordedCount, 1)
            XCTAssertNil(report.cassetteURL)
            XCTAssertFalse(folder.files.contains { $0.hasSuffix(".har") }, "\(folder.files)")
        }
        _ = await Outcome(of: server["visit"], in: stubber.session)
        let report = try stubber.eject()
        XCTAssertEqual(report.cassetteURL, folder["c.har"])
        XCTAssertEqual(report.replacedCassettes.map(\.cassetteURL), [folder["a.har"], folder["b.har"]])
        XCTAssertEqual(folder.files, ["a.har", "b.har", "c.har"])
        XCTAssertEqual(try texts("a") + texts("b") + texts("c"), ["visit 1", "visit 2", "visit 3"])
    }

    func testARecordingThatIsRefusedDoesNotStopTheOthers() async throws {
        for refused in ["a", "b", "c"] {
            let stubber = try Stubber(cassette: "a", in: folder[refused], mode: .once)
            for name in ["a", "b", "c"] {
                if name != "a" { try stubber.insert(name) }
                var request = URLRequest(url: server["echo"])
                request.httpMethod = "POST"
                request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
                let secret = "ghp_abcdefghijABCDEFGHIJ0123456789abcdef"
                request.httpBody = Data((name == refused ? secret : "hello").utf8)
                _ = await Outcome(of: request, in: stubber.session)
            }
            XCTAssertThrowsError(try stubber.eject()) { error in
                XCTAssertTrue("\(error)".contains("\(refused).har"), "\(error)")
                XCTAssertTrue(error is CassetteError)
            }
            let files = ["a", "b", "c"].map { $0 == refused ? "\($0).refused" : "\($0).har" }
            XCTAssertEqual(folder.files.filter { $0.hasPrefix(refused) }, files.map { "\(refused)/\($0)" })
        }
    }

    // MARK: The same cassette again

    func testACassetteThatIsInsertedAgainContinues() async throws {
        for mode in [RecordingMode.once, .newEpisodes, .all] {
            let name = "\(mode)"
            func talk(_ mode: RecordingMode) async throws -> [String] {
                try await withCassette(name, in: folder.url, mode: mode) { stubber in
                    var texts = [await visit(), await visit("visit?first")]
                    try stubber.insert("\(name)-other")
                    texts.append(await visit())
                    let report = try stubber.insert(name)
                    XCTAssertEqual(report.recordedCount, mode == .never ? 0 : 1)
                    texts.append(await visit())
                    texts.append(await visit("visit?second"))
                    try stubber.insert(name)
                    texts.append(await visit("visit?second"))
                    return texts
                }
            }
            let count = server.requestCount
            let live = try await talk(mode)
            XCTAssertEqual(live[3], live[0], "what was recorded is played")
            XCTAssertEqual(live[5], live[4])
            XCTAssertEqual(server.requestCount - count, 4)
            XCTAssertEqual(try texts(name), [live[0], live[1], live[4]])
            let replayed = try await talk(.never)
            XCTAssertEqual(replayed, live)
            XCTAssertEqual(server.requestCount - count, 4)
        }
    }

    func testACassetteThatIsRecordedAgainInTwoPartsKeepsBoth() async throws {
        try await recordBoth()
        try await withCassette("a", in: folder.url, mode: .all) { stubber in
            _ = await visit()
            try stubber.insert("b")
            try stubber.insert("a")
            _ = await visit("json")
        }
        XCTAssertEqual(try texts("a").first, "visit 3")
        XCTAssertEqual(try texts("a").count, 2)
        XCTAssertEqual(try texts("b"), ["visit 2"], "nothing was recorded on it")
    }

    func testTheTokenOfALoginIsTheSameInBothParts() async throws {
        func talk(_ mode: RecordingMode) async throws -> [String] {
            try await withCassette("a", in: folder.url, mode: mode) { stubber in
                var texts: [String] = []
                for name in ["b", "a"] {
                    for path in [
                        "echo?access_token=hush-4f9a7c21d0", "echo?access_token=hush-\(name)-0b84d5f2",
                    ] {
                        texts.append(await visit("\(path)&n=\(name)"))
                    }
                    try stubber.insert(name)
                }
                texts.append(await visit("echo?access_token=hush-4f9a7c21d0&n=last"))
                return texts
            }
        }
        let live = try await talk(.once)
        server.stop()
        let replayed = try await talk(.never)
        XCTAssertEqual(replayed.count, live.count)
        let archive = try String(contentsOf: folder["a.har"], encoding: .utf8)
        XCTAssertFalse(archive.contains("hush-"))
        let tokens = archive.matches(of: /access_token=(REDACTED\w+)&n=(\w+)"/).map {
            ($0.output.1, $0.output.2)
        }
        let shared = Set(tokens.filter { $0.1 == "last" }.map(\.0))
        XCTAssertEqual(shared.count, 1)
        XCTAssertTrue(tokens.contains { $0.1 == "b" && shared.contains($0.0) }, "\(tokens)")
        XCTAssertEqual(Set(tokens.map(\.0)).count, 2, "\(tokens)")
    }

    // MARK: Requests in flight

    func testARequestInFlightBelongsToTheCassetteOnWhichItBegan() async throws {
        let outcome = Locked<String?>(nil)
        try await withCassette("a", in: folder.url, mode: .once) { stubber in
            URLSession.shared.dataTask(with: server["slow/300"]) { data, _, _ in
                outcome.withLock { $0 = String(decoding: data ?? Data(), as: UTF8.self) }
            }.resume()
            try stubber.insert("b")
            _ = await visit()
        }
        XCTAssertEqual(try texts("a"), ["slow"])
        XCTAssertEqual(try texts("b"), ["visit 1"])
        for _ in 0..<1000 where outcome.withLock({ $0 }) == nil { try await Task.sleep(for: .milliseconds(5)) }
        XCTAssertEqual(outcome.withLock { $0 }, "slow")
    }

    func testTheCurrentCassetteStaysIfARequestHasNoResponseInTime() async throws {
        var configuration = Stubber.Configuration()
        configuration.inFlightTimeout = 0.1
        let stubber = try Stubber(cassette: "a", in: folder.url, mode: .once, configuration: configuration)
        let session = stubber.session
        session.dataTask(with: server["slow/1000"]).resume()
        XCTAssertThrowsError(try stubber.insert("b")) { error in
            guard case Stubber.ScopeError.requestsInFlight(let requests) = error else {
                return XCTFail("\(error)")
            }
            XCTAssertEqual(requests.map(\.url), [server["slow/1000"].absoluteString])
        }
        XCTAssertEqual(stubber.cassetteURL, folder["a.har"])
        while !stubber.requestsInFlight.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        try stubber.insert("b")
        try stubber.eject()
        XCTAssertEqual(try texts("a"), ["slow"])
        XCTAssertEqual(folder.files, ["a.har"])
    }

    // MARK: Other tests

    func testTheCassettesOfATestAreInUseUntilItEnds() async throws {
        try await withCassette("a", in: folder.url, mode: .once) { stubber in
            _ = await visit()
            try stubber.insert("b")
            _ = await visit()
            for name in ["a", "b"] {
                do {
                    try withCassette(name, in: folder.url, mode: .never) { _ in XCTFail("it runs") }
                } catch let error as CassetteError {
                    XCTAssertTrue("\(error)".contains("in use") || "\(error)".contains("record"), "\(error)")
                }
            }
        }
        try await recordBoth()
        XCTAssertEqual(try texts("a") + texts("b"), ["visit 1", "visit 2"])
    }

    func testACassetteThatAnotherTestRecordsCannotBeInserted() async throws {
        try await withCassette("b", in: folder.url, mode: .once) { other in
            try await withCassette("a", in: folder.url, mode: .once) { stubber in
                XCTAssertThrowsError(try stubber.insert("b")) { XCTAssertTrue($0 is CassetteError) }
                XCTAssertEqual(stubber.cassetteURL, folder["a.har"])
                _ = await visit()
            }
            _ = await other.run { await visit("json") }
        }
        XCTAssertEqual(try texts("a"), ["visit 1"])
        XCTAssertEqual(try texts("b").count, 1)
    }

    func testAnInsertedCassetteThatOthersPlayCannotBeRecorded() async throws {
        try await recordBoth()
        try await withCassette("a", in: folder.url, mode: .never) { stubber in
            try withCassette("a", in: folder.url, mode: .never) { _ in
                XCTAssertThrowsError(try stubber.insert("a", mode: .all)) { XCTAssertTrue($0 is CassetteError) }
            }
            try stubber.insert("a", mode: .all)
            _ = await visit("json")
        }
        XCTAssertEqual(try texts("a").count, 1)
        XCTAssertNotEqual(try texts("a"), ["visit 1"])
    }

    func testConcurrentInsertionsLoseNothing() async throws {
        var configuration = Stubber.Configuration()
        configuration.inFlightTimeout = 3
        let stubber = try Stubber(cassette: "a", in: folder.url, mode: .once, configuration: configuration)
        let session = stubber.session
        let url = server["visit"]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    _ = await Outcome(of: url, in: session)
                    // It waits for the other requests, for which the threads of the concurrency pool are needed.
                    try await onThread { _ = try stubber.insert("part-\(number)") }
                }
            }
            try await group.waitForAll()
        }
        let report = try stubber.eject()
        let reports = report.replacedCassettes + [report]
        XCTAssertEqual(reports.map(\.recordedCount).reduce(0, +), 8)
        let urls = reports.compactMap(\.cassetteURL)
        XCTAssertEqual(try urls.map { try Cassette(contentsOf: $0).interactions.count }.reduce(0, +), 8)
    }

    func testNothingIsInsertedAfterTheEnd() throws {
        let stubber = try Stubber(cassette: "a", in: folder.url, mode: .once)
        try stubber.eject()
        let notes = Locked<[String]>([])
        try Note.withReader({ note in notes.withLock { $0.append(note) } }) {
            _ = try stubber.insert("b")
        }
        XCTAssertEqual(stubber.cassetteURL, folder["a.har"])
        XCTAssertTrue(notes.withLock { $0.first ?? "" }.contains("did not insert"))
    }
}
