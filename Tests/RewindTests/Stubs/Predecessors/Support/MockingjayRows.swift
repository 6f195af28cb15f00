import Foundation
import Rewind
import RewindServer
import RewindTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the suite of Mockingjay (b88c9dc) checks.
enum MockingjayRows {
    static let all: [PredecessorBehavior] = answers + conditions + loading + chunks + sessions

    private static let site = "https://fuller.example/"

    // MARK: BuildersTests

    private static let answers: [PredecessorBehavior] = [
        .same("testFailure", "a failure is the given error") { scope in
            let error = NSError(domain: "MockingjayTests", code: 0)
            scope.stubber.stub(.any, respond: .failure(error))
            #expect((await scope.handled(site).error as? NSError) === error)
        },
        .missing(
            "testUnspecifiedFailure",
            "a failure without an error fails with some error",
            "An answer names its error, so that the test says what the app handles."
        ),
        .same("testHTTP", "a status alone is an answer") { scope in
            scope.stubber.stub(.any, respond: .status(200))
            #expect(await scope.load(site).status == 200)
        },
        .same("testHTTPDownloadStream", "a stream without data is an empty body") { scope in
            scope.stubber.stub(.any, respond: .chunks([], every: .zero))
            let outcome = await scope.load(site)
            #expect(outcome.status == 200 && outcome.body.isEmpty)
        },
        .same("testText", "text is plain text in UTF-8") { scope in
            scope.stubber.stub(.any, respond: .text("Hello World"))
            let answer = await scope.handled(site)
            #expect(answer.head?.statusCode == 200 && answer.text == "Hello World")
            #expect(answer.response?.mimeType == "text/plain" && answer.response?.textEncodingName == "utf-8")
        },
        .same("testJSON", "JSON of an array is named JSON in UTF-8") { scope in
            scope.stubber.stub(.any, respond: .json(["A"]))
            try await isJSON(scope, #"["A"]"#)
        },
        .same("testJSONData", "the text of JSON is sent unchanged, as JSON in UTF-8") { scope in
            scope.stubber.stub(.any, respond: .json(text: #"["B"]"#))
            try await isJSON(scope, #"["B"]"#)
        },
        .same("testRedirect", "a redirect has a location") { scope in
            scope.stubber.stub(.any, respond: .redirect(to: "https://other.example", status: 301))
            let outcome = try await refused(scope)
            #expect(outcome.status == 301 && outcome.headers["Location"] == "https://other.example")
        },
        .different(
            "testRedirect",
            "a redirect has the status 301 by default",
            "a redirect, 302 by default",
            in: "Stubs"
        ),
        .same("testRelativeRedirect", "a location may be relative") { scope in
            scope.stubber.stub(.any, respond: .redirect(to: "/authorize", status: 301))
            let outcome = try await refused(scope)
            #expect(outcome.headers["Location"] == "/authorize")
        },
    ]

    private static func isJSON(_ scope: PredecessorScope, _ text: String) async throws {
        let answer = await scope.handled(site)
        #expect(answer.head?.statusCode == 200 && answer.text == text)
        #expect(answer.response?.mimeType == "application/json" && answer.response?.textEncodingName == "utf-8")
    }

    /// The redirect that a delegate does not follow.
    private static func refused(_ scope: PredecessorScope) async throws -> Outcome {
        var answers = TaskObserver.Answers()
        answers.redirect = { _ in nil }
        let observer = TaskObserver(answers)
        let session = URLSession(configuration: .default, delegate: observer, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        return await observer.outcome(of: session.dataTask(with: scope.request(site)))
    }

    // MARK: MatcherTests

    private static let conditions: [PredecessorBehavior] = [
        .same("testEverythingMatcher", "one condition matches every request") {
            await $0.expect(.any, matches: ["https://api.example.com/"], not: [])
        },
        .same("testExactFullURIMatches", "a whole URL matches") {
            await $0.expect(
                .url("https://api.example.com/"),
                matches: ["https://api.example.com/"],
                not: []
            )
        },
        .same("testExactFullPathMatches", "a path alone matches on every host") {
            await $0.expect(.url("/devices"), matches: ["https://api.example.com/devices"], not: [])
        },
        .same("testExactFullURIMismatch", "another URL does not match") {
            await $0.expect(
                .url("https://api.example.com/notifications"),
                matches: [],
                not: ["https://api.example.com/devices"]
            )
        },
        .same("testExactFullPathMismatch", "another path does not match") {
            await $0.expect(.url("/notifications"), matches: [], not: ["https://api.example.com/devices"])
        },
        .same("testVariableFullURIMatch", "a variable in a whole URL matches a segment") {
            await $0.expect(
                .url("https://github.example/*/URITemplate"),
                matches: ["https://github.example/kylef/URITemplate"],
                not: ["https://github.example/kylef/other/URITemplate"]
            )
        },
        .same("testVariablePathMatch", "a variable in a path matches a segment, which the stub can read") {
            scope in
            scope.stubber.stub(.url("/*/URITemplate")) { .text($0.wildcards[0]) }
            #expect(await scope.load("https://github.example/kylef/URITemplate").text == "kylef")
        },
        .different(
            "MatcherTests",
            "a URI template may have an operator such as {?query*}",
            "Rewind does not support URI templates of more than one segment",
            in: "FromMockingjay"
        ),
        .same("testMethodURIMatch", "a method and a URL match together") { scope in
            let request = scope.request("https://api.example.com/") { $0.httpMethod = "PATCH" }
            #expect(await scope.matches(.patch("https://api.example.com/"), [request]) == [true])
        },
        .same("testMethodMismatch", "another method of the URL does not match") {
            await $0.expect(
                .patch("https://api.example.com/"),
                matches: [],
                not: ["https://api.example.com/"]
            )
        },
    ]

    // MARK: MockingjayProtocolTests

    private static let loading: [PredecessorBehavior] = [
        .different(
            "testCannotInitWithUnknownRequest",
            "a request without a stub is left to the network",
            "it fails, unless its host is in",
            in: "FromMockingjay"
        ),
        .same("testCanInitWithKnownRequestUsingMatcher", "a closure decides whether a stub answers") { scope in
            scope.stubber.stub(.request { $0.url.contains("fuller") }, respond: .failure(.cannotConnectToHost))
            #expect(await scope.load(site).failure == "NSURLErrorDomain \(NSURLErrorCannotConnectToHost)")
        },
        .same("testProtocolReturnsErrorWithRegisteredStubError", "an error arrives without response and data") {
            scope in
            scope.stubber.stub(.any) { _ in throw NSError(domain: "MockingjayTests", code: 0) }
            let answer = await scope.handled(site)
            #expect(answer.response == nil && answer.data == nil && answer.error != nil)
        },
        .same("testProtocolReturnsResponseWithRegisteredStubError", "a response has the URL, charset and data")
        { scope in
            scope.stubber.stub(.any, respond: .text("Hello"))
            let answer = await scope.handled(site)
            #expect(
                answer.response?.url?.absoluteString == site && answer.response?.textEncodingName == "utf-8"
            )
            #expect(answer.text == "Hello" && answer.error == nil)
        },
        .same("testProtocolReturnsResponseWithLastRegisteredMatchingStub", "the last stub that matches answers")
        { scope in
            scope.stubber.stub(.any, respond: .text("Stub 1"))
            scope.stubber.stub(.any, respond: .text("Stub 2"))
            #expect(await scope.load(site).text == "Stub 2")
        },
        .same("testDelay", "an answer can be delayed") { scope in
            scope.stubber.stub(.any, respond: .status(204).delayed(by: .seconds(1)))
            let time = await scope.elapsed { #expect(await scope.load(site).status == 204) }
            #expect(time == .seconds(1))
        },
        .same("testRedirect", "a redirect leads to another stub") { scope in
            scope.stubber.stub(.url("https://example.com"), respond: .status(204))
            scope.stubber.stub(
                .url("http://example.com"),
                respond: .status(301, headers: ["Location": "https://example.com"])
            )
            let outcome = await scope.load("http://example.com")
            #expect(outcome.url?.absoluteString == "https://example.com" && outcome.status == 204)
        },
        .same("testRedirect307", "a 307 keeps the method and the header fields") { scope in
            let last = scope.stubber.stub(.url("https://example.com"), respond: .status(204))
            scope.stubber.stub(
                .url("http://example.com"),
                respond: .redirect(to: "https://example.com", status: 307)
            )
            let outcome = await scope.load("http://example.com") {
                $0.httpMethod = "PUT"
                $0.setValue("text/plain", forHTTPHeaderField: "Content-Type")
            }
            #expect(outcome.url?.absoluteString == "https://example.com")
            #expect(
                last.requests.first?.method == "PUT"
                    && last.requests.first?.headers["Content-Type"] == "text/plain"
            )
        },
    ]

    // MARK: MockingjayAsyncProtocolTests

    private static let chunks: [PredecessorBehavior] = [
        .same("testDownloadOfTextInChunks", "a delegate receives text in chunks") { scope in
            let text = "Two parallel lines meet in a point that nobody has visited, and then they part again."
            try await streams(scope, Data(text.utf8), by: 22)
        },
        .same("testDownloadOfAudioFileInChunks", "a delegate receives a file in chunks") { scope in
            try await streams(scope, audio, by: 2000)
        },
        .same("testByteRanges", "a range of a larger body is sent, in chunks") { scope in
            scope.stubber.stub(
                .any,
                respond: .chunks(pieces(audio, by: 2000), every: .zero, contentType: "audio/mp4")
            )
            let observer = TaskObserver()
            let session = URLSession(configuration: .default, delegate: observer, delegateQueue: nil)
            let request = scope.request(site) {
                $0.setValue("bytes=50000-149999", forHTTPHeaderField: "Range")
            }
            let outcome = await observer.outcome(of: session.dataTask(with: request))
            #expect(outcome.body == audio[50_000..<150_000])
            #expect(observer.events.filter { $0.hasPrefix("data") }.count == 50)
            session.finishTasksAndInvalidate()
        },
        .different(
            "testByteRanges",
            "the part of a body arrives with the status 200",
            "receives that part with the status 206",
            in: "Stubs"
        ),
    ]

    private static let audio = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    private static func pieces(_ data: Data, by size: Int) -> [Data] {
        stride(from: 0, to: data.count, by: size).map { data[$0..<min($0 + size, data.count)] }
    }

    private static func streams(_ scope: PredecessorScope, _ data: Data, by size: Int) async throws {
        let pieces = pieces(data, by: size)
        scope.stubber.stub(.any, respond: .chunks(pieces, every: .milliseconds(10)))
        let observer = TaskObserver()
        let session = URLSession(configuration: .default, delegate: observer, delegateQueue: nil)
        let outcome = await observer.outcome(of: session.dataTask(with: scope.request(site)))
        #expect(outcome.body == data)
        #expect(observer.events.filter { $0.hasPrefix("data") } == pieces.map { "data \($0.count)" })
        session.finishTasksAndInvalidate()
    }

    // MARK: MockingjaySessionTests, MockingjayXCTestTests

    private static let sessions: [PredecessorBehavior] = [
        .same(
            "testEphemeralSessionConfigurationIncludesProtocol",
            "ephemeral sessions are stubbed without a setting"
        ) {
            try await isStubbed($0, .ephemeral)
        },
        .same(
            "testDefaultSessionConfigurationIncludesProtocol",
            "default sessions are stubbed without a setting"
        ) {
            try await isStubbed($0, .default)
        },
        .same("testURLSession", "a session of the test receives the error of the stub") { scope in
            scope.stubber.stub(.any, respond: .failure(NSError(domain: "Mockingjay Session Tests", code: 0)))
            let session = URLSession(configuration: .default)
            let error = await scope.handled("https://httpbin.example/", in: session).error
            #expect((error as NSError?)?.domain == "Mockingjay Session Tests")
        },
        .same("testEnablesRemovingStubsByDefault", "stubs are removed at the end of a test") { scope in
            scope.stubber.stub(.any, respond: .text("outer"))
            try await withStubs { inner in
                inner.stub(.any, respond: .text("inner"))
                #expect(await scope.load(site).text == "inner")
            }
            #expect(await scope.load(site).text == "outer")
        },
        .different(
            "testUserCanDisableRemovingStubst",
            "stubs may stay after a test",
            "`mockingjayRemoveStubOnTearDown` is not needed",
            in: "FromMockingjay"
        ),
    ]

    private static func isStubbed(_ scope: PredecessorScope, _ configuration: URLSessionConfiguration)
        async throws
    {
        scope.stubber.stub(.any, respond: .text("stubbed"))
        #expect(await scope.load(site, in: URLSession(configuration: configuration)).text == "stubbed")
    }
}

/// What the suite of LaserDisc (ea40bb2) checks: one recording through its server.
enum LaserDiscRows {
    static let all: [PredecessorBehavior] = [
        .same(
            "testRecording",
            "a server on a free port records a request, and its upstream is not needed again"
        ) { scope in
            scope.stubber.stub(.host("127.0.0.1"), respond: .passthrough)
            let folder = try TemporaryDirectory()
            let upstream = try ConversationServer()
            defer { upstream.stop() }
            var bodies: [Data] = []
            for mode in [RecordingMode.all, .never] {
                let server = try CassetteServer(
                    try Stubber(cassette: "xyz", in: folder.url, mode: mode),
                    upstreams: .url(upstream.url)
                )
                let url = try server.start()
                bodies.append(await Outcome(of: url.appendingPathComponent("json")).body)
                try server.stop()
                upstream.stop()
            }
            #expect(bodies[0] == bodies[1] && !bodies[0].isEmpty && upstream.requestCount == 1)
        },
        .different(
            "testRecording",
            "a relative recording path is a folder of its own",
            "`REWIND_CASSETTES`, or the folder `Cassettes` at the root of the project",
            in: "FromLaserDisc"
        ),
    ]
}
