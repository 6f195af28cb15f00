import Foundation

/// A line of a unified diff (POSIX `diff -u`).
enum ChangedLine: Hashable, Sendable {
    /// Where the lines that follow stand, on the left and on the right.
    case place(left: Range<Int>, right: Range<Int>)
    case same(String)
    case removed(String)
    case added(String)

    var text: String {
        switch self {
        case .place(let left, let right): "@@ -\(Self.numbers(left)) +\(Self.numbers(right)) @@"
        case .same(let line): " " + line
        case .removed(let line): "-" + line
        case .added(let line): "+" + line
        }
    }

    private static func numbers(_ range: Range<Int>) -> String {
        let first = range.isEmpty ? range.lowerBound : range.lowerBound + 1
        return range.count == 1 ? "\(first)" : "\(first),\(range.count)"
    }
}

extension ChangedLine {
    private static let context = 2

    /// The lines in which two texts differ, with a few around them.
    static func between(_ left: String, _ right: String) -> [ChangedLine] {
        let (lefts, rights) = (lines(of: left), lines(of: right))
        let script = script(lefts, rights)
        var isShown = [Bool](repeating: false, count: script.count)
        for (index, step) in script.enumerated() where step.line.isChange {
            for near in max(0, index - context)...min(script.count - 1, index + context) {
                isShown[near] = true
            }
        }
        var result: [ChangedLine] = []
        var start = 0
        while let first = isShown[start...].firstIndex(of: true) {
            start = isShown[first...].firstIndex(of: false) ?? script.count
            let hunk = script[first..<start]
            let end = start < script.count ? script[start] : nil
            result.append(
                .place(
                    left: script[first].left..<(end?.left ?? lefts.count),
                    right: script[first].right..<(end?.right ?? rights.count)
                )
            )
            result += hunk.map(\.line)
        }
        return result
    }

    private var isChange: Bool {
        switch self {
        case .removed, .added: true
        case .same, .place: false
        }
    }

    /// All lines of both texts, each with how many lines of either stand before it.
    private static func script(_ left: [Substring], _ right: [Substring])
        -> [(line: ChangedLine, left: Int, right: Int)]
    {
        var script: [(line: ChangedLine, left: Int, right: Int)] = []
        var (x, y) = (0, 0)
        let ends = [(left: left.count, right: right.count)]
        for pair in CommonElements.pairs(of: left, and: right) + ends {
            while x < pair.left {
                script.append((.removed(String(left[x])), x, y))
                x += 1
            }
            while y < pair.right {
                script.append((.added(String(right[y])), x, y))
                y += 1
            }
            guard x < left.count, y < right.count else { break }
            script.append((.same(String(left[x])), x, y))
            (x, y) = (x + 1, y + 1)
        }
        return script
    }

    /// The lines without the line feed that ends each, which the last may lack.
    private static func lines(of text: String) -> [Substring] {
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { Substring($0) }
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}

/// What two lists have in common in the same order, found with as few steps as can be.
///
/// The algorithm is that of Eugene Myers, "An O(ND) Difference Algorithm and Its Variations" (1986).
enum CommonElements {
    /// The positions of the elements that stay, in order.
    static func pairs<Element: Hashable>(
        of left: [Element],
        and right: [Element],
        limit: Int = 1000
    ) -> [(left: Int, right: Int)] {
        let shorter = min(left.count, right.count)
        let start = zip(left, right).prefix { $0 == $1 }.count
        let shared = zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
        let end = min(shared, shorter - start)
        let middle = EditPath(
            numbers(left[start..<left.count - end], right[start..<right.count - end]),
            limit: limit
        )
        return (0..<start).map { ($0, $0) }
            + middle.pairs.map { (left: $0.left + start, right: $0.right + start) }
            + (0..<end).map { (left.count - end + $0, right.count - end + $0) }
    }

    /// Numbers for elements, which are quicker to compare.
    private static func numbers<Element: Hashable>(
        _ left: ArraySlice<Element>,
        _ right: ArraySlice<Element>
    ) -> ([Int], [Int]) {
        var known: [Element: Int] = [:]
        func number(_ element: Element) -> Int {
            if let number = known[element] { return number }
            known[element] = known.count
            return known.count - 1
        }
        return (left.map(number), right.map(number))
    }
}

/// The shortest way from one list to another.
private struct EditPath {
    private(set) var pairs: [(left: Int, right: Int)] = []

    init(_ lists: ([Int], [Int]), limit: Int) {
        let (left, right) = lists
        guard !left.isEmpty, !right.isEmpty else { return }
        let most = min(left.count + right.count, limit)
        // How far each diagonal was followed, those with negative numbers after the others.
        var ends = [Int](repeating: 0, count: 2 * most + 3)
        func slot(_ diagonal: Int) -> Int { diagonal < 0 ? diagonal + ends.count : diagonal }
        var history: [[Int]] = []
        for steps in 0...most {
            history.append(ends)
            for diagonal in stride(from: -steps, through: steps, by: 2) {
                let (above, below) = (ends[slot(diagonal + 1)], ends[slot(diagonal - 1)])
                let isDown = diagonal == -steps || diagonal != steps && below < above
                var x = isDown ? above : below + 1
                while x < left.count, x - diagonal < right.count, left[x] == right[x - diagonal] { x += 1 }
                ends[slot(diagonal)] = x
                if x >= left.count, x - diagonal >= right.count {
                    trace(history, left.count, right.count, slot)
                    return
                }
            }
        }
    }

    private mutating func trace(_ history: [[Int]], _ left: Int, _ right: Int, _ slot: (Int) -> Int) {
        var (x, y) = (left, right)
        for (steps, ends) in history.enumerated().reversed() {
            let diagonal = x - y
            let (above, below) = (ends[slot(diagonal + 1)], ends[slot(diagonal - 1)])
            let isDown = diagonal == -steps || diagonal != steps && below < above
            let formerX = steps == 0 ? 0 : isDown ? above : below
            let formerY = steps == 0 ? 0 : formerX - (isDown ? diagonal + 1 : diagonal - 1)
            while x > formerX, y > formerY {
                (x, y) = (x - 1, y - 1)
                pairs.append((x, y))
            }
            (x, y) = (formerX, formerY)
        }
        pairs.reverse()
    }
}
