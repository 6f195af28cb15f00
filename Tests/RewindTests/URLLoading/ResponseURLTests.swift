import Foundation
import Rewind
import RewindTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Some recorders follow redirects and store only the last response, with its URL.
struct ResponseURLTests {
    /// A file whose only response came from another URL than the one that was requested.
    struct Sample: Sendable, CustomTestStringConvertible {
        let file: String
        let contents: String

        var testDescription: String { file }

        static let requested = "http://short.invalid/a"
        static let final = "https://www.long.invalid/b?c=1"

        static let all = [
            Sample(
                file: "dvr.json",
                contents: #"""
                    {"name": "dvr", "interactions": [{"recorded_at": 1.5,
                      "request": {"method": "GET", "url": "\#(requested)"},
                      "response": {"url": "\#(final)", "status": 200, "headers": {"Content-Type": "text/plain"},
                        "body": "hi"}}]}
                    """#
            ),
            Sample(
                file: "vinyl.json",
                contents: #"""
                    [{"request": {"url": "\#(requested)"},
                      "response": {"url": "\#(final)", "status": 200, "headers": {}, "body": "hi"}}]
                    """#
            ),
            Sample(
                file: "betamax.json",
                contents: #"""
                    {"http_interactions": [{"recorded_at": "2026-01-02T03:04:05",
                      "request": {"method": "GET", "uri": "\#(requested)", "headers": {}, "body": ""},
                      "response": {"url": "\#(final)", "status": {"code": 200, "message": "OK"}, "headers": {},
                        "body": {"encoding": "utf-8", "string": "hi"}}}], "recorded_with": "betamax/0.8.1"}
                    """#
            ),
            Sample(
                file: "python.yaml",
                contents: """
                    interactions:
                    - request: {method: GET, uri: '\(requested)', headers: {}, body: null}
                      response:
                        body: {string: hi}
                        headers: {}
                        status: {code: 200, message: OK}
                        url: \(final)
                    version: 1

                    """
            ),
            Sample(
                file: "bekindrewind.plist",
                contents: FormatSamples.beKindRewind([
                    FormatSamples.scene([
                        FormatSamples.frame("OriginalRequest", at: 1, ["URL": "<string>\(requested)</string>"]),
                        FormatSamples.frame(
                            "Response",
                            at: 2,
                            ["URL": "<string>\(final)</string>", "statusCode": "<integer>200</integer>"]
                        ),
                        FormatSamples.frame("Data", at: 3, ["data": "<data>aGk=</data>"]),
                    ])
                ])
            ),
            Sample(
                file: "jszvcr.plist",
                contents: FormatSamples.jszvcr([
                    FormatSamples.dictionary([
                        "request": FormatSamples.dictionary([
                            "currentRequest": FormatSamples.dictionary(["URL": "<string>\(final)</string>"]),
                            "originalRequest": FormatSamples.dictionary([
                                "URL": "<string>\(requested)</string>"
                            ]),
                        ]),
                        "response": FormatSamples.dictionary([
                            "response": FormatSamples.dictionary([
                                "URL": "<string>\(final)</string>", "statusCode": "<integer>200</integer>",
                            ])
                        ]),
                        "data": FormatSamples.dictionary(["data": "<data>aGk=</data>"]),
                    ])
                ])
            ),
        ]
    }

    private let folder: TemporaryDirectory
    private let requested: URL
    private let final: URL

    init() throws {
        folder = try TemporaryDirectory()
        requested = try #require(URL(string: Sample.requested))
        final = try #require(URL(string: Sample.final))
    }

    private var configuration: Stubber.Configuration {
        var configuration = Stubber.Configuration()
        configuration.matching = [.method, .url]
        configuration.unplayed = .ignore
        return configuration
    }

    private func outcome(of url: URL, in file: String) async throws -> Outcome {
        try await withCassette(file, in: folder.url, mode: .never, configuration: configuration) { _ in
            await Outcome(of: url)
        }
    }

    /// Writes an archive of responses that came from other URLs.
    private func put(_ responses: [(response: Interaction.Response, url: String)], as file: String) throws {
        let interactions = responses.map { response, url in
            var response = response
            response.url = url
            return Interaction(
                request: Interaction.Request(url: Sample.requested),
                outcome: .response(response)
            )
        }
        try Cassette(interactions: interactions).write(to: folder[file])
    }

    // MARK: What the app gets

    @Test("The app gets the URL that a recorder stored with the response", arguments: Sample.all)
    func delivered(_ sample: Sample) async throws {
        try Data(sample.contents.utf8).write(to: folder[sample.file])
        let direct = try await outcome(of: requested, in: sample.file)
        #expect(direct.failure == nil)
        #expect(direct.text == "hi")
        #expect(direct.url == final)
        try Cassette(contentsOf: folder[sample.file]).write(to: folder["archive.har"])
        #expect(try await outcome(of: requested, in: "archive") == direct)
    }

    @Test("Every kind of task and every callback gets the URL", arguments: TaskForm.allCases)
    func tasks(_ form: TaskForm) async throws {
        try put([(Interaction.Response(body: Interaction.Body("hi")), Sample.final)], as: "talk.har")
        var configuration = configuration
        configuration.matching = [.url]
        let (body, file) = (Data("up".utf8), folder["up.txt"])
        try body.write(to: file)
        let outcome = try await withCassette(
            "talk",
            in: folder.url,
            mode: .never,
            configuration: configuration
        ) { _ in
            await form.perform(
                URLRequest(url: requested),
                body: body,
                file: file,
                session: .shared,
                configuration: .ephemeral
            ).outcome
        }
        #expect(outcome.failure == nil)
        #expect(outcome.text == "hi")
        #expect(outcome.url == final)
    }

    @Test("The task has moved to the URL, as after a redirect")
    func currentRequest() async throws {
        try put([(Interaction.Response(body: Interaction.Body("hi")), Sample.final)], as: "talk.har")
        let urls = try await withCassette("talk", in: folder.url, mode: .never) { _ in
            let observer = TaskObserver()
            let session = URLSession(configuration: .ephemeral, delegate: observer, delegateQueue: nil)
            let task = session.dataTask(with: requested)
            _ = await observer.outcome(of: task)
            return [task.originalRequest?.url, task.currentRequest?.url, task.response?.url]
        }
        #expect(urls == [requested, final, final])
    }

    @Test("Requests are matched by the URL that was requested")
    func matching() async throws {
        try put([(Interaction.Response(), Sample.final)], as: "talk.har")
        var configuration = configuration
        configuration.requestMatchingFailed = { _ in }
        let outcome = try await withCassette(
            "talk",
            in: folder.url,
            mode: .never,
            configuration: configuration
        ) { _ in await Outcome(of: final) }
        #expect(outcome.failure == "Rewind 2")
    }

    @Test("Cookies belong to the URL of the response, and a redirect begins there")
    func cookiesAndRedirects() async throws {
        let redirect = Interaction.Response(status: 302, headers: ["Location": "/c", "Set-Cookie": "a=1"])
        try put([(redirect, Sample.final)], as: "talk.har")
        var cassette = try Cassette(contentsOf: folder["talk.har"])
        cassette.interactions.append(.page("https://www.long.invalid/c", "end"))
        try cassette.write(to: folder["talk.har"])
        let (outcome, hosts) = try await withCassette("talk", in: folder.url, mode: .never) { _ in
            let session = URLSession(configuration: .ephemeral)
            let outcome = await Outcome(of: URLRequest(url: requested), in: session)
            return (outcome, session.configuration.httpCookieStorage?.cookies?.map(\.domain) ?? [])
        }
        #expect(outcome.text == "end")
        #expect(outcome.url?.absoluteString == "https://www.long.invalid/c")
        #expect(hosts == ["www.long.invalid"])
    }

    // MARK: URLs that change nothing

    @Test(
        "A URL that is only spelled in another way changes nothing",
        arguments: [
            ("http://h.invalid", "http://h.invalid/"), ("http://h.invalid/", "http://h.invalid"),
            ("http://h.invalid/a#b", "http://h.invalid/a"), ("http://H.invalid:80/a", "http://h.invalid/a"),
            ("http://h.invalid/%7Ea", "http://h.invalid/~a"), ("http://h.invalid/a", ""),
        ]
    )
    func spelling(_ requested: String, _ stored: String) async throws {
        let text =
            #"[{"request": {"url": "\#(requested)"}, "response": {"url": "\#(stored)", "status": 200, "headers": {}}}]"#
        try Data(text.utf8).write(to: folder["vinyl.json"])
        #expect(try Cassette(contentsOf: folder["vinyl.json"]).interactions.first?.response?.url == nil)
        let url = try #require(URL(string: requested))
        #expect(try await outcome(of: url, in: "vinyl.json").url == url)
    }

    @Test(
        "A text that is not an absolute URL is preserved, and the app gets the URL of the request",
        arguments: ["/b", "b", "http:///b", "?", "http://[/"]
    )
    func unusable(_ text: String) async throws {
        let contents =
            #"[{"request": {"url": "\#(Sample.requested)"},"#
            + #" "response": {"url": "\#(text)", "status": 200, "headers": {}, "body": "hi"}}]"#
        try Data(contents.utf8).write(to: folder["vinyl.json"])
        let outcome = try await outcome(of: requested, in: "vinyl.json")
        #expect(outcome.text == "hi")
        #expect(outcome.url == requested)
        try Cassette(contentsOf: folder["vinyl.json"]).write(to: folder["archive.har"])
        #expect(try Cassette(contentsOf: folder["archive.har"]).interactions.first?.response?.url == text)
    }

    // MARK: Files

    @Test("An archive has the URL only if it differs, and a DVR file has it again")
    func written() throws {
        var response = Interaction.Response(body: Interaction.Body("hi"))
        let request = Interaction.Request(url: Sample.requested)
        let plain = Cassette(interactions: [Interaction(request: request, outcome: .response(response))])
        #expect(!String(decoding: HARFormat.write(plain), as: UTF8.self).contains("_rewind"))
        response.url = Sample.final
        let moved = Cassette(interactions: [Interaction(request: request, outcome: .response(response))])
        let archive = HARFormat.write(moved)
        let entry = try JSON(parsing: archive)["log"]?["entries"]?[0]
        #expect(entry?["_rewind"]?["responseURL"]?.stringValue == Sample.final)
        #expect(try HARFormat.read(archive).interactions.first?.response?.url == Sample.final)
        let dvr = DVRFormat.write(moved)
        #expect(try JSON(parsing: dvr)["interactions"]?[0]?["response"]?["url"]?.stringValue == Sample.final)
        #expect(try DVRFormat.read(dvr).interactions.first?.response?.url == Sample.final)
    }

    @Test("Secrets in the URL are redacted, and a replay restores them")
    func secrets() async throws {
        let text =
            #"[{"request": {"url": "http://a.invalid/?access_token=xK9mQ2vL7pR4tY8w"},"#
            + #" "response": {"url": "https://b.invalid/?access_token=xK9mQ2vL7pR4tY8w&x=1", "status": 200, "headers": {}}}]"#
        try Data(text.utf8).write(to: folder["vinyl.json"])
        let read = try Cassette(contentsOf: folder["vinyl.json"]).interactions
        let redacted = Redactor(.default).redact(read)
        #expect(redacted.first?.redactedPlaces.contains("response query access_token") == true)
        let file = HARFormat.write(Cassette(interactions: redacted))
        #expect(!String(decoding: file, as: UTF8.self).contains("xK9mQ2vL7pR4tY8w"))
        try file.write(to: folder["talk.har"])
        let live = try #require(URL(string: "http://a.invalid/?access_token=anotherToken42Zq81"))
        let outcome = try await outcome(of: live, in: "talk")
        #expect(outcome.url?.absoluteString == "https://b.invalid/?access_token=anotherToken42Zq81&x=1")
    }
}
