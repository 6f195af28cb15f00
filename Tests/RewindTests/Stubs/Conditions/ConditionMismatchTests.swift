import Foundation
import RewindTestSupport
import Rewind
import Testing

struct ConditionMismatchTests {
    private static let request = Interaction.Request(
        method: "GET",
        url: "https://api.example.com:8443/users/1?page=2&flag",
        headers: ["Accept": "text/plain", "X-A": "1", "x-a": "2"]
    )

    @Test(
        "A mismatch names the first part that differs",
        arguments: [
            (.method("POST"), "method is GET, not POST"), (.scheme("http"), "scheme is https, not http"),
            (.host("*.org"), "host is api.example.com, not *.org"),
            (.path("/users"), "path /users/1 is not /users"),
            (.path(prefix: "/a"), "path /users/1 does not begin with /a"),
            (.path(suffix: "/a"), "path /users/1 does not end with /a"),
            (.path(matching: "^/a"), "path /users/1 does not match ^/a"),
            (.pathExtension("json"), "path /users/1 does not have the extension json"),
            (.query(["page": "1"]), "query has page=2, not page=1"),
            (.query(["flag": ""]), "query has flag, not flag="),
            (.query(["page": "2", "q": "x"]), "query has no item q, not q=x"),
            (.header("Cookie"), "header Cookie is missing"),
            (.header("Cookie", "a"), "header Cookie is missing"),
            (.header("accept", "a/b"), "header accept is text/plain, not a/b"),
            (.header("X-A", "3"), "header X-A is 1, 2, not 3"),
            (.graphQL(operation: "A"), "GraphQL operation is (none), not A"),
            (.request { _ in false }, "the closure of request(where:) returned false"),
            (.post("https://h/a"), "method is GET, not POST"),
            (.get("http://h/a"), "scheme is https, not http"),
            (.get("https://h/a"), "host is api.example.com, not h"),
            (.get("https://api.example.com/a"), "port is 8443, not the default of https"),
            (.get("https://api.example.com:80/a"), "port is 8443, not 80"),
            (.get("https://u@api.example.com:*/a"), "URL has no user name"),
            (.get("https://api.example.com:*/a"), "path /users/1 is not /a"),
            (.get("/users/*?page=3"), "query has page=2, not page=3"),
            (.host("*.com") && .method("PUT") && .path("/a"), "method is GET, not PUT"),
            (.method("PUT") || .path("/a"), "method is GET, not PUT, and path /users/1 is not /a"),
            (
                .method("PUT") || .path("/a") || .path("/b") || .path("/c"),
                "method is GET, not PUT, and path /users/1 is not /a, and 2 more do not match"
            ),
            (!.method("GET"), "method(GET) matches"),
            (!(.host("*") && .path("/**")), "host(*) && path(/**) matches"),
            (.method("GET"), nil), (!.method("PUT"), nil), (.method("PUT") || .host("*"), nil), (.any, nil),
            (.get("https://api.example.com:8443/users/*"), nil),
        ] as [(RequestCondition, String?)]
    )
    func first(_ condition: RequestCondition, _ mismatch: String?) {
        #expect(condition.mismatch(with: Self.request) == mismatch)
        #expect(condition.holds(for: Self.request) == (mismatch == nil))
    }

    @Test(
        "A body mismatch names the JSON path, the form field or the bytes",
        arguments: [
            (
                .body(json: #"{"user": {"name": "Bob"}}"#), #"{"user":{"name":"Anna"}}"#,
                #"body $.user.name is "Anna", not "Bob""#
            ),
            (.body(json: #"{"a": 1}"#), "{}", "body $.a is (none), not 1"),
            (.body(json: "{}"), #"{"a":[1]}"#, "body $.a is [1], not (none)"),
            (.body(json: "{}"), "hello", #"body is not valid JSON: "hello" (5 bytes)"#),
            (
                .body(json: "{}"), #"{"a":1,"a":2}"#,
                #"body has duplicate keys: "{\"a\":1,\"a\":2}" (13 bytes)"#
            ),
            (.body(json: "{}"), nil, "request has no body"),
            (.body(form: ["a": "1"]), "", "request has no body"),
            (.body(form: ["a": "1"]), "a=2", "form field is a=2, not a=1"),
            (.body(form: ["a": "1"]), "a=1&b=2", "form field is b=2, not (none)"),
            (.body(form: ["a": "1"]), "{}", #"body is not a valid form: "{}" (2 bytes)"#),
            (.body(Data("abc".utf8)), "abd", #"body is "abd" (3 bytes), not "abc" (3 bytes)"#),
            (.body(Data()), "a", #"body is "a" (1 byte), not (empty)"#),
            (.graphQL(operation: "A"), #"{"query":"query B { b }"}"#, "GraphQL operation is B, not A"),
            (
                .graphQL(operation: "A"), #"[{"query":"{ b }"},{"query":"query C { b }"}]"#,
                "GraphQL operation is (unnamed), C, not A"
            ),
        ] as [(RequestCondition, String?, String)]
    )
    func bodies(_ condition: RequestCondition, _ body: String?, _ mismatch: String) {
        let request = Interaction.Request(
            method: "POST",
            url: "https://h/",
            body: body.map { Interaction.Body($0) }
        )
        #expect(condition.mismatch(with: request) == mismatch)
        #expect(!condition.holds(for: request))
    }

    @Test("A mismatch shows at most 80 characters of a body")
    func excerpts() throws {
        let long = String(repeating: "§", count: 5000)
        let bodies = [
            long, "\"\(long)\"", "{\"\(long)\":\"\(long)\"}", "{\"a\":{\"\(long)\":1}}",
            "[\"\(long)\",\"\(long)\"]",
            "a=\(long)", "\(long)=\(long)", "\(long)&\(long)", "{\"query\":\"query \(long) { a }\"}",
            "{\"operationName\":\"\(long)\",\"query\":\"query \(long) { a }\"}",
        ]
        let conditions: [RequestCondition] = [
            .body(Data("§".utf8)), .body(json: "{}"), .body(json: #"{"a":{}}"#), .body(form: ["a": "1"]),
            .graphQL(operation: "A"), .body(json: "[]"),
        ]
        for condition in conditions {
            for body in bodies {
                let request = Interaction.Request(
                    method: "POST",
                    url: "https://h/",
                    body: Interaction.Body(body)
                )
                let mismatch = try #require(condition.mismatch(with: request))
                #expect(mismatch.count { $0 == "§" } <= 80, "\(mismatch)")
                #expect(mismatch.count < 250, "\(mismatch)")
            }
            let binary = Interaction.Request(
                url: "https://h/",
                body: Interaction.Body(Data(repeating: 0xA7, count: 5000))
            )
            let mismatch = try #require(condition.mismatch(with: binary))
            #expect(mismatch.count { $0 == "7" } <= 80, "\(mismatch)")
        }
        let request = Interaction.Request(
            method: long,
            url: "https://\(long)/\(long)?q=\(long)",
            headers: ["A": long]
        )
        for condition: RequestCondition in [
            .method("A"), .host("a"), .path("/a"), .query(["q": "a"]), .header("A", "b"),
        ] {
            let mismatch = try #require(condition.mismatch(with: request))
            #expect(mismatch.count <= 130, "\(mismatch)")
        }
    }
}
