import Foundation
import Rewind
import Testing

struct GraphQLOperationTests {
    private static func operation(_ text: String) throws -> GraphQLOperation? {
        GraphQLOperation(json: try JSON(parsing: Data(text.utf8)))
    }

    @Test(
        "GraphQL bodies of real clients are read",
        arguments: [
            (
                #"{"operationName":"HeroQuery","query":"query HeroQuery($id: ID!) {\n  hero(id: $id) {\n    __typename\n    name\n  }\n}","variables":{"id":"4"}}"#,
                "HeroQuery", .query
            ),
            (
                #"{"query":"mutation LikeMutation(\n  $input: LikeInput!\n) {\n  like(input: $input) {\n    id\n  }\n}\n","variables":{"input":{"clientMutationId":"0"}}}"#,
                "LikeMutation", .mutation
            ),
            (#"{"query":"{ a }"}"#, nil, .query),
            (#"{"query":"subscription { a }","operationName":null}"#, nil, .subscription),
            (#"{"query":"query A { a } mutation B { b }","operationName":"B"}"#, "B", .mutation),
            (#"{"query":"query A { a } mutation B { b }"}"#, nil, nil),
            (#"{"query":"query A { a }","operationName":""}"#, "A", .query),
            (
                #"{"operationName":"Hero","variables":{},"extensions":{"persistedQuery":{"version":1,"sha256Hash":"ec2e"}}}"#,
                "Hero", nil
            ),
            (#"{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"ec2e"}},"query":null}"#, nil, nil),
        ] as [(String, String?, GraphQLDocument.Kind?)]
    )
    func clients(_ text: String, _ name: String?, _ kind: GraphQLDocument.Kind?) throws {
        let operation = try #require(try Self.operation(text))
        #expect(operation.name == name)
        #expect(operation.kind == kind)
    }

    @Test(
        "Other JSON bodies are not GraphQL operations",
        arguments: [
            "{}", "[]", "null", #"{"query":"shoes"}"#, #"{"query":"red shoes","page":2}"#, #"{"query":""}"#,
            #"{"query":5}"#,
            #"{"query":"{ a \" }"}"#, #"{"extensions":{}}"#, #"{"extensions":{"persistedQuery":"x"}}"#,
            #"{"query":{"match":{}}}"#,
            #"{"query":"{a}","query":"{b}"}"#, #"{"query":"{a}","variables":{"a":1,"a":2}}"#,
            #"{"query":"{a}","operationName":5}"#,
            #"{"query":5,"extensions":{"persistedQuery":{}}}"#, #""{ a }""#,
        ]
    )
    func others(_ text: String) throws {
        #expect(try Self.operation(text) == nil)
    }

    @Test(
        "Equivalent requests have the same canonical text",
        arguments: [
            (#"{"query":"query A { a, b }"}"#, #"{"operationName":"A","query":"query A{\n a\n b # c\n}"}"#),
            (#"{"query":"{a}"}"#, #"{"variables":{},"query":"{a}","operationName":null}"#),
            (#"{"query":"{a}","variables":null}"#, #"{"query":"{a}","extensions":{}}"#),
            (
                #"{"query":"{a}","variables":{"x":1,"y":{"a":[],"b":2}}}"#,
                #"{"query":"{a}","variables":{"y":{"b":2.0,"a":[]},"x":1e0}}"#
            ),
            (
                #"{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"a"}}}"#,
                #"{"extensions":{"persistedQuery":{"sha256Hash":"a","version":1.0}},"variables":{}}"#
            ),
        ]
    )
    func equal(_ left: String, _ right: String) throws {
        let text = try #require(try Self.operation(left)).canonicalText
        #expect(try Self.operation(right)?.canonicalText == text)
    }

    @Test(
        "Different requests have different canonical texts",
        arguments: [
            (#"{"query":"{a}"}"#, #"{"query":"{b}"}"#),
            (#"{"query":"{a}","variables":{"x":1}}"#, #"{"query":"{a}","variables":{"x":2}}"#),
            (#"{"query":"{a}","variables":{"x":null}}"#, #"{"query":"{a}"}"#),
            (#"{"query":"{a}","variables":{"x":[1,2]}}"#, #"{"query":"{a}","variables":{"x":[2,1]}}"#),
            (
                #"{"query":"query A{a} query B{b}","operationName":"A"}"#,
                #"{"query":"query A{a} query B{b}","operationName":"B"}"#
            ),
            (#"{"query":"{a}","extensions":{"x":1}}"#, #"{"query":"{a}"}"#),
            (#"{"query":"{a}","id":"1"}"#, #"{"query":"{a}","id":"2"}"#),
            (
                #"{"extensions":{"persistedQuery":{"sha256Hash":"a"}}}"#,
                #"{"extensions":{"persistedQuery":{"sha256Hash":"b"}}}"#
            ),
            (#"{"query":"{f(s:\"é\")}"}"#, "{\"query\":\"{f(s:\\\"e\u{301}\\\")}\"}"),
            (#"{"query":"{a}","variables":{"x":1}}"#, #"{"query":"{a}","extensions":{"x":1}}"#),
        ]
    )
    func different(_ left: String, _ right: String) throws {
        let text = try #require(try Self.operation(left)).canonicalText
        #expect(try #require(try Self.operation(right)).canonicalText != text)
    }

    @Test("A batch is read if every element is an operation")
    func batch() throws {
        let one: JSON = ["query": "query A { a }"]
        let two: JSON = ["query": "mutation B { b }"]
        #expect(GraphQLOperation.all(in: [one, two])?.map(\.name) == ["A", "B"])
        #expect(GraphQLOperation.all(in: one)?.map(\.name) == ["A"])
        for other: JSON in [[], [one, ["query": "shoes"]], [one, 1], 1, [[one]], [nil], nil] {
            #expect(GraphQLOperation.all(in: other) == nil)
        }
    }

    @Test("The query of a URL is equivalent to the body of a POST request")
    func urlQuery() throws {
        let form = FormFields(
            spelled:
                "query=query%20A(%24x%3AInt)%7Ba(x%3A%24x)%7D&operationName=A&variables=%7B%22x%22%3A+1.0%7D&extensions=%7B%7D"
        )
        let operation = try #require(GraphQLOperation(queryItems: form))
        let body = try Self.operation(#"{"query":"query A($x: Int) { a(x: $x) }","variables":{"x":1}}"#)
        #expect(operation.name == "A")
        #expect(operation.canonicalText == body?.canonicalText)
        let more = FormFields(spelled: form.text + "&tenant=1")
        #expect(GraphQLOperation(queryItems: more).map { $0.canonicalText != operation.canonicalText } == true)
    }

    @Test("A persisted query is read from a URL")
    func persistedURLQuery() throws {
        var components = URLComponents()
        components.queryItems = [
            URLQueryItem(name: "operationName", value: "Hero"), URLQueryItem(name: "variables", value: ""),
            URLQueryItem(name: "extensions", value: #"{"persistedQuery":{"version":1,"sha256Hash":"ec2e"}}"#),
        ]
        let operation = GraphQLOperation(
            queryItems: FormFields(spelled: try #require(components.percentEncodedQuery))
        )
        #expect(operation?.name == "Hero")
        #expect(operation?.document == nil)
    }

    @Test(
        "Other URLs are not GraphQL operations",
        arguments: [
            "", "q=1", "query=shoes", "query", "query=%7Ba%7D&query=%7Bb%7D", "query=%7Ba%7D&variables=%7B",
            "variables=%7B%7D",
            "query=%7Ba%7D&extensions=x", "query=%7Ba%7D&variables=%7B%22a%22%3A1%2C%22a%22%3A2%7D",
            "extensions=%5B%5D",
        ]
    )
    func otherURLs(_ query: String) {
        #expect(GraphQLOperation(queryItems: FormFields(spelled: query)) == nil)
    }
}
