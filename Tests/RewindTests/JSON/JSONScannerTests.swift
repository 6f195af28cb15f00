import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct JSONScannerTests {
    /// Whether a whole text can be skipped.
    private func accepts(_ data: Data, limits: JSONLimits = .default) -> Bool {
        let error = problem(data) { (scanner) throws(JSONError) in try scanner.skipValue() }
        #expect(problem(data) { (scanner) throws(JSONError) in _ = try scanner.value() } == error)
        return error == nil

        func problem(_ data: Data, _ body: (inout JSONScanner) throws(JSONError) -> Void) -> JSONError? {
            do throws(JSONError) {
                try JSONScanner.reading(data, limits: limits) { (scanner) throws(JSONError) in
                    scanner.beginDocument()
                    try body(&scanner)
                    try scanner.endDocument()
                }
                return nil
            } catch {
                return error
            }
        }
    }

    @Test("Valid text is skipped", arguments: ValidText.all)
    func valid(_ sample: ValidText) {
        #expect(accepts(Data(sample.text.utf8)))
    }

    @Test("Invalid text is rejected", arguments: InvalidText.all)
    func invalid(_ sample: InvalidText) {
        #expect(!accepts(Data(sample.text.utf8)))
    }

    @Test("Invalid UTF-8 is not skipped", arguments: IllFormedText.all)
    func illFormed(_ sample: IllFormedText) {
        #expect(!accepts(Data(sample.bytes)))
        let padding = [UInt8](repeating: UInt8(ascii: "x"), count: 9)
        #expect(!accepts(Data([UInt8(ascii: "\"")] + padding + sample.bytes + padding + [UInt8(ascii: "\"")])))
    }

    @Test("A text can be skipped if and only if it can be parsed, and Foundation agrees", arguments: 1...40)
    func mutations(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let sample = ValidText.all.randomElement(using: &random)?.text ?? ""
        let text =
            #" { "a": [1.5e+3, true, null, "é\u00e9\n😀"],"#
            + #" "b": {"c": -0, "d": [[], {}]}, "a": false, "e": \#(sample)}  "#
        let data = Data(text.utf8)
        #expect(accepts(data))
        for count in 1..<data.count - 2 { #expect(!accepts(data.prefix(count))) }
        let letters =
            Array(#"{}[]",:\u01e+-.tfn "#.utf8) + [0x0A, 0x00, 0x1F, 0x7F, 0x80, 0xC3, 0xED, 0xF4, 0xFF]
        for _ in 0..<400 {
            var changed = data
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                let index = Int.random(in: 0..<changed.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: changed.remove(at: index)
                case 1: changed.insert(letters.randomElement(using: &random) ?? 0, at: index)
                default: changed[index] = letters.randomElement(using: &random) ?? 0
                }
            }
            #expect(accepts(changed) == foundationReads(changed) ?? accepts(changed), "\([UInt8](changed))")
        }
    }

    /// Whether Foundation reads a text; `nil` if its rules differ from RFC 8259.
    private func foundationReads(_ data: Data) -> Bool? {
        // Foundation takes text with zero bytes for UTF-16, and rejects halves of surrogate pairs and huge numbers.
        guard !data.contains(0), !data.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) else { return nil }
        return (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil
    }

    @Test("A string has the same end and value as in Foundation", arguments: 1...200)
    func strings(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let units = [
            "a", " ", "é", "€", "😀", #"\""#, #"\\"#, #"\/"#, #"\n"#, #"\u00e9"#, #"\ud83d\ude00"#, #"\ud800"#,
        ]
        let content = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
            units.randomElement(using: &random) ?? ""
        }
        let text = "\"" + content.joined() + "\""
        let array = try JSONSerialization.jsonObject(
            with: Data("[\(text.replacing(#"\ud800"#, with: #"\ufffd"#))]".utf8)
        )
        let meaning = try #require((array as? [String])?.first)
        let data = Data("  \(text), 1".utf8)
        try data.withUnsafeBytes { bytes in
            var scanner = JSONScanner(bytes, at: 2)
            let token = try scanner.string()
            #expect(scanner.position == bytes.count - 3)
            #expect(token.content.elementsEqual(text.utf8.dropFirst().dropLast()))
            #expect(token.hasEscapes == text.contains("\\"))
            #expect(token.string.utf8.elementsEqual(meaning.utf8))
            #expect(token.data == Data(meaning.utf8))
        }
    }

    @Test("The scanner accepts nesting up to the limit and not deeper", arguments: ["[", "{\"a\":"])
    func depth(_ opening: String) {
        for depth in [1, 2, 127, 128, 129] {
            for limit in [1, 128] {
                let closing = opening == "[" ? "]" : "}"
                let text =
                    String(repeating: opening, count: depth) + "1" + String(repeating: closing, count: depth)
                let limits = JSONLimits(maximumDepth: limit)
                #expect(accepts(Data(text.utf8), limits: limits) == (depth <= limit))
            }
        }
        #expect(!accepts(Data(String(repeating: opening, count: 100_000).utf8)))
    }

    @Test(
        "A number is plain or not depending on its spelling",
        arguments: [
            ("0", true), ("-17", true), ("12345678901234567", true), ("123456789012345678", false),
            ("1.0", true),
            ("1e3", false), ("1E3", false), ("-1.25", true),
        ] as [(String, Bool)]
    )
    func numbers(_ text: String, _ isPlain: Bool) throws {
        try Data(text.utf8).withUnsafeBytes { bytes in
            var scanner = JSONScanner(bytes)
            let number = try scanner.number()
            #expect(number.string == text)
            #expect(number.isPlainNumber == isPlain)
        }
    }

    @Test("A member name is found in any spelling")
    func find() throws {
        let data = Data(#"{"a": {"b": [1, {"c": 2}]}, "\u0062": 3, "c": 4}"#.utf8)
        let found = try JSONScanner.reading(data) { (scanner) throws(JSONError) -> JSON? in
            try scanner.find(["c", "b"]) == "b" ? try scanner.value() : nil
        }
        #expect(found == 3)
        #expect(try JSONScanner.reading(data) { (scanner) throws(JSONError) in try scanner.find(["d"]) } == nil)
    }
}
