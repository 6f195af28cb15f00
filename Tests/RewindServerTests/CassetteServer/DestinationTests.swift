import Foundation
import Rewind
import Testing

@testable import RewindServer

struct DestinationTests {
    private static let api = URL(string: "https://api.example.com") ?? URL(fileURLWithPath: "/")
    private static let version = URL(string: "https://API.example.com:8443/v2/") ?? URL(fileURLWithPath: "/")

    private func destination(
        _ upstreams: CassetteServer.Upstreams,
        _ target: String,
        host: String = "127.0.0.1:4000",
        method: String = "GET",
        headers: HeaderList = [:]
    ) throws -> String {
        let fields = HeaderList([HeaderList.Field(name: "Host", value: host)] + headers.fields)
        let request = try HTTPServerRequest(method: method, target: target, headers: fields)
        return switch upstreams.destination(of: request, at: 4000) {
        case .url(let url, _): url
        case .nowhere(let status, _): "\(status)"
        }
    }

    static let single = [
        ("/", "https://api.example.com/"),
        ("/users?a=1&b", "https://api.example.com/users?a=1&b"),
        ("/a%2Fb?c=%20", "https://api.example.com/a%2Fb?c=%20"),
        ("//evil.example/x", "https://api.example.com//evil.example/x"),
        ("/@evil.example", "https://api.example.com/@evil.example"),
        ("/?", "https://api.example.com/?"),
        ("http://api.example.com/x", "403"),
        ("https://api.example.com/x?y", "https://api.example.com/x?y"),
        ("https://API.example.com:443/x", "https://api.example.com/x"),
        ("http://evil.example/x", "403"),
        ("http://127.0.0.1:4000/x", "https://api.example.com/x"),
        ("http://localhost:4000/x", "https://api.example.com/x"),
        ("http://127.0.0.1:4001/x", "403"),
    ]

    @Test("A single upstream receives every path unchanged, and other hosts are rejected", arguments: single)
    func oneUpstream(_ target: String, _ expected: String) throws {
        #expect(try destination(.url(Self.api), target) == expected)
    }

    @Test("The path of the upstream is put before every path")
    func basePath() throws {
        #expect(try destination(.url(Self.version), "/users") == "https://api.example.com:8443/v2/users")
        #expect(try destination(.url(Self.version), "/") == "https://api.example.com:8443/v2/")
        #expect(try destination(.url(Self.version), "/../admin") == "https://api.example.com:8443/v2/admin")
        #expect(try destination(.url(Self.api), "/a/../..;/b") == "https://api.example.com/..;/b")
    }

    static let byPath = [
        ("/github/repos?x", "https://api.github.com/repos?x"),
        ("/github", "https://api.github.com/"),
        ("/github?x", "https://api.github.com/?x"),
        ("/githubber", "https://api.example.com/githubber"),
        ("/github/v3/me", "https://v3.example.com/api/me"),
        ("/", "https://api.example.com/"),
    ]

    @Test(
        "The longest prefix of whole segments selects the upstream and is removed",
        arguments: byPath
    )
    func prefixes(_ target: String, _ expected: String) throws {
        let upstreams = CassetteServer.Upstreams.paths([
            "/*": Self.api,
            "/github/*": try #require(URL(string: "https://api.github.com")),
            "github/v3/": try #require(URL(string: "https://v3.example.com/api")),
        ])
        #expect(try destination(upstreams, target) == expected)
    }

    @Test("A path without a matching prefix is not forwarded")
    func unknownPath() throws {
        #expect(try destination(.paths(["/a": Self.api]), "/b") == "404")
    }

    @Test("The Host header selects the upstream, regardless of case and port")
    func byHost() throws {
        let upstreams = CassetteServer.Upstreams.hosts([
            "Api.localhost": Self.api, "v2.localhost": Self.version,
        ])
        #expect(try destination(upstreams, "/x", host: "api.localhost:4000") == "https://api.example.com/x")
        #expect(try destination(upstreams, "/x", host: "V2.LOCALHOST") == "https://api.example.com:8443/v2/x")
        #expect(try destination(upstreams, "/x", host: "127.0.0.1:4000") == "421")
        #expect(try destination(upstreams, "https://api.example.com/x") == "https://api.example.com/x")
        #expect(try destination(upstreams, "http://evil.example/x") == "403")
    }

    @Test("A proxy forwards to any host except itself")
    func proxy() throws {
        #expect(try destination(.proxy, "http://example.com/x?y") == "http://example.com/x?y")
        #expect(try destination(.proxy, "/x") == "400")
        #expect(try destination(.proxy, "http://127.0.0.1:4000/x") == "400")
    }

    @Test("CONNECT, OPTIONS * and WebSockets are not supported")
    func refused() throws {
        for upstreams in [CassetteServer.Upstreams.proxy, .url(Self.api)] {
            #expect(try destination(upstreams, "example.com:443", method: "CONNECT") == "501")
            #expect(try destination(upstreams, "*", method: "OPTIONS") == "501")
            let upgrade: HeaderList = ["Connection": "Upgrade", "Upgrade": "WebSocket"]
            #expect(try destination(upstreams, "/chat", headers: upgrade) == "501")
        }
    }

    @Test("A recorded host in a request selects its recordings")
    func recorded() throws {
        let cassette = Cassette(
            interactions: ["https://a.example/x", "http://b.example:81/x"].map {
                Interaction(request: Interaction.Request(url: $0), outcome: .response(Interaction.Response()))
            }
        )
        let upstreams = CassetteServer.Upstreams.recorded(in: cassette)
        #expect(try destination(upstreams, "/x", host: "A.example") == "https://a.example/x")
        #expect(try destination(upstreams, "/x", host: "b.example:81") == "http://b.example:81/x")
        #expect(try destination(upstreams, "/x", host: "localhost:4000") == "http://localhost:4000/x")
        #expect(try destination(upstreams, "http://c.example/x") == "http://c.example/x")
    }

    @Test(
        "An invalid upstream is an error that names it",
        arguments: [
            "ftp://a.example", "https:///x", "https://user@a.example", "https://a.example/?q", "a.example",
        ]
    )
    func invalid(_ text: String) throws {
        let url = try #require(URL(string: text))
        #expect(throws: CassetteServerError.invalidUpstream(text)) {
            try CassetteServer.Upstreams.url(url).validate()
        }
    }

    @Test("An empty list of upstreams is an error")
    func none() {
        #expect(throws: CassetteServerError.noUpstream) { try CassetteServer.Upstreams.paths([:]).validate() }
    }
}
