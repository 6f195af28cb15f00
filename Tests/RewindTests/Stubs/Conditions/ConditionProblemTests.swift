import Foundation
import RewindTestSupport
import Rewind
import Testing

struct ConditionProblemTests {
    private struct Endless: Encodable {
        var value = Double.infinity
    }

    @Test(
        "A condition that cannot be read tells what is wrong and what mends it, and never holds",
        arguments: [
            (.url("api.example.com/users"), "may mean a host or a path"),
            (.url("users/*"), "may mean a host or a path"),
            (.url("localhost:8080/users"), "may mean a host or a path"),
            (.url(""), "may mean a host or a path"),
            (.url("*"), "may mean a host or a path"), (.url("?q=1"), "may mean a host or a path"),
            (.url("mailto:a@b.c"), "may mean a host or a path"),
            (.url("https:/h/a"), "may mean a host or a path"),
            (.url("h//g/"), "may mean a host or a path"),
            (.get("users"), "Write `https://api.example.com/users`"),
            (.url("https://"), "is no host"), (.url("https:///a"), "is no host"), (.url("//"), "is no host"),
            (.url("https://h:1:2/"), "is no host"), (.url("https://h:80a/"), "is no port"),
            (.url("https://h:65536/"), "is no port"), (.url("https://h:-1/"), "is no port"),
            (.url("https://h:8*/"), "is no port"), (.url("ht tp://h/"), "is no scheme"),
            (.url("://h/"), "is no scheme"),
            (.scheme("https://"), "is no scheme"), (.scheme(""), "is no scheme"),
            (.scheme("é"), "is no scheme"),
            (.host(""), "is no host"), (.host("https://h"), "is no host"), (.host("h:80"), "is no host"),
            (.host("h/a"), "is no host"), (.host("::1"), "is no host"), (.host("a b"), "is no host"),
            (.host("u@h"), "is no host"), (.host("h?"), "is no host"), (.host("bü*.h"), "international label"),
            (.method(""), "is no method"), (.method("GET "), "is no method"), (.method("é"), "is no method"),
            (.path("/a?b"), "more than a path"), (.path(prefix: "/a#"), "more than a path"),
            (.path(suffix: "?"), "more than a path"), (.path(matching: "("), "is no regular expression"),
            (.path(matching: ""), "is no regular expression"), (.pathExtension(".json"), "is no extension"),
            (.pathExtension(""), "is no extension"), (.pathExtension("a/b"), "is no extension"),
            (.header("X-A: 1"), "is no name of a header field"),
            (.header("", "1"), "is no name of a header field"),
            (.header(":authority", "h"), "is no name of a header field"),
            (.body(json: "{a: 1}"), "line 1, column 2: expected a member name in double quotes"),
            (.body(json: ""), "is no JSON"), (.body(json: #"{"a":1,"a":1}"#), "two members of one name"),
            (.body(json: String(repeating: "[", count: 100_000)), "is no JSON"),
            (.body(json: Endless()), "cannot be encoded"),
            (.graphQL(operation: "query Viewer"), "is no name of a GraphQL operation"),
            (.graphQL(operation: "é"), "is no name of a GraphQL operation"),
            (.graphQL(operation: ""), "is no name of a GraphQL operation"),
            (.graphQL(operation: "1a"), "Write the name alone"),
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

    @Test("Of several problems the first is handed on")
    func first() {
        let (host, method): (RequestCondition, RequestCondition) = (.host("a b"), .method(""))
        #expect((.any && host && method).problem == host.problem)
        #expect((method || host).problem == method.problem)
        #expect((!(.path("/") || !(method && host))).problem == method.problem)
        #expect(RequestCondition.url("ht tp://a b/?").problem == RequestCondition.scheme("ht tp").problem)
        #expect((.path("/") && !.method("GET")).problem == nil)
    }

    @Test("Odd input is taken for what it is or told, and never traps")
    func odd() {
        var generator = SplitMix64(seed: 5)
        let alphabet = "/:?#[]@*.%&=+-a0é{}\"\\ (|\0"
        for _ in 0..<500 {
            let text = String(decoding: generator.bytes(upTo: 14, from: alphabet), as: UTF8.self)
            let asked = String(decoding: generator.bytes(upTo: 14, from: alphabet), as: UTF8.self)
            let request = Interaction.Request(
                method: asked,
                url: asked,
                headers: [asked: text],
                body: Interaction.Body(asked)
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
