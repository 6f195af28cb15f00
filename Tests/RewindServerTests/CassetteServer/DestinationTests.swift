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

    @Test("One upstream gets every path as it was sent, and no other host is ever named", arguments: single)
    func oneUpstream(_ target: String, _ expected: String) throws {
        #expect(try destination(.url(Self.api), target) == expected)
    }

    @Test("A path in the upstream stands before every path")
    func basePath() throws {
        #expect(try destination(.url(Self.version), "/users") == "https://api.example.com:8443/v2/users")
        #expect(try destination(.url(Self.version), "/") == "https://api.example.com:8443/v2/")
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
        "Among several the longest prefix holds, at the end of a segment, and is taken off",
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

    @Test("A path that no prefix fits goes nowhere")
    func unknownPath() throws {
        #expect(try destination(.paths(["/a": Self.api]), "/b") == "404")
    }

    @Test("The Host field tells upstreams apart, whatever its case and port")
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

    @Test("A proxy goes wherever it is asked to, but not to itself")
    func proxy() throws {
        #expect(try destination(.proxy, "http://example.com/x?y") == "http://example.com/x?y")
        #expect(try destination(.proxy, "/x") == "400")
        #expect(try destination(.proxy, "http://127.0.0.1:4000/x") == "400")
    }

    @Test("What cannot be recorded is refused with a reason")
    func refused() throws {
        for upstreams in [CassetteServer.Upstreams.proxy, .url(Self.api)] {
            #expect(try destination(upstreams, "example.com:443", method: "CONNECT") == "501")
            #expect(try destination(upstreams, "*", method: "OPTIONS") == "501")
            let upgrade: HeaderList = ["Connection": "Upgrade", "Upgrade": "WebSocket"]
            #expect(try destination(upstreams, "/chat", headers: upgrade) == "501")
        }
    }

    @Test("A cassette that is served whole is asked for the host that was named, where it has it")
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
        "An address that is none of a server is named",
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

    @Test("No upstream at all is none")
    func none() {
        #expect(throws: CassetteServerError.noUpstream) { try CassetteServer.Upstreams.paths([:]).validate() }
    }
}
