import Foundation

/// A line of a unified diff (POSIX `diff -u`).
enum ChangedLine: Hashable, Sendable {
    /// Where the lines that follow stand, on the left and on the right.
    case place(left: Range<Int>, right: Range<Int>)
    case same(String)
    case removed(String)
    case added(String)

    /// The line as it is shown.
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
    /// The lines that are shown around a change.
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
