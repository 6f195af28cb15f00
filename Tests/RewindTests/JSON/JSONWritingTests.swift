import Foundation
import Rewind
import Testing

struct JSONWritingTests {
    @Test("Documents are indented by the rules")
    func layout() {
        let json: JSON = [
            "version": "1.2",
            "headers": [["name": "Accept", "value": "*/*"], ["name": "A", "value": "b", "comment": ""], [:]],
            "range": [0, 512],
            "alone": ["name": "a member is not an element"],
            "nested": [["deep": []], ["deep": [1]], [[1], []]],
            "empty": [[:], []],
            "none": [:],
            "nothing": [],
        ]
        let text = """
            {
              "version": "1.2",
              "headers": [
                { "name": "Accept", "value": "*/*" },
                {
                  "name": "A",
                  "value": "b",
                  "comment": ""
                },
                {}
              ],
              "range": [0, 512],
              "alone": {
                "name": "a member is not an element"
              },
              "nested": [
                {
                  "deep": []
                },
                {
                  "deep": [1]
                },
                [
                  [1],
                  []
                ]
              ],
              "empty": [
                {},
                []
              ],
              "none": {},
              "nothing": []
            }

            """
        #expect(String(decoding: json.serialized(), as: UTF8.self) == text)
    }

    @Test(
        "Scalars are written in their simplest form",
        arguments: [
            (nil, "null"), (true, "true"), (false, "false"), (-7, "-7"), (0.5, "0.5"), (3.0, "3"), ("", "\"\""),
            ("a/b", "\"a/b\""), ("\"\\", #""\"\\""#), ("\n\t\r\u{8}\u{C}", #""\n\t\r\b\f""#),
            ("\0\u{B}\u{1F}\u{7F}", "\"\\u0000\\u000b\\u001f\u{7F}\""),
            ("\u{2028}\u{2029}é😀", "\"\u{2028}\u{2029}é😀\""),
        ] as [(JSON, String)]
    )
    func scalar(_ value: JSON, _ text: String) {
        #expect(String(decoding: value.serialized(), as: UTF8.self) == text + "\n")
    }

    @Test("A number is written with its original spelling")
    func roundTrip() throws {
        let text = #"""
            {
              "z": 1.50,
              "a": [1E+2, -0.0, 123456789012345678901234567890, 1e400],
              "a": "twice",
              "": "\u0000\"\\ é😀 / \u001b"
            }

            """#
        #expect(try JSON(parsing: Data(text.utf8)).serialized() == Data(text.utf8))
    }

    @Test("Canonically equivalent strings stay distinct")
    func equivalence() throws {
        let text = "{\n  \"\u{E9}\": \"\u{E9}\",\n  \"e\u{301}\": \"e\u{301}\"\n}\n"
        #expect(try JSON(parsing: Data(text.utf8)).serialized() == Data(text.utf8))
    }

    @Test("Random documents survive writing and reading", arguments: 0..<200 as Range<UInt64>)
    func randomDocument(seed: UInt64) throws {
        var source = JSONSource(seed: seed)
        let json = source.value(depth: 5)
        let text = json.serialized()
        let readBack = try JSON(parsing: text)
        #expect(readBack == json)
        #expect(readBack.serialized() == text)
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: text, options: .fragmentsAllowed) }
    }

    @Test("Writing value by value results in the same text as writing at once")
    func pieces() throws {
        let entries: [JSON] = [["name": "a", "time": 1, "ok": true], ["name": "b", "tags": []], ["c": 1]]
        let json: JSON = ["log": ["version": "1.2", "entries": .array(entries), "pages": []], "x": nil]
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("log") { writer in
                writer.object { writer in
                    writer.member("version", "1.2")
                    writer.member("entries") { writer in
                        writer.array { writer in
                            for entry in entries { writer.value(entry) }
                        }
                    }
                    writer.member("pages") { $0.array { _ in } }
                }
            }
            writer.member("x", nil)
        }
        let text = writer.document()
        #expect(text == json.serialized())
    }

    @Test("Every control character is escaped and reads back")
    func controlCharacters() throws {
        for byte in 0..<0x20 as Range<UInt8> {
            let text = "before" + String(UnicodeScalar(byte)) + "after"
            let data = JSON.string(text).serialized()
            #expect(data.dropLast().allSatisfy { $0 >= 0x20 })
            #expect(try JSON(parsing: data) == .string(text))
        }
    }

    @Test("Bridged strings and substrings are written completely")
    func substrings() throws {
        let long = String(repeating: "0123456789é\"", count: 1000)
        let part = String(long.dropFirst(5).dropLast(7))
        #expect(try JSON(parsing: JSON.string(part).serialized()) == .string(part))
        let bridged = NSString(string: long) as String
        #expect(try JSON(parsing: JSON.string(bridged).serialized()) == .string(long))
    }

    @Test("Only small objects in arrays are written on one line")
    func lines() {
        func lineCount(_ value: JSON) -> Int {
            value.serialized().count { $0 == UInt8(ascii: "\n") }
        }
        #expect(lineCount(["a": 1]) == 3)
        #expect(lineCount([["a": 1]]) == 3)
        #expect(lineCount([["a": 1, "b": nil]]) == 3)
        #expect(lineCount([["a": 1, "a": 2]]) == 3)
        #expect(lineCount([["a": 1, "b": 2, "c": 3]]) == 7)
        #expect(lineCount([["a": []]]) == 5)
        #expect(lineCount([["a": [:]]]) == 5)
        #expect(lineCount(["a": [1, 2, 3, "four", nil, true]]) == 3)
        #expect(lineCount([[[]]]) == 5)
    }

    @Test("An error in the closure ends the writing")
    func failingBody() {
        struct Stop: Error, Equatable {}
        var writer = JSONWriter()
        #expect(throws: Stop()) {
            try writer.array { writer in
                writer.value(1)
                throw Stop()
            }
        }
    }

    @Test("A value written at a depth can be inserted verbatim")
    func verbatim() throws {
        let entries: [JSON] = [["name": "a", "time": 1, "ok": true], ["name": "b", "tags": [[]]]]
        let texts = entries.map { entry in
            var writer = JSONWriter(depth: 1)
            writer.value(entry)
            return writer.elements()
        }
        var writer = JSONWriter()
        writer.array { writer in
            for text in texts { writer.verbatim(text) }
        }
        let text = writer.document()
        #expect(text == JSON.array(entries).serialized())
    }
}

/// A source of random values that depend only on the seed.
private struct JSONSource {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    }

    mutating func value(depth: Int) -> JSON {
        switch below(depth > 0 ? 9 : 6) {
        case 0: .null
        case 1: .bool(below(2) == 0)
        case 2: .number(JSONNumber(Int(truncatingIfNeeded: step()) >> below(64)))
        case 3: JSON(Double(bitPattern: step()))
        case 4: JSON(Double(below(100_000)) / 100)
        case 5: .string(string())
        case 6: .array((0..<below(6)).map { _ in value(depth: depth - 1) })
        default:
            .object(
                JSONObject((0..<below(6)).map { _ in .init(name: string(), value: value(depth: depth - 1)) })
            )
        }
    }

    private mutating func string() -> String {
        let alphabet: [String] = [
            "a", "xyz", "\"", "\\", "/", "\n", "\0", "\u{1B}", "é", "e\u{301}", "😀", "\u{2028}",
        ]
        return (0..<below(20)).map { _ in alphabet[below(alphabet.count)] }.joined()
    }

    private mutating func below(_ bound: Int) -> Int {
        Int(step() >> 33) % bound
    }

    private mutating func step() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
