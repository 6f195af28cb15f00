import Foundation
import Rewind

/// The differences of two cassettes as text.
struct DiffText {
    let style: TextStyle
    private static let limit = 60

    func heading(_ left: String, _ right: String) -> [String] {
        [style(.bold, "--- \(VisibleText.line(left))"), style(.bold, "+++ \(VisibleText.line(right))")]
    }

    func lines(_ difference: CassetteDifference) -> [String] {
        guard !difference.isEmpty else {
            return ["No differences in \(Counted.text(difference.sameCount, "interaction"))."]
        }
        var result: [String] = []
        var isLong = false
        for entry in difference.entries {
            let lines = lines(entry)
            if !result.isEmpty, isLong || lines.count > 1 { result.append("") }
            isLong = lines.count > 1
            result += lines
        }
        return result + ["", style(.bold, difference.summary)]
    }

    private func lines(_ entry: CassetteDifference.Entry) -> [String] {
        let request = VisibleText.shortened("\(entry.request)", to: 300)
        let answer = VisibleText.shortened(entry.answer)
        switch (entry.left, entry.right) {
        case (nil, let right?): return [style(.green, "+ \(request) → \(answer)") + style(.dim, "  #\(right)")]
        case (let left?, nil): return [style(.red, "- \(request) → \(answer)") + style(.dim, "  #\(left)")]
        case (let left, let right):
            let mark = entry.differences.isEmpty ? style(.cyan, "> \(request)") : style(.yellow, "~ \(request)")
            let numbers = [left, right].compactMap { $0.map { "#\($0)" } }
            let place = (left == right ? "#\(left ?? 0)" : numbers.joined(separator: " → "))
            let note = place + (entry.isMoved ? ", moved" : "")
            return [mark + style(.dim, "  " + note)] + entry.differences.flatMap(lines)
        }
    }

    private func lines(_ difference: PartDifference) -> [String] {
        let title = VisibleText.shortened(difference.title)
        switch (difference.left?.shownLine, difference.right?.shownLine) {
        case (nil, nil):
            let shown = difference.lines.prefix(Self.limit)
            let rest = difference.lines.count - shown.count
            return ["    \(title)"] + lines(Array(shown)) + (rest > 0 ? ["      … \(rest) more lines"] : [])
        case (let left?, nil): return [style(.red, "  - \(title): \(VisibleText.shortened(left))")]
        case (nil, let right?): return [style(.green, "  + \(title): \(VisibleText.shortened(right))")]
        case (let left?, let right?):
            let shown = VisibleText.shortened(left, right)
            return ["    \(title): \(style(.red, shown.left)) → \(style(.green, shown.right))"]
        }
    }

    /// The lines of a text difference; a replaced line is cut to the part around the change.
    private func lines(_ lines: [ChangedLine]) -> [String] {
        var result: [String] = []
        var index = 0
        while index < lines.count {
            if case .removed(let left) = lines[index], index + 1 < lines.count,
                case .added(let right) = lines[index + 1]
            {
                let shown = VisibleText.shortened(left, right, to: 160)
                result.append(style(.red, "      -\(shown.left)"))
                result.append(style(.green, "      +\(shown.right)"))
                index += 2
                continue
            }
            let text = "      " + VisibleText.shortened(lines[index].text, to: 160)
            switch lines[index] {
            case .hunk: result.append(style(.cyan, text))
            case .same: result.append(text)
            case .removed: result.append(style(.red, text))
            case .added: result.append(style(.green, text))
            }
            index += 1
        }
        return result
    }
}

extension PartDifference.Value {
    /// The value on one line, with a note if it is empty.
    fileprivate var shownLine: String { line.isEmpty ? "(empty)" : line }
}

enum DiffJSON {
    static func value(_ difference: CassetteDifference, _ left: String, _ right: String) -> JSON {
        var counts = JSONObject()
        for change in CassetteDifference.Change.allCases {
            counts.append(change.rawValue, JSON(difference.count(of: change)))
        }
        counts.append("same", JSON(difference.sameCount))
        return [
            "left": .string(left), "right": .string(right), "counts": .object(counts),
            "interactions": .array(difference.entries.map(value)),
        ]
    }

    private static func value(_ entry: CassetteDifference.Entry) -> JSON {
        var object: JSONObject = [
            "changes": .array(entry.changes.map { .string($0.rawValue) }),
            "left": entry.left.map { JSON($0) } ?? .null, "right": entry.right.map { JSON($0) } ?? .null,
            "method": .string(entry.request.method), "url": .string(entry.request.url),
            "answer": .string(entry.answer),
        ]
        if entry.left != nil, entry.right != nil {
            object.append("differences", .array(entry.differences.map(value)))
        }
        return .object(object)
    }

    private static func value(_ difference: PartDifference) -> JSON {
        var object: JSONObject = ["part": .string(difference.part)]
        if let place = difference.place { object.append("place", .string(place)) }
        // A missing part has no member, to distinguish it from `null`.
        if let left = difference.left { object.append("left", left.json) }
        if let right = difference.right { object.append("right", right.json) }
        if !difference.lines.isEmpty {
            object.append("lines", .array(difference.lines.map { .string($0.text) }))
        }
        return .object(object)
    }
}
