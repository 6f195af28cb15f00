import Foundation
import RewindTestSupport
import Rewind
import Testing

struct ConditionProblemTests {
    private struct Endless: Encodable {
        var value = Double.infinity
    }

    @Test(
        "An invalid condition says what is wrong and how to fix it, and never matches",
        arguments: [
            (.url("api.example.com/users"), "Invalid URL"),
            (.url("users/*"), "Invalid URL"),
            (.url("localhost:8080/users"), "Invalid URL"),
            (.url(""), "Invalid URL"),
            (.url("*"), "Invalid URL"), (.url("?q=1"), "Invalid URL"),
            (.url("mailto:a@b.c"), "Invalid URL"),
            (.url("https:/h/a"), "Invalid URL"),
            (.url("h//g/"), "Invalid URL"),
            (.get("users"), "Write `https://api.example.com/users`"),
            (.url("https://"), "Invalid host"), (.url("https:///a"), "Invalid host"),
            (.url("//"), "Invalid host"),
            (.url("https://h:1:2/"), "Invalid host"), (.url("https://h:80a/"), "Invalid port"),
            (.url("https://h:65536/"), "Invalid port"), (.url("https://h:-1/"), "Invalid port"),
            (.url("https://h:8*/"), "Invalid port"), (.url("ht tp://h/"), "Invalid scheme"),
            (.url("://h/"), "Invalid scheme"),
            (.scheme("https://"), "Invalid scheme"), (.scheme(""), "Invalid scheme"),
            (.scheme("é"), "Invalid scheme"),
            (.host(""), "Invalid host"), (.host("https://h"), "Invalid host"), (.host("h:80"), "Invalid host"),
            (.host("h/a"), "Invalid host"), (.host("::1"), "Invalid host"), (.host("a b"), "Invalid host"),
            (.host("u@h"), "Invalid host"), (.host("h?"), "Invalid host"),
            (.host("bü*.h"), "international name"),
            (.method(""), "Invalid method"), (.method("GET "), "Invalid method"),
            (.method("é"), "Invalid method"),
            (.path("/a?b"), "Invalid path"), (.path(prefix: "/a#"), "Invalid path"),
            (.path(suffix: "?"), "Invalid path"), (.path(matching: "("), "Invalid regular expression"),
            (.path(matching: ""), "Invalid regular expression"),
            (.pathExtension(".json"), "Invalid path extension"),
            (.pathExtension(""), "Invalid path extension"), (.pathExtension("a/b"), "Invalid path extension"),
            (.header("X-A: 1"), "Invalid header name"),
            (.header("", "1"), "Invalid header name"),
            (.header(":authority", "h"), "Invalid header name"),
            (.body(json: "{a: 1}"), "line 1, column 2: expected a member name in double quotes"),
            (.body(json: ""), "Invalid JSON"), (.body(json: #"{"a":1,"a":1}"#), "duplicate keys"),
            (.body(json: String(repeating: "[", count: 100_000)), "Invalid JSON"),
            (.body(json: Endless()), "Cannot encode the value"),
            (.graphQL(operation: "query Viewer"), "Invalid GraphQL operation name"),
            (.graphQL(operation: "é"), "Invalid GraphQL operation name"),
            (.graphQL(operation: ""), "Invalid GraphQL operation name"),
            (.graphQL(operation: "1a"), "Write only the name"),
        ] as [(RequestCondition, String)]
    )
    func unreadable(_ condition: RequestCondition, _ text: String) {
        #expect(condition.problem?.contains(text) == true, "\(condition.problem ?? "(none)")")
        #expect(condition.problem?.hasSuffix(".") == true)
        #expect(condition.problem.map { $0.count < 400 } == true)
        let odd = [
            "https://api.example.com/users", "https://h/", "//", "", "users", "localhost:8080/users", "://h/",
        ]
        for condition in [condition, !condition, !(!condition), condition || .any, .any && condition] {
            for url in odd { #expect(!condition.holds(forURL: url)) }
            #expect(condition.problem?.contains(text) == true)
        }
        #expect(condition.mismatch(with: Interaction.Request(url: "https://h/")) == condition.problem)
    }

    @Test("Only the first problem of a condition is reported")
    func first() {
        let (host, method): (RequestCondition, RequestCondition) = (.host("a b"), .method(""))
        #expect((.any && host && method).problem == host.problem)
        #expect((method || host).problem == method.problem)
        #expect((!(.path("/") || !(method && host))).problem == method.problem)
        #expect(RequestCondition.url("ht tp://a b/?").problem == RequestCondition.scheme("ht tp").problem)
        #expect((.path("/") && !.method("GET")).problem == nil)
    }

    @Test("Random input never traps")
    func odd() {
        var generator = SplitMix64(seed: 5)
        let alphabet = "/:?#[]@*.%&=+-a0é{}\"\\ (|\0"
        for _ in 0..<500 {
            let text = String(decoding: generator.bytes(upTo: 14, from: alphabet), as: UTF8.self)
            let other = String(decoding: generator.bytes(upTo: 14, from: alphabet), as: UTF8.self)
            let request = Interaction.Request(
                method: other,
                url: other,
                headers: [other: text],
                body: Interaction.Body(other)
            )
            let conditions: [RequestCondition] = [
                .url(text), .get(text), .url("//" + text), .url("/" + text), .scheme(text), .host(text),
                .path(text),
                .path(prefix: text), .path(suffix: text), .path(matching: text), .pathExtension(text),
                .query([text: text]), .header(text), .header(text, text), .body(Data(text.utf8)),
                .body(json: text),
                .body(form: [text: text]), .graphQL(operation: text), .method(text),
            ]
            for condition in conditions {
                let holds = condition.holds(for: request)
                #expect(!(holds && condition.problem != nil))
                #expect(!condition.description.isEmpty)
                let isSame = condition.holds(
                    for: Interaction.Request(method: text, url: text, body: Interaction.Body(text))
                )
                #expect(!(isSame && condition.problem != nil))
            }
        }
    }
}
