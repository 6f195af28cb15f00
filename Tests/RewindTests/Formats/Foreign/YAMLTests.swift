import Foundation
import Testing

@testable import Rewind

struct YAMLTests {
    private func text(_ yaml: String) throws -> String? {
        try YAMLParser.document([UInt8](yaml.utf8))["a"]?.stringValue
    }

    /// The tree in flow notation, with text in angle brackets and plain scalars without.
    private func tree(_ yaml: String) throws -> String {
        func describe(_ node: YAMLNode) -> String {
            switch node.content {
            case .scalar(let text, .plain): node.isNull ? "null" : text
            case .scalar(let text, .text): "<\(text)>"
            case .scalar(let text, .binary): "b<\(text)>"
            case .unsupported(let cause): "(\(cause))"
            case .sequence(let elements): "[\(elements.map(describe).joined(separator: ","))]"
            case .mapping(let pairs):
                "{\(pairs.map { "\($0.key):\(describe($0.value))" }.joined(separator: ","))}"
            }
        }
        return describe(try YAMLParser.document([UInt8](yaml.utf8)))
    }

    @Test(
        "Mappings and lists are recognized by their indentation",
        arguments: [
            ("a: 1\nb:\n  c: 2\n  d:\n    - x\n    - y\ne:", "{a:1,b:{c:2,d:[x,y]},e:null}"),
            ("a:\n- 1\n- 2\nb: 3", "{a:[1,2],b:3}"),
            ("- a: 1\n  b: 2\n- - x\n  - y\n-\n- z", "[{a:1,b:2},[x,y],null,z]"),
            ("-\n  a: 1\n-   b: 2\n    c: 3", "[{a:1},{b:2,c:3}]"), ("--- a", "a"), ("---\n- a\n...\n", "[a]"),
            ("--- # start\na: 1 # one\n\n# two\n   # three\nb: x#y\n", "{a:1,b:x#y}"), ("", "null"),
            ("# nothing", "null"),
            ("\"a b\": 1\n'c''d' : 2\ne f: 3", "{a b:1,c'd:2,e f:3}"),
            ("a: 1\r\nb:\r\n  - x\r\n", "{a:1,b:[x]}"), ("\u{FEFF}a: 1", "{a:1}"),
            (
                "a: []\nb: {}\nc: [x, 'y', \"z\"]\nd: {e: 1, f: [2], g}",
                "{a:[],b:{},c:[x,<y>,<z>],d:{e:1,f:[2],g:null}}"
            ),
            ("a: [x y,\n  z\n  w,]\nb: {'c': d, e: , \"f\":g}", "{a:[x y,z w],b:{c:d,e:null,f:g}}"),
            ("a: 12:30 http://x/y?z=1", "{a:12:30 http://x/y?z=1}"),
            ("%YAML 1.1\n# c\n---\na: 1\n...\n", "{a:1}"), ("  a: 1\n  b:\n  - x\n", "{a:1,b:[x]}"),
            ("a: ~\nb: Null\nc: 'null'", "{a:null,b:null,c:<null>}"),
            (
                "a: !!binary |\n  aGk=\nb: !binary |-\n  aGk=\nc: ! 'x'\nd: !!str 1",
                "{a:b<aGk=\n>,b:b<aGk=>,c:<x>,d:<1>}"
            ),
            ("a: !!binary\n  aGk=\nb: !!binary aGk=", "{a:b<aGk=>,b:b<aGk=>}"),
        ]
    )
    func structure(_ yaml: String, _ expected: String) throws {
        #expect(try tree(yaml) == expected)
    }

    @Test(
        "Keys are text in any style, also after `?`, and the last value of a key counts",
        arguments: [
            ("? a b\n: 1\n? 'c\n  d'\n: - x\n  - y\n? e\n", "{a b:1,c d:[x,y],e:null}"),
            ("? |\n  a\n: b: 1\n  c: 2\n", "{a\n:{b:1,c:2}}"), ("? a\n:\n- x\n", "{a:[x]}"),
            ("{? a : 1, ? b, c}", "{a:1,b:null,c:null}"), ("[a: 1, ? b : 2, 'c':d]", "[{a:1},{b:2},{c:d}]"),
            ("!!python/unicode 'a': 1\n&k b: 2\n", "{a:1,b:2}"), ("a: 1\nb: 2\na: 3\n", "{a:3,b:2}"),
            ("{a: 1, a: 2}", "{a:2}"), ("<<: {a: 1, b: 2}\nb: 3\n", "{a:1,b:3}"),
            ("b: 3\n<<: [{a: 1}, {a: 2, c: 4}]\n", "{a:1,c:4,b:3}"), ("'<<': {a: 1}", "{<<:{a:1}}"),
        ]
    )
    func keys(_ yaml: String, _ expected: String) throws {
        #expect(try tree(yaml) == expected)
    }

    @Test("Only mappings can be merged", arguments: ["<<: 1", "<<: [{a: 1}, 2]", "<<:"])
    func noMerge(_ text: String) throws {
        let problem = CassetteError.Problem.structure(
            place: "line 2, `<<`",
            cause: "expected a mapping or a list of mappings"
        )
        #expect(throws: problem) { try tree("a: 1\n\(text)\nb: 2") }
    }

    @Test("A mapping of many keys has each of them once")
    func manyKeys() throws {
        let lines = (0..<100).map { "k\($0 % 50): \($0)\n" }.joined()
        let members = try YAMLParser.document([UInt8](lines.utf8)).members
        #expect(members.map(\.name) == (0..<50).map { "k\($0)" })
        #expect(members.map(\.value.integerValue) == (50..<100).map { $0 })
    }

    @Test(
        "An alias is the value of its anchor",
        arguments: [
            ("a: &x 1\nb: *x\n", "{a:1,b:1}"), ("a: &x\n  b: 1\nc: [*x, *x]", "{a:{b:1},c:[{b:1},{b:1}]}"),
            ("- &x\n  - a\n- *x\n", "[[a],[a]]"), ("a: &x 'b'\nc: &x d\ne: *x", "{a:<b>,c:d,e:d}"),
            ("a: &x !!str 1\nb: !!str &y 2\nc: [*x, *y]", "{a:<1>,b:<2>,c:[<1>,<2>]}"),
            ("a: &x {b: 1}\nc:\n  <<: *x\n  d: 2\n", "{a:{b:1},c:{b:1,d:2}}"),
            ("a: &x\nb: *x", "{a:null,b:null}"),
        ]
    )
    func aliases(_ yaml: String, _ expected: String) throws {
        #expect(try tree(yaml) == expected)
    }

    @Test(
        "Tags of text, numbers, lists and mappings are read; others make only their value unsupported",
        arguments: [
            (
                "[!!python/unicode 'a', !!python/str b, !str c, !ruby/symbol d, !<tag:yaml.org,2002:str> 1]",
                "[<a>,<b>,<c>,<d>,<1>]"
            ),
            (
                "[!!int '1', !!float 2, !!null '', !!bool 'yes', !!python/long 3, !!python/none x]",
                "[1,2,null,yes,3,x]"
            ),
            (
                "a: !!python/tuple\n- 1\nb: !!map\n  c: d\ne: !ruby/array:A []\nf: !ruby/hash:B {}",
                "{a:[1],b:{c:d},e:[],f:{}}"
            ),
            ("- !ruby/struct:VCR::Request \n  b: 1\n- !ruby/object:VCR::Response {}", "[{b:1},{}]"),
            ("a: !ruby/string:A\n  str: text\n  '@b': 1\n", "{a:<text>}"),
            ("a: !ruby/hash:A\nb: ! [x]", "{a:{},b:[x]}"),
            (
                "[!!set {a}, !ruby/struct:A {b: 1}, !!binary [x], !!str [x], !!seq x]",
                "[(the tag `!!set` is not supported),(the tag `!ruby/struct:A` is not supported),"
                    + "(the tag `!!binary` is not supported),(the tag `!!str` is not supported),(the tag `!!seq` is not supported)]"
            ),
        ]
    )
    func tags(_ yaml: String, _ expected: String) throws {
        #expect(try tree(yaml) == expected)
    }

    @Test(
        "Text is read in every style",
        arguments: [
            ("a: one\n  two\n\n\n  three # no\n", "one two\n\nthree"), ("a:\n  one\n  two", "one two"),
            ("a: 'it''s'", "it's"), ("a: 'one  \n   two\n\n   three '", "one two\nthree "), ("a: ''", ""),
            (
                #"a: "\t\"\\\/\x41\u00e9\U0001F600\0\e\N\_\L\P\a\b\v\f\r\ ""#,
                "\t\"\\/Aé😀\0\u{1B}\u{85}\u{A0}\u{2028}\u{2029}\u{7}\u{8}\u{B}\u{C}\r "
            ),
            (#"a: "\ud83d\ude00 \ud83d \ude00 \ud83dx""#, "😀 \u{FFFD} \u{FFFD} \u{FFFD}x"),
            ("a: \"one\\\n  \\  two\\n\n  three\"", "one  two\n three"),
            ("a: \"x  \n\n y\\t \n z\"", "x\ny\t z"),
            ("a: |\n  one\n   two\n\n  three\n\nb: 1", "one\n two\n\nthree\n"), ("a: |-\n  one\n\n", "one"),
            ("a: |+\n  one\n\n\n", "one\n\n\n"),
            ("a: |\n  one", "one"), ("a: |2\n    one\n", "  one\n"), ("a: |1-\n  one\n", " one"),
            ("a: |+1\n  one\n \n", " one\n\n"),
            ("a: |\n\n\n  one\n", "\n\none\n"), ("a: |\nb: 1", ""), ("a: |+\n\n\nb: 1", "\n\n"),
            ("a: |\n  # no comment\n # one\n", "# no comment\n"),
            ("a: >\n  one\n  two\n\n  three\n", "one two\nthree\n"),
            ("a: >-\n  one\n   two\n  three\n", "one\n two\nthree"),
            ("a: >\n\n  one\n\n\n  two\n\n", "\none\n\ntwo\n"), ("a: | # why\n  one\n", "one\n"),
            ("a: |\n  tab\there \n  \tx\n", "tab\there \n\tx\n"),
            ("a: |\r\n  one\r\n  two\r\n", "one\ntwo\n"), ("a: |\r  one\r  two\r", "one\ntwo\n"),
            ("a: |\n  one\u{2028}  two\u{85}  three\n", "one\u{2028}two\nthree\n"),
            ("a: 'one\u{2029}  two\n  three'", "one\u{2029}two three"),
            ("a: \"one\\\n\n  two\n\t\n\tthree\"", "one\ntwo\nthree"),
        ]
    )
    func scalars(_ yaml: String, _ expected: String) throws {
        #expect(try text(yaml) == expected)
    }

    @Test(
        "Unsupported YAML is an error with its line and column",
        arguments: [
            ("a: *x", 1, 4, "no value before the alias `*x`"),
            ("a: &x [*x]", 1, 8, "no value before the alias `*x`"),
            ("a: &x 1\nb: !!str *x", 2, 10, "an alias cannot have a tag"),
            ("a: & 1", 1, 4, "the anchor has no name"),
            ("a: &x &y 1", 1, 7, "only one anchor"), ("a: !!str !!str 1", 1, 10, "only one tag"),
            ("a: !!python/object:os.system x", 1, 4, "`!!python/object:os.system` is not supported"),
            ("a: !!python/name:os.system", 1, 4, "creates an object"),
            ("a: &x 1\n*x : 2", 2, 1, "a key must be text"),
            ("? [a]\n: b", 1, 1, "a key must be text"),
            ("%TAG ! tag:a.b,2000:\n---\na: 1", 1, 1, "the directive `%TAG` is not supported"),
            ("a: 1\n---\nb: 2", 3, 1, "only one document"), ("a: b # c\n  d", 2, 3, "unexpected indentation"),
            ("a: b: c", 1, 5, "needs quotes"), ("a: b\n  c: d", 2, 4, "needs quotes"),
            ("a: @b", 1, 4, "needs quotes"),
            ("a: 1\n  b: 2", 2, 4, "needs quotes"), ("a:\n    b: 1\n  c: 2", 3, 3, "unexpected indentation"),
            ("- a: 1\n b", 2, 2, "unexpected indentation"),
            ("- a\nb", 2, 1, "expected the end of the document"),
            ("a:\n\tb: 1", 2, 1, "a tab cannot be used for indentation"),
            ("a: 1\nb", 2, 1, "expected a key and a colon"),
            ("a: 'x' y", 1, 8, "expected the end of the line"),
            ("a: 'x", 1, 4, "missing closing quote"), ("a: \"x\n---\n", 1, 4, "missing closing quote"),
            ("a: \"\\q\"", 1, 5, "invalid escape sequence"), ("a: \"\\u12\"", 1, 5, "invalid escape sequence"),
            ("a: \"\\x+1\"", 1, 5, "invalid escape sequence"), ("a: [x", 1, 6, "missing closing bracket"),
            ("a: {x: [}", 1, 9, "needs quotes"), ("a: ['x' y]", 1, 9, "expected a comma"),
            ("a: |x\n", 1, 5, "invalid block header"), ("a: |22\n", 1, 6, "invalid block header"),
            ("a: | x\n", 1, 6, "expected the end of the line"),
            ("a: - x", 1, 4, "a list must begin"),
        ]
    )
    func refused(_ yaml: String, _ line: Int, _ column: Int, _ part: String) throws {
        let problem = try #require(throws: CassetteError.Problem.self) { try tree(yaml) }
        guard case .syntax(let foundLine, let foundColumn, let cause) = problem else {
            Issue.record("\(problem)")
            return
        }
        #expect(cause.contains(part))
        #expect((foundLine, foundColumn) == (line, column))
    }

    @Test(
        "Deep nesting is rejected",
        arguments: ["[", "{a: ", "- ", "- - - ", "a:\n", "!a\n", "? ", "&a ["]
    )
    func tooDeep(_ opening: String) throws {
        var yaml = String(repeating: opening, count: 100_000)
        if opening == "a:\n" { yaml = (0..<2000).map { String(repeating: " ", count: $0) + "a:\n" }.joined() }
        let problem = try #require(throws: CassetteError.Problem.self) {
            try tree(opening == "{a: " ? "a: " + yaml : yaml)
        }
        guard case .syntax(_, _, "nested deeper than 64 levels") = problem else {
            Issue.record("\(problem)")
            return
        }
    }

    @Test("Long runs of spaces and lines take linear time")
    func longRuns() throws {
        let spaces = String(repeating: " ", count: 200_000)
        #expect(try text("a: 'x\(spaces)y'")?.count == 200_002)
        #expect(try text("a: [x\(spaces)y]") == nil)
        let lines = String(repeating: "\n", count: 200_000)
        #expect(try text("a: \"x\(lines)y\"")?.count == 200_001)
        #expect(try text("a: x\(spaces)\(lines)\(spaces)")?.count == 1)
    }

    @Test("Invalid UTF-8 in YAML is an error with its place")
    func notUTF8() {
        #expect(throws: CassetteError.Problem.syntax(line: 2, column: 4, cause: "the text is not valid UTF-8"))
        {
            try YAMLParser.document(Array("a: 1\nb: ".utf8) + [0xFF])
        }
    }

    @Test("Values have line numbers, and only unquoted scalars are numbers")
    func fields() throws {
        let node = try YAMLParser.document(
            [UInt8]("a:\n  - x\n  -\n    b: 7\nc: '7'\nd: 1.5\ne: 1e999\nb: 1\nb: 2".utf8)
        )
        #expect(node["a"]?.line == 2)
        #expect(node["a"]?.arrayValue?[1].line == 4)
        #expect(node["a"]?.arrayValue?[1]["b"]?.integerValue == 7)
        #expect(node["c"]?.integerValue == nil)
        #expect(node["d"]?.doubleValue == 1.5)
        #expect(node["e"]?.doubleValue == nil)
        #expect(node["b"]?.integerValue == 2)
        #expect(node.members.map(\.name) == ["a", "c", "d", "e", "b"])
    }

    @Test("Aliases may repeat a limited size, and values may not become deeper than others")
    func aliasLimits() throws {
        let text = String(repeating: "x", count: 1 << 16)
        let aliases = String(repeating: "- *a\n", count: 63)
        #expect(try YAMLParser.document([UInt8]("- &a \(text)\n\(aliases)".utf8)).arrayValue?.count == 64)
        let tooMany = "- &a \(text)\n" + aliases + "- *a\n"
        #expect(
            throws: CassetteError.Problem.syntax(
                line: 65,
                column: 3,
                cause: "the aliases repeat more than 4 MiB"
            )
        ) {
            try YAMLParser.document([UInt8](tooMany.utf8))
        }
        let chain = "- &a0 x\n" + (1...64).map { "- &a\($0) [*a\($0 - 1)]\n" }.joined()
        #expect(
            throws: CassetteError.Problem.syntax(line: 65, column: 9, cause: "nested deeper than 64 levels")
        ) {
            try YAMLParser.document([UInt8](chain.utf8))
        }
    }
}
