import Foundation
import Rewind
import RewindTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the suite of OHHTTPStubs (c582400) checks by loading: sessions, delegates, times, files, Mocktail.
enum OHHTTPStubsLoadingRows {
    static let all: [PredecessorBehavior] =
        sessions + delegates + connections + values + times + files

    private static let json = #"{"Success":"Yes"}"#

    // MARK: NSURLSessionTests, AFNetworkingTests

    private static let sessions: [PredecessorBehavior] = [
        .same("test_SharedNSURLSession", "the shared session receives stubbed JSON") {
            try await answers($0, in: .shared)
        },
        .same("test_NSURLSessionDefaultConfig", "a session of the default configuration receives stubbed JSON")
        {
            try await answers($0, in: URLSession(configuration: .default))
        },
        .same(
            "test_NSURLSessionEphemeralConfig",
            "a session of the ephemeral configuration receives stubbed JSON"
        ) {
            try await answers($0, in: URLSession(configuration: .ephemeral))
        },
        .different(
            "test_NSURLSessionDefaultConfig_Disabled",
            "stubs can be disabled for one session",
            "not needed: while a stubber is active, it answers every session",
            in: "FromOHHTTPStubs"
        ),
        .same("test_NSURLSessionCustomHTTPBody", "a stub is chosen by the body of the request") { scope in
            scope.stubber.stub(.any, respond: .failure(.cannotConnectToHost))
            scope.stubber.stub(.scheme("stub") && .body(Data("body".utf8)), respond: .text("found"))
            for (body, text) in [("body", "found"), ("somethingElse", "")] {
                let outcome = await scope.load("stub://foo") {
                    $0.httpMethod = "POST"
                    $0.httpBody = Data(body.utf8)
                }
                #expect(outcome.text == text)
            }
        },
        .different(
            "test_NSURLSessionNativeHTTPBody",
            "the request that a condition receives has no body",
            "`request.body`, also for body streams and uploads",
            in: "FromOHHTTPStubs"
        ),
        .same("test_AFHTTPRequestOperation_success", "a delayed response arrives whole") { scope in
            scope.stubber.stub(
                .any,
                respond: .text("data").delayed(by: .milliseconds(50)).responding(over: .milliseconds(100))
            )
            let time = await scope.elapsed {
                #expect(await scope.load("http://iana.example/").text == "data")
            }
            #expect(time >= .milliseconds(150))
        },
        .same("test_AFHTTPURLSessionCustom", "a base URL with a scheme of its own is stubbed") { scope in
            scope.stubber.stub(.scheme("stubs"), respond: .json(text: json))
            #expect(await scope.load("stubs://stubs/foo").text == json)
        },
    ]

    private static func answers(_ scope: PredecessorScope, in session: URLSession) async throws {
        scope.stubber.stub(.any, respond: .json(text: json).responding(over: .milliseconds(200)))
        let answer = await scope.handled("foo://unknownhost:666", in: session)
        #expect(answer.text == json && answer.error == nil && answer.head?.mimeType == "application/json")
    }

    // MARK: Delegates

    private static let delegates: [PredecessorBehavior] = [
        .same("test_NSURLSession_DataTask_DelegateMethods", "a delegate receives the body and no error") {
            scope in
            scope.stubber.stub(.scheme("stub"), respond: .text("data").responding(over: .milliseconds(500)))
            let observer = TaskObserver()
            let session = URLSession(configuration: .default, delegate: observer, delegateQueue: nil)
            let outcome = await observer.outcome(of: session.dataTask(with: scope.request("stub://foo")))
            #expect(outcome.text == "data" && outcome.failure == nil)
            #expect(observer.events.first == "response 200")
            session.finishTasksAndInvalidate()
        },
        .same("test_NSURLConnectionDelegate_success", "the response takes its request and response time") {
            scope in
            scope.stubber.stub(
                .any,
                respond: .text("data").delayed(by: .milliseconds(100)).responding(over: .milliseconds(500))
            )
            let time = await scope.elapsed {
                #expect(await scope.load("http://iana.example/").text == "data")
            }
            #expect(time >= .milliseconds(600))
        },
        .same("test_NSURLConnectionDelegate_error", "an error arrives after its time, with domain and code") {
            scope in
            let error = NSError(domain: NSURLErrorDomain, code: 404)
            scope.stubber.stub(.any, respond: .failure(error).delayed(by: .milliseconds(500)))
            let time = await scope.elapsed {
                let answer = await scope.handled("http://iana.example/")
                #expect((answer.error as? NSError) === error && answer.data == nil)
            }
            #expect(time >= .milliseconds(500))
        },
        .same("test_NSURLConnection_cancel", "nothing arrives after a request is cancelled") { scope in
            scope.stubber.stub(.any, respond: .timeout)
            let events = Locked<[String]>([])
            let request = scope.request("http://iana.example/")
            let outcome: String = await withCheckedContinuation { continuation in
                let task = URLSession.shared.dataTask(with: request) { data, _, error in
                    events.withLock { $0.append("\(data?.count ?? 0)") }
                    continuation.resume(returning: "\((error as? URLError)?.code.rawValue ?? 0)")
                }
                task.resume()
                task.cancel()
            }
            #expect(outcome == "\(NSURLErrorCancelled)" && events.withLock { $0 } == ["0"])
        },
        .same("test_NSURLConnection_cookies", "a stubbed cookie is stored") { scope in
            scope.stubber.stub(.any, respond: .text("cookies", headers: ["Set-Cookie": "SESSIONID=7;"]))
            let session = URLSession(configuration: .ephemeral)
            _ = await scope.load("http://iana.example/", in: session)
            let url = try #require(URL(string: "http://iana.example/"))
            #expect(session.configuration.httpCookieStorage?.cookies(for: url)?.map(\.value) == ["7"])
        },
        .same("test_NSURLConnection_redirected", "the cookies of a redirect and of its target are stored") {
            scope in
            let headers: HeaderList = ["Set-Cookie": "first=1;"]
            scope.stubber.stub(.any, respond: .text("end", headers: ["Set-Cookie": "last=2;"]))
            scope.stubber.stub(
                .host("yahoo.example"),
                respond: .redirect(to: "http://google.example/", headers: headers)
            )
            let session = URLSession(configuration: .ephemeral)
            #expect(await scope.load("http://yahoo.example/", in: session).text == "end")
            let cookies = session.configuration.httpCookieStorage?.cookies ?? []
            #expect(Set(cookies.map { "\($0.name)=\($0.value)" }) == ["first=1", "last=2"])
        },
        .different(
            "test_NSURLConnection_redirected",
            "every status from 300 to 399 with a location is followed",
            "Only 301, 302, 303, 307 and 308 are followed",
            in: "FromOHHTTPStubs"
        ),
    ]

    // MARK: NSURLConnectionTests, WithContentsOfURLTests

    private static let connections: [PredecessorBehavior] = [
        .different(
            "NSURLConnectionTests",
            "the class methods of NSURLConnection are stubbed",
            "does not support Objective-C or `NSURLConnection`",
            in: "FromOHHTTPStubs"
        ),
        .same(
            "test_NSURLConnection_sendMultipleAsyncronousRequests",
            "parallel requests have their own answers and times"
        ) {
            scope in
            scope.stubber.stub(.path("/time/*")) { request in
                .text(request.url).delayed(by: .milliseconds(Int(request.wildcards[0]) ?? 0))
            }
            await withTaskGroup(of: Bool.self) { group in
                for time in [150, 100, 50] {
                    group.addTask {
                        let url = "http://dummy.example/time/\(time)"
                        return await scope.load(url).text == url
                    }
                }
                for await isOwn in group { #expect(isOwn) }
            }
        },
        .same("test_NSString_stringWithContentsOfURL", "String(contentsOf:) reads a stub, on any thread") {
            scope in
            // Without a time, as these calls block a thread that the clock would need.
            scope.stubber.stub(.any, respond: .text("text"))
            let url = try #require(URL(string: "http://iana.example/"))
            #expect(try String(contentsOf: url, encoding: .utf8) == "text")
            let elsewhere = Task { try String(contentsOf: url, encoding: .utf8) }
            let text = try await elsewhere.value
            #expect(text == "text")
        },
        .same("test_NSData_dataWithContentsOfURL", "Data(contentsOf:) reads a stub, on any thread") { scope in
            // Without a time, as these calls block a thread that the clock would need.
            scope.stubber.stub(.any, respond: .text("text"))
            let url = try #require(URL(string: "http://iana.example/"))
            #expect(try Data(contentsOf: url) == Data("text".utf8))
            let elsewhere = Task { try Data(contentsOf: url) }
            let data = try await elsewhere.value
            #expect(data == Data("text".utf8))
        },
    ]

    // MARK: NilValuesTests, OHPathHelpersTests

    private static let values: [PredecessorBehavior] = [
        .same("test_NilData", "an answer without data has an empty body") { scope in
            scope.stubber.stub(.any, respond: .status(400))
            let outcome = await scope.load("http://iana.example/")
            #expect(outcome.status == 400 && outcome.body.isEmpty)
        },
        .same("test_EmptyData", "an answer with empty data has an empty body") { scope in
            scope.stubber.stub(.any, respond: .data(Data(), status: 400))
            #expect(await scope.load("http://iana.example/").body.isEmpty)
        },
        .same("test_EmptyFile", "an empty file, by path or URL, is an empty body") { scope in
            let folder = try TemporaryDirectory()
            try Data().write(to: folder["emptyfile.json"])
            scope.stubber.stub(.path("/path"), respond: .file(folder["emptyfile.json"].path, status: 500))
            scope.stubber.stub(.path("/url"), respond: .file(folder["emptyfile.json"], status: 500))
            for path in ["/path", "/url"] {
                let outcome = await scope.load("http://iana.example\(path)")
                #expect(outcome.status == 500 && outcome.body.isEmpty)
            }
        },
        .missing("test_NilPath", "a nil path is an empty body", "A path is not optional in Swift."),
        .missing(
            "test_NilPathWithURL",
            "a nil URL of a file is an empty body",
            "A URL is not optional in Swift."
        ),
        .different(
            "test_InvalidPath",
            "a path without a file throws an exception",
            "A stub that cannot answer fails the test at the line of its `stub(…)` call",
            in: "Stubs"
        ),
        .different(
            "test_InvalidPathWithURL",
            "a file URL without a file throws an exception",
            "A stub that cannot answer fails the test at the line of its `stub(…)` call",
            in: "Stubs"
        ),
        .different(
            "test_NonFileURL",
            "the URL of a website as a file throws an exception",
            "A stub that cannot answer fails the test at the line of its `stub(…)` call",
            in: "Stubs"
        ),
        .missing(
            "test_NilURLAndCookieHandlingEnabled",
            "a request without a URL is stubbed",
            "A request needs a URL in Swift."
        ),
        .different(
            "testOHResourceBundle",
            "a helper finds the bundle of a test class",
            "`.file(\"response.json\")`, relative to the file with the `stub(…)` call",
            in: "FromOHHTTPStubs"
        ),
    ]

    // MARK: TimingTests

    private static let times: [PredecessorBehavior] = [
        .same("test_RequestTime0_ResponseTime0", "an answer without times arrives at once") {
            try await takes($0, 0, 0, "short")
        },
        .same("test_SmallDataLargeTime_CumulativeAlgorithm", "a few bytes spread over a long time") {
            try await takes($0, 0, 5.75, "21 bytes of test data")
        },
        .same("test_RequestTime1_ResponseTime0", "a delay alone") { try await takes($0, 1, 0, "short") },
        .same("test_LongData_RequestTime1_ResponseTime5", "a delay and a body of a kilobyte over time") {
            try await takes($0, 1, 5, String(repeating: "0123456789abcdef", count: 64))
        },
        .same("test_VeryLongData_RequestTime1_ResponseTime0", "a delay and a body of 600 kB at once") {
            try await takes($0, 1, 0, String(repeating: "0123456789abcdef", count: 38_112))
        },
    ]

    private static func takes(_ scope: PredecessorScope, _ wait: Double, _ receive: Double, _ text: String)
        async throws
    {
        let answer = StubAnswer.text(text).delayed(by: .seconds(wait)).responding(over: .seconds(receive))
        scope.stubber.stub(.any, respond: answer)
        let observer = TaskObserver()
        let session = URLSession(configuration: .default, delegate: observer, delegateQueue: nil)
        let request = scope.request("http://iana.example/")
        let time = await scope.elapsed {
            #expect(await observer.outcome(of: session.dataTask(with: request)).text == text)
        }
        #expect(abs(time / .seconds(1) - wait - receive) < 0.001)
        session.finishTasksAndInvalidate()
    }

    // MARK: MocktailTests

    private static let files: [PredecessorBehavior] = [
        .same("testMocktailLoginSuccess", "a Mocktail file answers its request") {
            let outcome = try await login($0, "application/json")
            #expect(outcome.status == 200)
        },
        .same("testMocktailsAtFolder", "a folder of Mocktail files answers the requests of each") { scope in
            let folder = try TemporaryDirectory()
            try Data(mocktail("POST", "users", "application/json", "{}").utf8).write(to: folder["login.tail"])
            try Data(mocktail("GET", "cards", "application/json", "[1,2]").utf8).write(to: folder["cards.tail"])
            scope.stubber.stub(mocktails: folder.url.path)
            #expect(await scope.load("http://happy.example/users") { $0.httpMethod = "POST" }.text == "{}")
            #expect(await scope.load("http://happy.example/cards").text == "[1,2]")
        },
        .same("testMocktailHeaders", "the header fields of a Mocktail file arrive") {
            let outcome = try await login($0, "Content-Type: application/json\nConnection: Close")
            #expect(outcome.headers["Connection"] == "Close")
        },
        .same("testMocktailContentType", "a media type may be written as a header field") {
            let outcome = try await login($0, "Content-Type: application/json")
            #expect(outcome.headers["Content-Type"] == "application/json")
        },
        .same("testMocktailContentTypeAndHeaders", "header fields may follow the media type") {
            let outcome = try await login($0, "application/json\nConnection: Close")
            #expect(
                outcome.headers["Content-Type"] == "application/json"
                    && outcome.headers["Connection"] == "Close"
            )
        },
    ]

    private static func mocktail(_ method: String, _ path: String, _ fields: String, _ body: String) -> String {
        "\(method)\nhttp://happy\\.example/\(path)\n200\n\(fields)\n\n\(body)"
    }

    private static func login(_ scope: PredecessorScope, _ fields: String) async throws -> Outcome {
        let folder = try TemporaryDirectory()
        let text = #"{"status":"SUCCESS"}"#
        try Data(mocktail("POST", "users", fields, text).utf8).write(to: folder["login.tail"])
        scope.stubber.stub(mocktails: folder["login.tail"].path)
        let outcome = await scope.load("http://happy.example/users") {
            $0.httpMethod = "POST"
            $0.httpBody = Data(#"{"user":"a"}"#.utf8)
        }
        #expect(outcome.text == text)
        return outcome
    }
}
