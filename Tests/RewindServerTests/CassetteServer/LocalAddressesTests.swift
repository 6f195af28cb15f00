import Foundation
import Rewind
import Testing

@testable import RewindServer

struct LocalAddressesTests {
    private let github: Upstream
    private let api: Upstream
    private let rule: CassetteServer.Upstreams.Rule

    init() throws {
        github = Upstream(try #require(URL(string: "https://api.github.com/v3")), prefix: "/github")
        api = Upstream(try #require(URL(string: "http://api.example.com:8080")), prefix: "")
        rule = .paths([github, api])
    }

    private func addresses(_ upstream: Upstream) throws -> LocalAddresses {
        let request = try HTTPServerRequest(method: "GET", target: "/", headers: ["Host": "localhost:4000"])
        return try #require(LocalAddresses(rule, request: request, answeredBy: upstream))
    }

    static let references: [(String, String?)] = [
        ("https://api.github.com/v3/users?page=2#top", "http://localhost:4000/github/users?page=2#top"),
        ("https://API.GitHub.com:443/v3", "http://localhost:4000/github"),
        ("HTTPS://api.github.com/v3?x", "http://localhost:4000/github?x"),
        ("https://api.github.com/v33/users", nil),
        ("https://api.github.com/login", nil),
        ("http://api.github.com/v3/users", nil),
        ("http://api.example.com:8080/a", "http://localhost:4000/a"),
        ("http://api.example.com:8080", "http://localhost:4000"),
        ("http://api.example.com/a", nil),
        ("https://user@api.github.com/v3/a", nil),
        ("https://elsewhere.example/v3", nil),
        ("//api.github.com/v3/a", "http://localhost:4000/github/a"),
        ("/v3/users", "/github/users"),
        ("/login", nil),
        ("users", nil),
        ("", nil),
        ("mailto:a@example.com", nil),
    ]

    @Test("Only references to upstreams become local", arguments: references)
    func locations(_ reference: String, _ expected: String?) throws {
        #expect(try addresses(github).local(reference) == expected)
    }

    @Test("A local URL of a client becomes the URL of the upstream")
    func reverse() throws {
        let addresses = try addresses(github)
        #expect(addresses.upstream("http://localhost:4000/github/a?b") == "https://api.github.com/v3/a?b")
        #expect(addresses.upstream("http://localhost:4000") == "https://api.github.com")
        #expect(addresses.upstream("http://localhost:40001/github") == nil)
        #expect(addresses.upstream("https://page.example/") == nil)
    }

    static let cookies = [
        ("a=b", "a=b"),
        ("a=b; Domain=.github.com; Path=/; Secure; HttpOnly", "a=b; Path=/github; HttpOnly"),
        ("a=b; SameSite=None; secure", "a=b"),
        ("a=b; SameSite=None", "a=b; SameSite=None"),
        ("a=b; SameSite=Lax; Secure", "a=b; SameSite=Lax"),
        ("a=b; path=/v3/users", "a=b; Path=/github/users"),
        ("a=b; Path=/other", "a=b; Path=/other"), ("__Host-a=b; Secure; Path=/", "__Host-a=b; Path=/github"),
        ("__Secure-a=b; Secure", "__Secure-a=b"),
        (
            "Secure=yes; Expires=Thu, 01 Jan 2099 00:00:00 GMT",
            "Secure=yes; Expires=Thu, 01 Jan 2099 00:00:00 GMT"
        ),
    ]

    @Test("Cookies work on the local host and without TLS", arguments: cookies)
    func localCookies(_ cookie: String, _ expected: String) throws {
        #expect(try addresses(github).local(cookie: cookie) == expected)
    }

    static let texts = [
        (#"{"url": "https://api.github.com/v3/a"}"#, #"{"url": "http://localhost:4000/github/a"}"#),
        (#"{"url": "https:\/\/api.github.com\/v3\/a"}"#, #"{"url": "http:\/\/localhost:4000\/github\/a"}"#),
        (
            "https://api.github.com/v33 https://api.github.com/v3",
            "https://api.github.com/v33 http://localhost:4000/github"
        ),
        (
            "http://api.example.com:8080.evil http://api.example.com:8080",
            "http://api.example.com:8080.evil http://localhost:4000"
        ),
        ("nothing", "nothing"),
        ("", ""),
    ]

    @Test("Complete addresses in text become local", arguments: texts)
    func bodies(_ text: String, _ expected: String) throws {
        let local = try addresses(github).local(text: Data(text.utf8))
        #expect(String(decoding: local, as: UTF8.self) == expected)
    }

    @Test("Upstreams selected by host have local names with the port of the server")
    func byHost() throws {
        let url = try #require(URL(string: "https://api.github.com"))
        let upstream = Upstream(url, host: "github.localhost")
        let request = try HTTPServerRequest(
            method: "GET",
            target: "/",
            headers: ["Host": "github.localhost:4000"]
        )
        let addresses = try #require(LocalAddresses(.hosts([upstream]), request: request, answeredBy: upstream))
        #expect(addresses.local("https://api.github.com/a") == "http://github.localhost:4000/a")
        #expect(addresses.local("/a") == nil)
    }

    @Test("Addresses do not change for a proxy or an absolute target")
    func proxy() throws {
        let request = try HTTPServerRequest(
            method: "GET",
            target: "http://a.example/",
            headers: ["Host": "a.example"]
        )
        #expect(LocalAddresses(.proxy, request: request, answeredBy: nil) == nil)
        #expect(LocalAddresses(rule, request: request, answeredBy: github) == nil)
    }
}
