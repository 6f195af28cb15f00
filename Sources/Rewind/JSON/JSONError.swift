/// What is wrong with a text that is not JSON, and where.
package struct JSONError: Error, Sendable, Equatable {
    /// The number of bytes before the place, a byte order mark included.
    package let offset: Int
    /// The line, counted from 1; a line ends with a line feed.
    package let line: Int
    /// The column, counted from 1 in Unicode scalars; a byte order mark does not count.
    package let column: Int
    /// What is wrong there.
    package let problem: Problem

    /// Creates an error.
    package init(offset: Int, line: Int, column: Int, problem: Problem) {
        self.offset = offset
        self.line = line
        self.column = column
        self.problem = problem
    }

    /// The ways in which a text can fail to be JSON.
    package enum Problem: Sendable, Hashable {
        /// The text ends too early.
        case unexpectedEnd(inside: Construct)
        /// Something stands where a value should.
        case expectedValue
        /// Something stands where the quoted name of a member should.
        case expectedName
        /// The name of a member is not followed by a colon.
        case expectedColon
        /// An element is not followed by a comma or the end of its array.
        case expectedCommaOrEndOfArray
        /// A member is not followed by a comma or the end of its object.
        case expectedCommaOrEndOfObject
        /// A comma follows the last element or member.
        case trailingComma
        /// A number has no digit where there must be one.
        case expectedDigit
        /// A number has digits after a leading zero.
        case leadingZero
        /// A string holds a control character that is not escaped.
        case controlCharacter(UInt8)
        /// A backslash is followed by a character that makes no escape.
        case invalidEscape(String)
        /// The escape `\u` is not followed by four hexadecimal digits.
        case invalidUnicodeEscape
        /// The bytes are not UTF-8.
        case notUTF8
        /// Too many arrays and objects stand inside one another.
        case tooDeep(limit: Int)
        /// Something follows the document.
        case textAfterDocument
    }

    /// The parts of a text that need an end.
    package enum Construct: String, Sendable {
        /// The whole text.
        case document = "a document"
        /// An array.
        case array = "an array"
        /// An object.
        case object = "an object"
        /// A string, the name of a member included.
        case string = "a string"
        /// A number.
        case number = "a number"
    }
}

extension JSONError.Problem: CustomStringConvertible {
    /// The problem in a few words.
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

extension JSONError: CustomStringConvertible {
    /// The place and the problem, as in `line 3, column 5: expected a value`.
    package var description: String {
        "line \(line), column \(column): \(problem)"
    }
}
