/// Rows of cells whose columns stand under one another.
struct TextTable {
    /// How the cells of a column stand.
    enum Alignment: Sendable {
        case left, right
    }

    private let alignments: [Alignment]
    private var rows: [[String]] = []

    /// Creates a table with columns.
    init(_ alignments: [Alignment]) {
        self.alignments = alignments
    }

    /// Adds a row; a cell too many is left out.
    mutating func add(_ cells: [String]) {
        rows.append(Array(cells.prefix(alignments.count)))
    }

    /// The rows, a line each, without blanks at their ends.
    /// - Parameter decorate: What is done to a cell's text once its width is known, with the numbers of row and column.
    /// - Returns: The lines.
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
