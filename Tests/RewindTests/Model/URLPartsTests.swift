import Foundation
import Rewind
import RewindTestSupport
import Testing

struct URLPartsTests {
    /// A URL and its parts.
    struct Example: CustomTestStringConvertible {
        var url: String
        var scheme = "https"
        var user: String?
        var host = "example.com"
        var port: Int? = 443
        var path = "/"
        var query: String?
        var fragment: String?

        var testDescription: String { url }
    }

    static let examples = [
        Example(url: "https://example.com/"),
        Example(url: "https://example.com"),
        Example(url: "HTTPS://Example.COM"),
        Example(url: "https://example.com:443/"),
        Example(url: "https://example.com:/"),
        Example(url: "https://example.com:8443/", port: 8443),
        Example(url: "http://example.com/", scheme: "http", port: 80),
        Example(url: "https://example.com/a/B", path: "/a/B"),
        Example(url: "https://example.com/a:b@c", path: "/a:b@c"),
        Example(url: "https://example.com//a//", path: "//a//"),
        Example(url: "https://example.com?q", query: "q"),
        Example(url: "https://example.com/?", query: ""),
        Example(url: "https://example.com/#", fragment: ""),
        Example(url: "https://example.com/?a=1&a=2#top", query: "a=1&a=2", fragment: "top"),
        Example(url: "https://example.com/?a=b?c/d:e", query: "a=b?c/d:e"),
        Example(url: "https://example.com/#a?b#c", fragment: "a?b#c"),
        Example(url: "https://example.com?u=https://other.org/", query: "u=https://other.org/"),
        Example(url: "https://example.com#a:b", fragment: "a:b"),
        Example(url: "https://me:secret@example.com/", user: "me:secret"),
        Example(url: "https://me@home:x@example.com:1/", user: "me@home:x", port: 1),
        Example(url: "https://@example.com/", user: ""),
        Example(url: "https://[::1]/", host: "[::1]"),
        Example(url: "https://[FE80::1]:8443/", host: "[fe80::1]", port: 8443),
        Example(url: "https://example.com/%7euser/%2f%c3%a9", path: "/~user/%2F%C3%A9"),
        Example(url: "https://example.com/?%71=%2b+%20", query: "q=%2B+%20"),
        Example(url: "https://example.com/é?é", path: "/%C3%A9", query: "%C3%A9"),
        Example(url: "https://example.com/{id}|x y", path: "/%7Bid%7D%7Cx%20y"),
        Example(url: "https://bücher.example/", host: "xn--bcher-kva.example"),
        Example(url: "https://BÜCHER.example/", host: "xn--bcher-kva.example"),
        Example(url: "unix:/var/run/a.sock", scheme: "unix", host: "", port: nil, path: "/var/run/a.sock"),
        Example(url: "file:///etc/hosts", scheme: "file", host: "", port: nil, path: "/etc/hosts"),
        Example(url: "mailto:a@b.c", scheme: "mailto", host: "", port: nil, path: "a@b.c"),
        Example(url: "ws://example.com", scheme: "ws", port: nil),
        Example(url: "//example.com/a", scheme: "", port: nil, path: "/a"),
        Example(url: "/a?b", scheme: "", host: "", port: nil, path: "/a", query: "b"),
        Example(url: "", scheme: "", host: "", port: nil, path: ""),
        Example(url: "https://", host: "", path: ""),
    ]

    @Test("A URL is split into its parts", arguments: examples)
    func parts(_ example: Example) {
        let parts = URLParts(example.url)
        #expect(parts.scheme == example.scheme)
        #expect(parts.userInformation == example.user)
        #expect(parts.host == example.host)
        #expect(parts.port == example.port)
        #expect(parts.path == example.path)
        #expect(parts.query == example.query)
        #expect(parts.fragment == example.fragment)
    }

    @Test(
        "Equivalent URLs are equal",
        arguments: [
            ("http://example.com", "HTTP://EXAMPLE.com:80/"), ("https://a.b:443/x", "https://A.B/x"),
            ("https://a.b/%41%2D%5f", "https://a.b/A-_"), ("https://a.b/%e2%82%ac", "https://a.b/%E2%82%AC"),
        ]
    )
    func equal(_ left: String, _ right: String) {
        #expect(URLParts(left) == URLParts(right))
    }

    @Test(
        "URLs with a possibly different meaning are not equal",
        arguments: [
            ("http://a.b/", "https://a.b/"), ("http://a.b/", "http://a.b:443/"),
            ("http://a.b/", "http://a.b/?"),
            ("http://a.b/x", "http://a.b/X"), ("http://a.b/x", "http://a.b/x/"),
            ("http://a.b/?x", "http://a.b/?x="), ("http://a.b/?x=%20", "http://a.b/?x=+"),
            ("http://a.b/%2F", "http://a.b//"), ("http://a.b/", "http://u@a.b/"),
            ("http://a.b/?x=%26", "http://a.b/?x=&"),
        ]
    )
    func different(_ left: String, _ right: String) {
        #expect(URLParts(left) != URLParts(right))
    }

    @Test(
        "A query is split into undecoded items, including empty ones",
        arguments: [
            ("", []), ("?", []), ("?a", ["a"]), ("?a=", ["a="]), ("?a=1&b=2&a=1", ["a=1", "b=2", "a=1"]),
            ("?&", ["", ""]), ("?a&&b", ["a", "", "b"]), ("?a=b=c", ["a=b=c"]), ("?a;b", ["a;b"]),
        ] as [(String, [String])]
    )
    func items(_ suffix: String, _ items: [String]) {
        #expect(URLParts("https://example.com/" + suffix).queryItems == items)
    }

    @Test("A normalized URL is equal to the text of its parts", arguments: 1...40)
    func normal(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let pieces = [
            "http://", "https://", "HTTP://", "ftp://", "//", "h", "example.com", "H", ":80", ":", "@", "/",
            "/a", "/..",
            "?", "?a=1", "&", "#", "%41", "%2f", "é", " ", "[", "+", ";", "~", "_", "-", "=",
        ]
        var count = 0
        for _ in 0..<500 {
            let start = ["http://h", "https://example.com/a", ""].randomElement(using: &random) ?? ""
            let url = (0..<Int.random(in: 0...5, using: &random)).reduce(start) { text, _ in
                text + (pieces.randomElement(using: &random) ?? "")
            }
            guard URLParts.isNormal(url) else { continue }
            count += 1
            let parts = URLParts(url)
            #expect(parts.text == url)
            #expect(parts.origin + parts.path + (parts.query.map { "?" + $0 } ?? "") == url)
            #expect(parts.queryItems.count <= 1 && parts.fragment == nil && parts.userInformation == nil)
        }
        #expect(count > 50)
    }

    @Test(
        "Normalized URLs are recognized",
        arguments: [
            ("http://h/", true), ("https://a.b-c.d1/a/b?c=d", true), ("https://h/a?", true),
            ("https://h/?a?b", true),
            ("https://h", false), ("https:///a", false), ("https://H/", false), ("https://h:443/", false),
            ("", false),
            ("https://u@h/", false), ("https://h/?a&b", false), ("https://h/%41", false),
            ("https://h/#", false),
            ("ftp://h/", false), ("https://h/é", false), ("https://h/a b", false), ("https://", false),
        ]
    )
    func isNormal(_ url: String, _ isNormal: Bool) {
        #expect(URLParts.isNormal(url) == isNormal)
    }

    @Test(
        "An origin contains only a port that is not the default",
        arguments: [
            ("https://example.com:443/a?b", "https://example.com"),
            ("http://u:p@Example.com:80", "http://example.com"),
            ("http://example.com:443", "http://example.com:443"), ("https://[::1]:1/", "https://[::1]:1"),
            ("ws://example.com:80/", "ws://example.com:80"),
        ]
    )
    func origin(_ url: String, _ origin: String) {
        #expect(URLParts(url).origin == origin)
    }

    @Test(
        "An internationalized host with capital letters is written the same again",
        arguments: ["ZUS%50Ӟ", "BÜcher.Example"]
    )
    func internationalizedCapitals(_ host: String) {
        let parts = URLParts("https://\(host)/")
        #expect(parts.host == parts.host.lowercased())
        #expect(URLParts(parts.text).text == parts.text)
    }
}
