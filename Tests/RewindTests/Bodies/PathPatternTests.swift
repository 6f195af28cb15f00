import Rewind
import Testing

struct PathPatternTests {
    @Test(
        "A matching path results in the captures of the wildcards",
        arguments: [
            ("/", "/", []), ("", "/", []), ("/", "", []), ("/users", "/users", []), ("users", "/users", []),
            ("/users/*", "/users/42", ["42"]), ("/users/*/posts", "/users/42/posts", ["42"]),
            ("/*/*", "/a/b", ["a", "b"]), ("/v*/x", "/v2/x", ["2"]), ("/v*/x", "/v/x", [""]),
            ("/*.json", "/a.b.json", ["a.b"]), ("/a-*-*", "/a-b-c-d", ["b", "c-d"]),
            ("/**", "/", [""]), ("/**", "/a", ["a"]), ("/**", "/a/b/", ["a/b/"]), ("**", "/a/b", ["a/b"]),
            ("/api/**", "/api", [""]), ("/api/**", "/api/", [""]), ("/api/**", "/api/a/b", ["a/b"]),
            ("/**/posts", "/posts", [""]), ("/**/posts", "/a/b/posts", ["a/b"]),
            ("/**/posts/*", "/posts/posts/1", ["posts", "1"]), ("/a/**/b/**/c", "/a/b/c", ["", ""]),
            ("/a/**/b/**/c", "/a/x/b/b/y/c", ["x", "b/y"]), ("/**/a/**", "/x/a/y", ["x", "y"]),
            ("/**/**", "/x", ["", "x"]), ("/a**c", "/abc", ["", "b"]),
        ] as [(String, String, [String])]
    )
    func captures(_ pattern: String, _ path: String, _ captures: [String]) {
        #expect(PathPattern(pattern).captures(in: path) == captures)
        #expect(PathPattern(pattern).matches(path))
    }

    @Test(
        "A star matches within one segment only",
        arguments: [
            ("/users/*", "/users"), ("/users/*", "/users/"), ("/users/*", "/users/1/posts"), ("/*", "/"),
            ("/*", "/a/"),
            ("/users", "/users/"), ("/users/", "/users"), ("/v*/x", "/v1/v2/x"), ("/api/**", "/apix"),
            ("/**/posts", "/aposts"), ("/a/**/a", "/a"), ("/a/**/b/**/a", "/a/b"), ("/Users", "/users"),
            ("/a/*/b/**", "/a//b/c"), ("/**/x/**/y", "/y/x"), ("/a", "//a"),
        ]
    )
    func refuses(_ pattern: String, _ path: String) {
        #expect(PathPattern(pattern).captures(in: path) == nil)
        #expect(!PathPattern(pattern).matches(path))
    }

    @Test(
        "Equivalent percent-encoding does not matter in a path pattern",
        arguments: [
            ("/caf%C3%A9", "/caf%c3%a9"), ("/café", "/caf%C3%A9"), ("/%7euser", "/~user"), ("/a b", "/a%20b"),
            ("/%2A", "/%2a"), ("/u%73ers", "/users"),
        ]
    )
    func encoding(_ pattern: String, _ path: String) {
        #expect(PathPattern(pattern).matches(path))
    }

    @Test("An encoded slash is part of a segment, and captures stay encoded")
    func encodedSlash() {
        #expect(PathPattern("/files/*").captures(in: "/files/a%2fb%20c") == ["a%2Fb%20c"])
        #expect(!PathPattern("/files/*/*").matches("/files/a%2Fb"))
    }

    @Test("Many consecutive wildcards are rejected quickly")
    func noBacktracking() {
        let pattern = PathPattern(String(repeating: "/**/a", count: 60) + "/b")
        #expect(!pattern.matches(String(repeating: "/a", count: 500)))
    }

    @Test("A path pattern can be a string literal, and its description is the pattern")
    func literal() {
        let pattern: PathPattern = "users/*"
        #expect("\(pattern)" == "users/*")
    }
}
