import Foundation
import Testing

@testable import Rewind

/// The values that PyYAML reads, written as `json.dumps` writes them.
struct YAMLValueTests {
    private func json(_ yaml: String) throws -> String {
        var text: [UInt8] = []
        try YAMLParser.document([UInt8](yaml.utf8)).writeJSON(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    @Test(
        "Text without quotes is a value by the rules of YAML 1.1",
        arguments: [
            ("1", "1"), ("-0", "0"), ("+12", "12"), ("1_000", "1000"), ("0o17", #""0o17""#), ("017", "15"),
            ("09", #""09""#),
            ("0x1F", "31"), ("0b101", "5"), ("-0x10", "-16"), ("_1", #""_1""#), ("190:20:30", "685230"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            ("1.0", "1.0"), ("1.50", "1.5"), ("1.", "1.0"), (".5", "0.5"), ("-.5", #""-.5""#),
            ("1.0e+16", "1e+16"),
            ("1e5", #""1e5""#), ("1.0e5", #""1.0e5""#), ("1.0e-07", "1e-07"), ("-0.0", "-0.0"),
            ("1:30.5", "90.5"),
            ("yes", "true"), ("No", "false"), ("on", "true"), ("y", #""y""#), ("TRUE", "true"),
            ("tRue", #""tRue""#),
            ("", "null"), ("~", "null"), ("NULL", "null"), ("nul", #""nul""#), ("=", #""=""#),
            ("2024-01-02", #""2024-01-02""#), ("2024-01-02 03:04:05Z", #""2024-01-02 03:04:05Z""#),
            ("1.2.3", #""1.2.3""#),
            ("+", #""+""#), (".", #"".""#), ("1:60", #""1:60""#), ("0x", #""0x""#),
            ("٣", #""\u0663""#),
        ]
    )
    func scalars(_ text: String, _ expected: String) throws {
        #expect(try json("- \(text)") == "[\(expected)]")
    }

    @Test("Members keep their order, and text has escapes for all characters that are not ASCII")
    func structure() throws {
        let yaml = "b: [1, '2', {c: null}]\na: |\n  é😀\t\"\\/\n   \u{7F}\n"
        let expected = #"{"b": [1, "2", {"c": null}], "a": "\u00e9\ud83d\ude00\t\"\\/\n \u007f\n"}"#
        #expect(try json(yaml) == expected)
    }

    @Test(
        "What JSON cannot represent is not guessed",
        arguments: [
            (".inf", "JSON cannot represent the number `.inf`"), ("-.INF", "the number `-.INF`"),
            (".nan", "the number `.nan`"),
            ("!!binary aGk=", "binary data"), ("!!set {a}", "the tag `!!set` is not supported"),
        ]
    )
    func notJSON(_ text: String, _ reason: String) throws {
        let absence = try #require(throws: BodyAbsence.self) { try json("- \(text)") }
        #expect(absence.reason.contains(reason))
    }
}
