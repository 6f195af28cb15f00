import Foundation
import Rewind
import Testing

struct JSONErrorTests {
    private let sample = """
        {\r
          "é": [1, 20.5, {"a😀b": true}],\r
        \t"日本語": "x\\n€y",

          "z": {"": null, "w": [[], -1e-5]}
        }
        """

    @Test("A control character anywhere in a text is found at its line and column")
    func everyPlace() throws {
        let scalars = Array(sample.unicodeScalars)
        for index in 0...scalars.count {
            let before = String(String.UnicodeScalarView(scalars[..<index]))
            let after = String(String.UnicodeScalarView(scalars[index...]))
            let error = try #require(throws: JSONError.self) {
                try JSON(parsing: Data((before + "\u{1}" + after).utf8))
            }
            let lines = before.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            // A word or an escape that is torn apart is wrong where it began, not where the tear is.
            if error.problem == .expectedValue || error.problem == .invalidUnicodeEscape { continue }
            #expect(error.offset == before.utf8.count)
            #expect(error.line == lines.count)
            #expect(error.column == (lines.last?.count ?? 0) + 1)
        }
    }

    @Test("A text cut off anywhere ends too early or holds half a word")
    func everyEnd() throws {
        let data = Data(sample.utf8)
        for count in 0..<data.count {
            let error = try #require(throws: JSONError.self) { try JSON(parsing: data.prefix(count)) }
            switch error.problem {
            case .unexpectedEnd: #expect(error.offset == count)
            case .expectedValue: #expect("tn".utf8.contains(data[error.offset]))
            case .notUTF8: #expect(data[count] & 0xC0 == 0x80, "Only a character cut in two is not UTF-8")
            default: Issue.record("\(error)")
            }
        }
    }

    @Test("Damaged texts are judged as Foundation judges them", arguments: 0..<20 as Range<UInt64>)
    func damage(seed: UInt64) {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        let damaging = Array("\"\\{}[],:0-1.eE+ntu \n\t/ax".utf8) + [0, 0x1F, 0x7F, 0x80, 0xC3, 0xED, 0xFF]
        for _ in 0..<100 {
            var data = Data(sample.utf8)
            for _ in 0...state % 2 {
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                data[Int(state >> 32) % data.count] = damaging[Int(state >> 16 & 0xFFFF) % damaging.count]
            }
            let theirs = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
            do throws(JSONError) {
                _ = try JSON(parsing: data)
                #expect(theirs != nil, "\(String(decoding: data, as: UTF8.self))")
            } catch {
                // Foundation lets a comma stand after the last member; on Apple systems it may let more pass.
                #if os(Linux)
                    #expect(theirs == nil || error.problem == .trailingComma, "\(error)")
                #endif
            }
        }
    }

    @Test("Carriage returns do not end lines but count as columns")
    func carriageReturn() {
        let error = #expect(throws: JSONError.self) { try JSON(parsing: Data("[\r\n1,\r\r x]".utf8)) }
        #expect(error == JSONError(offset: 8, line: 2, column: 6, problem: .expectedValue))
    }

    @Test("Of several mistakes the first is reported")
    func first() {
        let error = #expect(throws: JSONError.self) { try JSON(parsing: Data("[1,\n\"\t\", 01, x".utf8)) }
        #expect(error == JSONError(offset: 5, line: 2, column: 2, problem: .controlCharacter(0x09)))
    }

    @Test("Errors say where they are")
    func place() {
        let error = JSONError(offset: 9, line: 3, column: 5, problem: .unexpectedEnd(inside: .string))
        #expect("\(error)" == "line 3, column 5: unexpected end of text inside a string")
    }

    @Test(
        "Problems say what is wrong",
        arguments: [
            (.unexpectedEnd(inside: .document), "unexpected end of text inside a document"),
            (.unexpectedEnd(inside: .array), "unexpected end of text inside an array"),
            (.unexpectedEnd(inside: .object), "unexpected end of text inside an object"),
            (.unexpectedEnd(inside: .number), "unexpected end of text inside a number"),
            (.expectedValue, "expected a value"),
            (.expectedName, "expected '\"' and the name of a member"),
            (.expectedColon, "expected ':' after the name of a member"),
            (.expectedCommaOrEndOfArray, "expected ',' or ']' after an element"),
            (.expectedCommaOrEndOfObject, "expected ',' or '}' after a member"),
            (.trailingComma, "a comma may not follow the last element or member"),
            (.expectedDigit, "expected a digit"),
            (.leadingZero, "a number may not start with 0"),
            (.controlCharacter(0x1F), "a string may not hold the control character U+001F"),
            (.controlCharacter(0), "a string may not hold the control character U+0000"),
            (.invalidEscape("x"), "invalid escape \\x"),
            (.invalidUnicodeEscape, "expected four hexadecimal digits after \\u"),
            (.notUTF8, "text is not UTF-8"),
            (.tooDeep(limit: 128), "nested deeper than 128 levels"),
            (.textAfterDocument, "unexpected text after the end of the document"),
        ] as [(JSONError.Problem, String)]
    )
    func words(_ problem: JSONError.Problem, _ text: String) {
        #expect("\(problem)" == text)
    }
}
