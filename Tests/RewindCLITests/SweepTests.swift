import Foundation
import RewindTestSupport
import Testing

/// `rewind sweep` prints reports and compares them.
struct SweepTests {
    private let folder: TemporaryDirectory
    private static let report = """
        # Field sweep: talk

        ## GET /user

        |  | removed | null |
        | --- | --- | --- |
        | `$.id` | DecodingError.keyNotFound | DecodingError.valueNotFound |
        | `$.friends[*].name` | ok | ok |
        | `$.tags` |  | ok |

        ## GET /user/2

        |  | removed |
        | --- | --- |
        | `$` | ok |

        """

    init() throws {
        folder = try TemporaryDirectory()
        try folder.put("report.md", Self.report)
    }

    private func sweep(_ words: String...) throws -> CommandRun {
        try CommandRun(["sweep"] + words, in: folder.url)
    }

    @Test("A report is printed as text, as Markdown and as JSON, and its JSON is read again") func formats()
        throws
    {
        let text = try sweep("--report", "report.md")
        #expect(text.status == 0)
        try expectGolden(text.output, "sweep/report.txt")
        #expect(try sweep("--report", "report.md", "--format", "markdown").output == Self.report)
        let json = try sweep("--report", "report.md", "--format", "json").output
        try expectGolden(json, "sweep/report.json")
        try folder.put("report.json", json)
        #expect(try sweep("--report", "report.json", "--format", "markdown").output == Self.report)
        let compared = try sweep("--report", "report.md", "--report", "report.json")
        #expect(compared.status == 0)
        #expect(compared.output == "The reports contain the same results.\n")
    }

    @Test("The second report is compared with the first") func comparison() throws {
        let changed = Self.report.replacingOccurrences(of: "DecodingError.keyNotFound", with: "ok")
            .replacingOccurrences(of: "$.tags", with: "$.labels")
        try folder.put("new.md", changed)
        let run = try sweep("--report", "report.md", "--report", "new.md")
        #expect(run.status == 1)
        #expect(
            run.output == """
                GET /user: $.id, removed: was DecodingError.keyNotFound, is ok
                GET /user: $.labels, null: is new, ok
                GET /user: $.tags, null: is gone, was ok

                """
        )
    }

    @Test("A file that is not a report is named with its line") func invalid() throws {
        try folder.put("other.md", "# Notes\n")
        try folder.put(
            "short.md",
            "# Fault sweep: talk\n## Faults\n|  | cut | html |\n| --- | --- | --- |\n| `a` | ok |\n"
        )
        try folder.put("broken.json", "{\"sweep\": 1,\n}")
        for (name, cause) in [
            ("other.md", "line 1 is not the title of a report, such as `# Fault sweep: checkout`"),
            ("short.md", "line 5 has 2 cells, and its table 3"),
            ("broken.json", "line 1, column 12: unexpected trailing comma"),
            ("missing.md", "No such file or directory"),
        ] {
            let run = try sweep("--report", name)
            #expect(run.status == 65)
            #expect(run.errorOutput.contains("\(name) cannot be read: \(cause)"), "\(run.errorOutput)")
        }
    }

    @Test("Invalid arguments are usage errors") func usage() throws {
        #expect(try sweep().status == 64)
        #expect(
            try sweep("--report", "a", "--report", "b", "--report", "c").errorOutput.contains(
                "at most two reports"
            )
        )
        #expect(try sweep("--report", "a", "--report", "b", "--format", "json").status == 64)
        #expect(try sweep("--report", "report.md", "--format", "xml").status == 64)
    }
}
