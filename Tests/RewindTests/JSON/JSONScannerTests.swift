import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct JSONScannerTests {
    /// Whether the scanner goes through a whole text.
    private func accepts(_ data: Data, limits: JSONLimits = .default) -> Bool {
        data.withUnsafeBytes { bytes in
            let mark = JSONLocation.byteOrderMark
            let start = bytes.starts(with: mark) ? mark.count : 0
            do {
                var scanner = try JSONScanner(bytes, at: start, limits: limits)
                scanner.skipWhiteSpace()
                try scanner.value(depth: 0)
                scanner.skipWhiteSpace()
                return scanner.position == bytes.count
            } catch {
                return false
            }
        }
    }

    private func parses(_ data: Data, limits: JSONLimits = .default) -> Bool {
        (try? JSON(parsing: data, limits: limits)) != nil
    }

    @Test("What is valid is accepted", arguments: ValidText.all)
    func valid(_ sample: ValidText) {
        #expect(accepts(Data(sample.text.utf8)))
    }

    @Test("What is invalid is refused", arguments: InvalidText.all)
    func invalid(_ sample: InvalidText) {
        #expect(!accepts(Data(sample.text.utf8)))
    }

    @Test("What is not UTF-8 is refused", arguments: IllFormedText.all)
    func illFormed(_ sample: IllFormedText) {
        #expect(!accepts(Data(sample.bytes)))
        let padding = [UInt8](repeating: UInt8(ascii: "x"), count: 9)
        #expect(!accepts(Data([UInt8(ascii: "\"")] + padding + sample.bytes + padding + [UInt8(ascii: "\"")])))
    }

    @Test("A text is accepted exactly where the parser reads it, also cut off and changed", arguments: 1...40)
    func mutations(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let sample = ValidText.all.randomElement(using: &random)?.text ?? ""
        let text =
            #" { "a": [1.5e+3, true, null, "é\u00e9\n😀"],"#
            + #" "b": {"c": -0, "d": [[], {}]}, "a": false, "e": \#(sample)}  "#
        let data = Data(text.utf8)
        #expect(accepts(data) && parses(data))
        for count in 0..<data.count { #expect(accepts(data.prefix(count)) == parses(data.prefix(count))) }
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
            #expect(accepts(changed) == parses(changed), "\(String(decoding: changed, as: UTF8.self))")
            #expect(accepts(changed) == foundationReads(changed) ?? accepts(changed), "\([UInt8](changed))")
        }
    }

    /// Whether Foundation reads a text; `nil` where its rules are others than those of RFC 8259.
    private func foundationReads(_ data: Data) -> Bool? {
        // Zero bytes make it take the text for UTF-16; it refuses halves of surrogate pairs and what no number can hold.
        guard !data.contains(0), !data.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) else { return nil }
        return (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil
    }

    @Test("A string ends, and is spelled, as the parser reads it", arguments: 1...200)
    func strings(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let units = [
            "a", " ", "é", "€", "😀", #"\""#, #"\\"#, #"\/"#, #"\n"#, #"\u00e9"#, #"\ud83d\ude00"#, #"\ud800"#,
        ]
        let content = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
            units.randomElement(using: &random) ?? ""
        }
        let text = "\"" + content.joined() + "\""
        let meaning = try #require(JSON(parsing: Data(text.utf8)).stringValue)
        let data = Data("  \(text), 1".utf8)
        try data.withUnsafeBytes { bytes in
            var scanner = try JSONScanner(bytes, at: 2)
            let span = try scanner.string()
            #expect(scanner.position == bytes.count - 3)
            #expect(span.range == 3..<bytes.count - 4)
            #expect(span.hasEscapes == text.contains("\\"))
            #expect(span.string(in: bytes).utf8.elementsEqual(meaning.utf8))
            #expect(span.data(in: bytes) == Data(meaning.utf8))
        }
    }

    @Test("The scanner takes containers as deep as the limit says and no deeper", arguments: ["[", "{\"a\":"])
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
        "A number is whole, and plain, by its spelling",
        arguments: [
            ("0", 0, true), ("-0", 0, true), ("-17", -17, true),
            ("12345678901234567", 12_345_678_901_234_567, true),
            ("123456789012345678", nil, false), ("1.0", nil, true), ("1e3", nil, false), ("1E3", nil, false),
            ("-1.25", nil, true),
        ] as [(String, Int?, Bool)]
    )
    func numbers(_ text: String, _ whole: Int?, _ isPlain: Bool) throws {
        try Data(text.utf8).withUnsafeBytes { bytes in
            var scanner = try JSONScanner(bytes)
            let number = try scanner.number()
            #expect(number.range == 0..<bytes.count)
            #expect(scanner.wholeNumber(number) == whole)
            #expect(scanner.isPlain(number) == isPlain)
        }
    }

    @Test("A number is read as Swift reads it", arguments: 1...30)
    func doubles(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let fixed = [
            "0", "-0", "0.1", "-0.0", "12.5", "1e3", "1.5E-7", "9007199254740993", "0.30000000000000004",
            "1e400",
        ]
        let drawn = (0..<300).map { _ in
            let digits = random.text(Int.random(in: 1...16, using: &random), of: "0123456789")
            let decimals = random.text(Int.random(in: 0...8, using: &random), of: "0123456789")
            let whole = String(Int(digits) ?? 0)
            return (Bool.random(using: &random) ? "-" : "") + whole + (decimals.isEmpty ? "" : "." + decimals)
        }
        for text in fixed + drawn {
            try Data(text.utf8).withUnsafeBytes { bytes in
                var scanner = try JSONScanner(bytes)
                let value = try scanner.number().double(in: bytes)
                #expect(value?.bitPattern == Double(text)?.bitPattern, "\(text)")
            }
        }
    }
}
