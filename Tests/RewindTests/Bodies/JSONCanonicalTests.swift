import Foundation
import Rewind
import Testing

struct JSONCanonicalTests {
    private static func canonical(_ text: String, unorderedArrays: Bool = false) throws -> String? {
        try JSON(parsing: Data(text.utf8)).canonicalText(unorderedArrays: unorderedArrays)
    }

    @Test(
        "Structurally equal values have the same canonical text",
        arguments: [
            (#"{"a":1,"b":2}"#, #"{ "b" : 2.0 , "a" : 1e0 }"#), ("[1, 2]", "[10e-1,2]"),
            (#""\u00e9""#, "\"é\""),
            (#"{"x":{"b":[],"a":{}}}"#, #"{"x":{"a":{},"b":[]}}"#), ("-0", "0"), (#""\/""#, #""/""#),
            (#"{"é":1,"z":2,"e\u0301":3}"#, "{\"z\":2,\"e\u{301}\":3,\"é\":1}"),
        ]
    )
    func equal(_ left: String, _ right: String) throws {
        let text = try #require(try Self.canonical(left))
        #expect(try Self.canonical(right) == text)
        #expect(try Self.canonical(text) == text)
    }

    @Test(
        "Structurally different values have different canonical texts",
        arguments: [
            ("1", "\"1\""), ("null", "\"null\""), ("[]", "{}"), ("[1,2]", "[2,1]"), ("[[1],2]", "[[1,2]]"),
            ("\"é\"", "\"e\u{301}\""), (#"{"é":1}"#, "{\"e\u{301}\":1}"), (#"{"a":null}"#, "{}"),
            ("12345678901234567890", "12345678901234567891"), ("0.1", "0.10000000000000000001"),
            ("\"a\"", "\"A\""),
            (#"["a,b"]"#, #"["a","b"]"#), (#"["\",\""]"#, #"["",""]"#), (#""\u007f""#, #""""#),
            ("\"😀\"", "\"😁\""),
            (#""\\u0041""#, #""A""#), (#""\\n""#, #""\n""#), ("\"Å\"", "\"\u{212B}\""), ("1", "-1"),
            ("[null]", "[]"),
        ]
    )
    func different(_ left: String, _ right: String) throws {
        #expect(try Self.canonical(left) != Self.canonical(right))
    }

    @Test("The canonical text is ASCII")
    func ascii() throws {
        let text = try #require(try Self.canonical(#"{"é":"😀\u0000\n\"\\~"}"#))
        #expect(text == #"{"\u00e9":"\ud83d\ude00\u0000\u000a\"\\~"}"#)
    }

    @Test("The order of elements is ignored only on request, at every depth")
    func unorderedArrays() throws {
        let (left, right) = (#"[{"t":[1,2]},[3,[4,5]],null]"#, #"[null,[[5.0,4],3],{"t":[2,1]}]"#)
        #expect(try Self.canonical(left) != Self.canonical(right))
        #expect(try Self.canonical(left, unorderedArrays: true) == Self.canonical(right, unorderedArrays: true))
        #expect(
            try Self.canonical("[1,1,2]", unorderedArrays: true)
                != Self.canonical("[1,2,2]", unorderedArrays: true)
        )
        #expect(
            try Self.canonical("[1,1]", unorderedArrays: true) != Self.canonical("[1]", unorderedArrays: true)
        )
    }

    @Test(
        "A value with duplicate names has no canonical text",
        arguments: [#"{"a":1,"a":1}"#, #"[0,{"b":{"a":1,"c":2,"\u0061":3}}]"#, #"{"":1,"":2}"#]
    )
    func duplicates(_ text: String) throws {
        #expect(try Self.canonical(text) == nil)
        #expect(try Self.canonical(text, unorderedArrays: true) == nil)
        #expect(try Self.canonical("{\"é\":1,\"e\u{301}\":1}") != nil)
    }

    @Test("Respelling a value preserves its canonical text, and changing a scalar changes it")
    func respelling() throws {
        var random = RandomJSON(seed: 3)
        for _ in 0..<2000 {
            let value = random.value()
            let text = try #require(value.canonicalText())
            #expect(random.respelled(value).canonicalText() == text)
            #expect(try JSON(parsing: Data(text.utf8)).canonicalText() == text)
            if let changed = random.changed(value) {
                #expect(changed.canonicalText() != text, "\(value) and \(changed)")
                #expect(changed.canonicalText(unorderedArrays: true) != nil)
            }
        }
    }

    @Test(
        "A number has one canonical spelling",
        arguments: [
            ("0", "0"), ("-0", "0"), ("0.000", "0"), ("-0.0e-5", "0"), ("0e99999999999999999999", "0"),
            ("1", "1"),
            ("1.0", "1"), ("1e0", "1"), ("1E+0", "1"), ("10e-1", "1"), ("0.1e1", "1"), ("100", "1e2"),
            ("-12.50", "-125e-1"), ("0.001", "1e-3"), ("0.0000000000001e10", "1e-3"),
            ("100000000000000e-12", "1e2"), ("120.0", "12e1"), ("1e-000", "1"), ("1e007", "1e7"),
            ("1e999999999", "1e999999999"), ("10e99999999999999999", "1e100000000000000000"),
            ("0.1e-9223372036854775808", "1e-9223372036854775809"),
            ("10e99999999999999999999", "1e100000000000000000000"),
            ("0.1e100000000000000000000", "1e99999999999999999999"),
            ("1e-123456789012345678901", "1e-123456789012345678901"),
            ("100e-100000000000000000000", "1e-99999999999999999998"),
            ("12345678901234567890", "1234567890123456789e1"), ("12345678901234567891", "12345678901234567891"),
        ]
    )
    func spelling(_ literal: String, _ canonical: String) throws {
        let number = try #require(JSONNumber(literal: literal))
        #expect(number.canonicalSpelling == canonical)
        #expect(JSONNumber(literal: canonical)?.canonicalSpelling == canonical)
    }

    @Test(
        "Moving the decimal point and adjusting the exponent preserves the value"
    )
    func movedPoint() throws {
        for exponent in [
            "9", "99999999999999999", "999999999999999999", "9223372036854775807", "18446744073709551616",
        ] {
            for sign in ["", "-"] {
                let plain = try #require(JSONNumber(literal: "1e\(sign)\(exponent)"))
                let moved = try #require(JSONNumber(literal: "0.0001e\(sign)\(exponent)"))
                let back = try #require(
                    JSONNumber(literal: "\(moved.canonicalSpelling)".replacing("1e", with: "10000e"))
                )
                #expect(moved.canonicalSpelling != plain.canonicalSpelling)
                #expect(back.canonicalSpelling == plain.canonicalSpelling)
            }
        }
    }

    @Test("Canonicalizing a hundred thousand digits is fast")
    func longSpelling() throws {
        let zeros = String(repeating: "0", count: 100_000)
        let number = try #require(JSONNumber(literal: "1" + zeros + "." + zeros + "1e-7"))
        #expect(number.canonicalSpelling.hasSuffix("1e-100008"))
    }
}
