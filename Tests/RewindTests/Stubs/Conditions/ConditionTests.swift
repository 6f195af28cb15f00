import Rewind
import Testing

struct ConditionTests {
    private static let urls = [
        "https://api.example.com/users/1?page=2", "http://localhost:8080", "scheme:", "foo/bar", "", "?", "//",
        "\0",
        "https://", "https://[::1", "https://h:99999999999999999999/%", "é://é/é?é#é",
    ]
    private static let yes = RequestCondition.request { _ in true }
    private static let no = RequestCondition.request { _ in false }

    @Test("`any` matches every request", arguments: urls)
    func any(_ url: String) {
        #expect(RequestCondition.any.holds(forURL: url))
        #expect(!(!RequestCondition.any).holds(forURL: url))
    }

    @Test("The closure of a condition receives the whole request")
    func predicate() {
        let request = Interaction.Request(
            method: "PUT",
            url: "https://h/",
            headers: ["A": "b"],
            body: Interaction.Body("c")
        )
        #expect(RequestCondition.request { $0 == request }.holds(for: request))
        #expect(!RequestCondition.request { $0 != request }.holds(for: request))
    }

    @Test("Operators follow their truth tables", arguments: urls)
    func operators(_ url: String) {
        for (left, isLeft) in [(Self.yes, true), (Self.no, false), (.any, true), (!.any, false)] {
            #expect((!left).holds(forURL: url) == !isLeft)
            for (right, isRight) in [(Self.yes, true), (Self.no, false), (.any, true)] {
                #expect((left && right).holds(forURL: url) == (isLeft && isRight))
                #expect((left || right).holds(forURL: url) == (isLeft || isRight))
                #expect((!left && right || !right).holds(forURL: url) == (!isLeft && isRight || !isRight))
                #expect((!(left || right)).holds(forURL: url) == !(isLeft || isRight))
            }
        }
    }

    @Test("Combined conditions match as their members do")
    func algebra() {
        var random = RandomConditions(seed: 11)
        for _ in 0..<300 {
            let (left, right, request) = (random.condition(), random.condition(), random.request())
            guard left.problem == nil, right.problem == nil else { continue }
            let (isLeft, isRight) = (left.holds(for: request), right.holds(for: request))
            #expect((left && right).holds(for: request) == (isLeft && isRight))
            #expect((left || right).holds(for: request) == (isLeft || isRight))
            #expect((!left).holds(for: request) == !isLeft)
            #expect((left && !right || right && !left).holds(for: request) == (isLeft != isRight))
        }
    }

    @Test("`&&` captures from both sides, `||` from the matching one, and `!` nothing")
    func captures() {
        let request = Interaction.Request(url: "https://api.example.com/users/42?q=cat%20food")
        let (host, path): (RequestCondition, RequestCondition) = (.host("*.example.com"), .path("/*/*"))
        #expect(host.captures(in: request) == ["api"])
        #expect((host && path).captures(in: request) == ["api", "users", "42"])
        #expect((path && host && .method("GET")).captures(in: request) == ["users", "42", "api"])
        #expect((host || path).captures(in: request) == ["api"])
        #expect((.host("*.org") || path).captures(in: request) == ["users", "42"])
        #expect((.host("*.org") || .path("/")).captures(in: request) == nil)
        #expect((!RequestCondition.path("/*")).captures(in: request) == [])
        #expect((!host).captures(in: request) == nil)
        #expect((!(!host)).captures(in: request) == [])
        #expect(RequestCondition.any.captures(in: request) == [])
        #expect(
            RequestCondition.url("//*.example.com/users/*?q=* *").captures(in: request) == [
                "api", "42", "cat", "food",
            ]
        )
    }

    @Test(
        "The description of a condition is its code",
        arguments: [
            (.any, "any"), (.method("POST"), "method(POST)"), (.scheme("https"), "scheme(https)"),
            (.host("*.h"), "host(*.h)"), (.path("/a/*"), "path(/a/*)"),
            (.path(prefix: "/a"), "path(prefix: /a)"),
            (.path(suffix: "a"), "path(suffix: a)"), (.path(matching: "^/a"), "path(matching: ^/a)"),
            (.pathExtension("json"), "pathExtension(json)"),
            (.query(["q": "a b", "r": "", "s": nil]), "query(q=a b, r=, s)"), (.query([:]), "query()"),
            (.header("Accept"), "header(Accept)"), (.header("Accept", "a/b"), "header(Accept: a/b)"),
            (.body(json: #"{"a": 1}"#), #"body(json: {"a": 1})"#),
            (.body(json: ["a": 1]), #"body(json: {"a":1})"#),
            (.body(form: ["a": "é&", "b": nil]), "body(form: a=é&, b)"),
            (.graphQL(operation: "Viewer"), "graphQL(operation: Viewer)"),
            (.get("https://h/users/*"), "GET https://h/users/*"), (.url("/a?b"), "url(/a?b)"),
            (.request { _ in true }, "request(where:)"),
            (.host("h") && !.method("POST"), "host(h) && !method(POST)"),
            (.host("h") && .method("A") && .path("/"), "host(h) && method(A) && path(/)"),
            (.host("h") && (.method("A") && .path("/")), "host(h) && method(A) && path(/)"),
            ((.host("a") || .host("b")) && .path("/"), "(host(a) || host(b)) && path(/)"),
            (.host("a") || .host("b") && .path("/"), "host(a) || host(b) && path(/)"),
            (.host("a") || (.host("b") || .host("c")), "host(a) || host(b) || host(c)"),
            (!(.host("a") || .host("b")), "!(host(a) || host(b))"), (!(!.host("a")), "!!host(a)"),
            (!(.host("a") && .host("b")), "!(host(a) && host(b))"), (!.get("/a"), "!(GET /a)"),
            (.get("/a") && .header("B"), "GET /a && header(B)"), (.get("/a") || .put("/a"), "GET /a || PUT /a"),
            (!.url("/a"), "!url(/a)"), (!.any, "!any"), (.any && .host("h"), "host(h)"), (.any && .any, "any"),
            (.host("h") && .any, "host(h)"), (.any || .host("h"), "any || host(h)"),
        ] as [(RequestCondition, String)]
    )
    func description(_ condition: RequestCondition, _ text: String) {
        #expect(condition.description == text)
        #expect("\(condition)" == text)
    }

    @Test(
        "A condition reads only the parts of a request that it needs",
        arguments: [
            (.any, []), (.method("GET"), .method), (.host("h"), .url), (.path(suffix: "a"), .url),
            (.query(["a": nil]), .url), (.header("A"), .headers), (.header("A", "b"), .headers),
            (.body(json: "1"), .body), (.body(form: [:]), .body), (.graphQL(operation: "A"), [.url, .body]),
            (.request { _ in true }, .all), (.url("https://h/a?b"), .url), (.get("/a"), [.method, .url]),
            (.get("/a") && .header("A"), [.method, .url, .headers]),
            (.host("h") || .body(json: "1"), [.url, .body]),
            (!(.any && .header("A")), .headers),
        ] as [(RequestCondition, RequestParts)]
    )
    func parts(_ condition: RequestCondition, _ parts: RequestParts) {
        #expect(condition.parts == parts)
    }

    @Test("Thousands of conditions can be combined, and too deep nesting is an error")
    func nesting() {
        let request = Interaction.Request(url: "https://h500/")
        let hosts = (0..<1000).map { RequestCondition.host("h\($0)") }
        let either = hosts.dropFirst().reduce(hosts[0]) { $0 || $1 }
        #expect(either.holds(for: request))
        #expect(!hosts.map { !$0 }.reduce(.any) { $0 && $1 }.holds(for: request))
        #expect(hosts.map { !$0 }.reduce(.any) { $0 && $1 }.holds(forURL: "https://h/"))

        var nested = hosts[500]
        for _ in 0..<49 { nested = !(!nested) }
        #expect(nested.problem == nil)
        #expect(nested.holds(for: request))
        for _ in 0..<100_000 { nested = !nested }
        #expect(nested.problem?.contains("100 nested levels") == true)
        #expect(!nested.holds(for: request))
        #expect(nested.description.count < 200)
    }
}
