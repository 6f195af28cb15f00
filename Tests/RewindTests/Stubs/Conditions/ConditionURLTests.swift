import Rewind
import Testing

struct ConditionURLTests {
    @Test(
        "A scheme condition ignores letter case",
        arguments: [
            ("https", "https://h/", true), ("HTTPS", "https://h/", true), ("https", "HTTPS://h/", true),
            ("http", "https://h/", false), ("https", "http://h/", false), ("http*", "https://h/", true),
            ("custom", "custom:", true), ("custom", "custom://", true), ("custom", "customs://", false),
            ("custom", "other://custom/", false), ("http", "", false), ("x-a.b+c", "x-a.b+c://h", true),
        ]
    )
    func scheme(_ name: String, _ url: String, _ holds: Bool) {
        #expect(RequestCondition.scheme(name).holds(forURL: url) == holds)
    }

    @Test(
        "A host condition ignores letter case and port, and `*` matches any text",
        arguments: [
            ("api.example.com", "https://api.example.com/a", true),
            ("API.Example.com", "https://api.example.COM/", true),
            ("api.example.com", "http://api.example.com:8080/", true),
            ("api.example.com", "https://user:pass@api.example.com/", true),
            ("api.example.com", "https://api.example.com.evil.org/", false),
            ("api.example.com", "https://evil.org/api.example.com", false),
            ("api.example.com", "https://evil.org/?@api.example.com", false),
            ("example.com", "https://api.example.com/", false),
            ("*.example.com", "https://a.b.example.com/", true),
            ("*.example.com", "https://example.com/", false),
            ("*.example.com", "https://badexample.com/", false), ("api-*.h", "https://api-2.h/", true),
            ("*", "https://h/", true), ("host", "host:", false), ("host", "host://", false),
            ("host", "host://other/", false), ("host", "other://host", true), ("host", "/host", false),
            ("localhost", "http://127.0.0.1/", false), ("[::1]", "http://[::1]:8080/", true),
            ("[FE80::1]", "http://[fe80::1]/", true), ("[::1]", "http://[::2]/", false),
            ("bücher.example", "https://xn--bcher-kva.example/", true),
            ("BÜCHER.example", "https://bücher.example/", true),
            ("xn--bcher-kva.example", "https://bücher.example/", true),
            ("*.bücher.example", "https://a.xn--bcher-kva.example/", true),
            ("bücher.example", "https://bucher.example/", false), ("h.", "https://h/", false),
        ]
    )
    func host(_ name: String, _ url: String, _ holds: Bool) {
        #expect(RequestCondition.host(name).holds(forURL: url) == holds)
    }

    @Test(
        "A URL condition with a host compares scheme, host, port and path",
        arguments: [
            ("https://h/users", "https://h/users", true), ("https://h/users", "HTTPS://H:443/users", true),
            ("https://h/users", "http://h/users", false), ("https://h/users", "https://g/users", false),
            ("https://h/users", "https://h:8443/users", false), ("https://h/users", "https://h/users/", false),
            ("https://h/users/", "https://h/users", false), ("https://h/users", "https://h/users?page=2", true),
            ("https://h/users", "https://h/users#top", true),
            ("https://h/users#end", "https://h/users#top", true),
            ("https://h", "https://h/", true), ("https://h/", "https://h", true),
            ("https://h", "https://h/a", false),
            ("https://h?a", "https://h/?a", true), ("https://h#a", "https://h", true),
            ("http://h:80/", "http://h/", true), ("http://h:8080/", "http://h:8080/", true),
            ("http://h:08080/", "http://h:8080/", true), ("http://h:/", "http://h/", true),
            ("http://h:8080/", "http://h/", false), ("http://h:*/", "http://h/", true),
            ("http://h:*/a", "http://h:49152/a", true), ("http://[::1]:*/a", "http://[::1]:8080/a", true),
            ("http://[::1]/a", "http://[::1]:8080/a", false), ("http://[::1]/a", "http://[::1]/a", true),
            ("ws://h/", "ws://h/", true),
            ("ws://h/", "ws://h:80/", false), ("*://h/", "http://h/", true), ("http*://h/", "https://h/", true),
            ("https://*/a", "https://h/a", true), ("https://*.h/**", "https://a.b.h/c/d", true),
            ("https://u:p@h/", "https://u:p@h/", true), ("https://u:p@h/", "https://h/", false),
            ("https://u:p@h/", "https://u:q@h/", false), ("https://h/", "https://u:p@h/", true),
            ("https://bücher.example/é", "https://xn--bcher-kva.example/%c3%a9", true),
            ("https://h//a", "https://h/a", false), ("https://h//a", "https://h//a", true),
            ("https://h/a:b@c", "https://h/a:b@c", true),
            ("https://h/?u=http://g/", "https://h/?u=http://g/", true),
        ]
    )
    func absolute(_ pattern: String, _ url: String, _ holds: Bool) {
        #expect(RequestCondition.url(pattern).holds(forURL: url) == holds)
    }

    @Test(
        "A URL condition without a scheme matches any scheme, and a path any host and port",
        arguments: [
            ("//h/a", "http://h/a", true), ("//h/a", "https://h/a", true), ("//h/a", "http://h:8080/a", false),
            ("//h:8080/a", "http://h:8080/a", true), ("//h:*/a", "http://h:8080/a", true),
            ("//h", "http://h", true),
            ("//*.h/**", "https://a.h/b/c", true), ("//h/a", "https://g/h/a", false),
            ("/a", "https://h/a", true), ("/a", "http://g:8080/a?b#c", true), ("/a", "https://h/b", false),
            ("/a", "https://a/", false), ("/users/*", "https://h/users/1", true),
            ("/users/*", "https://h/users/1/posts", false), ("/users/**", "https://h/users/1/posts", true),
            ("/", "https://h", true), ("/", "https://h/a", false), ("/**", "https://h/a/b", true),
            ("/?a=1", "https://h?b=2&a=1", true), ("/a?", "https://h/a", true), ("/a#b", "https://h/a", true),
        ]
    )
    func relative(_ pattern: String, _ url: String, _ holds: Bool) {
        #expect(RequestCondition.url(pattern).holds(forURL: url) == holds)
    }

    @Test(
        "The query items of a URL condition are required and may have wildcards",
        arguments: [
            ("/a?b=1&c", "https://h/a?c&x=y&b=1", []), ("/a?b=1&c", "https://h/a?c=&b=1", nil),
            ("/a?b=1", "https://h/a", nil), ("/a?b=1", "https://h/a?b=2", nil),
            ("/a?b=1", "https://h/a?b=2&b=1", []),
            ("/a?b=*", "https://h/a?b=c%26d", ["c&d"]), ("/a?b=*", "https://h/a?b=", [""]),
            ("/a?b=*", "https://h/a?b", nil), ("/a?b=x-*", "https://h/a?b=y-1&b=x-2", ["2"]),
            ("/a?b=%2A", "https://h/a?b=*", []), ("/a?b=%2A", "https://h/a?b=c", nil),
            ("/a?q=a%20b", "https://h/a?q=a+b", []), ("/a?q=a+b", "https://h/a?q=a+b", []),
            ("/a?q=%C3%BC", "https://h/a?q=ü", []), ("/a?q=ü", "https://h/a?q=%c3%bc", []),
            ("/a?ids[]=1", "https://h/a?ids%5B%5D=1", []), ("/a?&&b=1&", "https://h/a?b=1", []),
            ("/*?b=*", "https://h/x?b=y", ["x", "y"]),
        ] as [(String, String, [String]?)]
    )
    func query(_ pattern: String, _ url: String, _ captures: [String]?) {
        #expect(RequestCondition.url(pattern).captures(in: Interaction.Request(url: url)) == captures)
        #expect(RequestCondition.url(pattern).holds(forURL: url) == (captures != nil))
    }

    @Test("Wildcards are captured from left to right, percent-decoded")
    func captures() {
        let condition = RequestCondition.url("*://*.example.com:*/*/v*/**?q=*")
        let request = Interaction.Request(url: "http://a.b.example.com:8080/caf%C3%A9/v2/x%2Fy/z?q=1%202")
        #expect(condition.captures(in: request) == ["http", "a.b", "8080", "café", "2", "x/y/z", "1 2"])
        #expect(RequestCondition.url("/*").captures(in: Interaction.Request(url: "https://h/%FF%")) == ["%FF%"])
    }

    @Test(
        "The shortcuts for methods match a method and a URL",
        arguments: [
            (.get("/a"), "GET"), (.post("/a"), "POST"), (.put("/a"), "PUT"),
            (.patch("/a"), "PATCH"), (.delete("/a"), "DELETE"),
        ] as [(RequestCondition, String)]
    )
    func methods(_ condition: RequestCondition, _ method: String) {
        for other in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "get", "FOO", ""] {
            let request = Interaction.Request(method: other, url: "https://h/a")
            #expect(condition.holds(for: request) == (method == other))
            #expect(RequestCondition.method(method).holds(for: request) == (method == other))
            #expect(!condition.holds(for: Interaction.Request(method: other, url: "https://h/b")))
        }
    }
}
