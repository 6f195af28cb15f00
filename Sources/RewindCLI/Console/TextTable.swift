import Foundation
import Rewind

/// A table of aligned columns in plain text.
struct TextTable {
    enum Alignment: Sendable { case left, right }

    private let alignments: [Alignment]
    private var rows: [[String]] = []

    init(_ alignments: [Alignment]) { self.alignments = alignments }

    /// Adds a row; cells beyond the last column are ignored.
    mutating func add(_ cells: [String]) { rows.append(Array(cells.prefix(alignments.count))) }

    /// One line for each row, without trailing spaces.
    func lines(decorate: (_ text: String, _ row: Int, _ column: Int) -> String = { text, _, _ in text })
        -> [String]
    {
        let widths = alignments.indices.map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.enumerated().map { row, cells in
            let line = cells.enumerated().map { column, cell in
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                let text = decorate(cell, row, column)
                guard alignments[column] == .left else { return padding + text }
                return column == cells.count - 1 ? text : text + padding
            }.joined(separator: "   ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}

/// Adds the escape sequences for terminal colors, or leaves text plain.
struct TextStyle: Hashable, Sendable {
    /// A parameter of Select Graphic Rendition (ECMA-48 section 8.3.117).
    enum Emphasis: Int, Sendable {
        case bold = 1
        case dim = 2
        case red = 31
        case green = 32
        case yellow = 33
        case cyan = 36
    }

    private let isColored: Bool

    init(isTerminal: Bool, environment: Environment) { isColored = isTerminal && environment[.noColor] == nil }

    static let plain = TextStyle(isTerminal: false, environment: Environment([:]))

    func callAsFunction(_ emphasis: Emphasis, _ text: String) -> String {
        isColored && !text.isEmpty ? "\u{1B}[\(emphasis.rawValue)m\(text)\u{1B}[0m" : text
    }
}
