import Foundation
import Rewind
import Testing

struct URLMatcherTests {
    @Test(
        "URLs that a server cannot distinguish are equal",
        arguments: [
            ("https://h/a", "https://h/a"),
            ("HTTPS://h/a", "https://h/a"),
            ("https://API.Example.com/a", "https://api.example.com/a"),
            ("https://bücher.example/a", "https://xn--bcher-kva.example/a"),
            ("https://BÜCHER.example/a", "https://XN--BCHER-KVA.example/a"),
            ("https://h", "https://h/"),
            ("https://h?a=1", "https://h/?a=1"),
            ("https://h?", "https://h/?"),
            ("https://h:443/a", "https://h/a"),
            ("http://h:80/a", "http://h/a"),
            ("https://h:/a", "https://h/a"),
            ("https://h:08443/a", "https://h:8443/a"),
            ("http://[::1]:80/a", "http://[::1]/a"),
            ("http://[FE80::1]/a", "http://[fe80::1]/a"),
            ("https://h/a#top", "https://h/a"),
            ("https://h/a#", "https://h/a"),
            ("https://h/a?b=1#top", "https://h/a?b=1#end?c=2"),
            ("https://h/%7Euser", "https://h/~user"),
            ("https://h/%61%2d%5f", "https://h/a-_"),
            ("https://h/%c3%a9", "https://h/%C3%A9"),
            ("https://h/é?é", "https://h/%C3%A9?%C3%A9"),
            ("https://h/😀", "https://h/%F0%9F%98%80"),
            ("https://h/a b|c", "https://h/a%20b%7Cc"),
            ("https://h/{id}?{id}", "https://h/%7Bid%7D?%7bid%7d"),
            ("https://h/?q=%61+b%2f", "https://h/?q=a+b%2F"),
            ("https://h/?a=1&b=2", "https://h/?b=2&a=1"),
            ("https://h/?a=1&a=2&a=1", "https://h/?a=2&a=1&a=1"),
            ("https://h/?b=%7E&a", "https://h/?a&b=~"),
            ("https://h/?a&&b", "https://h/?&b&a"),
            ("https://u:p@h:443/", "https://u:p@H/"),
        ]
    )
    func equalURLs(_ left: String, _ right: String) {
        #expect(isMatch(Interaction.Request(url: left), Interaction.Request(url: right), [.url]))
        #expect(isMatch(Interaction.Request(url: left), Interaction.Request(url: right), .default))
    }

    @Test(
        "URLs that a server may distinguish differ",
        arguments: [
            ("http://h/", "https://h/"),
            ("https://h/", "https://g/"),
            ("https://h/", "https://h./"),
            ("https://h:8443/", "https://h/"),
            ("http://h:443/", "http://h/"),
            ("http://[::1]:8080/", "http://[::1]/"),
            ("https://user@h/", "https://h/"),
            ("https://@h/", "https://h/"),
            ("https://User@h/", "https://user@h/"),
            ("https://user:a@h/", "https://user:b@h/"),
            ("https://e\u{301}@h/", "https://\u{E9}@h/"),
            ("https://h/e\u{301}", "https://h/\u{E9}"),
            ("https://h/?e\u{301}", "https://h/?\u{E9}"),
            ("https://h/a", "https://h/A"),
            ("https://h/a", "https://h/a/"),
            ("https://h/a", "https://h//a"),
            ("https://h/a/../b", "https://h/b"),
            ("https://h/a%2Fb", "https://h/a/b"),
            ("https://h/a+b", "https://h/a%20b"),
            ("https://h/a+b", "https://h/a%2Bb"),
            ("https://h/%3Fa", "https://h/?a"),
            ("https://h/%23a", "https://h/#a"),
            ("https://h/?a", "https://h/?a="),
            ("https://h/?a", "https://h/"),
            ("https://h/?a=", "https://h/"),
            ("https://h/?", "https://h/"),
            ("https://h/?a", "https://h/?"),
            ("https://h/?a=1", "https://h/?a=1&a=1"),
            ("https://h/?a=1&a=1&b", "https://h/?a=1&b&b"),
            ("https://h/?a=1&b=2", "https://h/?a=2&b=1"),
            ("https://h/?a=1&", "https://h/?a=1"),
            ("https://h/?a&&b", "https://h/?a&b"),
            ("https://h/?&", "https://h/?"),
            ("https://h/?a=1%262", "https://h/?a=1&2"),
            ("https://h/?a%3D1", "https://h/?a=1"),
            ("https://h/?a=1;b=2", "https://h/?a=1&b=2"),
            ("https://h/?A=1", "https://h/?a=1"),
            ("https://h/?q=a+b", "https://h/?q=a%20b"),
            ("https://h/?q=a+b", "https://h/?q=a%2Bb"),
            ("https://h/?q=a%2Bb", "https://h/?q=a%20b"),
        ]
    )
    func differentURLs(_ left: String, _ right: String) {
        #expect(!isMatch(Interaction.Request(url: left), Interaction.Request(url: right), [.url]))
        #expect(!isMatch(Interaction.Request(url: left), Interaction.Request(url: right), .default))
    }

    @Test(
        "A URL equals its form after parsing by Foundation",
        arguments: [
            "https://h/a b?q=a b", "https://h/?q=a+b", "https://h/?q=a%2Bb", "https://h/?ids[]=1&ids[]=2",
            "https://h/a[1]", "https://h/ü?ü=ü", "https://h/😀?q=😀", "https://h/a|b?x|y",
            "https://bücher.example/", "https://h/\"<>^`{}?\"<>^`{}", "https://h?", "https://H:443",
            "https://h/e\u{301}?\u{E9}",
        ]
    )
    func foundation(_ url: String) throws {
        let made = try #require(URL(string: url)).absoluteString
        #expect(isMatch(Interaction.Request(url: made), Interaction.Request(url: url), .default))
    }

    @Test("A URL built from components equals its RFC 3986 encoding")
    func components() throws {
        var components = URLComponents()
        components.scheme = "https"
        components.host = "bücher.example"
        components.path = "/a b+c|d[]ü😀%"
        components.queryItems = [URLQueryItem(name: "a b", value: "c+d&e=f#g?h[]|ü😀/:;@,'%")]
        let request = Interaction.Request(url: try #require(components.url).absoluteString)
        let path = "/a%20b+c%7Cd%5B%5D%C3%BC%F0%9F%98%80%25"
        let query = "a%20b=c+d%26e%3Df%23g?h%5B%5D%7C%C3%BC%F0%9F%98%80/:;@,'%25"
        #expect(
            isMatch(
                request,
                Interaction.Request(url: "https://xn--bcher-kva.example\(path)?\(query)"),
                .default
            )
        )
    }

    @Test("`?a`, `?a=`, `?` and no query are four different queries")
    func queries() {
        let requests = ["?a", "?a=", "?", ""].map { Interaction.Request(url: "https://h/\($0)") }
        for (left, one) in requests.enumerated() {
            for (right, other) in requests.enumerated() {
                #expect(isMatch(one, other, [.query]) == (left == right), "\(one) and \(other)")
            }
        }
    }

    @Test(
        "Methods are compared exactly",
        arguments: [
            ("GET", "GET", true), ("GET", "POST", false), ("GET", "get", false), ("GET", "HEAD", false),
            ("PROPFIND", "PROPFIND", true),
        ]
    )
    func methods(_ left: String, _ right: String, _ expected: Bool) {
        let (one, other) = (
            Interaction.Request(method: left, url: "https://h/"),
            Interaction.Request(method: right, url: "https://h/")
        )
        #expect(isMatch(one, other, [.method]) == expected)
        #expect(isMatch(one, other, .default) == expected)
        #expect(isMatch(one, other, .approximate) == expected)
    }

    /// A matcher, and two URLs that differ in the part it compares, and maybe in others.
    struct Single: Sendable, CustomTestStringConvertible {
        let matcher: RequestMatcher
        let left: String
        let right: String
        let isEqual: Bool

        init(_ matcher: RequestMatcher, _ left: String, _ right: String, _ isEqual: Bool) {
            (self.matcher, self.left, self.right, self.isEqual) = (matcher, left, right, isEqual)
        }

        var testDescription: String { "\(matcher.name) of \(left) and \(right)" }
    }

    @Test(
        "A matcher of one URL component ignores the others",
        arguments: [
            Single(.scheme, "HTTP://h/a?b#c", "http://u@g:1/", true),
            Single(.scheme, "http://h/", "https://h/", false),
            Single(.scheme, "//h/", "/a", true),
            Single(.host, "http://H/a?b", "https://u@h:8443/#c", true),
            Single(.host, "http://[FE80::1]/", "https://[fe80::1]:1/", true),
            Single(.host, "https://bücher.example", "http://XN--bcher-kva.example/x", true),
            Single(.host, "http://h/", "http://h.example/", false),
            Single(.host, "http://127.0.0.1/", "http://localhost/", false),
            Single(.port, "http://h:80/", "http://g/", true),
            Single(.port, "https://h/", "wss://g:443/", true),
            Single(.port, "http://h/", "https://h/", false),
            Single(.port, "http://h:8080/", "http://h/", false),
            Single(.port, "ws://h/", "mailto:a@b", true),
            Single(.path, "http://h", "https://g/?a#b", true),
            Single(.path, "http://h/%7e/%2f", "https://g:1/~/%2F", true),
            Single(.path, "http://h/a/", "http://h/a", false),
            Single(.path, "http://h/a", "http://h/%41", false),
            Single(.query, "http://h/a?x=1&y#z", "https://g:1/?y&x=1", true),
            Single(.query, "http://h/?x#y", "http://h/?x", true),
            Single(.query, "http://h/?x&x", "http://h/?x", false),
            Single(.fragment, "http://h/a?b#c", "https://g/#c", true),
            Single(.fragment, "http://h/#a", "http://h/#b", false),
            Single(.fragment, "http://h/#", "http://h/", false),
            Single(.fragment, "http://h/#e\u{301}", "http://h/#\u{E9}", false),
        ]
    )
    func singles(_ single: Single) {
        let (left, right) = (Interaction.Request(url: single.left), Interaction.Request(url: single.right))
        #expect(isMatch(left, right, [single.matcher]) == single.isEqual)
    }

    @Test(
        "`approximate` compares the query as a set and ignores the body",
        arguments: [
            ("https://h/a?x=1&x=1&y", "https://h/a?y&x=1", true),
            ("https://h/a?", "https://h/a", true),
            ("https://h/a?x", "https://h/a", false),
            ("https://h/a?x", "https://h/a?x=", false),
            ("https://h/a?x=1&x=2", "https://h/a?x=1", false),
            ("https://h/a", "https://h/b", false),
            ("https://h/a", "https://g/a", false),
            ("https://h/a#b", "HTTPS://H:443/a", true),
        ]
    )
    func approximate(_ left: String, _ right: String, _ expected: Bool) {
        let (one, other) = (
            Interaction.Request(url: left, body: Interaction.Body("1")),
            Interaction.Request(url: right, body: Interaction.Body("2"))
        )
        #expect(isMatch(one, other, .approximate) == expected)
    }
}
