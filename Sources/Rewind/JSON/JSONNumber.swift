/// A JSON number, kept as it was spelled so that nothing is lost between reading and writing.
///
/// Numbers are equal when their spelling is: `1`, `1.0` and `1e0` are three different numbers.
package struct JSONNumber: Sendable, Hashable {
    /// The spelling as it stood in the text, always one that JSON allows.
    package let literal: String

    /// Creates a number whose spelling is already known to be one that JSON allows.
    init(checkedLiteral literal: String) {
        self.literal = literal
    }

    /// Creates a whole number.
    package init(_ value: Int) {
        literal = String(value)
    }

    /// Creates a number with the shortest spelling that reads back as the same value, without a final `.0`.
    ///
    /// The result is `nil` for infinities and “not a number”, which JSON cannot spell.
    package init?(_ value: Double) {
        guard value.isFinite else { return nil }
        let spelling = value.description
        literal = spelling.hasSuffix(".0") ? String(spelling.dropLast(2)) : spelling
    }

    /// The nearest value of `Double`, or `nil` if the number is larger than any finite one.
    package var double: Double? {
        Double(literal).flatMap { $0.isFinite ? $0 : nil }
    }

    /// The same number as an `Int`, or `nil` if it has a fraction or `Int` cannot hold it.
    package var integer: Int? {
        Int(literal) ?? double.flatMap(Int.init(exactly:))
    }
}
