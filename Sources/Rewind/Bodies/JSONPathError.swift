/// What is wrong with the text of a path, and where.
package struct JSONPathError: Error, Hashable, Sendable {
    /// The text that is no path.
    package let path: String
    /// The column, counted from 1 in Unicode scalars.
    package let column: Int
    /// What is wrong there.
    package let problem: Problem

    /// The ways in which a text can fail to be a path.
    package enum Problem: String, Sendable {
        /// The text does not begin with a dollar sign.
        case expectedRoot = "a path must begin with '$'"
        /// Something stands where a segment should.
        case expectedSegment = "expected '.', '..' or '['"
        /// No name follows a dot.
        case expectedName = "expected a name or '*'; names with other characters are written ['name']"
        /// Brackets hold something that is not supported.
        case expectedSelector = "expected a quoted name, an index or '*'; slices and filters are not supported"
        /// A selector between brackets is not followed by their end.
        case expectedClosingBracket = "expected ']'; only one name or index may stand between brackets"
        /// An index has a leading zero or is larger than any array.
        case invalidIndex = "an index must be a whole number without leading zeros"
        /// An index counts from the end.
        case negativeIndex = "an index that counts from the end is not supported"
        /// A quoted name has no end.
        case unterminatedName = "a quoted name has no end"
        /// A backslash is followed by something that makes no escape.
        case invalidEscape = "a backslash must be followed by a quote, a backslash or another escape of JSON"
    }
}

extension JSONPathError: CustomStringConvertible {
    /// The path, the column and the cause in one sentence.
    package var description: String {
        "The JSON path “\(path)” is wrong at column \(column): \(problem.rawValue)."
    }
}
