import Foundation
import Rewind
import Testing

@Suite("Redaction")
struct RedactionTests {
    @Test(
        "The values of secret header fields make room for their names",
        arguments: SecretNames.headers.sorted()
    )
    func headers(_ name: String) {
        for spelling in [name, name.uppercased(), name.capitalized] {
            let value = name == "set-cookie" ? "sid=hush" : "hush"
            let request = Request(url: "https://h/", headers: HeaderList([.init(name: spelling, value: value)]))
            let field = Redaction.default.redact(request).headers[0]
            #expect(field.name == spelling)
            #expect(field.value == (name == "set-cookie" ? "sid=<sid>" : "<\(name)>"))
        }
    }

    @Test("Other header fields, their order and their duplicates stay")
    func otherHeaders() {
        let headers = HeaderList([
            .init(name: "Accept", value: "a"), .init(name: "AUTHORIZATION", value: "Bearer hush"),
            .init(name: "accept", value: "b"), .init(name: "X-Authorization-Kind", value: "open"),
            .init(name: "Accept", value: "a"),
        ])
        var expected = headers.fields
        expected[1].value = "<authorization>"
        #expect(
            Redaction.default.redact(Request(url: "https://h/", headers: headers)).headers.fields == expected
        )
    }

    @Test(
        "A cookie that is set keeps its name and its attributes",
        arguments: [
            ("sid=hush", "sid=<sid>"),
            ("sid=hush; Path=/; HttpOnly", "sid=<sid>; Path=/; HttpOnly"),
            ("sid=a=b=c;Secure", "sid=<sid>;Secure"),
            ("sid=", "sid=<sid>"),
            (
                "sid=h; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
                "sid=<sid>; Expires=Thu, 01 Jan 1970 00:00:00 GMT"
            ),
        ] as [(String, String)]
    )
    func setCookie(_ value: String, _ expected: String) {
        let redacted = redactedResponse(["Set-Cookie": value])
        #expect(redacted.headers["Set-Cookie"] == expected)
    }

    @Test("Each of several cookies is redacted on its own")
    func severalCookies() {
        var headers = HeaderList()
        headers.append("Set-Cookie", "a=1; Path=/")
        headers.append("Set-Cookie", "b=2")
        #expect(redactedResponse(headers).headers.values(for: "Set-Cookie") == ["a=<a>; Path=/", "b=<b>"])
    }

    @Test(
        "Secret query items and the user before the host make room for placeholders",
        arguments: [
            ("https://h/?token=hush", "https://h/?token=%3Ctoken%3E"),
            ("https://h/?a=1&access_token=hush&b=2", "https://h/?a=1&access_token=%3Caccess_token%3E&b=2"),
            ("https://h/?API_KEY=hush", "https://h/?API_KEY=%3CAPI_KEY%3E"),
            ("https://h/?api%5Fkey=hush", "https://h/?api%5Fkey=%3Capi_key%3E"),
            ("https://h/?token=a=b", "https://h/?token=%3Ctoken%3E"),
            ("https://h/?token=1&token=2", "https://h/?token=%3Ctoken%3E&token=%3Ctoken%3E"),
            ("https://h/?token=hush#part", "https://h/?token=%3Ctoken%3E#part"),
            ("https://ann:hush@h/a", "https://%3Cuser%3E@h/a"),
            ("https://ann@h:81?token=1", "https://%3Cuser%3E@h:81?token=%3Ctoken%3E"),
            ("https://ann:a@b@h/", "https://%3Cuser%3E@h/"),
        ] as [(String, String)]
    )
    func urls(_ url: String, _ expected: String) {
        #expect(Redaction.default.redact(Request(url: url)).url == expected)
    }

    @Test(
        "URLs without secrets stay letter by letter",
        arguments: [
            "https://h", "https://h/token/hush", "https://h/?", "https://h/?token", "https://h/?tokens=1",
            "https://h/?a=token", "https://h/?q=a+b&&x=%7e", "https://h/@ann?mail=ann@h", "https://h/a#ann@b",
            "",
        ]
    )
    func harmlessURLs(_ url: String) {
        #expect(Redaction.default.redact(Request(url: url)).url == url)
    }

    @Test(
        "Header fields that hold a URL are redacted like one",
        arguments: ["Location", "content-location", "REFERER"]
    )
    func references(_ name: String) {
        let values = [
            "https://ann:hush@h/a?token=hush&b=1": "https://%3Cuser%3E@h/a?token=%3Ctoken%3E&b=1",
            "/next?access_token=hush": "/next?access_token=%3Caccess_token%3E",
            "../plain": "../plain",
        ]
        for (value, expected) in values {
            let redacted = redactedResponse(HeaderList([.init(name: name, value: value)]))
            #expect(redacted.headers[name] == expected)
        }
    }

    @Test("An interaction's request, its response and what had arrived before a failure are all redacted")
    func outcomes() {
        let response = Response(headers: ["Set-Cookie": "sid=hush"], body: Body("kept"))
        let failure = Failure(code: NSURLErrorNetworkConnectionLost, message: "lost")
        let outcomes: [Interaction.Outcome] = [
            .response(response), .failure(failure, after: response), .failure(failure, after: nil),
            .unknown(reason: "the entry has no response"),
        ]
        for outcome in outcomes {
            let interaction = Interaction(request: Self.loaded, outcome: outcome)
            let redacted = Redaction.default.redact(interaction)
            #expect(!"\(redacted)".contains("hush"))
            #expect(redacted.failure == interaction.failure)
            #expect(redacted.response?.body == interaction.response?.body)
            #expect(redacted.startedAt == interaction.startedAt)
        }
    }

    @Test("A request alone and the request of an interaction are redacted alike")
    func alike() {
        let interaction = Interaction(request: Self.loaded, outcome: .response(Response()))
        for redaction in [Redaction.default, .off, Redaction(headerNames: ["x-tenant"], queryNames: ["q"])] {
            #expect(redaction.redact(interaction).request == redaction.redact(Self.loaded))
        }
    }

    @Test("To redact twice is to redact once")
    func idempotence() {
        let response = Response(
            status: 302,
            headers: ["Set-Cookie": "sid=hush; Path=/", "Location": "https://ann:hush@h/?token=hush"]
        )
        let interaction = Interaction(request: Self.loaded, outcome: .response(response))
        let once = Redaction.default.redact(interaction)
        #expect(once != interaction)
        #expect(Redaction.default.redact(once) == once)
    }

    @Test("Method, body, version and unredacted parts stay as they are")
    func rest() {
        let redacted = Redaction.default.redact(Self.loaded)
        #expect(redacted.method == Self.loaded.method)
        #expect(redacted.body == Self.loaded.body)
        #expect(redacted.httpVersion == Self.loaded.httpVersion)
        #expect(redacted.headers["Accept"] == "text/plain")
    }

    @Test("Switched off, it takes out nothing")
    func off() {
        let response = Response(headers: ["Set-Cookie": "sid=hush", "Location": "https://ann@h/?token=hush"])
        let interaction = Interaction(request: Self.loaded, outcome: .response(response))
        #expect(Redaction.off.redact(interaction) == interaction)
    }

    @Test("A list of one's own extends the defaults")
    func extended() {
        var redaction = Redaction.default
        redaction.headerNames.insert("x-tenant-key")
        redaction.queryNames.insert("session")
        redaction.redactsUserInformation = false
        let request = Request(
            url: "https://ann@h/?session=hush&token=hush",
            headers: ["X-Tenant-Key": "hush", "Authorization": "hush"]
        )
        let redacted = redaction.redact(request)
        #expect(redacted.url == "https://ann@h/?session=%3Csession%3E&token=%3Ctoken%3E")
        #expect(redacted.headers == ["X-Tenant-Key": "<x-tenant-key>", "Authorization": "<authorization>"])
    }

    /// A request with a secret in every place that is redacted.
    private static let loaded = Request(
        method: "POST",
        url: "https://ann:hush@h/a?client_secret=hush&b=1",
        headers: [
            "Accept": "text/plain", "Authorization": "Bearer hush", "Cookie": "sid=hush",
            "Referer": "https://h/?token=hush",
        ],
        body: Body("a=1"),
        httpVersion: "HTTP/2"
    )

    private func redactedResponse(_ headers: HeaderList) -> Response {
        let interaction = Interaction(
            request: Request(url: "https://h/"),
            outcome: .response(Response(headers: headers))
        )
        return Redaction.default.redact(interaction).response ?? Response(status: 0)
    }
}

@Suite("Redaction between recording and replay")
struct RedactionOfRecordingsTests {
    private let studio: Studio

    init() throws { studio = try Studio() }

    private let request = Request(
        url: "https://ann:hush@h/a?api_key=hush",
        headers: ["Authorization": "Bearer hush", "Cookie": "sid=hush", "X-Api-Key": "hush"]
    )

    @Test("No secret reaches the file, nor the callback that tells what was recorded")
    func nothingIsWritten() throws {
        let told = Locked<[Interaction]>([])
        var configuration = Configuration()
        configuration.didEndRecording = { interaction in told.withLock { $0.append(interaction) } }
        let stubber = try studio.stubber(.once, configuration: configuration)
        let response = Response(
            status: 302,
            headers: ["Set-Cookie": "sid=hush; Path=/", "Location": "/b?token=hush"]
        )
        try stubber.begin(request).finish(.response(response), timing: .init())
        #expect(!"\(stubber.requestsInFlight)".contains("hush"))
        try stubber.eject()
        #expect(try !studio.contents.contains("hush"))
        stubber.settle()
        #expect(told.withLock { $0 } == (try studio.cassette.interactions))
    }

    @Test("A live request finds its recording although its secrets have changed since")
    func changedSecrets() throws {
        let recorder = try studio.stubber(.once)
        try recorder.begin(request).finish("recorded")
        try recorder.eject()
        let player = try studio.stubber(.none)
        let other = Request(url: "https://bob:new@h/a?api_key=new", headers: ["Authorization": "Bearer new"])
        #expect(Decision(player.answer(to: other)) == .replays("recorded"))
    }

    @Test("Without redaction, what was recorded is written and compared as it was")
    func off() throws {
        var configuration = Configuration()
        configuration.redaction = .off
        let recorder = try studio.stubber(.once, configuration: configuration)
        try recorder.begin(request).finish("recorded")
        try recorder.eject()
        #expect(try studio.cassette.interactions.map(\.request) == [request])
        let player = try studio.stubber(.none, configuration: configuration)
        #expect(Decision(player.answer(to: Request(url: "https://h/a?api_key=new"))) == .findsNoMatch)
        #expect(Decision(player.answer(to: request)) == .replays("recorded"))
    }

    @Test("No story of a miss tells a secret", arguments: RecordingMode.allCases)
    func misses(_ mode: RecordingMode) throws {
        try studio.put([.page("https://h/other")])
        let stubber = try studio.stubber(mode)
        if mode == .none || mode == .once { try expectNoSecret(in: stubber.answer(to: request)) }
        try stubber.eject()
        try expectNoSecret(in: stubber.answer(to: request))
    }

    @Test("No story of a request to a host that is let through tells a secret")
    func passthrough() throws {
        var configuration = Configuration()
        configuration.passthroughHosts = ["h"]
        let stubber = try studio.stubber(.none, configuration: configuration)
        try stubber.eject()
        try expectNoSecret(in: stubber.answer(to: request))
    }

    private func expectNoSecret(in answer: Answer) throws {
        guard case .refuse(let miss) = answer else {
            Issue.record("the request was not refused")
            return
        }
        #expect(!miss.description.contains("hush"), "\(miss)")
        #expect(!"\(miss.request.headers)".contains("hush"))
    }
}
