import Foundation
import Testing

/// Checks that the article on performance lists all benchmarks with their limits.
struct BenchmarkTableTests {
    private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../../.."
    )

    /// The name and the limit of each row of the table.
    private func rows() throws -> [(name: String, limit: String)] {
        let file = root.appendingPathComponent("Sources/Rewind/Rewind.docc/Performance.md")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 4, cells[0].hasPrefix("`") else { return nil }
            return (cells[0].trimmingCharacters(in: ["`"]), cells[2])
        }
    }

    private func sources() throws -> String {
        let folder = root.appendingPathComponent("Sources/RewindBenchmarks")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }.joined()
    }

    @Test("The table has every benchmark and no other") func names() throws {
        let sources = try sources()
        let families = [
            "load", "save", "lookup", "miss", "stubs", "replay", "record", "server", "start", "parallel", "log",
            "respond", "sweep",
        ]
        let pattern = try Regex<(Substring, Substring)>(
            "\"((?:\(families.joined(separator: "|")))/[a-z0-9-]+)\""
        )
        let names = Set(sources.matches(of: pattern).map { String($0.output.1) })
        #expect(try Set(rows().map(\.name)) == names)
    }

    @Test("The article names the benchmarks that CI runs") func short() throws {
        let pattern = try Regex<(Substring, Substring)>(#""([a-z]+/[a-z0-9-]+)",[^"]*?isShort: true"#)
        let names = try Set(sources().matches(of: pattern).map { String($0.output.1) })
        let article = try String(
            contentsOf: root.appendingPathComponent("Sources/Rewind/Rewind.docc/Performance.md"),
            encoding: .utf8
        )
        let sentence = try #require(
            article.components(separatedBy: "CI runs `--short`").last?.components(separatedBy: ".\n").first
        )
        let words = sentence.components(separatedBy: "`").filter { $0.contains("/") && !$0.contains(" ") }
        #expect(Set(words) == names)
        let run = try String(contentsOf: root.appendingPathComponent(".ci/run"), encoding: .utf8)
        #expect(run.contains("RewindBenchmarks --short"))
    }

    @Test("The limits of the table are those of the benchmarks") func limits() throws {
        let sources = try sources()
        let pattern = try Regex<(Substring, Substring, Substring, Substring)>(
            #""([a-z]+/[a-z0-9-]+)",(?: \.[A-Za-z]+,)? \.(atMost|atLeast)\(([0-9.]+)\)"#
        )
        let rows = try rows()
        for match in sources.matches(of: pattern) {
            let (_, name, kind, value) = match.output
            let row = try #require(rows.first { $0.name == name }, "\(name)")
            #expect(row.limit == (kind == "atMost" ? "≤ " : "≥ ") + value, "\(name)")
        }
    }
}
