/// A syntax error in JSON text, and its place.
package struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The number of bytes before the error, including a byte order mark.
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

    /// The construct in which the text ended.
    package enum Construct: Sendable {
        case document
        case array
        case object
        case string
        case number
    }

    package var description: String { "line \(line), column \(column): \(problem)" }
}

extension JSONError.Problem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unexpectedEnd(.document): "unexpected end of input"
        case .unexpectedEnd(.array): "unexpected end of input in an array"
        case .unexpectedEnd(.object): "unexpected end of input in an object"
        case .unexpectedEnd(.string): "unexpected end of input in a string"
        case .unexpectedEnd(.number): "unexpected end of input in a number"
        case .expectedValue: "expected a value"
        case .expectedName: "expected a member name in double quotes"
        case .expectedColon: "expected ':' after a member name"
        case .expectedCommaOrEndOfArray: "expected ',' or ']' after an element"
        case .expectedCommaOrEndOfObject: "expected ',' or '}' after a member"
        case .trailingComma: "unexpected trailing comma"
        case .expectedDigit: "expected a digit"
        case .leadingZero: "a number must not have leading zeros"
        case .controlCharacter(let byte):
            "unescaped control character U+\(Hexadecimal.text(byte, digits: 4, uppercase: true)) in a string"
        case .invalidEscape(let character): "invalid escape sequence '\\\(character)'"
        case .invalidUnicodeEscape: "expected four hexadecimal digits after '\\u'"
        case .notUTF8: "the text is not valid UTF-8"
        case .tooDeep(let limit): "nested deeper than \(limit) levels"
        case .textAfterDocument: "unexpected text after the end of the document"
        }
    }
}

/// The line and column of an offset in a text, counted only if there is an error.
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
    /// How deep arrays and objects may be nested; 128 by default. Each level uses stack, and 128 levels fit into the
    /// 512 KB that threads have on Apple systems, even without optimization.
    package var maximumDepth: Int

    package init(maximumDepth: Int = 128) { self.maximumDepth = maximumDepth }

    package static let `default` = JSONLimits()
}
