import Foundation
import Rewind
import RewindTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Stubs for requests with a scheme other than HTTP, where the loading system asks for them.
@Suite(.serialized)
struct OtherSchemeTests {
    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test(
        "A stub answers a scheme of the app in sessions of every configuration",
        arguments: ["app://host/a", "foo://unknown:666", "stub://foo", "X-Custom+1.0://h/a", "app:opaque"]
    )
    func ownScheme(text: String) async throws {
        let url = try url(text)
        try await withStubs { stubber in
            let stub = stubber.stub(.any, respond: .json(["a": 1]))
            for configuration in [URLSessionConfiguration.default, .ephemeral] {
                let outcome = await Outcome(of: url, in: URLSession(configuration: configuration))
                #expect(outcome.text == #"{"a":1}"# && outcome.status == 200, "\(outcome)")
                #expect(outcome.url == url)
            }
            #expect(await Outcome(of: url, in: .shared).status == 200)
            #expect(await Outcome(of: url, in: stubber.session).status == 200)
            #expect(stub.requests.map(\.url) == Array(repeating: text, count: 4))
        }
    }

    @Test("Conditions compare the scheme, host, path and body of such a request")
    func conditions() async throws {
        try await withStubs { stubber in
            stubber.stub(.scheme("app") && .host("users") && .path("/*")) { .text("user \($0.wildcards[0])") }
            stubber.stub(.post("app://users/*") && .body(json: #"{"a":1}"#), respond: .status(201))
            #expect(await Outcome(of: try url("app://users/7?x=1")).text == "user 7")
            var request = URLRequest(url: try url("app://users/7"))
            request.httpMethod = "POST"
            request.httpBody = Data(#"{"a": 1}"#.utf8)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            #expect(await Outcome(of: request).status == 201)
        }
    }

    @Test("Redirects lead from one scheme to another, and to the same one")
    func redirects() async throws {
        try await withStubs { stubber in
            stubber.stub(.path("/old"), respond: .redirect(to: "app://host/new", status: 307))
            stubber.stub(.url("app://host/new")) { .text("\($0.method) new") }
            stubber.stub(.url("app://host/out"), respond: .redirect(to: "https://api.example.com/end"))
            stubber.stub(.host("api.example.com") && .path("/end"), respond: .text("end"))
            let same = await Outcome(of: try url("app://host/old"))
            #expect(same.text == "GET new" && same.url?.absoluteString == "app://host/new", "\(same)")
            #expect(await Outcome(of: try url("app://host/out")).text == "end")
        }
    }

    @Test("Without a matching stub, such a request fails as without Rewind, and the test does not")
    func unmatched() async throws {
        let own = try url("app://host/a")
        let unsupported = "NSURLErrorDomain \(NSURLErrorUnsupportedURL)"
        #expect(await Outcome(of: own).failure == unsupported)
        try await withStubs { _ in #expect(await Outcome(of: own).failure == unsupported) }
        let misses = Locked(0)
        var configuration = Stubber.Configuration()
        configuration.requestMatchingFailed = { _ in misses.withLock { $0 += 1 } }
        try await withStubs(configuration: configuration) { stubber in
            stubber.stub(.host("other"), respond: .status(204))
            stubber.stub(.path("/live"), respond: .passthrough)
            stubber.stub(.path("/recorded"), respond: .recorded)
            for path in ["/a", "/live", "/recorded"] {
                #expect(await Outcome(of: own.replacingPath(path)).failure == unsupported, "\(path)")
            }
        }
        #expect(misses.withLock { $0 } == 0)
    }

    @Test("Such a request is never recorded")
    func recording() async throws {
        let folder = try TemporaryDirectory()
        let own = try url("app://host/a")
        try await withCassette("own", in: folder.url, mode: .all) { stubber in
            stubber.stub(.path("/stubbed"), respond: .status(204))
            #expect(await Outcome(of: own).failure == "NSURLErrorDomain \(NSURLErrorUnsupportedURL)")
            #expect(await Outcome(of: own.replacingPath("/stubbed")).status == 204)
        }
        #expect(!FileManager.default.fileExists(atPath: folder["own.har"].path))
    }

    #if canImport(FoundationNetworking)
        @Test("Foundation loads data URLs itself and does not ask for FTP or WebSocket")
        func platformSchemes() async throws {
            try await withStubs { stubber in
                let stub = stubber.stub(.any, respond: .text("stubbed"))
                let data = await Outcome(of: try url("data:text/plain;base64,aGVsbG8="))
                #expect(data.text == "hello")
                let ftp = await Outcome(of: try url("ftp://127.0.0.1:1/a"))
                #expect(ftp.text != "stubbed" && ftp.failure != nil)
                let file = await Outcome(of: URL(fileURLWithPath: "/etc/hostname"))
                #expect(file.text != "stubbed")
                #expect(stub.callCount == 0)
            }
        }
    #endif
}
