import Foundation

/// A line of a unified diff (POSIX `diff -u`).
enum ChangedLine: Hashable, Sendable {
    /// The header of a hunk: the line ranges on the left and on the right.
    case hunk(left: Range<Int>, right: Range<Int>)
    case same(String)
    case removed(String)
    case added(String)

    var text: String {
        switch self {
        case .hunk(let left, let right): "@@ -\(Self.numbers(left)) +\(Self.numbers(right)) @@"
        case .same(let line): " " + line
        case .removed(let line): "-" + line
        case .added(let line): "+" + line
        }
    }

    private static func numbers(_ range: Range<Int>) -> String {
        let first = range.isEmpty ? range.lowerBound : range.lowerBound + 1
        return range.count == 1 ? "\(first)" : "\(first),\(range.count)"
    }

    private static let context = 2

    /// The lines that differ, with two lines of context.
    static func between(_ left: String, _ right: String) -> [ChangedLine] {
        let script = script(lines(of: left), lines(of: right))
        let changes = script.indices.dropLast().filter { script[$0].line.isChange }
        var isShown = [Bool](repeating: false, count: script.count)
        for index in changes {
            for near in max(0, index - context)..<min(script.count - 1, index + context + 1) {
                isShown[near] = true
            }
        }
        var result: [ChangedLine] = []
        var end = 0
        while let first = isShown[end...].firstIndex(of: true) {
            // The last step of the script is never shown, so every hunk has a step after it.
            end = isShown[first...].firstIndex(of: false) ?? script.endIndex - 1
            let (start, rest) = (script[first], script[end])
            result.append(.hunk(left: start.left..<rest.left, right: start.right..<rest.right))
            result += script[first..<end].map(\.line)
        }
        return result
    }

    private var isChange: Bool {
        switch self {
        case .removed, .added: true
        case .same, .hunk: false
        }
    }

    /// All lines of both texts with the number of lines before each in either text, and an empty line at the end.
    private static func script(_ left: [Substring], _ right: [Substring])
        -> [(line: ChangedLine, left: Int, right: Int)]
    {
        var script: [(line: ChangedLine, left: Int, right: Int)] = []
        var (x, y) = (0, 0)
        for pair in CommonElements.pairs(of: left[...], and: right[...]) + [(left.count, right.count)] {
            while x < pair.left {
                script.append((.removed(String(left[x])), x, y))
                x += 1
            }
            while y < pair.right {
                script.append((.added(String(right[y])), x, y))
                y += 1
            }
            script.append((.same(x < left.count ? String(left[x]) : ""), x, y))
            (x, y) = (x + 1, y + 1)
        }
        return script
    }

    /// The lines without their line feeds; the last one may lack it.
    static func lines(of text: String) -> [Substring] {
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { Substring($0) }
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}

/// The elements that two lists share in the same order.
enum CommonElements {
    /// Time and memory of the standard library's algorithm grow with the square of the differences.
    private static let limit = 4000

    /// The positions of the shared elements, in increasing order in both lists.
    ///
    /// Long lists are split at elements that occur once in each. In parts that are still too long, only the common prefix
    /// and suffix are found.
    static func pairs<Element: Hashable>(
        of left: ArraySlice<Element>,
        and right: ArraySlice<Element>,
        divides: Bool = true
    ) -> [(left: Int, right: Int)] {
        let start = zip(left, right).prefix { $0 == $1 }.count
        let shared = zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
        let end = min(shared, min(left.count, right.count) - start)
        let (lefts, rights) = (left.dropFirst(start).dropLast(end), right.dropFirst(start).dropLast(end))
        var pairs = Array(zip(left.indices.prefix(start), right.indices.prefix(start)))
        if lefts.count + rights.count <= limit {
            pairs += shortest(lefts, rights)
        } else if divides {
            var start = (left: lefts.startIndex, right: rights.startIndex)
            for anchor in anchors(lefts, rights) + [(lefts.endIndex, rights.endIndex)] {
                let gap = (lefts[start.left..<anchor.left], rights[start.right..<anchor.right])
                pairs += Self.pairs(of: gap.0, and: gap.1, divides: false)
                if anchor.left < lefts.endIndex { pairs.append(anchor) }
                start = (anchor.left + 1, anchor.right + 1)
            }
        }
        return pairs + zip(left.indices.suffix(end), right.indices.suffix(end))
    }

    private static func shortest<Element: Hashable>(_ left: ArraySlice<Element>, _ right: ArraySlice<Element>)
        -> some Sequence<(Int, Int)>
    {
        let changes = Array(right).difference(from: Array(left))
        let removed = Set(changes.removals.map { left.startIndex + $0.offset })
        let added = Set(changes.insertions.map { right.startIndex + $0.offset })
        return zip(left.indices.filter { !removed.contains($0) }, right.indices.filter { !added.contains($0) })
    }

    /// The longest sequence of elements that occur once in each list, in the same order in both.
    private static func anchors<Element: Hashable>(_ left: ArraySlice<Element>, _ right: ArraySlice<Element>)
        -> [(left: Int, right: Int)]
    {
        let (lefts, rights) = (uniquePositions(in: left), uniquePositions(in: right))
        let shared = lefts.compactMap { element, left in rights[element].map { (left: left, right: $0) } }
            .sorted { $0.left < $1.left }
        return longestIncreasingSubsequence(in: shared.map(\.right)).map { shared[$0] }
    }

    private static func uniquePositions<Element: Hashable>(in elements: ArraySlice<Element>) -> [Element: Int] {
        Dictionary(zip(elements, elements.indices)) { _, _ in -1 }.filter { $0.value >= 0 }
    }

    /// The indices of the longest increasing subsequence.
    static func longestIncreasingSubsequence(in numbers: [Int]) -> [Int] {
        // The last index of the best subsequence of each length, and the predecessor of each index.
        var ends: [Int] = []
        var before = [Int?](repeating: nil, count: numbers.count)
        for (index, number) in numbers.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            before[index] = low > 0 ? ends[low - 1] : nil
            if low < ends.count { ends[low] = index } else { ends.append(index) }
        }
        var run: [Int] = []
        var next = ends.last
        while let index = next {
            run.append(index)
            next = before[index]
        }
        return run.reversed()
    }
}

extension CollectionDifference.Change {
    fileprivate var offset: Int {
        switch self {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }
}
