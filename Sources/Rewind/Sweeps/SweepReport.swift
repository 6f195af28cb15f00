import Foundation

extension Stubber {
    /// What a sweep found: for each variation, whether the test held, or the kind of its error.
    ///
    /// It contains the paths of requests, the names of fields and the names of errors, but no values, times and folders, so
    /// that two runs have the same report. You can commit it, and the sweep compares it in each run.
    public struct SweepReport: Sendable, CustomStringConvertible {
        /// A variation in which the test did not hold.
        public struct BrokenVariation: Sendable, CustomStringConvertible {
            /// The variation.
            public let variation: Variation
            /// What failed: the errors and the failed expectations, and what the app requested in vain.
            public let reason: String
            /// The variable to set and the command to run, if it is known.
            package let command: String

            /// The variation, what failed, and how to repeat it.
            public var description: String {
                let reason = reason.replacingOccurrences(of: "\n", with: "\n      ")
                return "\(variation.id)   \(variation)\n      \(reason)\n      \(command)"
            }
        }

        /// The number of variations that ran, without the unchanged conversation.
        public internal(set) var variationCount = 0
        /// The variations that fail the test.
        public internal(set) var broken: [BrokenVariation] = []
        package var results: SweepResults

        /// The report as lines of text, such as `$.name must not go (DecodingError.keyNotFound)`.
        public var description: String { results.text }
        /// The report as tables of Markdown.
        public var markdown: String { results.markdown }
        /// The report as JSON.
        public var json: String { results.json }
    }
}

/// The results of a sweep: a table for each request, or one for all. Files of Markdown and of JSON contain the same.
package struct SweepResults: Hashable, Sendable {
    package struct Place: Hashable, Sendable, CustomStringConvertible {
        package let table: String
        package let row: String
        package let column: String

        package var description: String { "\(table): \(row), \(column)" }
    }

    package let title: String
    package let cassette: String
    package private(set) var places: [Place] = []
    private var cells: [Place: String] = [:]

    package static let held = "ok"

    init(title: String, cassette: String) {
        self.title = title
        self.cassette = cassette
    }

    package subscript(place: Place) -> String? { cells[place] }

    /// Adds a result. Of several results in one place, as of two answers to the same request, an error stays.
    mutating func add(_ result: String, at place: Place) {
        let former = cells[place]
        if former == nil { places.append(place) }
        if former == nil || former == Self.held { cells[place] = result }
    }

    // MARK: Text

    private typealias Row = (name: String, cells: [(column: String, result: String)])

    private var tables: [(name: String, rows: [Row])] {
        var tables: [(name: String, rows: [Row])] = []
        var positions: [String: (table: Int, rows: [String: Int])] = [:]
        for place in places {
            var position = positions[place.table] ?? (tables.count, [:])
            if position.table == tables.count { tables.append((place.table, [])) }
            let row = position.rows[place.row] ?? tables[position.table].rows.count
            if row == tables[position.table].rows.count { tables[position.table].rows.append((place.row, [])) }
            position.rows[place.row] = row
            positions[place.table] = position
            tables[position.table].rows[row].cells.append((place.column, cells[place] ?? ""))
        }
        return tables
    }

    package var text: String {
        let tables = tables.map { table in
            "\n\n\(table.name)\n"
                + table.rows.map { "  \($0.name) " + Self.sentence($0.cells) }.joined(separator: "\n")
        }
        return heading + tables.joined()
    }

    private var heading: String { "\(title): \(cassette)" }

    private static func sentence(_ cells: [(column: String, result: String)]) -> String {
        var parts = cells.compactMap { column, result -> String? in
            guard column == FieldChange.removed.title else {
                return result == held ? nil : "\(column): \(result)"
            }
            return result == held ? "may go" : "must not go (\(result))"
        }
        if parts.isEmpty { parts = [held] }
        return parts.joined(separator: "; ")
    }

    package var markdown: String {
        var lines = ["# \(heading)"]
        for table in tables {
            let columns = table.rows.flatMap(\.cells).map(\.column).reduce(into: [String]()) {
                columns,
                column in
                if !columns.contains(column) { columns.append(column) }
            }
            lines += ["", "## \(table.name)", "", Self.line([""] + columns)]
            lines.append(Self.line(Array(repeating: "---", count: columns.count + 1)))
            lines += table.rows.map { row in
                let cells = Dictionary(row.cells.map { ($0.column, $0.result) }) { first, _ in first }
                return Self.line(["`\(row.name)`"] + columns.map { cells[$0] ?? "" })
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }

    package var json: String {
        let tables = tables.map { table in
            JSONObject.Member(
                name: table.name,
                value: .object(
                    JSONObject(
                        table.rows.map { row in
                            let cells = row.cells.map {
                                JSONObject.Member(name: $0.column, value: .string($0.result))
                            }
                            return JSONObject.Member(name: row.name, value: .object(JSONObject(cells)))
                        }
                    )
                )
            )
        }
        var writer = JSONWriter()
        writer.value([
            "sweep": .string(title), "cassette": .string(cassette), "results": .object(JSONObject(tables)),
        ])
        return String(decoding: writer.document(), as: UTF8.self)
    }

    // MARK: Reading

    /// Reads a report of Markdown or JSON.
    /// - Throws: ``Stubber/SweepError/unreadableReport(path:cause:)``.
    package init(contentsOf url: URL) throws {
        func unreadable(_ cause: String) -> Stubber.SweepError {
            .unreadableReport(path: url.path, cause: cause)
        }
        let data: Data
        do { data = try Data(contentsOf: url) } catch { throw unreadable(SystemCallError.cause(of: error)) }
        if url.pathExtension.lowercased() == "json" {
            do { try self.init(json: JSON(parsing: data)) } catch { throw unreadable("\(error)") }
        } else {
            do { try self.init(markdown: String(decoding: data, as: UTF8.self)) } catch {
                throw unreadable("\(error)")
            }
        }
    }

    private struct Problem: Error, CustomStringConvertible { let description: String }

    private init(json: JSON) throws {
        guard let title = json["sweep"]?.stringValue, let cassette = json["cassette"]?.stringValue,
            let tables = json["results"]?.objectValue
        else {
            throw Problem(description: "it is not a report: it has no \"sweep\", \"cassette\" or \"results\"")
        }
        self.init(title: title, cassette: cassette)
        for table in tables.members {
            for row in table.value.objectValue?.members ?? [] {
                for cell in row.value.objectValue?.members ?? [] {
                    let place = Place(table: table.name, row: row.name, column: cell.name)
                    guard let result = cell.value.stringValue else {
                        throw Problem(description: "the result at \(place) is not a string")
                    }
                    add(result, at: place)
                }
            }
        }
    }

    private init(markdown: String) throws {
        let lines = markdown.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasSuffix("\r") ? $0.dropLast() : $0 }
        let heading = lines.first?.components(separatedBy: ": ") ?? []
        guard heading.count > 1, heading[0].hasPrefix("# ") else {
            throw Problem(description: "line 1 is not the title of a report, such as `# Fault sweep: checkout`")
        }
        self.init(
            title: String(heading[0].dropFirst(2)),
            cassette: heading.dropFirst().joined(separator: ": ")
        )
        var (table, columns) = ("", [String]())
        for (index, line) in lines.enumerated() {
            if line.hasPrefix("## ") { (table, columns) = (String(line.dropFirst(3)), []) }
            guard line.hasPrefix("| ") || line.hasPrefix("|  |") else { continue }
            let cells = line.dropFirst().dropLast(line.hasSuffix("|") ? 1 : 0)
                .split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmingSpaces() }
            if columns.isEmpty {
                columns = Array(cells.dropFirst())
            } else if cells.count != columns.count + 1 {
                throw Problem(
                    description:
                        "line \(index + 1) has \(cells.count) cells, and its table \(columns.count + 1)"
                )
            } else if !cells.allSatisfy({ $0.hasPrefix("---") }) {
                let row = cells[0].hasPrefix("`") ? String(cells[0].dropFirst().dropLast()) : cells[0]
                for (column, result) in zip(columns, cells.dropFirst()) where !result.isEmpty {
                    add(result, at: Place(table: table, row: row, column: column))
                }
            }
        }
    }

    // MARK: Comparing

    /// What differs from an earlier report, one line for each place.
    /// - Parameters:
    ///   - earlier: The earlier report.
    ///   - isComplete: Whether places that only the earlier report has are differences. A sample lacks most places.
    /// - Returns: The lines, those of changed and new places first.
    package func differences(from earlier: SweepResults, isComplete: Bool = true) -> [String] {
        let changed = places.compactMap { place -> String? in
            guard let new = cells[place], new != earlier[place] else { return nil }
            return earlier[place].map { "\(place): was \($0), is \(new)" } ?? "\(place): is new, \(new)"
        }
        guard isComplete else { return changed }
        return changed
            + earlier.places.filter { cells[$0] == nil }.map { "\($0): is gone, was \(earlier[$0] ?? "")" }
    }

    /// An earlier report with the results of this one, which may be those of a sample.
    func completing(_ earlier: SweepResults) -> SweepResults {
        var completed = SweepResults(title: title, cassette: cassette)
        for place in earlier.places + places {
            if let result = cells[place] ?? earlier[place] { completed.add(result, at: place) }
        }
        return completed
    }
}
