import Foundation
import Rewind

/// A valid JSON text and its value.
struct ValidText: Sendable {
    let text: String
    let value: JSON
    /// Whether Foundation rejects the text or rounds its numbers.
    var isBeyondFoundation = false

    static let all: [ValidText] = [
        // A scalar is a valid document.
        ValidText(text: "null", value: nil),
        ValidText(text: " true\r\n", value: true),
        ValidText(text: "\tfalse", value: false),
        ValidText(text: "\"\"", value: ""),
        ValidText(text: "0", value: 0),

        // Containers.
        ValidText(text: "[]", value: []),
        ValidText(text: "{}", value: [:]),
        ValidText(text: "[ \n]", value: []),
        ValidText(text: "{\t}", value: [:]),
        ValidText(text: "[1,[2,[3]],{}]", value: [1, [2, [3]], [:]]),
        ValidText(text: " { \"a\" : [ 1 , null ] , \"b\" : { } } ", value: ["a": [1, nil], "b": [:]]),
        ValidText(text: #"{"b":1,"a":2,"":3}"#, value: ["b": 1, "a": 2, "": 3]),
        ValidText(text: #"{"a":1,"a":2}"#, value: ["a": 1, "a": 2], isBeyondFoundation: true),

        // Numbers keep their notation.
        number("-0"), number("-1"), number("10"), number("1.0"), number("1.50"), number("-0.0"),
        number("1e5"), number("1E+5"), number("1e-05"), number("123.456e7"), number("0e0"), number("0.1e1"),
        number("9223372036854775807"),
        number("123456789012345678901234567890", isBeyondFoundation: true),
        number("0.1000000000000000055511151231257827", isBeyondFoundation: true),
        number("1e400", isBeyondFoundation: true),
        number("-1e-400", isBeyondFoundation: true),

        // Strings.
        ValidText(text: #""\"\\\/\b\f\n\r\t""#, value: "\"\\/\u{8}\u{C}\n\r\t"),
        ValidText(text: #""\u0041\u00e9\u00E9\u20ac\ud83d\ude00""#, value: "Aéé€😀"),
        ValidText(text: #""a\u0000b""#, value: "a\0b"),
        ValidText(
            text: "\"\u{2028}\u{2029}\u{7F}\u{FEFF}\u{10FFFF}\"",
            value: "\u{2028}\u{2029}\u{7F}\u{FEFF}\u{10FFFF}"
        ),
        ValidText(text: "\"é€😀👩‍👩‍👧\"", value: "é€😀👩‍👩‍👧"),
        ValidText(text: #"{"\u0061\n":1}"#, value: ["a\n": 1]),

        // Unpaired surrogates, which browsers export, become U+FFFD.
        ValidText(text: #""\ud800""#, value: "\u{FFFD}", isBeyondFoundation: true),
        ValidText(text: #""x\ude00y""#, value: "x\u{FFFD}y", isBeyondFoundation: true),
        ValidText(text: #""\ud83dx""#, value: "\u{FFFD}x", isBeyondFoundation: true),
        ValidText(text: #""\ud83d\n""#, value: "\u{FFFD}\n", isBeyondFoundation: true),
        ValidText(text: #""\ud83d\u0041""#, value: "\u{FFFD}A", isBeyondFoundation: true),
        ValidText(text: #""\ud83d\ud83d\ude00""#, value: "\u{FFFD}😀", isBeyondFoundation: true),
    ]

    private static func number(_ literal: String, isBeyondFoundation: Bool = false) -> ValidText {
        ValidText(
            text: literal,
            value: JSONNumber(literal: literal).map(JSON.number) ?? .null,
            isBeyondFoundation: isBeyondFoundation
        )
    }
}

/// An invalid JSON text, with the position and the kind of its first error.
struct InvalidText: Sendable {
    let text: String
    let line: Int
    let column: Int
    let problem: JSONError.Problem

    init(_ text: String, _ line: Int, _ column: Int, _ problem: JSONError.Problem) {
        self.text = text
        self.line = line
        self.column = column
        self.problem = problem
    }

    static let all = values + containers + numbers + strings

    private static let values = [
        InvalidText("", 1, 1, .unexpectedEnd(inside: .document)),
        InvalidText(" \n ", 2, 2, .unexpectedEnd(inside: .document)),
        InvalidText("\u{FEFF}", 1, 1, .unexpectedEnd(inside: .document)),
        InvalidText("\u{FEFF}\u{FEFF}1", 1, 1, .expectedValue),
        InvalidText("nul", 1, 1, .expectedValue),
        InvalidText("True", 1, 1, .expectedValue),
        InvalidText("[truth]", 1, 2, .expectedValue),
        InvalidText("NaN", 1, 1, .expectedValue),
        InvalidText("[-Infinity]", 1, 3, .expectedDigit),
        InvalidText("undefined", 1, 1, .expectedValue),
        InvalidText("'a'", 1, 1, .expectedValue),
        InvalidText("// comment\n1", 1, 1, .expectedValue),
        InvalidText("[1 /* one */]", 1, 4, .expectedCommaOrEndOfArray),
        InvalidText("\u{A0}1", 1, 1, .expectedValue),
        InvalidText("\u{C}1", 1, 1, .expectedValue),
        InvalidText("\0", 1, 1, .expectedValue),
        InvalidText("1\0", 1, 2, .textAfterDocument),
        InvalidText("1 2", 1, 3, .textAfterDocument),
        InvalidText("{}\n\n}", 3, 1, .textAfterDocument),
        InvalidText("nullx", 1, 5, .textAfterDocument),
    ]

    private static let containers = [
        InvalidText("[", 1, 2, .unexpectedEnd(inside: .array)),
        InvalidText("[1", 1, 3, .unexpectedEnd(inside: .array)),
        InvalidText("[1,", 1, 4, .unexpectedEnd(inside: .array)),
        InvalidText("[1,]", 1, 3, .trailingComma),
        InvalidText("[,1]", 1, 2, .expectedValue),
        InvalidText("[1,,2]", 1, 4, .expectedValue),
        InvalidText("[1 2]", 1, 4, .expectedCommaOrEndOfArray),
        InvalidText("[1}", 1, 3, .expectedCommaOrEndOfArray),
        InvalidText("]", 1, 1, .expectedValue),
        InvalidText("{", 1, 2, .unexpectedEnd(inside: .object)),
        InvalidText("{\"a\"", 1, 5, .unexpectedEnd(inside: .object)),
        InvalidText("{\"a\":", 1, 6, .unexpectedEnd(inside: .object)),
        InvalidText("{\"a\":1", 1, 7, .unexpectedEnd(inside: .object)),
        InvalidText("{\"a\":1,", 1, 8, .unexpectedEnd(inside: .object)),
        InvalidText("{\"a\":1\n,}", 2, 1, .trailingComma),
        InvalidText("{a:1}", 1, 2, .expectedName),
        InvalidText("{1:1}", 1, 2, .expectedName),
        InvalidText("{,}", 1, 2, .expectedName),
        InvalidText("{\"a\" 1}", 1, 6, .expectedColon),
        InvalidText("{\"a\",1}", 1, 5, .expectedColon),
        InvalidText("{\"a\":}", 1, 6, .expectedValue),
        InvalidText("{\n  \"é😀\": 1\n  \"b\": 2\n}", 3, 3, .expectedCommaOrEndOfObject),
        InvalidText("{\"é😀\":1]", 1, 8, .expectedCommaOrEndOfObject),
    ]

    private static let numbers = [
        InvalidText("-", 1, 2, .unexpectedEnd(inside: .number)),
        InvalidText("+1", 1, 1, .expectedValue),
        InvalidText("01", 1, 1, .leadingZero),
        InvalidText("[-012]", 1, 3, .leadingZero),
        InvalidText(".5", 1, 1, .expectedValue),
        InvalidText("[1.]", 1, 4, .expectedDigit),
        InvalidText("1.e5", 1, 3, .expectedDigit),
        InvalidText("1e", 1, 3, .unexpectedEnd(inside: .number)),
        InvalidText("[1e+]", 1, 5, .expectedDigit),
        InvalidText("0x1F", 1, 2, .textAfterDocument),
        InvalidText("1_000", 1, 2, .textAfterDocument),
        InvalidText("[1.2.3]", 1, 5, .expectedCommaOrEndOfArray),
        InvalidText("１", 1, 1, .expectedValue),
    ]

    private static let strings = [
        InvalidText("\"", 1, 2, .unexpectedEnd(inside: .string)),
        InvalidText("\"abc", 1, 5, .unexpectedEnd(inside: .string)),
        InvalidText("\"abc\\", 1, 6, .unexpectedEnd(inside: .string)),
        InvalidText("\"abc\\\"", 1, 7, .unexpectedEnd(inside: .string)),
        InvalidText("\"\\u12", 1, 6, .unexpectedEnd(inside: .string)),
        InvalidText("\"a\nb\"", 1, 3, .controlCharacter(0x0A)),
        InvalidText("\"a\tb\"", 1, 3, .controlCharacter(0x09)),
        InvalidText("\"é\0\"", 1, 3, .controlCharacter(0)),
        InvalidText("\"\\\n\"", 1, 3, .controlCharacter(0x0A)),
        InvalidText("\"é\\x41\"", 1, 3, .invalidEscape("x")),
        InvalidText("\"\\'\"", 1, 2, .invalidEscape("'")),
        InvalidText("\"\\N\"", 1, 2, .invalidEscape("N")),
        InvalidText("\"\\é\"", 1, 2, .invalidEscape("é")),
        InvalidText("\"\\u12G4\"", 1, 2, .invalidUnicodeEscape),
        InvalidText("\"\\u\"", 1, 2, .invalidUnicodeEscape),
        InvalidText("\"\\U0041\"", 1, 2, .invalidEscape("U")),
        InvalidText("\"\\u{41}\"", 1, 2, .invalidUnicodeEscape),
        InvalidText("{\"a\\q\":1}", 1, 4, .invalidEscape("q")),
    ]
}

/// Invalid UTF-8, with the position of the first invalid byte.
struct IllFormedText: Sendable {
    let bytes: [UInt8]
    let offset: Int
    let column: Int

    static let all: [IllFormedText] = [
        inString([0x80]),  // a continuation with nothing before it
        inString([0xC3]),  // a lead with nothing after it
        inString([0xC0, 0xAF]),  // an overlong “/”
        inString([0xC1, 0xBF]),
        inString([0xE0, 0x9F, 0xBF]),  // an overlong form of three bytes
        inString([0xE2, 0x82]),
        inString([0xE2, 0x28, 0xA1]),
        inString([0xED, 0xA0, 0x80]),  // a surrogate
        inString([0xED, 0xBF, 0xBF]),
        inString([0xF0, 0x8F, 0xBF, 0xBF]),  // an overlong form of four bytes
        inString([0xF0, 0x9F, 0x98]),
        inString([0xF0, 0x9F, 0x98, 0x41]),
        inString([0xF4, 0x90, 0x80, 0x80]),  // above U+10FFFF
        inString([0xF5, 0x80, 0x80, 0x80]),
        inString([0xFF]),
        // A backslash does not hide the next byte.
        IllFormedText(bytes: [0x22, 0x5C, 0xFF, 0x22], offset: 2, column: 3),
        // UTF-16 with a byte order mark, and Latin-1 outside of a string.
        IllFormedText(bytes: [0xFF, 0xFE, 0x5B, 0x00, 0x5D, 0x00], offset: 0, column: 1),
        IllFormedText(bytes: [0x5B, 0xE9, 0x5D], offset: 1, column: 2),
    ]

    private static func inString(_ bytes: [UInt8]) -> IllFormedText {
        IllFormedText(bytes: Array("[\"é".utf8) + bytes + Array("\"]".utf8), offset: 4, column: 4)
    }
}

extension JSONNumber {
    /// Creates a number with a literal, or `nil` if the literal is not valid JSON.
    init?(literal: String) {
        guard case .number(let number)? = try? JSON(parsing: Data(literal.utf8)), number.literal == literal
        else {
            return nil
        }
        self = number
    }
}
