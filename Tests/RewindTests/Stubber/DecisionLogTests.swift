import Foundation
import Rewind
import Testing

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

    private func lines(_ stubber: Stubber, _ urls: String...) -> [String] {
        lines.withLock { $0 = [] }
        for url in urls { _ = stubber.answer(to: Interaction.Request(url: url)) }
        return lines.withLock { $0 }
    }

    @Test("The log says what was replayed and what was skipped")
    func played() throws {
        #expect(
            try lines(stubber(.never), "https://h/a?n=1", "https://h/a?n=1", "https://h/a?n=1") == [
                "UserTests.testList: GET https://h/a?n=1 → replayed #1",
                "UserTests.testList: GET https://h/a?n=1 → replayed #2; skipped #1 (played by request 1)",
                "UserTests.testList: GET https://h/a?n=1 → miss: all 2 matches were already played",
            ]
        )
    }

    @Test("The log says what missed or was recorded, with the nearest differences")
    func missed() throws {
        let candidates =
            "#1 (query item: recorded n=1, requested n=3); #2 (query item: recorded n=1, requested n=3)"
            + "; #3 (query item: recorded n=2, requested n=3)"
        #expect(
            try lines(stubber(.never), "https://h/a?n=3")
                == ["UserTests.testList: GET https://h/a?n=3 → miss: no match; skipped \(candidates)"]
        )
        #expect(
            try lines(stubber(.newEpisodes), "https://h/a?n=3") == [
                "UserTests.testList: GET https://h/a?n=3 → recorded from the network; skipped \(candidates)"
            ]
        )
    }

    @Test("The log says what was passed through")
    func passedThrough() throws {
        let stubber = try stubber(.never) { $0.passthroughHosts = ["local.example"] }
        #expect(
            lines(stubber, "https://local.example/x")
                == ["UserTests.testList: GET https://local.example/x → passed through to the network"]
        )
    }

    @Test("Log lines contain no secret")
    func secrets() throws {
        let text = try lines(stubber(.never), "https://h/a?access_token=hunter2").joined()
        #expect(!text.contains("hunter2"))
        #expect(text.contains("access_token"))
    }
}
