import Foundation
import Rewind
import Testing

struct IgnoredTests {
    /// An ignored part, two requests that differ without it, and whether they match with it.
    struct Case: Sendable, CustomTestStringConvertible {
        let ignored: RequestMatcher.Ignored
        let left: Interaction.Request
        let right: Interaction.Request
        let isEqual: Bool

        init(
            _ ignored: RequestMatcher.Ignored,
            _ left: Interaction.Request,
            _ right: Interaction.Request,
            _ isEqual: Bool = true
        ) {
            (self.ignored, self.left, self.right, self.isEqual) = (ignored, left, right, isEqual)
        }

        var testDescription: String { "\(ignored) of \(left) and \(right)" }

        static func urls(
            _ ignored: RequestMatcher.Ignored,
            _ left: String,
            _ right: String,
            _ isEqual: Bool = true
        ) -> Case {
            Case(
                ignored,
                Interaction.Request(url: "https://h\(left)"),
                Interaction.Request(url: "https://h\(right)"),
                isEqual
            )
        }

        static func json(_ path: String, _ left: String, _ right: String, _ isEqual: Bool = true) -> Case {
            Case(.jsonPaths(path), .post(left, Types.json), .post(right, Types.json), isEqual)
        }

        static func form(
            _ ignored: RequestMatcher.Ignored,
            _ left: String,
            _ right: String,
            _ isEqual: Bool = true
        ) -> Case {
            Case(ignored, .post(left, Types.form), .post(right, Types.form), isEqual)
        }
    }

    static let queryItems = [
        Case.urls(.queryItems("t"), "/?a=1&t=1", "/?t=2&a=1"),
        Case.urls(.queryItems("t"), "/?t=1&a=1&t=2", "/?a=1"),
        Case.urls(.queryItems("t"), "/?t", "/"),
        Case.urls(.queryItems("t"), "/?t=1#f", "/#g"),
        Case.urls(.queryItems("t"), "/?t=1", "/?", false),
        Case.urls(.queryItems("t"), "/?T=1", "/?T=2", false),
        Case.urls(.queryItems("t"), "/?tt=1", "/?tt=2", false),
        Case.urls(.queryItems("t"), "/?a=1&t=1", "/?a=2&t=1", false),
        Case.urls(.queryItems("utm_*"), "/?utm_source=a&utm_=b&x", "/?x"),
        Case.urls(.queryItems("utm_*"), "/?utm=1", "/?utm=2", false),
        Case.urls(.queryItems("ü t"), "/?%C3%BC+t=1", "/?ü%20t=2"),
        Case.urls(.queryItems("a[*]"), "/?a%5B0%5D=1", "/?a[1]=2&a[]=3"),
        Case.urls(.queryItems("a", "b"), "/?a=1&b=1&c", "/?c"),
        Case.urls(.queryItems("*"), "/?a=1&b", "/"),
        Case.urls(.queryItems(""), "/?&a", "/?a"),
        Case.urls(.queryItems("t"), "/t=1", "/t=2", false),
    ]

    static let segments = [
        Case.urls(.segments("/users/*/posts"), "/users/1/posts", "/users/2/posts"),
        Case.urls(.segments("/users/*/posts"), "/users/1/posts?a", "/users/2/posts?b", false),
        Case.urls(.segments("/users/*/posts"), "/users/1/likes", "/users/2/likes", false),
        Case.urls(.segments("/users/*/posts"), "/users/1/posts/", "/users/2/posts/", false),
        Case.urls(.segments("/users/*"), "/users/1", "/users/", false),
        Case.urls(.segments("users/*"), "/users/1", "/users/2"),
        Case.urls(.segments("users/*"), ":8443/users/1", ":8444/users/1", false),
        Case.urls(.segments("/v*/x"), "/v1/x", "/v2/x"),
        Case.urls(.segments("/v*/x"), "/v1/x", "/w1/x", false),
        Case.urls(.segments("/api/**"), "/api/a/b?c", "/api?c"),
        Case.urls(.segments("/api/**/end"), "/api/a/b/end", "/api/end"),
        Case.urls(.segments("/api/**/end"), "/api/a/b/end", "/api/a/b/start", false),
        Case.urls(.segments("/bücher/*"), "/b%C3%BCcher/1", "/bücher/2"),
        Case.urls(.segments("/*/{x}"), "/1/%7Bx%7D", "/2/{x}"),
        Case.urls(.segments("/*"), ":8443/a", ":8443/b"),
        Case.urls(.segments("/*"), ":8443/a", "/b", false),
        Case.urls(.segments("/**"), "/a//b", ""),
    ]

    static let headers = [
        Case(
            .headers("X-T"),
            Interaction.Request(url: "https://h/"),
            Interaction.Request(url: "https://h/", headers: ["x-t": "1"])
        ),
        Case(
            .headers("x-*"),
            Interaction.Request(url: "https://h/", headers: ["X-A": "1", "B": "2"]),
            Interaction.Request(url: "https://h/", headers: ["b": "2", "X-C": "3"])
        ),
        Case(
            .headers("X"),
            Interaction.Request(url: "https://h/", headers: ["X-A": "1"]),
            Interaction.Request(url: "https://h/", headers: ["X-A": "2"]),
            false
        ),
    ]

    static let forms = [
        Case.form(.formFields("t"), "a=1&t=1", "t=2&a=1"),
        Case.form(.formFields("t"), "t=1", ""),
        Case.form(.formFields("t*"), "t=1&ts=2&%74%5B%5D=3&a", "a"),
        Case.form(.formFields("t"), "T=1", "T=2", false),
        Case.form(.formFields("t"), "a=1&t=1", "a=2&t=1", false),
        Case.form(.queryItems("t"), "t=1", "t=2", false),
        Case(.formFields("t"), .post("t=1", "text/plain"), .post("t=2", "text/plain"), false),
        Case(.formFields("t"), .post(#"{"t":1}"#, Types.form), .post(#"{"t":2}"#, Types.form), false),
        Case(
            .multipartParts("t"),
            MultipartSample("a", [.field("u", "1"), .field("t", "1")]).request(),
            MultipartSample("b", [.field("t", "2"), .field("t", "3"), .field("u", "1")]).request()
        ),
        Case(
            .multipartParts("t"),
            MultipartSample("a", [.field("u", "1"), .field("t", "1")]).request(),
            MultipartSample("b", [.field("t", "1"), .field("u", "2")]).request(),
            false
        ),
        Case(
            .multipartParts("*"),
            MultipartSample("a", [.field("u", "1"), .field("t", "1")]).request(),
            MultipartSample("b", [.file("f", "x", "a/b", MultipartSample.picture)]).request()
        ),
    ]

    static let paths = [
        Case.json("$.a.b", #"{"a":{"b":1,"c":2}}"#, #"{"a":{"c":2.0, "b":[3]}}"#),
        Case.json("$.a.b", #"{"a":{"b":1}}"#, #"{"a":{}}"#),
        Case.json("$.a.b", #"{"a":{"b":1}}"#, "{}", false),
        Case.json("$.a.b", #"{"b":1}"#, #"{"b":2}"#, false),
        Case.json("$..t", #"{"t":1,"a":[{"t":2,"u":3}]}"#, #"{"a":[{"u":3,"t":{"t":4}}]}"#),
        Case.json("$..t", #"{"T":1}"#, #"{"T":2}"#, false),
        Case.json("$.items[*].id", #"{"items":[{"id":1},{"id":2}]}"#, #"{"items":[{"id":3},{}]}"#),
        Case.json("$.items[*].id", #"{"items":[{"id":1}]}"#, #"{"items":[{"id":1},{"id":1}]}"#, false),
        Case.json("$['x y']", #"{"x y":1,"x":2}"#, #"{"x":2}"#),
        Case.json("$[\"x'y\"]", #"{"x'y":1}"#, "{}"),
        Case.json("$[1]", "[1,2,3]", "[1,9,3]"),
        Case.json("$[1]", "[1,2,3]", "[1,3,3]"),
        Case.json("$[1]", "[1,2,3]", "[1,3]", false),
        Case.json("$.*", #"{"a":1}"#, #"{"b":2}"#),
        Case.json("$..*", "[1,[2]]", "[3]"),
        Case.json("$.a", #"{"a":1}"#, #"{"a":2"#, false),
        Case.json("$.t", #"{"a":1,"a":2,"t":3}"#, #"{"a":1,"a":2,"t":4}"#),
        Case.json("$.t", #"{"a":1,"a":2,"t":3}"#, #"{"a":2,"a":1,"t":3}"#, false),
        Case(
            .jsonPaths("$.t"),
            .post(#"{"t":1}"#, "application/vnd.api+json"),
            .post("{}", "application/vnd.api+json")
        ),
        Case(.jsonPaths("$.t"), .post(#"{"t":1}"#), .post("{}", Types.form)),
        Case(.jsonPaths("$.t"), .post(#"{"t":1}"#, "text/plain"), .post("{}", "text/plain"), false),
    ]

    static let components = [
        Case.urls(.component(.query), "/?a", "/"), Case.urls(.component(.query), "/?a", "/b?a", false),
        Case.urls(.component(.port), ":1/", ":2/"), Case.urls(.component(.path), "/a?b", "?b"),
    ]

    @Test(
        "Ignored parts do not count, all others do",
        arguments: queryItems + segments + headers + forms + paths + components
    )
    func ignoring(_ pair: Case) {
        let areHeaders = pair.ignored.description.hasPrefix(".headers")
        let matchers: [RequestMatcher] = areHeaders ? .default + [.headers] : .default
        #expect(!isMatch(pair.left, pair.right, matchers))
        #expect(isMatch(pair.left, pair.right, matchers.ignoring(pair.ignored)) == pair.isEqual)
    }

    @Test("Each matcher of a list uses only the ignored parts it compares")
    func composition() {
        let matchers: [RequestMatcher] = (.default + [.headers]).ignoring(
            .queryItems("t"),
            .headers("X-*"),
            .jsonPaths("$.t"),
            .segments("/users/*"),
            .component(.port)
        )
        var one = Interaction.Request.post(#"{"t":1,"a":1}"#, Types.json)
        one.url = "https://h:1/users/7?t=1&a=1"
        one.headers.append("X-Time", "1")
        var other = Interaction.Request.post(#"{"a":1}"#, Types.json)
        other.url = "https://h:2/users/8?a=1"
        #expect(isMatch(one, other, matchers))
        #expect(matchers.map { $0.ignored.count } == [0, 3, 1, 1])
        other.method = "PUT"
        #expect(!isMatch(one, other, matchers))
    }

    @Test("Repeated calls of `ignoring` add up")
    func chaining() {
        let matchers: [RequestMatcher] = [
            .url.ignoring(.queryItems("a")).ignoring(.queryItems("b")), .query.ignoring(.queryItems("a", "b")),
        ]
        #expect(
            isMatch(
                Interaction.Request(url: "https://h/?a&b&c"),
                Interaction.Request(url: "https://h/?c"),
                matchers
            )
        )
        #expect(matchers[0].ignored == matchers[1].ignored)
        let path = [RequestMatcher.path.ignoring(.segments("/a/*")).ignoring(.segments("/b/*"))]
        #expect(
            isMatch(Interaction.Request(url: "https://h/a/1"), Interaction.Request(url: "https://h/a/2"), path)
        )
        #expect(
            isMatch(Interaction.Request(url: "https://h/b/1"), Interaction.Request(url: "https://h/b/2"), path)
        )
        #expect(
            !isMatch(Interaction.Request(url: "https://h/a/1"), Interaction.Request(url: "https://h/b/1"), path)
        )
    }

    @Test(
        "Ignored array elements keep their indices",
        arguments: [["$[0]", "$[1]"], ["$[1]", "$[0]"], ["$[0]", "$[0]", "$[1]", "$[1]"]]
    )
    func indices(_ paths: [String]) {
        let matcher = paths.reduce(RequestMatcher.json) { $0.ignoring(.jsonPaths($1)) }
        #expect(isMatch(.post("[1,2,3]"), .post("[8,9,3]"), [matcher]))
        #expect(!isMatch(.post("[1,2,3]"), .post("[1,2,9]"), [matcher]))
        #expect(matcher.ignored.count == 1)
    }

    @Test(
        "Ignoring a part twice has the effect of once",
        arguments: queryItems + segments + headers + forms + paths + components
    )
    func twice(_ pair: Case) {
        for matcher in .default + .approximate + [.headers, .graphQL] {
            let once = matcher.ignoring(pair.ignored)
            let twice = once.ignoring(pair.ignored)
            #expect(once.ignored == twice.ignored)
            #expect(once.projection(pair.left) == twice.projection(pair.left))
        }
    }

    @Test(
        "The description of an ignored part is its Swift code",
        arguments: [
            (.queryItems("ts", "utm_*"), #".queryItems("ts", "utm_*")"#),
            (.headers("X-Id"), #".headers("X-Id")"#), (.formFields("a\"b\\"), #".formFields("a\"b\\")"#),
            (.multipartParts("ü\n"), #".multipartParts("ü\n")"#),
            (.jsonPaths("$['x y']", "$..t"), #".jsonPaths("$['x y']", "$..t")"#),
            (.segments("/users/*"), #".segments("/users/*")"#), (.component(.host), ".component(.host)"),
        ] as [(RequestMatcher.Ignored, String)]
    )
    func descriptions(_ ignored: RequestMatcher.Ignored, _ code: String) {
        #expect("\(ignored)" == code)
    }

    @Test("An invalid JSON path is a problem and ignores nothing")
    func problems() throws {
        for path in ["a", "", "$.", "$[", "$[-1]", "$[?(@.a)]", "$[1:2]"] {
            let problem = try #require(RequestMatcher.Ignored.jsonPaths(path).problem)
            #expect(problem.hasPrefix("invalid JSON path '\(path)' at column "))
            let matcher = RequestMatcher.json.ignoring(.jsonPaths("$.a"), .jsonPaths(path))
            #expect(matcher.ignored.map(\.problem) == [problem])
            #expect(isMatch(.post("{}"), .post("{}"), [matcher]))
        }
        let sound: [RequestMatcher.Ignored] = [
            .jsonPaths("$.a", "$..b[0]"), .segments(""), .queryItems(""), .component(.user),
        ]
        #expect(sound.allSatisfy { $0.problem == nil })
    }
}
