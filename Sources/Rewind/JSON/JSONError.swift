/// What is wrong with a text that is not JSON, and where.
package struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The number of bytes before the place, a byte order mark included.
    package let offset: Int
    /// The line, counted from 1; a line ends with a line feed.
    package let line: Int
    /// The column, counted from 1 in Unicode scalars; a byte order mark does not count.
    package let column: Int
    package let problem: Problem

    package init(offset: Int, line: Int, column: Int, problem: Problem) {
        self.offset = offset
        self.line = line
        self.column = column
        self.problem = problem
    }

    package enum Problem: Sendable, Hashable {
        case unexpectedEnd(inside: Construct)
        case expectedValue, expectedName, expectedColon, expectedDigit, leadingZero
        case expectedCommaOrEndOfArray, expectedCommaOrEndOfObject, trailingComma
        case controlCharacter(UInt8)
        case invalidEscape(String)
        case invalidUnicodeEscape, notUTF8
        case tooDeep(limit: Int)
        case textAfterDocument
    }

    /// The parts of a text that need an end.
    package enum Construct: String, Sendable {
        case document = "a document"
        case array = "an array"
        case object = "an object"
        case string = "a string"
        case number = "a number"
    }

    package var description: String { "line \(line), column \(column): \(problem)" }
}

extension JSONError.Problem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unexpectedEnd(let construct): "unexpected end of text inside \(construct.rawValue)"
        case .expectedValue: "expected a value"
        case .expectedName: "expected '\"' and the name of a member"
        case .expectedColon: "expected ':' after the name of a member"
        case .expectedCommaOrEndOfArray: "expected ',' or ']' after an element"
        case .expectedCommaOrEndOfObject: "expected ',' or '}' after a member"
        case .trailingComma: "a comma may not follow the last element or member"
        case .expectedDigit: "expected a digit"
        case .leadingZero: "a number may not start with 0"
        case .controlCharacter(let byte):
            "a string may not hold the control character U+\(Hexadecimal.text(byte, digits: 4, uppercase: true))"
        case .invalidEscape(let character): "invalid escape \\\(character)"
        case .invalidUnicodeEscape: "expected four hexadecimal digits after \\u"
        case .notUTF8: "text is not UTF-8"
        case .tooDeep(let limit): "nested deeper than \(limit) levels"
        case .textAfterDocument: "unexpected text after the end of the document"
        }
    }
}

/// The line and column of a place in a text, counted only when there is an error.
struct JSONLocation {
    let line: Int
    let column: Int

    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    init(of offset: Int, in bytes: UnsafeRawBufferPointer) {
        var line = 1
        var column = 1
        let start = bytes.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
        for byte in bytes[min(start, offset)..<offset] {
            if byte == JSONByte.lineFeed {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                // Every scalar has one byte that is not a continuation byte.
                column += 1
            }
        }
        self.line = line
        self.column = column
    }
}

package struct JSONLimits: Sendable, Hashable {
    /// The number of arrays and objects that may be nested. Every level needs stack. The default fits into the half
    /// megabyte that Apple systems give to threads, even without optimization.
    package var maximumDepth: Int

    package init(maximumDepth: Int = 128) { self.maximumDepth = maximumDepth }

    package static let `default` = JSONLimits()
}
