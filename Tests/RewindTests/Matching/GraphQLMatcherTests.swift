import Foundation
import Rewind
import Testing

struct GraphQLMatcherTests {
    /// The format of Apollo for iOS and for the web.
    static let apollo =
        #"{"operationName":"Hero","variables":{"id":1,"tags":["a","b"]},"query":"query Hero($id: ID!) { hero(id: $id) { __typename name } }"}"#
    /// The format of Relay, with a document of several lines.
    static let relay =
        #"{"query":"query Hero(\n  $id: ID!\n) {\n  hero(id: $id) {\n    __typename # the type\n    name,\n  }\n}\n","variables":{"tags":["a","b"],"id":1.0}}"#
    /// A persisted query of Apollo.
    static let persisted =
        #"{"operationName":"Hero","variables":{"id":1},"extensions":{"persistedQuery":{"version":1,"sha256Hash":"ecf4"}}}"#

    private static func replacing(_ old: String, _ new: String, in text: String = apollo) -> String {
        text.replacingOccurrences(of: old, with: new)
    }

    @Test("The same query from Apollo and from Relay matches")
    func clients() {
        for type in [Types.json, "application/graphql-response+json", "text/plain", Types.form, nil] {
            #expect(isMatch(.post(Self.apollo, type), .post(Self.relay, type), [.graphQL]), "\(type ?? "none")")
        }
        #expect(!isMatch(.post(Self.apollo, Types.json), .post(Self.relay, Types.json), [.body]))
    }

    @Test(
        "White space, comments and the notation of variables are ignored",
        arguments: [
            replacing("{ hero", "{hero"), replacing("query Hero", #"# a\nquery,\r\n\tHero"#),
            replacing("1,", "1.0,"), replacing(#""operationName":"Hero","#, ""),
            replacing("Hero\",", "Hero\",\"extensions\":{},"),
            replacing("Hero\",", "Hero\",\"extensions\":null,"),
            replacing("__typename name", #"__typename,name"#),
        ]
    )
    func free(_ body: String) {
        #expect(isMatch(.post(body, Types.json), .post(Self.apollo, Types.json), [.graphQL]))
    }

    @Test(
        "Every other difference in a GraphQL request counts",
        arguments: [
            (replacing(":1,", ":2,"), "variables $.id"),
            (replacing(":1,", ":\"1\","), "variables $.id"),
            (replacing(#"["a","b"]"#, #"["b","a"]"#), "variables $.tags[0]"),
            (replacing(#","tags":["a","b"]"#, ""), "variables $.tags"),
            (replacing("Hero", "Villain"), "graphQL operation"),
            (replacing("__typename name", "name __typename"), "graphQL query"),
            (replacing("name }", "Name }"), "graphQL query"),
            (replacing("query Hero", "mutation Hero"), "graphQL query"),
            (replacing("Hero\",", "Hero\",\"extensions\":{\"x\":1},"), "graphQL"),
            (replacing("Hero\",", "Hero\",\"owner\":1,"), "graphQL"),
        ]
    )
    func counted(_ body: String, _ part: String) {
        let (one, other) = (
            Interaction.Request.post(body, Types.json), Interaction.Request.post(Self.apollo, Types.json)
        )
        #expect(!isMatch(one, other, [.graphQL]))
        let differences = Difference.between(one, and: other, matchers: [.graphQL])
        #expect(differences.first?.part == part)
        #expect(differences.allSatisfy { $0.recorded != $0.requested })
    }

    @Test(
        "Missing, `null` and empty GraphQL variables are equal",
        arguments: ["", #","variables":null"#, #","variables":{}"#],
        ["", #","variables":null"#, #","variables":{}"#]
    )
    func noVariables(_ left: String, _ right: String) {
        let (one, other) = (#"{"query":"{a}"\#(left)}"#, #"{"query":"query { a }"\#(right)}"#)
        #expect(isMatch(.post(one), .post(#"{"query":"{ a }"\#(right)}"#), [.graphQL]))
        #expect(!isMatch(.post(one), .post(other), [.graphQL]))
        #expect(!isMatch(.post(one), .post(#"{"query":"{a}","variables":{"a":null}}"#), [.graphQL]))
    }

    @Test(
        "A GraphQL batch is compared operation by operation in order",
        arguments: [
            ([apollo, persisted], [relay, persisted], true), ([apollo], [relay], true),
            ([apollo, persisted], [persisted, relay], false), ([apollo, apollo], [apollo], false),
            ([apollo, replacing(":1,", ":2,")], [apollo, apollo], false),
        ] as [([String], [String], Bool)]
    )
    func batches(_ left: [String], _ right: [String], _ expected: Bool) {
        func batch(_ operations: [String]) -> Interaction.Request {
            .post("[\(operations.joined(separator: ","))]", Types.json)
        }
        #expect(isMatch(batch(left), batch(right), [.graphQL]) == expected)
    }

    @Test("A suggestion for a batch ignores the variable by its index")
    func batchDifferences() {
        let (one, other) = (
            "[\(Self.apollo),\(Self.apollo)]", "[\(Self.apollo),\(Self.replacing(":1,", ":2,"))]"
        )
        let differences = RequestMatcher.graphQL.differences(.post(one), from: .post(other))
        #expect(differences.map(\.suggestion) == [.jsonPaths("$[1].variables.id")])
        #expect(isMatch(.post(one), .post(other), [.graphQL.ignoring(.jsonPaths("$[1].variables.id"))]))
        #expect(isMatch(.post(one), .post(other), [.graphQL.ignoring(.jsonPaths("$..id"))]))
    }

    @Test("GraphQL variables can be ignored with any media type", arguments: [Types.json, "text/plain", nil])
    func ignoring(_ type: String?) {
        let matcher = RequestMatcher.graphQL.ignoring(.jsonPaths("$.variables.id"))
        #expect(isMatch(.post(Self.replacing(":1,", ":2,"), type), .post(Self.relay, type), [matcher]))
        #expect(!isMatch(.post(Self.replacing("a", "c"), type), .post(Self.relay, type), [matcher]))
    }

    private static func get(_ items: [(String, String)]) -> Interaction.Request {
        let query = items.map { "\($0)=\(PercentEncoding.encoded($1))" }.joined(separator: "&")
        return Interaction.Request(url: "https://h/graphql?\(query)")
    }

    @Test("GraphQL operations are read from the query of a GET in any order")
    func queryItems() {
        let document = "query Hero($id: ID!) { hero(id: $id) { name } }"
        let one = Self.get([
            ("query", document), ("variables", #"{"id":1,"a":null}"#), ("operationName", "Hero"),
        ])
        let other = Self.get([
            ("variables", #"{"a":null, "id":1.0}"#), ("query", document.replacing(" ", with: "\n")),
        ])
        #expect(isMatch(one, other, [.graphQL]))
        #expect(!isMatch(one, other, [.url]))
        let different = Self.get([("query", document), ("variables", #"{"id":2,"a":null}"#)])
        #expect(!isMatch(one, different, [.graphQL]))
        #expect(!isMatch(one, Self.get([("query", document), ("variables", "{")]), [.graphQL]))
        let body = #"{"query":"\#(document)","variables":{"id":1,"a":null}}"#
        #expect(isMatch(one, .post(body, Types.json), [.graphQL]))
    }

    @Test("The suggestion for variables of a GET ignores the query item")
    func queryItemRemedy() {
        let (one, other) = ("{\"id\":1}", "{\"id\":2}")
        let requested = Self.get([("query", "{a}"), ("variables", one)])
        let recorded = Self.get([("query", "{a}"), ("variables", other)])
        let differences = RequestMatcher.graphQL.differences(requested, from: recorded)
        #expect(differences.map(\.part) == ["variables $.id"])
        #expect(differences.map(\.suggestion) == [.queryItems("variables")])
        #expect(isMatch(requested, recorded, [.graphQL.ignoring(.queryItems("variables"))]))
    }

    @Test("A persisted query is compared by its hash and differs from its document")
    func persistedQueries() {
        let persisted = Interaction.Request.post(Self.persisted, Types.json)
        #expect(
            isMatch(persisted, .post(Self.replacing(":1", ": 1.0", in: Self.persisted), Types.json), [.graphQL])
        )
        let others = [Self.replacing("ecf4", "ecf5", in: Self.persisted), Self.apollo]
        for other in others { #expect(!isMatch(persisted, .post(other, Types.json), [.graphQL])) }
        let get = Self.get([
            ("extensions", #"{"persistedQuery":{"sha256Hash":"ecf4","version":1}}"#),
            ("operationName", "Hero"), ("variables", #"{"id":1}"#),
        ])
        #expect(isMatch(get, persisted, [.graphQL]))
    }

    @Test(
        "A request without a GraphQL operation is compared by its body",
        arguments: [
            BodyPair(Types.json, #"{"a":1}"#, #"{ "a":1.0 }"#, true),
            BodyPair(Types.json, #"{"a":1}"#, #"{"a":2}"#, false),
            BodyPair(Types.json, #"{"query":"SELECT * FROM a"}"#, #"{"query":"SELECT  * FROM a"}"#, false),
            BodyPair(
                Types.json,
                #"{"query":"fragment F on A { b }"}"#,
                #"{"query":"fragment F on A {b}"}"#,
                false
            ),
            BodyPair(Types.json, #"{"query":7}"#, #"{"query":7e0}"#, true),
            BodyPair(Types.json, #"{"query":"{a}","query":"{a}"}"#, #"{"query":"{a}", "query":"{a}"}"#, false),
            BodyPair(Types.form, "a=1&b=2", "b=2&a=1", true), BodyPair("text/plain", "a", "a ", false),
            BodyPair(Types.json, "[]", "[ ]", true), BodyPair(Types.json, nil, "", true),
            BodyPair(Types.json, "[\(apollo),1]", "[\(relay),1]", false),
            BodyPair(Types.json, apollo, nil, false), BodyPair(Types.json, apollo, "{}", false),
        ]
    )
    func noOperation(_ pair: BodyPair) {
        #expect(isMatch(pair.left, pair.right, [.graphQL]) == pair.isEqual)
    }

    @Test("A GET with an operation differs from one without")
    func operationOrNone() {
        let differences = RequestMatcher.graphQL.differences(
            Self.get([("query", "{a}")]),
            from: Interaction.Request(url: "https://h/")
        )
        #expect(differences.count == 1)
        #expect(differences.allSatisfy { $0.recorded != $0.requested }, "\(differences)")
    }
}
