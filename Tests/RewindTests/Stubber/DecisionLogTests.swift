import Foundation
import Rewind
import RewindTestSupport
import Testing

@testable import Rewind

struct DecisionLogTests {
    private let studio: Studio
    private let lines = Locked<[String]>([])

    init() throws {
        studio = try Studio()
        try studio.put([.page("https://h/a?n=1"), .page("https://h/a?n=1"), .page("https://h/a?n=2")])
    }

    private func stubber(_ mode: RecordingMode, _ configure: (inout Stubber.Configuration) -> Void = { _ in })
        throws
        -> Stubber
    {
        var configuration = Stubber.Configuration()
        configuration.log = { [lines] line in lines.withLock { $0.append(line) } }
        configure(&configuration)
        return try studio.stubber(mode, configuration: configuration, testName: "UserTests.testList")
    }

    private func lines(_ stubber: Stubber, _ requests: [Interaction.Request]) -> [String] {
        lines.withLock { $0 = [] }
        for request in requests { _ = stubber.answer(to: request) }
        return lines.withLock { $0 }
    }

    private func lines(_ stubber: Stubber, _ urls: String...) -> [String] {
        lines(stubber, urls.map { Interaction.Request(url: $0) })
    }

    @Test("The log says what was replayed and which recordings of the same request were played before")
    func played() throws {
        #expect(
            try lines(stubber(.never), "https://h/a?n=1", "https://h/a?n=1", "https://h/a?n=1") == [
                "UserTests.testList: GET https://h/a?n=1 → replayed #1",
                "UserTests.testList: GET https://h/a?n=1 → replayed #2; skipped #1 (played by request 1)",
                "UserTests.testList: GET https://h/a?n=1 → miss: all 2 matches were already played",
            ]
        )
    }

    @Test("Of many recordings of the same request, the last three are named")
    func manySkipped() throws {
        try studio.put((0..<6).map { _ in .page("https://h/poll") })
        let lines = try lines(
            stubber(.never),
            Array(repeating: Interaction.Request(url: "https://h/poll"), count: 6)
        )
        #expect(
            lines[3]
                == "UserTests.testList: GET https://h/poll → replayed #4; skipped #1 (played by request 1)"
                + "; #2 (played by request 2); #3 (played by request 3)"
        )
        #expect(
            lines[5]
                == "UserTests.testList: GET https://h/poll → replayed #6; skipped #3 (played by request 3)"
                + "; #4 (played by request 4); #5 (played by request 5); and earlier ones"
        )
    }

    @Test("The log says that a recording is repeated")
    func repeated() throws {
        for (repeats, number) in [(Stubber.Configuration.Repeats.last, 2), (.all, 1)] {
            let stubber = try stubber(.never) { $0.repeats = repeats }
            let last = lines(stubber, "https://h/a?n=1", "https://h/a?n=1", "https://h/a?n=1").last
            #expect(last?.contains("→ replayed #\(number) again") == true, "\(last ?? "")")
        }
    }

    @Test(
        "A miss names the nearest recordings with their differences; a recorded request says why it is recorded"
    )
    func missed() throws {
        let candidates =
            "#1 (query item: recorded n=1, requested n=3); #2 (query item: recorded n=1, requested n=3)"
            + "; #3 (query item: recorded n=2, requested n=3)"
        #expect(
            try lines(stubber(.never), "https://h/a?n=3")
                == ["UserTests.testList: GET https://h/a?n=3 → miss: no match; skipped \(candidates)"]
        )
        #expect(
            try lines(stubber(.newEpisodes), "https://h/a?n=3", "https://h/a?n=2", "https://h/a?n=2") == [
                "UserTests.testList: GET https://h/a?n=3 → recorded from the network: no match",
                "UserTests.testList: GET https://h/a?n=2 → replayed #3",
                "UserTests.testList: GET https://h/a?n=2 → recorded from the network: "
                    + "the only match was already played",
            ]
        )
    }

    @Test(
        "Without a recording to compare with, the line of a recorded request has no reason",
        arguments: [true, false]
    )
    func firstRecording(isThere: Bool) throws {
        if !isThere { try FileManager.default.removeItem(at: studio.file) }
        #expect(
            try lines(stubber(isThere ? .all : .once), "https://h/a?n=1")
                == ["UserTests.testList: GET https://h/a?n=1 → recorded from the network"]
        )
    }

    @Test("Mode `verify` says what it compares with, and what it does not send")
    func verified() throws {
        let stubber = try stubber(.verify)
        let post = Interaction.Request(method: "POST", url: "https://h/a")
        #expect(
            lines(stubber, "https://h/a?n=2", "https://h/a?n=2", "https://h/b") == [
                "UserTests.testList: GET https://h/a?n=2 → sent to the network to compare with #3",
                "UserTests.testList: GET https://h/a?n=2 → sent to the network with no recording to compare: "
                    + "the only match was already played",
                "UserTests.testList: GET https://h/b → sent to the network with no recording to compare: no match",
            ]
        )
        let refused = "→ miss: no match, and mode `verify` does not send POST requests; skipped #1 (method: "
        #expect(lines(stubber, [post])[0].contains(refused))
    }

    @Test("The log says why a request passes through")
    func passedThrough() throws {
        let stubber = try stubber(.never) {
            $0.passthroughHosts = ["local.example"]
            $0.passthrough = { $0.url.hasSuffix("/own") }
        }
        stubber.stub(.path("/stub"), respond: .passthrough)
        let name = "UserTests.testList: GET"
        let passed = "→ passed through to the network:"
        #expect(
            lines(stubber, "https://local.example/x", "https://h/own") == [
                "\(name) https://local.example/x \(passed) its host is in `configuration.passthroughHosts`",
                "\(name) https://h/own \(passed) `configuration.passthrough` returned true",
            ]
        )
        #expect(
            lines(stubber, "https://h/stub").last
                == "\(name) https://h/stub \(passed) the stub answers with `.passthrough`"
        )
        #expect(
            try lines(self.stubber(.live), "https://h/a?n=1")
                == ["\(name) https://h/a?n=1 \(passed) the mode is `live`"]
        )
        let paused = try self.stubber(.once)
        paused.pause()
        #expect(lines(paused, "https://h/a?n=1") == ["\(name) https://h/a?n=1 \(passed) the stubber is paused"])
    }

    @Test("A stub is named, with what follows from its answer")
    func stubbed() throws {
        let stubber = try stubber(.never)
        stubber.stub(.path("/a"), named: "list", respond: .recorded)
        stubber.stub(.path("/b"), named: "once", respond: .sequence([.status(200)]))
        let lines = lines(stubber, "https://h/a?n=2", "https://h/b", "https://h/b")
        #expect(lines.count == 5)
        #expect(lines[0].contains("→ stubbed by ") && lines[0].contains("list"), "\(lines)")
        #expect(lines[1].hasSuffix("→ replayed #3"), "\(lines)")
        #expect(
            lines[4].contains("→ miss: the stub ") && lines[4].hasSuffix(" has no more answers"),
            "\(lines)"
        )
    }

    @Test("The recording of an outer scope is named with its cassette")
    func outer() throws {
        let outer = try stubber(.never)
        var configuration = Stubber.Configuration()
        configuration.log = outer.configuration.log
        let inner = Stubber(stubsOnly: configuration, testName: "UserTests.testList")
        inner.nest(in: outer)
        #expect(
            lines(inner, "https://h/a?n=1", "https://h/a?n=1") == [
                "UserTests.testList: GET https://h/a?n=1 → replayed #1 of talk.har",
                "UserTests.testList: GET https://h/a?n=1 → replayed #2 of talk.har; skipped #1 (played by request 1)",
            ]
        )
    }

    @Test("A line of a scope without a name has the name of the test around it")
    func unnamed() throws {
        let outer = try stubber(.never)
        let line = outer.run { () -> String? in
            var configuration = Stubber.Configuration()
            configuration.log = outer.configuration.log
            return lines(Stubber(stubsOnly: configuration), "https://h/x").first
        }
        #expect(line == "UserTests.testList: GET https://h/x → miss: no stub matches")
    }

    @Test("Log lines contain no secret")
    func secrets() throws {
        let text = try lines(stubber(.never), "https://h/a?access_token=hunter2").joined()
        #expect(!text.contains("hunter2"))
        #expect(text.contains("access_token"))
    }
}
