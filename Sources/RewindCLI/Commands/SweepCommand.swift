import Foundation
import Rewind

/// Prints the report of a sweep, which a test has written, or compares two.
struct SweepCommand: Subcommand {
    private enum Format: String, CaseIterable {
        case text, markdown, json
    }

    private static let report = Option(
        "--report FILE …",
        "a report; given twice, the second one is compared with the first",
        .file,
        isRequired: true
    )
    private static let format = Option(
        "--format FORMAT",
        "text (default), markdown or json",
        .oneOf(Format.allCases.map(\.rawValue))
    )

    static let synopsis = Synopsis(
        name: "sweep",
        summary: "print the report that a sweep has written, or compare two",
        options: [report, format],
        discussion: """
            A report is a file of Markdown or JSON that `Stubber.sweep(report:)` has written in a test. The exit status is 1 if
            two reports differ.
            """,
        examples: [
            "rewind sweep --report Tests/checkout.md",
            "rewind sweep --report /tmp/checkout.md --report Tests/checkout.md",
        ]
    )

    private let paths: [String]
    private let format: Format

    init(_ arguments: ParsedArguments) throws {
        paths = arguments.all(Self.report)
        format = try arguments.choice(Self.format).flatMap(Format.init) ?? .text
        if paths.count > 2 { throw Self.report.invalidValue(paths[2], expected: "at most two reports") }
        if paths.count == 2, arguments.has(Self.format) {
            throw UsageError.excludedOption(Self.format.name, by: "a second \(Self.report.name)")
        }
    }

    func run(in console: Console) async throws -> ExitStatus {
        let reports = try paths.map { try SweepResults(contentsOf: URL(fileURLWithPath: $0)) }
        guard let last = reports.last, reports.count > 1 else {
            for report in reports { console.print(text(of: report)) }
            return .success
        }
        let differences = last.differences(from: reports[0])
        for difference in differences { console.print(VisibleText.line(difference)) }
        if differences.isEmpty { console.print("The reports contain the same results.") }
        return differences.isEmpty ? .success : .failure
    }

    private func text(of report: SweepResults) -> String {
        switch format {
        case .text: VisibleText.lines(report.text)
        case .markdown: VisibleText.lines(String(report.markdown.dropLast()))
        case .json: VisibleText.lines(String(report.json.dropLast()))
        }
    }
}
