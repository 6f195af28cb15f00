/// Which interactions of a cassette are meant, by numbers counted from one: `3`, `2-5`, or all.
struct InteractionRange: Hashable, Sendable {
    private let numbers: ClosedRange<Int>?
    private let text: String

    /// All of them.
    static let all = InteractionRange()

    private init() {
        (numbers, text) = (nil, "")
    }

    /// Reads a word of the call.
    /// - Throws: ``UsageError`` where it is no number and no range.
    init(_ text: String) throws {
        let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map { Int($0) }
        guard let first = ends.first ?? nil, let last = ends.last ?? nil, 1 <= first, first <= last else {
            throw UsageError.badValue(text, of: "N", wanted: "a number or a range such as 2-5, counted from 1")
        }
        (numbers, self.text) = (first...last, text)
    }

    /// Whether it is all.
    var isAll: Bool { numbers == nil }

    /// The positions, counted from zero, in a cassette with so many interactions.
    /// - Throws: ``UsageError`` where the cassette has fewer.
    func positions(of count: Int) throws -> Range<Int> {
        guard let numbers else { return 0..<count }
        guard numbers.upperBound <= count else {
            let wanted = count == 0 ? "nothing, as the cassette is empty" : "a number from 1 to \(count)"
            throw UsageError.badValue(text, of: "N", wanted: wanted)
        }
        return numbers.lowerBound - 1..<numbers.upperBound
    }
}
