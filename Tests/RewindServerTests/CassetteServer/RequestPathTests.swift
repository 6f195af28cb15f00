import Foundation
import Rewind
import RewindServer
import RewindTestSupport
import Testing

/// Requests stay below the path of their upstream.
@Suite(.timeLimit(.minutes(5)), .ownThreads)
struct RequestPathTests {
    /// A path, and the path that the upstream receives; `nil` if the request is refused.
    static let rows: [(String, String?)] = [
        ("/api/users", "/v2/users"), ("/api/a/../users?x=../..", "/v2/users?x=../.."),
        ("/api/./users/.", "/v2/users/"),
        ("/api/a%2Fb/c", "/v2/a%2Fb/c"), ("/api/compare/main...dev", "/v2/compare/main...dev"),
        ("/api/..hidden/x", "/v2/..hidden/x"), ("/api/a;b=../x", "/v2/a;b=../x"), ("/api/..a;x", "/v2/..a;x"),
        ("/api/a/..%2Fb", "/v2/a/..%2Fb"), ("/api/x/%252e%252e/y", "/v2/x/%252e%252e/y"),
        ("/api/x/y/..;/z", "/v2/x/y/..;/z"),
        ("/api/../admin", "404"), ("/api/%2e%2e/admin", "404"), ("/api/.%2E/admin", "404"),
        ("/api/a/../../admin", "404"),
        ("/../api/users", "/v2/users"), ("/api/../../../api/users", "/v2/users"),
        ("/api/..;/admin", nil), ("/api/..;x=1/admin", nil), ("/api/..%3b/admin", nil),
        ("/api/%2e%2e;/admin", nil),
        ("/api/..%2fadmin", nil), ("/api/..%2F..%2Fadmin", nil), ("/api/%2e%2e%2fadmin", nil),
        ("/api/..\\admin", nil), ("/api/..%5cadmin", nil), ("/api/a/..\\..\\admin", nil),
        ("/api/\\..\\admin", nil),
        ("/api/%252e%252e/admin", nil), ("/api/%25252e%25252e/admin", nil), ("/api/..%252fadmin", nil),
        ("/api/%c0%ae%c0%ae/admin", nil), ("/api/..%c0%afadmin", nil), ("/api/..%20/admin", nil),
        ("/api/..%00/admin", nil), ("/api/a%2fb/%252e%252e/%252e%252e/admin", nil), ("/api//..;/admin", nil),
        ("/api/.;/..;/admin", nil),
    ]

    @Test("No path leads out of the base path of the upstream", arguments: rows)
    func paths(_ target: String, _ expected: String?) throws {
        let targets = Locked<[String]>([])
        let upstream = HTTPServer { request, response in
            targets.withLock { $0.append(request.target) }
            try response.respond(body: Data("x".utf8))
        }
        let base = try #require(URL(string: try upstream.start().absoluteString + "/v2"))
        defer { upstream.stop() }
        let folder = try TemporaryDirectory()
        let server = try CassetteServer(
            upstreams: .paths(["/api/*": base]),
            cassette: "talk",
            in: folder.url,
            mode: .all
        )
        let local = try server.start()
        defer { _ = try? server.stop() }
        let answer = try send(local, "GET", target)
        let received = targets.withLock { $0 }
        guard let expected, expected != "404" else {
            #expect(answer.status == (expected == nil ? 403 : 404))
            #expect(received == [])
            return
        }
        #expect(answer.status == 200)
        #expect(received == [expected])
    }

    @Test("An absolute URL stays below the base path too")
    func absolute() throws {
        let upstream = HTTPServer { try $1.respond(body: Data($0.target.utf8)) }
        let origin = try upstream.start().absoluteString
        defer { upstream.stop() }
        let folder = try TemporaryDirectory()
        let server = try CassetteServer(
            upstream: try #require(URL(string: origin + "/v2")),
            cassette: "talk",
            in: folder.url,
            mode: .all
        )
        let local = try server.start()
        #expect(try send(local, "GET", origin + "/v2/users").text == "/v2/users")
        for path in ["/admin", "/v2/../admin", "/v2/..;/admin", "/v22/users", "/"] {
            #expect(try send(local, "GET", origin + path).status == 403, "\(path)")
        }
        try server.stop()
    }
}
