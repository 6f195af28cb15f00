import Foundation
import Rewind
import RewindTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the suite of Mocker (77b5abb) checks.
enum MockerRows {
    static let all: [PredecessorBehavior] = choices + contents + outcomes + callbacks + modes

    private static let image = Data([0x89, 0x50, 0x4E, 0x47, 0, 255])
    private static let site = "https://www.example.com"

    // MARK: Which answer

    private static let choices: [PredecessorBehavior] = [
        .same("testImageURLDataRequest", "a URL with a query is answered with an image") { scope in
            scope.stubber.stub(
                .url("https://avatars.example.com/u/1?v=4&s=400"),
                respond: .data(image, contentType: "image/png")
            )
            let outcome = await scope.load("https://avatars.example.com/u/1?v=4&s=400")
            #expect(outcome.body == image && outcome.headers["Content-Type"] == "image/png")
        },
        .same("testImageExtensionDataRequest", "every URL with an extension is answered") { scope in
            scope.stubber.stub(.pathExtension("png"), respond: .data(image, contentType: "image/png"))
            #expect(await scope.load("\(site)/sample-image.png").body == image)
        },
        .same("testSpecificURLOverGenericMocks", "a specific URL that is added last comes before its extension")
        { scope in
            scope.stubber.stub(.pathExtension("png"), respond: .status(400))
            scope.stubber.stub(.url("\(site)/sample-image.png"), respond: .data(image))
            #expect(await scope.load("\(site)/sample-image.png").body == image)
        },
        .different(
            "testSpecificURLOverGenericMocks",
            "a specific URL comes before an extension in every order",
            "If several stubs match a request, the one that was added last answers.",
            in: "Stubs"
        ),
        .same("testIgnoreQueryMocking", "a URL is answered with any query") { scope in
            scope.stubber.stub(.url("\(site)/sample-image.png"), respond: .data(image))
            #expect(
                await scope.load("\(site)/sample-image.png?width=200&height=200&\(UUID().uuidString)").body
                    == image
            )
        },
        .same("testMockOverriding", "a later stub for the same request replaces the earlier one") { scope in
            scope.stubber.stub(.get("\(site)/a"), respond: .status(200, headers: ["testkey": "testvalue"]))
            scope.stubber.stub(.get("\(site)/a"), respond: .status(200, headers: ["Newkey": "newvalue"]))
            let outcome = await scope.load("\(site)/a")
            #expect(outcome.headers["Newkey"] == "newvalue" && outcome.headers["Testkey"] == nil)
        },
        .same("testDifferentHTTPMethodSameURL", "two methods of one URL have their own answers") { scope in
            scope.stubber.stub(.get("\(site)/a"), respond: .text("get"))
            scope.stubber.stub(.put("\(site)/a"), respond: .text("put"))
            #expect(await scope.load("\(site)/a").text == "get")
            #expect(await scope.load("\(site)/a") { $0.httpMethod = "PUT" }.text == "put")
        },
        .same("testComposedURLMatch", "a URL relative to a base is compared as a whole") { scope in
            scope.stubber.stub(.url("https://host.example/api/resource"), respond: .status(204))
            let base = try #require(URL(string: "https://host.example/api/"))
            let composed = try #require(URL(string: "resource", relativeTo: base))
            #expect(await Outcome(of: composed).status == 204)
        },
        .same("testCustomURLSession", "a session with a configuration of its own is answered") { scope in
            scope.stubber.stub(.pathExtension("png"), respond: .data(image))
            let configuration = URLSessionConfiguration.default
            configuration.httpAdditionalHeaders = ["X-App": "1"]
            let session = URLSession(configuration: configuration)
            #expect(await scope.load("\(site)/sample-image.png", in: session).body == image)
            #expect(scope.stubber.requests.first?.headers["X-App"] == "1")
        },
        .same("testRemoveAll", "all stubs can be removed") { scope in
            scope.stubber.stub(.any, respond: .status(404))
            let stub = scope.stubber.stub(.any, respond: .status(204))
            scope.stubber.removeStubs()
            scope.stubber.stub(.any, respond: .status(400))
            #expect(await scope.load(site).status == 400 && stub.callCount == 0)
        },
        .missing(
            "testFileExtensionMocksComparing",
            "two mocks are equal if they answer the same requests",
            "A stub has an identity, so two stubs with the same condition are two stubs."
        ),
        .missing(
            "testMethodsComparing",
            "two mocks with the same methods in another order are equal",
            "A stub has an identity, and its condition is a value without an order of methods."
        ),
    ]

    // MARK: Content

    private static let contents: [PredecessorBehavior] = [
        .same("testJSONRequest", "stubbed JSON can be decoded") { scope in
            scope.stubber.stub(
                .url("\(site)/example.json"),
                respond: .json(["name": "Mocker", "owner": "WeTransfer"])
            )
            let outcome = await scope.load("\(site)/example.json")
            let members = try JSONDecoder().decode([String: String].self, from: outcome.body)
            #expect(members["owner"] == "WeTransfer")
        },
        .same("Mock.DataType.json", "JSON names UTF-8 in its media type") { scope in
            scope.stubber.stub(.any, respond: .json(["a": 1]))
            let answer = await scope.handled(site)
            #expect(answer.head?.value(forHTTPHeaderField: "Content-Type") == "application/json; charset=utf-8")
            #expect(
                answer.response?.mimeType == "application/json" && answer.response?.textEncodingName == "utf-8"
            )
        },
        .same("testNoContentType", "an answer without a body names no media type") { scope in
            scope.stubber.stub(.put("\(site)/api/foobar"), respond: .status(202))
            let outcome = await scope.load("\(site)/api/foobar") { $0.httpMethod = "PUT" }
            #expect(outcome.status == 202 && outcome.body.isEmpty && outcome.headers["Content-Type"] == nil)
        },
        .same("testAdditionalHeaders", "an answer has further header fields") { scope in
            scope.stubber.stub(.any, respond: .json([:], headers: ["Testkey": "testvalue"]))
            #expect(await scope.load(site).headers["Testkey"] == "testvalue")
        },
        .same("testRedirectResponse", "a saved response with a location is followed") { scope in
            let folder = try TemporaryDirectory()
            let text = "HTTP/1.1 301 Moved Permanently\r\nLocation: https://example.com/redirect\r\n"
            try Data(text.utf8).write(to: folder["redirect.response"])
            scope.stubber.stub(
                .url("https://we.example/redirect"),
                respond: .curlDump(folder["redirect.response"].path)
            )
            scope.stubber.stub(.url("https://example.com/redirect"), respond: .json(["name": "Mocker"]))
            #expect(await scope.load("https://we.example/redirect").text == #"{"name":"Mocker"}"#)
        },
        .different(
            "testMockCachePolicy",
            "a response may be stored in the URL cache",
            "a response cached by one test must not answer another",
            in: "Fidelity"
        ),
    ]

    // MARK: Errors, delays, cancellation

    private enum ExampleError: Error { case example }

    private static let outcomes: [PredecessorBehavior] = [
        .same("testMockReturningError", "an error of the test's own type fails the request, without data") {
            scope in
            scope.stubber.stub(.any, respond: .failure(ExampleError.example))
            let answer = await scope.handled("\(site)/example.json")
            #expect(answer.data == nil && answer.response == nil && answer.error as? ExampleError == .example)
        },
        .same("testDelayedMockCancelation", "a request with a delayed answer can be cancelled") { scope in
            scope.stubber.stub(.any, respond: .timeout)
            let request = Task { await scope.load("\(site)/slow") }
            try await scope.stubber.waitForRequests(.any)
            request.cancel()
            #expect(await request.value.failure == "NSURLErrorDomain \(NSURLErrorCancelled)")
        },
        .same("testDelayedMock", "a delayed answer comes after one without a delay") { scope in
            scope.stubber.stub(.get("\(site)/a"), respond: .status(204).delayed(by: .seconds(1)))
            scope.stubber.stub(.post("\(site)/a"), respond: .status(204))
            let time = await scope.elapsed {
                _ = await scope.load("\(site)/a") { $0.httpMethod = "POST" }
            }
            let delayed = await scope.elapsed { _ = await scope.load("\(site)/a") }
            #expect(time == .zero && delayed == .seconds(1))
        },
    ]

    // MARK: Callbacks

    private static let callbacks: [PredecessorBehavior] = [
        .same("testMockCallbacks", "the request is reported before its end") { scope in
            scope.stubber.stub(.any, respond: .text("late").delayed(by: .milliseconds(10)))
            let order = Locked<[String]>([])
            async let requested = scope.stubber.waitForRequests(.any)
            URLSession.shared.dataTask(with: scope.request(site)) { _, _, _ in
                order.withLock { $0.append("handler") }
            }
            .resume()
            let requests = try await requested
            #expect(requests.count == 1)
            try await scope.stubber.waitForAnswers(.any)
            #expect(order.withLock { $0 } == ["handler"])
        },
        .same("testOnRequestExpectation", "a test can wait for a request") { scope in
            let stub = scope.stubber.stub(.any, respond: .status(204))
            URLSession.shared.dataTask(with: scope.request(site)).resume()
            let requests = try await scope.stubber.waitForRequests(.url(site))
            #expect(requests.count == 1 && stub.callCount == 1)
        },
        .same("testOnCompletionExpectation", "a test can wait until the answer was delivered") { scope in
            scope.stubber.stub(.any, respond: .status(204))
            URLSession.shared.dataTask(with: scope.request(site)).resume()
            let answered = try await scope.stubber.waitForAnswers(.url(site))
            #expect(answered.count == 1)
        },
        .same("testOnRequestLegacyPostBodyParameters", "the members of a JSON body can be read") { scope in
            let stub = try await posted(scope, Data("{\n  \"test\" : \"value\"\n}".utf8))
            let body = try #require(stub.requests.first?.body?.data)
            let members = try JSONSerialization.jsonObject(with: body) as? [String: String]
            #expect(members == ["test": "value"])
        },
        .same("testOnRequestDecodablePostBodyParameters", "a body can be decoded") { scope in
            let name = ["name": UUID().uuidString]
            let stub = try await posted(scope, try JSONEncoder().encode(name))
            let body = try #require(stub.requests.first?.body?.data)
            let decoded = try JSONDecoder().decode([String: String].self, from: body)
            #expect(decoded == name)
        },
        .same("testOnRequestDecodablePostBodyParametersWithCustomJSONDecoder", "any decoder can decode a body")
        { scope in
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            struct Parameters: Decodable { let userName: String }
            let stub = try await posted(scope, Data(#"{"user_name":"a"}"#.utf8))
            let body = try #require(stub.requests.first?.body?.data)
            let parameters = try decoder.decode(Parameters.self, from: body)
            #expect(parameters.userName == "a")
        },
        .same("testOnRequestJSONDictionaryPostBodyParameters", "a stub is chosen by the members of a JSON body")
        { scope in
            scope.stubber.stub(.any, respond: .status(404))
            scope.stubber.stub(.post(site) && .body(json: ["test": "value"]), respond: .status(204))
            let outcome = await scope.load(site) {
                $0.httpMethod = "POST"
                $0.httpBody = Data(#"{ "test": "value" }"#.utf8)
            }
            #expect(outcome.status == 204)
        },
        .same("testOnRequestCallbackWithoutRequestAndParameters", "a POST without a body is reported") {
            scope in
            let stub = try await posted(scope, nil)
            #expect(stub.callCount == 1 && stub.requests.first?.body == nil)
        },
        .same("testOnRequestPostBodyParametersWithTopLevelCollectionType", "a JSON body may be an array") {
            scope in
            let stub = try await posted(scope, Data(#"[{"test":"value"},{"test":"value"}]"#.utf8))
            let body = try #require(stub.requests.first?.body?.data)
            let decoded = try JSONDecoder().decode([[String: String]].self, from: body)
            #expect(decoded.count == 2)
        },
    ]

    private static func posted(_ scope: PredecessorScope, _ body: Data?) async throws -> Stub {
        let stub = scope.stubber.stub(.post("https://fake.example"), respond: .json([:]))
        let outcome = await scope.load("https://fake.example") {
            $0.httpMethod = "POST"
            $0.httpBody = body
        }
        #expect(outcome.status == 200)
        return stub
    }

    // MARK: Modes

    private static let modes: [PredecessorBehavior] = [
        .same("testIgnoreURLs", "a URL can be sent to the network although stubs answer the rest") {
            try await reachesNetwork($0, .path("/json"), ["json"])
        },
        .same("testIgnoreURLsIgnoreQueries", "a URL with any query can be sent to the network") {
            try await reachesNetwork($0, .path("/json"), ["json?width=200&height=200"])
        },
        .same("testIgnoreURLsIgnorePrefixes", "URLs with a prefix can be sent to the network") {
            try await reachesNetwork($0, .path(prefix: "/status"), ["status/200", "status/201"])
        },
        .same("testMockerOptoutMode", "a request without a stub does not reach the network") { scope in
            let server = try ConversationServer()
            defer { server.stop() }
            var configuration = Stubber.Configuration()
            configuration.requestMatchingFailed = { _ in }
            let stubber = Stubber(stubsOnly: configuration)
            let outcome = await Outcome(of: server["json"], in: stubber.session)
            #expect(outcome.failure != nil && server.requestCount == 0)
        },
        .same("testMockerOptinMode", "requests of other hosts may be sent to the network") { scope in
            let server = try ConversationServer()
            defer { server.stop() }
            scope.stubber.stub(.host("www.example.com"), respond: .status(204))
            scope.stubber.stub(.host("127.0.0.1"), respond: .passthrough)
            #expect(await scope.load(site).status == 204)
            #expect(await Outcome(of: server["json"]).status == 200 && server.requestCount == 1)
        },
        .same("testDefaultMode", "by default, a request without a stub is not sent to the network") { scope in
            var configuration = Stubber.Configuration()
            configuration.requestMatchingFailed = { _ in }
            let stubber = Stubber(stubsOnly: configuration)
            #expect(await scope.load("https://127.0.0.1:1/", in: stubber.session).failure != nil)
        },
    ]

    private static func reachesNetwork(
        _ scope: PredecessorScope,
        _ condition: RequestCondition,
        _ paths: [String]
    )
        async throws
    {
        let server = try ConversationServer()
        defer { server.stop() }
        scope.stubber.stub(.any, respond: .status(404))
        scope.stubber.stub(condition, respond: .passthrough)
        for path in paths { #expect(await Outcome(of: server[path]).failure == nil, "\(path)") }
        #expect(server.requestCount == paths.count)
        #expect(await Outcome(of: server["other"]).status == 404 && server.requestCount == paths.count)
    }
}
