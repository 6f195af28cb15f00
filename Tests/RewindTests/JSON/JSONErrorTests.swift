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

    @Test("A control character anywhere is reported with its line and column")
    func everyPlace() throws {
        let scalars = Array(sample.unicodeScalars)
        for index in 0...scalars.count {
            let before = String(String.UnicodeScalarView(scalars[..<index]))
            let after = String(String.UnicodeScalarView(scalars[index...]))
            let error = try #require(throws: JSONError.self) {
                try JSON(parsing: Data((before + "\u{1}" + after).utf8))
            }
            let lines = before.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            // A split word or escape is reported at its start.
            if error.problem == .expectedValue || error.problem == .invalidUnicodeEscape { continue }
            #expect(error.offset == before.utf8.count)
            #expect(error.line == lines.count)
            #expect(error.column == (lines.last?.count ?? 0) + 1)
        }
    }

    @Test("A text truncated anywhere is reported as an unexpected end or an incomplete word")
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

    @Test("Damaged texts are accepted or rejected like in Foundation", arguments: 0..<20 as Range<UInt64>)
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
                // Foundation accepts a trailing comma; on Apple systems it may accept more.
                #if os(Linux)
                    #expect(theirs == nil || error.problem == .trailingComma, "\(error)")
                #endif
            }
        }
    }

    @Test("Carriage returns count as columns and do not end lines")
    func carriageReturn() {
        let error = #expect(throws: JSONError.self) { try JSON(parsing: Data("[\r\n1,\r\r x]".utf8)) }
        #expect(error == JSONError(offset: 8, line: 2, column: 6, problem: .expectedValue))
    }

    @Test("The first of several errors is reported")
    func first() {
        let error = #expect(throws: JSONError.self) { try JSON(parsing: Data("[1,\n\"\t\", 01, x".utf8)) }
        #expect(error == JSONError(offset: 5, line: 2, column: 2, problem: .controlCharacter(0x09)))
    }

    @Test("The description of an error contains its place")
    func place() {
        let error = JSONError(offset: 9, line: 3, column: 5, problem: .unexpectedEnd(inside: .string))
        #expect("\(error)" == "line 3, column 5: unexpected end of input in a string")
    }

    @Test(
        "Each problem has a description",
        arguments: [
            (.unexpectedEnd(inside: .document), "unexpected end of input"),
            (.unexpectedEnd(inside: .array), "unexpected end of input in an array"),
            (.unexpectedEnd(inside: .object), "unexpected end of input in an object"),
            (.unexpectedEnd(inside: .number), "unexpected end of input in a number"),
            (.expectedValue, "expected a value"),
            (.expectedName, "expected a member name in double quotes"),
            (.expectedColon, "expected ':' after a member name"),
            (.expectedCommaOrEndOfArray, "expected ',' or ']' after an element"),
            (.expectedCommaOrEndOfObject, "expected ',' or '}' after a member"),
            (.trailingComma, "unexpected trailing comma"),
            (.expectedDigit, "expected a digit"),
            (.leadingZero, "a number must not have leading zeros"),
            (.controlCharacter(0x1F), "unescaped control character U+001F in a string"),
            (.controlCharacter(0), "unescaped control character U+0000 in a string"),
            (.invalidEscape("x"), "invalid escape sequence '\\x'"),
            (.invalidUnicodeEscape, "expected four hexadecimal digits after '\\u'"),
            (.notUTF8, "the text is not valid UTF-8"),
            (.tooDeep(limit: 128), "nested deeper than 128 levels"),
            (.textAfterDocument, "unexpected text after the end of the document"),
        ] as [(JSONError.Problem, String)]
    )
    func words(_ problem: JSONError.Problem, _ text: String) {
        #expect("\(problem)" == text)
    }
}
