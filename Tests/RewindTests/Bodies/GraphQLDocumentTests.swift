import RewindTestSupport
import Rewind
import Testing

struct GraphQLDocumentTests {
    @Test(
        "Tokens are joined by one space, without comments and commas",
        arguments: [
            ("{a}", "{ a }"), ("\u{FEFF}{ a,b\r\n,,c }", "{ a b c }"), ("{ a # b } \n c }", "{ a c }"),
            ("# only", ""), ("", ""),
            (
                "query Q($a:[Int!]=[1,-2.5e+3]){f(a:$a)@x{...F}}",
                "query Q ( $ a : [ Int ! ] = [ 1 -2.5e+3 ] ) { f ( a : $ a ) @ x { ... F } }"
            ),
            (#"{f(s:"a,  # b\"\n\u00e9")}"#, #"{ f ( s : "a,  # b\"\n\u00e9" ) }"#),
            (#"{f(s:"")}"#, #"{ f ( s : "" ) }"#),
            ("{f(s:\"\"\" a\n \\\"\"\" \" b\"\"\")}", "{ f ( s : \"\"\" a\n \\\"\"\" \" b\"\"\" ) }"),
            ("a|b&c", "a | b & c"),
            ("{f(n:0,m:-0,x:0.0E0)}", "{ f ( n : 0 m : -0 x : 0.0E0 ) }"), ("{a\u{FEFF}b}", "{ a b }"),
            ("#é\r{a}", "{ a }"),
            (#"{f(s:"é😀")}"#, #"{ f ( s : "é😀" ) }"#), ("......", "... ..."),
            ("\"\"\"\"\"\"", "\"\"\"\"\"\""),
        ]
    )
    func normalized(_ text: String, _ normalized: String) throws {
        let document = try #require(GraphQLDocument(text))
        #expect(document.normalized == normalized)
        #expect(GraphQLDocument(document.normalized)?.normalized == normalized)
    }

    @Test(
        "Text with an invalid token is not a document",
        arguments: [
            "\"", "\"a", "\"a\n\"", "\"a\r\"", "\"\\\"", "\"\\", "\"\"\"", "\"\"\"a\"\"", "\"\"\"a\\\"\"\"",
            "{a;b}", "a.b", "..",
            "01", "-", "1.", "1e", "1a", "1.2.3", "1_", "é", "%", "a?b", "{\"a\":1}\\", "'a'", "\0", "\u{FEFE}",
            "-01", "1e+",
        ]
    )
    func invalid(_ text: String) {
        #expect(GraphQLDocument(text) == nil)
    }

    @Test(
        "Documents with different meanings have different normalized texts",
        arguments: [
            ("{a b}", "{ab}"), (#"{f(s:"a b")}"#, #"{f(s:"a  b")}"#), (#"{f(s:"1")}"#, "{f(s:1)}"),
            ("{a}", "{a a}"), ("{a b}", "{b a}"),
            (#"{f(s:"\n")}"#, #"{f(s:"\u000a")}"#), ("{f(s:\"\"\"a\"\"\")}", #"{f(s:"a")}"#),
            ("{f(n:1)}", "{f(n:1.0)}"), ("{A}", "{a}"),
            (##"{f(s:"# a")}"##, ##"{f(s:"# b")}"##),
        ]
    )
    func different(_ left: String, _ right: String) throws {
        #expect(try #require(GraphQLDocument(left)).normalized != #require(GraphQLDocument(right)).normalized)
    }

    @Test(
        "Operations are listed with their kinds and names",
        arguments: [
            ("{ a }", ["query -"]), ("query { a }", ["query -"]), ("query A { a }", ["query A"]),
            ("mutation($i: I = {a: 1}) { a }", ["mutation -"]),
            ("subscription S @live { query { mutation } }", ["subscription S"]),
            ("query @a(b: {c: d}) { e }", ["query -"]),
            (
                "fragment F on T { query } query A($x: [I] = [{a: {b: 1}}]) { ...F } mutation B { b { c } }",
                ["query A", "mutation B"]
            ),
            ("query query { query }", ["query query"]), ("fragment query on query { a } { b }", ["query -"]),
            ("query", []), ("shoes", []),
            ("", []), ("{ a { b } query c }", ["query -"]), ("}}}{a}", ["query -"]), ("query 1 { a }", []),
            ("query A { a } }", ["query A"]),
            ("type query { a: B } mutation M { a }", ["mutation M"]),
        ]
    )
    func operations(_ text: String, _ expected: [String]) throws {
        let document = try #require(GraphQLDocument(text))
        #expect(document.operations.map { "\($0.kind) \($0.name ?? "-")" } == expected)
    }

    @Test("An operation is found by its name, or without a name if it is the only one")
    func operationNamed() throws {
        let two = try #require(GraphQLDocument("query A { a } mutation B { b }"))
        #expect(two.operation(named: "B")?.kind == .mutation)
        #expect(two.operation(named: "C") == nil)
        #expect(two.operation(named: nil) == nil)
        #expect(GraphQLDocument("subscription { a }")?.operation(named: nil)?.kind == .subscription)
    }

    @Test("White space between tokens does not matter, and truncated or random text never traps")
    func layout() throws {
        let text =
            #"query A($a: [Int!] = [1, -2.5e3]) @x { f(s: "a # \" b", t: """ c " \""" d """) { ...F ... on T { g } } }"#
        let normalized = try #require(GraphQLDocument(text)).normalized
        var generator = SplitMix64(seed: 10)
        let spread = text.replacing("{", with: " # open\n{,\t").replacing(")", with: "\r\n)\u{FEFF}")
        #expect(GraphQLDocument(spread)?.normalized == normalized)
        for count in 0...text.utf8.count {
            _ = GraphQLDocument(String(decoding: text.utf8.prefix(count), as: UTF8.self))
        }
        for _ in 0..<20_000 {
            let random = String(
                decoding: generator.bytes(upTo: 16, from: "\"\"\"\\{}a1-.e# \n(),query"),
                as: UTF8.self
            )
            guard let document = GraphQLDocument(random) else { continue }
            #expect(GraphQLDocument(document.normalized)?.normalized == document.normalized)
            #expect(GraphQLDocument("\u{FEFF},\n" + random + "\n# end")?.normalized == document.normalized)
        }
    }
}
