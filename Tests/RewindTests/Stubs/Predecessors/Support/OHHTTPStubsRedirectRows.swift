import Foundation
import Rewind
import RewindTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The redirects that the suite of OHHTTPStubs (c582400) checks.
enum OHHTTPStubsRedirectRows {
    private static let json = #"{"Success":"Yes"}"#

    static let all: [PredecessorBehavior] = [
        .same("test_SharedNSURLSession", "the shared session follows a redirect, without its response") {
            try await follows($0, in: .shared)
        },
        .same("test_NSURLSessionDefaultConfig", "a default session follows a redirect") {
            try await follows($0, in: URLSession(configuration: .default))
        },
        .same("test_NSURLSessionEphemeralConfig", "a GET keeps its body after a 301") { scope in
            let hop = try await redirected(scope, "GET", 301, body: json)
            #expect(hop.method == "GET" && hop.body.map { String(decoding: $0.data, as: UTF8.self) } == json)
        },
        .same(
            "test_NSURLSessionDefaultConfig_notFollowingRedirects",
            "a delegate that refuses gets the redirect"
        ) {
            scope in
            stubRedirect(scope, 301)
            var answers = TaskObserver.Answers()
            answers.redirect = { _ in nil }
            let observer = TaskObserver(answers)
            let session = URLSession(configuration: .default, delegate: observer, delegateQueue: nil)
            let outcome = await observer.outcome(
                of: session.dataTask(with: scope.request("foo://unknownhost:666/oldlocation"))
            )
            #expect(outcome.status == 301 && scope.stubber.requests.count == 1)
            session.finishTasksAndInvalidate()
        },
        .same(
            "test_NSURLSessionDefaultConfig_MethodAndDataRetentionOnRedirect",
            "307 and 308 keep every method and body, 301 and 302 all but POST"
        ) { scope in
            for status in [301, 302, 307, 308] {
                for method in ["GET", "POST", "PATCH", "PUT"] where method != "POST" || status > 302 {
                    let hop = try await redirected(scope, method, status, body: json)
                    #expect(hop.method == method && hop.body != nil, "\(method) \(status)")
                }
            }
        },
        .same(
            "test_NSURLSessionDefaultConfig_MethodAndDataRetentionOnRedirect",
            "a HEAD stays a HEAD after 301 to 308"
        ) { scope in
            for status in [301, 302, 307, 308] {
                let hop = try await redirected(scope, "HEAD", status, body: nil)
                #expect(hop.method == "HEAD")
            }
        },
        .different(
            "test_NSURLSessionDefaultConfig_MethodAndDataRetentionOnRedirect",
            "a POST stays a POST after 301 and 302",
            "A POST becomes a GET without a body after 301 and 302",
            in: "FromOHHTTPStubs"
        ),
        .same(
            "test_NSURLSessionDefaultConfig_MethodAndDataRetentionOnRedirect",
            "303 leads to a GET without a body"
        ) { scope in
            for method in ["POST", "PATCH", "PUT"] {
                let hop = try await redirected(scope, method, 303, body: json)
                #expect(hop.method == "GET" && hop.body == nil, "\(method)")
            }
        },
        .different(
            "test_NSURLSessionDefaultConfig_MethodAndDataRetentionOnRedirect",
            "a HEAD becomes a GET after 303",
            "a HEAD stays a HEAD after 303",
            in: "FromOHHTTPStubs"
        ),
        .same("test_NSURLSessionDefaultConfig_HeaderRetentionPolicyOnRedirect", "other header fields are kept")
        { scope in
            for status in [301, 302, 307, 308] {
                let hop = try await redirected(scope, "GET", status, body: nil) {
                    $0.setValue("preserved", forHTTPHeaderField: "Preserved1")
                    $0.setValue("preserved", forHTTPHeaderField: "Preserved2")
                }
                #expect(hop.headers["Preserved1"] == "preserved" && hop.headers["Preserved2"] == "preserved")
            }
        },
        .different(
            "test_NSURLSessionDefaultConfig_HeaderRetentionPolicyOnRedirect",
            "fields such as Authorization are removed for the same server too",
            "Credentials are removed only if a redirect leads to another origin",
            in: "FromOHHTTPStubs"
        ),
        .same("test_AFHTTPRequestOperation_multiple_choices", "a 300 is not followed and arrives with its body")
        { scope in
            let headers: HeaderList = ["Location": "http://iana.example/other"]
            scope.stubber.stub(.any, respond: .text("choose", status: 300, headers: headers))
            let outcome = await scope.load("http://iana.example/")
            #expect(outcome.status == 300 && outcome.text == "choose" && scope.stubber.requests.count == 1)
        },
        .same("test_AFHTTPRequestOperation_redirect", "the delegate is asked about the target of a 302") {
            scope in
            scope.stubber.stub(.any, respond: .redirect(to: "https://httpbin.example/get"))
            let target = Locked<URL?>(nil)
            var answers = TaskObserver.Answers()
            answers.redirect = { request in
                target.withLock { $0 = request.url }
                return nil
            }
            let observer = TaskObserver(answers)
            let session = URLSession(configuration: .default, delegate: observer, delegateQueue: nil)
            let task = session.dataTask(with: scope.request("https://httpbin.example/redirect/1"))
            #expect(await observer.outcome(of: task).status == 302)
            #expect(target.withLock { $0 }?.absoluteString == "https://httpbin.example/get")
            session.finishTasksAndInvalidate()
        },
    ]

    private static func stubRedirect(_ scope: PredecessorScope, _ status: Int) {
        scope.stubber.stub(.path("/newlocation"), respond: .json(text: json))
        let target = "foo://unknownhost:666/newlocation"
        scope.stubber.stub(.path("/oldlocation"), respond: .redirect(to: target, status: status))
    }

    private static func follows(_ scope: PredecessorScope, in session: URLSession) async throws {
        stubRedirect(scope, 301)
        let answer = await scope.handled("foo://unknownhost:666/oldlocation", in: session)
        #expect(answer.text == json && answer.head?.statusCode == 200 && answer.error == nil)
        #expect(scope.stubber.requests.map(\.method) == ["GET", "GET"])
        #expect(scope.stubber.requests.last?.body == nil)
    }

    /// The request after a redirect.
    private static func redirected(
        _ scope: PredecessorScope,
        _ method: String,
        _ status: Int,
        body: String?,
        _ change: (inout URLRequest) -> Void = { _ in }
    ) async throws -> Interaction.Request {
        stubRedirect(scope, status)
        let outcome = await scope.load("foo://unknownhost:666/oldlocation") {
            $0.httpMethod = method
            $0.httpBody = body.map { Data($0.utf8) }
            change(&$0)
        }
        #expect(outcome.status == 200)
        return try #require(scope.stubber.requests.last)
    }
}
