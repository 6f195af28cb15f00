import Foundation
import Rewind
import RewindTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A cassette of another library, the matchers of that library, and a request that it answers.
struct ForeignReplay: Sendable, CustomTestStringConvertible {
    let file: String
    let contents: String
    let matching: [RequestMatcher]
    var method = "GET"
    let url: String
    var body: String?
    let status: Int
    let text: String

    var testDescription: String { file }

    var request: URLRequest {
        get throws {
            var request = URLRequest(url: try #require(URL(string: url)))
            request.httpMethod = method
            request.httpBody = body.map { Data($0.utf8) }
            return request
        }
    }

    static let all = [
        ForeignReplay(
            file: "dvr.json",
            contents: #"""
                {"name": "dvr", "interactions": [{"recorded_at": 1.5,
                  "request": {"method": "POST", "url": "http://a.invalid/", "body": {"b": [1, 2], "a": "x"},
                    "headers": {"Content-Type": "application/json"}},
                  "response": {"url": "http://a.invalid/", "status": 201, "headers": {"Content-Type": "text/plain"},
                    "body": "made"}}]}
                """#,
            matching: .default,
            method: "POST",
            url: "http://a.invalid/",
            body: #"{"a":"x","b":[1,2]}"#,
            status: 201,
            text: "made"
        ),
        ForeignReplay(
            file: "vinyl.json",
            contents: FormatSamples.vinyl,
            matching: [.method, .url],
            url: "http://a/",
            body: nil,
            status: 200,
            text: "hi"
        ),
        ForeignReplay(
            file: "laserdisc.json",
            contents: FormatSamples.laserDisc.replacingOccurrences(of: "http://a/", with: "http://a/?x=1&y=2"),
            matching: .approximate,
            url: "http://a/?y=2&x=1&x=1",
            status: 200,
            text: "hi"
        ),
        ForeignReplay(
            file: "bekindrewind.plist",
            contents: FormatSamples.beKindRewind([FormatSamples.simpleScene]),
            matching: [.url],
            method: "PUT",
            url: "https://example.com/a?b",
            body: "anything",
            status: 200,
            text: "hello"
        ),
        ForeignReplay(
            file: "jszvcr.plist",
            contents: FormatSamples.jszvcr([FormatSamples.recording]),
            matching: [.url],
            method: "DELETE",
            url: "https://example.com/a",
            status: 404,
            text: "hi"
        ),
        ForeignReplay(
            file: "ruby.yml",
            contents: FormatSamples.rubyYAML,
            matching: [.method, .url],
            method: "POST",
            url: "https://example.com/a?b=1",
            body: "anything",
            status: 404,
            text: "n\u{E9}\n\n  down\n"
        ),
        ForeignReplay(
            file: "python.yaml",
            contents: FormatSamples.pythonYAML,
            matching: [.method, .url],
            url: "https://example.com/two",
            status: 200,
            text: ""
        ),
        ForeignReplay(
            file: "go.yaml",
            contents: FormatSamples.goYAML,
            matching: [.method, .url],
            url: "https://example.com/two",
            status: 200,
            text: "two"
        ),
        ForeignReplay(
            file: "ruby.json",
            contents: FormatSamples.rubyJSON,
            matching: [.method, .url],
            url: "http://a/",
            status: 200,
            text: "hi"
        ),
        ForeignReplay(
            file: "python.json",
            contents: FormatSamples.pythonJSON,
            matching: [.method, .url],
            url: "http://a/",
            status: 200,
            text: "hi"
        ),
        ForeignReplay(
            file: "early.json",
            contents: FormatSamples.oldPythonJSON,
            matching: [.method, .url],
            url: "http://a/",
            status: 200,
            text: "hi"
        ),
        ForeignReplay(
            file: "mock.tail",
            contents: FormatSamples.tail,
            matching: [.method, .url],
            method: "POST",
            url: "https://example.com/a?b",
            status: 201,
            text: "hello\n"
        ),
        ForeignReplay(
            file: "printed.response",
            contents: FormatSamples.curl,
            matching: [.method],
            url: "http://any.invalid/where",
            status: 200,
            text: "hello"
        ),
    ]
}

struct ForeignReplayTests {
    private func outcome(of replay: ForeignReplay, file: String, in folder: TemporaryDirectory) async throws
        -> Outcome
    {
        var configuration = Stubber.Configuration()
        configuration.matching = replay.matching
        configuration.unplayed = .ignore
        let request = try replay.request
        return try await withCassette(file, in: folder.url, mode: .never, configuration: configuration) { _ in
            await Outcome(of: request)
        }
    }

    @Test("A cassette of another library answers with that library's matchers", arguments: ForeignReplay.all)
    func answer(_ replay: ForeignReplay) async throws {
        let folder = try TemporaryDirectory()
        try Data(replay.contents.utf8).write(to: folder[replay.file])
        let outcome = try await outcome(of: replay, file: replay.file, in: folder)
        #expect(outcome.failure == nil)
        #expect(outcome.status == replay.status)
        #expect(outcome.text == replay.text)
        #expect(folder.files == [replay.file])
        #expect(try Data(contentsOf: folder[replay.file]) == Data(replay.contents.utf8))
    }

    @Test(
        "A cassette of another library answers the same after it is written as an archive",
        arguments: ForeignReplay.all.filter { !$0.file.hasSuffix(".response") }
    )
    func archive(_ replay: ForeignReplay) async throws {
        let folder = try TemporaryDirectory()
        try Data(replay.contents.utf8).write(to: folder[replay.file])
        let direct = try await outcome(of: replay, file: replay.file, in: folder)
        try Cassette(contentsOf: folder[replay.file]).write(to: folder["archive.har"])
        #expect(try await outcome(of: replay, file: "archive", in: folder) == direct)
    }

    /// The rows of the article's table, by the file of the example that follows them.
    private static let rows = [
        "dvr.json": "DVR", "vinyl.json": "Vinyl", "bekindrewind.plist": "BeKindRewind",
        "jszvcr.plist": "JSZVCR",
        "laserdisc.json": "LaserDisc", "ruby.yml": "VCR (Ruby), betamax", "ruby.json": "VCR (Ruby), betamax",
        "python.yaml": "vcrpy", "python.json": "vcrpy", "early.json": "vcrpy", "go.yaml": "vcrpy",
        "mock.tail": "Mocktail", "printed.response": "`curl -is`",
    ]

    @Test("The article lists the matchers with which each file answers", arguments: ForeignReplay.all)
    func documentedMatchers(_ replay: ForeignReplay) throws {
        let article = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/Rewind/Rewind.docc/Cassettes.md")
        let lines = try String(contentsOf: article, encoding: .utf8).split(separator: "\n")
        let tool = try #require(Self.rows[replay.file])
        let row = try #require(lines.first { $0.hasPrefix("| \(tool)") })
        let documented: [(code: String, matchers: [RequestMatcher])] = [
            ("`.default`", .default), ("`.approximate`", .approximate), ("`[.method, .url]`", [.method, .url]),
            ("`[.method]`", [.method]), ("`[.url]`", [.url]),
        ]
        let matchers = try #require(documented.first { row.contains("| \($0.code)") }).matchers
        #expect(replay.matching.map(\.name) == matchers.map(\.name))
    }

    @Test(
        "With `repeats = .last`, files that answer any number of times do so",
        arguments: ForeignReplay.all.filter { ["dvr.json", "printed.response"].contains($0.file) }
    )
    func repeated(_ replay: ForeignReplay) async throws {
        let folder = try TemporaryDirectory()
        try Data(replay.contents.utf8).write(to: folder[replay.file])
        var configuration = Stubber.Configuration()
        configuration.matching = replay.matching
        configuration.repeats = .last
        let request = try replay.request
        let texts = try await withCassette(
            replay.file,
            in: folder.url,
            mode: .never,
            configuration: configuration
        ) { _ in
            [await Outcome(of: request).text, await Outcome(of: request).text, await Outcome(of: request).text]
        }
        #expect(texts == [replay.text, replay.text, replay.text])
    }

    @Test("The interactions of a DVR file for one request are played in the order of the file")
    func order() async throws {
        let folder = try TemporaryDirectory()
        let interactions = ["first", "second"].map {
            #"{"request": {"method": "GET", "url": "http://a.invalid/"}, "response": {"status": 200, "body": "\#($0)","#
                + #" "url": "http://b.invalid/", "headers": {"Content-Type": "text/plain"}}}"#
        }
        let contents = #"{"name": "dvr", "interactions": [\#(interactions.joined(separator: ","))]}"#
        try Data(contents.utf8).write(to: folder["dvr.json"])
        let url = try #require(URL(string: "http://a.invalid/"))
        let outcomes = try await withCassette("dvr.json", in: folder.url, mode: .never) { _ in
            [await Outcome(of: url), await Outcome(of: url)]
        }
        #expect(outcomes.map(\.text) == ["first", "second"])
        #expect(outcomes.map { $0.url?.host } == ["b.invalid", "b.invalid"])
    }

    @Test("A Mocktail pattern that matches several URLs answers none of them, and survives conversion")
    func pattern() async throws {
        let folder = try TemporaryDirectory()
        try Data("GET\n.*/users\n200\ntext/plain\n\nhello".utf8).write(to: folder["users.tail"])
        let cassette = try Cassette(contentsOf: folder["users.tail"])
        #expect(cassette.interactions.map(\.request.url) == [".*/users"])
        try cassette.write(to: folder["archive.har"])
        #expect(try Cassette(contentsOf: folder["archive.har"]).interactions.map(\.text) == ["hello"])
        for file in ["users.tail", "archive.har"] {
            try await expectMiss(file, matching: [.method, .url], in: folder)
        }
    }

    @Test("Output of curl answers no request if URLs are compared, or after it is converted to HAR")
    func convertedOutput() async throws {
        let folder = try TemporaryDirectory()
        try Data(FormatSamples.curl.utf8).write(to: folder["printed.response"])
        try await expectMiss("printed.response", matching: [.method, .url], in: folder)
        try Cassette(contentsOf: folder["printed.response"]).write(to: folder["archive.har"])
        try await expectMiss("archive.har", matching: [.method], in: folder)
    }

    private func expectMiss(_ file: String, matching: [RequestMatcher], in folder: TemporaryDirectory)
        async throws
    {
        var configuration = Stubber.Configuration()
        configuration.matching = matching
        configuration.requestMatchingFailed = { _ in }
        let url = try #require(URL(string: "https://h.invalid/users"))
        let outcome = try await withCassette(file, in: folder.url, mode: .never, configuration: configuration) {
            _ in
            await Outcome(of: url)
        }
        #expect(outcome.failure == "Rewind 2")
    }
}
