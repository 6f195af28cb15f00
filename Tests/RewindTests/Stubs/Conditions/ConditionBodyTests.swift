import Foundation
import Rewind
import Testing

struct ConditionBodyTests {
    private static func request(_ body: String?, type: String? = nil) -> Interaction.Request {
        var request = Interaction.Request(
            method: "POST",
            url: "https://h/",
            body: body.map { Interaction.Body($0) }
        )
        if let type { request.headers["Content-Type"] = type }
        return request
    }

    @Test("A body condition compares bytes, and no body equals an empty one")
    func bytes() {
        let bytes = Data([0, 0xFF, 1, 2])
        #expect(
            RequestCondition.body(bytes).holds(
                for: Interaction.Request(url: "https://h/", body: Interaction.Body(bytes))
            )
        )
        #expect(
            RequestCondition.body(bytes[1...]).holds(
                for: Interaction.Request(url: "https://h/", body: Interaction.Body(Data([0xFF, 1, 2])))
            )
        )
        #expect(
            RequestCondition.body(Data([1, 2])).holds(
                for: Interaction.Request(url: "https://h/", body: Interaction.Body(bytes[2...]))
            )
        )
        #expect(
            !RequestCondition.body(bytes).holds(
                for: Interaction.Request(url: "https://h/", body: Interaction.Body(Data(bytes.reversed())))
            )
        )
        #expect(!RequestCondition.body(bytes).holds(for: Self.request(nil)))
        #expect(!RequestCondition.body(Data()).holds(for: Self.request("a")))
        #expect(RequestCondition.body(Data()).holds(for: Self.request("")))
        #expect(RequestCondition.body(Data()).holds(for: Self.request(nil)))
        #expect(!RequestCondition.body(Data("{}".utf8)).holds(for: Self.request("{ }")))
    }

    @Test(
        "A JSON condition compares structure with any media type",
        arguments: [
            (#"{"a": "b", "c": 42}"#, #"{ "c": 42,"#, false),
            (#"{"a": "b", "c": 42}"#, #"{"c":42,"a":"b"}"#, true),
            (#"{"a": "b", "c": 42}"#, "{\n  \"c\" : 4.2e1,\n  \"a\" : \"\\u0062\"\n}", true),
            (#"{"a": "b", "c": 42}"#, #"{"a": "b"}"#, false), (#"{"a": "b"}"#, #"{"a": "b", "c": 42}"#, false),
            (#"{"a": "b"}"#, #"{"a": "c"}"#, false), (#"{"a": "b"}"#, #"{"c": "b"}"#, false),
            (#"{"a": [1, 2]}"#, #"{"a": [1, 2]}"#, true), (#"{"a": [1, 2]}"#, #"{"a": [2, 1]}"#, false),
            (#"{"a": {"b": [true, {"c": null}]}}"#, #"{"a":{"b":[true,{"c":null}]}}"#, true),
            (#"{"a": {"b": true}}"#, #"{"a": {"b": false}}"#, false), (#"{"a": null}"#, "{}", false),
            ("[]", "[]", true), ("[]", "{}", false), ("1", "1.0", true), ("1", #""1""#, false),
            ("null", "null", true),
            (#""a""#, "a", false), ("{}", "", false), ("{}", "a=1", false), ("{}", #"{"a":1,"a":1}"#, false),
            (#"{"a":1}"#, #"{"a":1,"a":1}"#, false), ("{}", "\u{FEFF}{}", true),
        ]
    )
    func json(_ text: String, _ body: String, _ holds: Bool) {
        for type in [nil, "application/json", "text/plain", "application/x-www-form-urlencoded"] {
            #expect(RequestCondition.body(json: text).holds(for: Self.request(body, type: type)) == holds)
        }
        #expect(!RequestCondition.body(json: text).holds(for: Self.request(nil)))
    }

    @Test("Several conditions can parse one body in different formats")
    func severalWays() {
        let condition =
            RequestCondition.body(Data("[ 1]".utf8)) && .body(json: "[1]") && !.body(form: ["[1]": nil])
        #expect(condition.holds(for: Self.request("[ 1]")))
        #expect(!condition.holds(for: Self.request("[1]")))
        #expect(
            (.body(form: ["1": nil]) && .body(json: "1") && .body(Data("1".utf8))).holds(for: Self.request("1"))
        )
    }

    private struct User: Encodable {
        var name = "Anna"
        var tags = ["a", "b"]
        var age: Int?
    }

    @Test("A JSON condition compares an encoded value")
    func encodable() {
        let request = Self.request(#"{"tags": ["a", "b"], "name": "Anna"}"#)
        #expect(RequestCondition.body(json: User()).holds(for: request))
        #expect(!RequestCondition.body(json: User(name: "Bob")).holds(for: request))
        #expect(!RequestCondition.body(json: User(age: 1)).holds(for: request))
        #expect(RequestCondition.body(json: ["a": [1: true]]).holds(for: Self.request(#"{"a":{"1":true}}"#)))
        #expect(RequestCondition.body(json: [1, 2.5]).holds(for: Self.request("[1, 2.50]")))
        let nothing: Bool? = nil
        #expect(RequestCondition.body(json: nothing).holds(for: Self.request("null")))
    }

    @Test(
        "A form condition requires exactly its fields, in any order and encoding",
        arguments: [
            ("a=1&b=2", true), ("b=2&a=1", true), ("a=1&b=2&&", true), ("%61=%31&b=2", true), ("a=1", false),
            ("a=1&b=2&c=3", false), ("a=1&b=2&b=2", false), ("a=2&b=1", false), ("a=1&b", false), ("", false),
            ("{\"a\":1}", false), ("a=1&b=2 ", false), ("A=1&b=2", false),
        ]
    )
    func form(_ body: String, _ holds: Bool) {
        for type in [
            nil, "application/x-www-form-urlencoded", "application/x-www-form-urlencoded; charset=utf-8",
        ] {
            #expect(
                RequestCondition.body(form: ["a": "1", "b": "2"]).holds(for: Self.request(body, type: type))
                    == holds
            )
        }
        #expect(!RequestCondition.body(form: ["a": "1", "b": "2"]).holds(for: Self.request(nil)))
    }

    @Test(
        "Form fields may have any value, an empty value or no equals sign",
        arguments: [
            (["q": "a b"], "q=a+b", true), (["q": "a b"], "q=a%20b", true), (["q": "a+b"], "q=a+b", false),
            (["q": "a+b"], "q=a%2Bb", true), (["q": "&=é😀"], "q=%26%3D%C3%A9%F0%9F%98%80", true),
            (["q": ""], "q=", true), (["q": ""], "q", false), (["q": nil], "q", true),
            (["q": nil], "q=", false),
            (["a": "1", "a": "2"], "a=2&a=1", true), (["a": "1", "a": "1"], "a=1", false),
            (["a[]": "1"], "a%5b%5D=1", true),
            ([:], "", true), ([:], "a=1", false), (["": "1"], "=1", true),
        ] as [(KeyValuePairs<String, String?>, String, Bool)]
    )
    func fields(_ fields: KeyValuePairs<String, String?>, _ body: String, _ holds: Bool) {
        #expect(RequestCondition.body(form: fields).holds(for: Self.request(body)) == holds)
    }

    @Test(
        "A GraphQL condition finds an operation in a body, a batch or a query",
        arguments: [
            (#"{"query": "query Viewer { me }", "operationName": "Viewer"}"#, true),
            (#"{"query": "query Viewer { me }"}"#, true),
            (#"{"query": "query viewer { me }"}"#, false), (#"{"query": "{ Viewer }"}"#, false),
            (#"{"query": "query A { a } query Viewer { b }", "operationName": "A"}"#, false),
            (#"{"query": "query A { a } query Viewer { b }", "operationName": "Viewer"}"#, true),
            (#"[{"query": "query A { a }"}, {"query": "mutation Viewer { b }"}]"#, true),
            (#"[{"query": "query A { a }"}]"#, false), (#"{"operationName": "Viewer"}"#, false),
            ("Viewer", false),
            (#"{"operationName": "Viewer", "extensions": {"persistedQuery": {"sha256Hash": "a"}}}"#, true),
            ("", false),
        ]
    )
    func graphQL(_ body: String, _ holds: Bool) {
        let condition = RequestCondition.graphQL(operation: "Viewer")
        #expect(condition.holds(for: Self.request(body, type: "application/json")) == holds)
        #expect(condition.holds(for: Self.request(body)) == holds)
        #expect(condition.holds(forURL: "https://h/graphql?query=query%20Viewer%7Bme%7D"))
        #expect(!condition.holds(forURL: "https://h/graphql?query=query%20A%7Bme%7D"))
    }
}
