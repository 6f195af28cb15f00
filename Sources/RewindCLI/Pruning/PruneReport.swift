import Foundation
import Rewind

/// What goes, what is left alone, and how much that is.
struct PruneReport {
    private let isApplied: Bool
    private var unused: [(path: String, count: Int, size: Int)] = []
    private var unplayed: [(path: String, part: UnplayedPart)] = []
    private var leftAlone: [(path: String, reason: String)] = []
    private var usedCount = 0

    /// Begins a report of what goes, or of what is gone.
    init(isApplied: Bool) {
        self.isApplied = isApplied
    }

    /// Whether nothing goes.
    var isEmpty: Bool { unused.isEmpty && unplayed.isEmpty }

    /// Adds a cassette.
    mutating func add(_ verdict: PruneVerdict, of url: URL) {
        switch verdict {
        case .unused(let count, let size): unused.append((url.displayPath, count, size))
        case .unplayed(let part): unplayed.append((url.displayPath, part))
        case .leftAlone(_, let reason): leftAlone.append((url.displayPath, reason))
        case .used: usedCount += 1
        }
    }

    /// The report.
    func lines(_ style: TextStyle) -> [String] {
        var sections = [unusedLines(style), unplayedLines(style), leftAloneLines(style)].filter { !$0.isEmpty }
        sections.append([summary])
        return Array(sections.joined(separator: [""]))
    }

    private func unusedLines(_ style: TextStyle) -> [String] {
        guard !unused.isEmpty else { return [] }
        var table = TextTable([.left, .right, .right])
        for (path, count, size) in unused {
            table.add([
                "  " + VisibleText.line(path), Counted.text(count, "interaction"), ByteCount(size).description,
            ])
        }
        return [style(.bold, "No test used")] + table.lines()
    }

    private func unplayedLines(_ style: TextStyle) -> [String] {
        guard !unplayed.isEmpty else { return [] }
        return [style(.bold, "No test played")]
            + unplayed.flatMap { path, part in
                ["  \(VisibleText.line(path))   \(ByteCount(part.size))"]
                    + part.requests.map { VisibleText.line("    #\($0.number) \($0.request)") }
            }
    }

    private func leftAloneLines(_ style: TextStyle) -> [String] {
        guard !leftAlone.isEmpty else { return [] }
        return [style(.bold, "Left alone")] + leftAlone.map { VisibleText.line("  \($0.path): \($0.reason)") }
    }

    private var summary: String {
        guard !isEmpty else {
            return leftAlone.isEmpty
                ? "Tests used all of \(Counted.text(usedCount, "cassette"))." : "Nothing goes."
        }
        let interactions = unplayed.reduce(0) { $0 + $1.part.requests.count }
        let parts = [
            unused.isEmpty ? nil : Counted.text(unused.count, "cassette"),
            unplayed.isEmpty ? nil : Counted.text(interactions, "interaction"),
        ]
        let all = parts.compactMap { $0 }.joined(separator: " and ")
        let size = ByteCount(unused.reduce(0) { $0 + $1.size } + unplayed.reduce(0) { $0 + $1.part.size })
        return isApplied ? "Took out \(all), \(size)." : "\(all) would go, \(size). Take them out with --apply."
    }
}
