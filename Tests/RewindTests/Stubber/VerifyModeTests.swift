import Foundation
import Rewind
import RewindTestSupport
import Testing

struct VerifyModeTests {
    @Test("A live response is compared with the interaction that would be replayed")
    func compares() throws {
        let studio = try Studio()
        try studio.put([.json("https://h/a", #"{"id": 1}"#), .json("https://h/a", #"{"id": "x"}"#)])
        let before = try studio.contents
        let stubber = try studio.stubber(.verify)
        let first = try stubber.begin(Interaction.Request(url: "https://h/a"))
        let second = try stubber.begin(Interaction.Request(url: "https://h/a"))
        #expect(!first.isKept)
        #expect(!stubber.isSettled, "the end of the test waits for the answers")
        // Responses arrive in any order.
        second.finish(json: #"{"id": 2}"#)
        first.finish(json: #"{"id": null}"#)
        #expect(stubber.isSettled)
        let report = stubber.end(testFailed: false).report
        let entries = try #require(report.drift.first?.entries)
        #expect(report.drift.count == 1)
        #expect(report.drift.first?.cassettePath == studio.file.path)
        #expect(entries.map(\.number) == [1, 2])
        #expect(
            entries.map { $0.drifts.map(\.description) } == [
                ["$.id: number → null"], ["$.id: string → number"],
            ]
        )
        #expect(report.cassetteURL == nil && report.recordedCount == 0 && report.unplayed.isEmpty)
        #expect(try studio.contents == before)
        #expect(studio.folder.files == ["talk.har"])
    }

    @Test("A request that the cassette lacks, or has less often, is drift")
    func unrecorded() throws {
        let studio = try Studio()
        try studio.put([.json("https://h/a", "[]")])
        let stubber = try studio.stubber(.verify)
        for url in ["https://h/new", "https://h/a", "https://h/a"] {
            try stubber.begin(Interaction.Request(url: url)).finish(json: "[]")
        }
        let entries = try #require(stubber.end(testFailed: false).report.drift.first?.entries)
        #expect(entries.map(\.number) == [nil, nil])
        #expect(
            entries.map { $0.drifts.map(\.description) }
                == [["not in the cassette"], ["recorded once, but requested again"]]
        )
    }

    @Test("In mode `verify` a request out of order goes live and is drift")
    func outOfOrder() throws {
        let studio = try Studio()
        try studio.put([.json("https://h/a", "[]"), .json("https://h/b", "[]")])
        var configuration = Stubber.Configuration()
        configuration.order = .sequential
        let stubber = try studio.stubber(.verify, configuration: configuration)
        try stubber.begin(Interaction.Request(url: "https://h/b")).finish(json: "[]")
        let report = stubber.end(testFailed: false).report
        #expect(report.drift.first?.entries.first?.drifts.first?.description == "out of order: #1 is next")
        #expect(report.unplayed.count == 2)
    }

    @Test("In mode `verify` a missing cassette is a miss at the first request")
    func missingCassette() throws {
        let studio = try Studio()
        let stubber = try studio.stubber(.verify)
        guard case .refuse(let miss) = stubber.answer(to: Interaction.Request(url: "https://h/")) else {
            Issue.record("it was answered")
            return
        }
        #expect(miss.reason == .noCassette(path: studio.file.path))
        #expect(
            miss.description.hasPrefix(
                "No cassette exists for this request, so mode `verify` has nothing to compare."
            )
        )
        #expect(miss.recoverySuggestion?.contains("REWIND_MODE=once") == true)
        #expect(stubber.end(testFailed: false).report.drift.isEmpty)
        #expect(studio.folder.files == [])
    }

    @Test(
        "The cassette answers unsafe methods unless configured",
        arguments: ["POST", "PUT", "PATCH", "DELETE", "post", "PURGE"]
    )
    func unsafe(_ method: String) throws {
        let studio = try Studio()
        try studio.put([.json("https://h/a", #"{"played": 1}"#, method: method)])
        let request = Interaction.Request(method: method, url: "https://h/a")
        let careful = try studio.stubber(.verify)
        #expect(Decision(careful.answer(to: request)) == .replays(#"{"played": 1}"#))
        #expect(Decision(careful.answer(to: request)) == .hasPlayedAll)
        #expect(careful.end(testFailed: false).report.drift.isEmpty)
        var configuration = Stubber.Configuration()
        configuration.verifiesUnsafeMethods = true
        let bold = try studio.stubber(.verify, configuration: configuration)
        try bold.begin(request).finish(json: #"{"live": 1}"#)
        #expect(bold.end(testFailed: false).report.drift.first?.entries.first?.drifts.count == 2)
    }

    @Test("The miss of an unsafe method says that mode `verify` does not send it, and how to change that")
    func unsafeMiss() throws {
        let studio = try Studio()
        try studio.put([.json("https://h/a", "[]")])
        let request = Interaction.Request(method: "POST", url: "https://h/a")
        guard case .refuse(let miss) = try studio.stubber(.verify).answer(to: request) else {
            Issue.record("it was answered")
            return
        }
        let text = miss.description.replacingOccurrences(of: "\n", with: " ")
        #expect(
            text.hasPrefix("No recording matches this request, and mode `verify` does not send POST requests.")
        )
        #expect(miss.recoverySuggestion?.contains("configuration.verifiesUnsafeMethods = true") == true)
        #expect(miss.recoverySuggestion?.contains("REWIND_MODE=newEpisodes") == true)
        var configuration = Stubber.Configuration()
        configuration.verifiesUnsafeMethods = true
        let bold = try studio.stubber(.verify, configuration: configuration)
        #expect(Decision(bold.answer(to: request)) == .verifies)
        guard case .refuse(let other) = try studio.stubber(.never).answer(to: request) else {
            Issue.record("it was answered")
            return
        }
        #expect(!other.description.contains("verif"))
    }

    @Test(
        "Safe methods are recognized in any letter case",
        arguments: ["GET", "HEAD", "OPTIONS", "TRACE", "get"]
    )
    func safe(_ method: String) throws {
        let studio = try Studio()
        try studio.put([.json("https://h/a", "[]", method: method)])
        let stubber = try studio.stubber(.verify)
        #expect(
            Decision(stubber.answer(to: Interaction.Request(method: method, url: "https://h/a"))) == .verifies
        )
    }

    @Test("With a forbidden network, mode `verify` replays the cassette")
    func forbidden() throws {
        let studio = try Studio()
        try studio.put([.page("https://h/a", "played")])
        let stubber = try studio.stubber(.verify)
        stubber.forbidNetwork()
        #expect(stubber.decision(on: "https://h/a") == .replays("played"))
        #expect(stubber.decision(on: "https://h/b") == .findsNoMatch)
    }

    @Test("Cancelled and dropped requests are not drift")
    func keepsSilent() throws {
        let studio = try Studio()
        try studio.put([.json("https://h/a", "[]")])
        var configuration = Stubber.Configuration()
        configuration.beforeRecord = { $0.request.url.hasSuffix("/dropped") ? nil : $0 }
        let stubber = try studio.stubber(.verify, configuration: configuration)
        let failure = Interaction.Failure(code: NSURLErrorCancelled)
        try stubber.begin(Interaction.Request(url: "https://h/a")).finish(
            .failure(failure, after: nil),
            timing: .init()
        )
        try stubber.begin(Interaction.Request(url: "https://h/dropped")).finish(json: "{}")
        stubber.settleRunningLoop()
        #expect(stubber.isSettled)
        #expect(stubber.end(testFailed: false).report.drift.isEmpty)
    }

    @Test("`beforeRecord` changes a response before it is compared")
    func beforeRecord() throws {
        let studio = try Studio()
        try studio.put([.json("https://h/a", #"{"kept": 1}"#)])
        var configuration = Stubber.Configuration()
        configuration.beforeRecord = { live in
            var live = live
            live.outcome = .response(
                Interaction.Response(
                    headers: ["Content-Type": "application/json"],
                    body: Interaction.Body(#"{"kept": 2}"#)
                )
            )
            return live
        }
        let stubber = try studio.stubber(.verify, configuration: configuration)
        try stubber.begin(Interaction.Request(url: "https://h/a")).finish(json: #"{"kept": 1, "volatile": 1}"#)
        stubber.settleRunningLoop()
        let end = stubber.end(testFailed: false)
        #expect(end.report.drift.isEmpty)
        #expect(end.problems.isEmpty)
    }

    @Test("An unreachable server is drift")
    func unreachable() throws {
        let studio = try Studio()
        try studio.put([.json("https://h/a", "[]")])
        let stubber = try studio.stubber(.verify)
        let recording = try stubber.begin(Interaction.Request(url: "https://h/a"))
        let failure = Interaction.Failure(code: NSURLErrorCannotConnectToHost)
        #expect(recording.replacement(for: failure) == nil)
        recording.finish(.failure(failure, after: nil), timing: .init())
        #expect(
            stubber.end(testFailed: false).report.drift.first?.entries.first?.drifts.first?.description
                == "outcome: status 200 → failure NSURLErrorDomain -1004"
        )
    }

    @Test("The drift report contains no secret")
    func secrets() throws {
        let studio = try Studio()
        try studio.put([.json("https://h/a?access_token=REDACTEDaccessTokenN1X", #"{"user": 1}"#)])
        let stubber = try studio.stubber(.verify)
        let url = "https://h/a?access_token=hush-4f9a7c21d0"
        try stubber.begin(Interaction.Request(url: url))
            .finish(json: #"{"user": 1, "hush-4f9a7c21d0": {"access_token": "s3cret-0a1b2c"}}"#)
        let report = try #require(stubber.end(testFailed: false).report.drift.first).description
        #expect(report.contains("access_token"))
        #expect(!report.contains("hush-4f9a7c21d0") && !report.contains("s3cret"), "\(report)")
    }

    @Test("A secret in a live response is redacted in later requests")
    func issuedSecrets() throws {
        let studio = try Studio()
        try studio.put([
            .json("https://h/session", #"{"access_token": "REDACTEDaccessTokenN1X"}"#),
            .json("https://h/a?api_key=REDACTEDaccessTokenN1X", "[]"),
        ])
        let stubber = try studio.stubber(.verify)
        try stubber.begin(Interaction.Request(url: "https://h/session")).finish(
            json: #"{"access_token": "fresh-77aa88bb"}"#
        )
        try stubber.begin(Interaction.Request(url: "https://h/a?api_key=fresh-77aa88bb")).finish(json: "[]")
        let report = stubber.end(testFailed: false).report
        #expect(report.drift.isEmpty, "\(report.drift)")
        #expect(report.unplayed.isEmpty)
    }
}

extension Interaction {
    /// A JSON response with a fixed date.
    static func json(_ url: String, _ text: String, method: String = "GET") -> Interaction {
        let response = Interaction.Response(
            headers: ["Content-Type": "application/json"],
            body: Interaction.Body(text)
        )
        return Interaction(
            request: Interaction.Request(method: method, url: url),
            outcome: .response(response),
            startedAt: Date(timeIntervalSince1970: 1_700_000_000)
        )
    }
}

extension Recording {
    /// Answers the request with a JSON document.
    func finish(json text: String) {
        let headers: HeaderList = ["Content-Type": "application/json"]
        finish(.response(Interaction.Response(headers: headers, body: Interaction.Body(text))), timing: .init())
    }
}
