import Foundation
import Rewind

struct LintCommand: Subcommand {
    private static let format = Option(
        "--format FORMAT",
        "text (default), sarif, or github (workflow annotations)",
        .oneOf(LintReport.allCases.map(\.rawValue))
    )
    private static let ignore = Option(
        "--ignore RULE …",
        "skip this rule",
        .oneOf(LintRule.allCases.map(\.rawValue))
    )
    private static let maximumAge = Option(
        "--max-age AGE",
        "the maximum age of a recording, such as 90d, 12h, 6w or 1y; default: none"
    )
    private static let maximumBody = Option(
        "--max-body SIZE",
        "the maximum size of a body, such as 64kB; default: 1MB; ten times as much in a body file"
    )
    private static let strict = Option("--strict", "exit with 1 for warnings, too")

    static let synopsis = Synopsis(
        name: "lint",
        summary: "find secrets, broken or missing files and other problems in cassettes",
        operands: [
            .init(
                "[PATH …]",
                "cassettes, folders, or `-`; default: \(CassetteFolder.defaultMeaning)",
                .file
            )
        ],
        options: [format, ignore, maximumAge, maximumBody, strict] + RedactionOptions.all,
        discussion: """
            RULES:
            \(LintRule.table)

            The exit status is 1 if there is an error, or with --strict a warning, and 65 if a cassette cannot be read; the
            other cassettes are still checked. Secrets are never printed.
            """,
        examples: [
            "rewind lint --strict",
            "rewind lint Cassettes --max-age 90d --ignore duplicate,failure --format github",
        ]
    )

    private let operands: [String]
    private let report: LintReport
    private let ignored: Set<LintRule>
    private let settings: LintSettings
    private let redaction: RedactionOptions
    private let isStrict: Bool

    init(_ arguments: ParsedArguments) throws {
        operands = arguments.operands.isEmpty ? [CassetteFolder.default.path] : arguments.operands
        report = try arguments.choice(Self.format).flatMap(LintReport.init) ?? .text
        ignored = Set(try arguments.choices(Self.ignore).compactMap(LintRule.init))
        isStrict = arguments.has(Self.strict)
        redaction = try RedactionOptions(arguments)
        settings = try Self.settings(arguments)
    }

    private static func settings(_ arguments: ParsedArguments) throws -> LintSettings {
        var settings = LintSettings()
        if let text = arguments[maximumAge] {
            guard let age = LintSettings.age(text) else {
                throw maximumAge.invalidValue(text, expected: "a number with h, d, w or y, such as 90d")
            }
            settings.maximumAge = age
        }
        if let text = arguments[maximumBody] {
            guard let size = ByteCount(text) else {
                throw maximumBody.invalidValue(text, expected: "a number with B, kB, MB or GB, such as 64kB")
            }
            settings.maximumBody = size
        }
        return settings
    }

    func run(in console: Console) async throws -> ExitStatus {
        let files = try LintedFiles(operands)
        for folder in files.folders { folder.noteLinks(on: console) }
        var lints: [CassetteLint] = []
        let problems = await console.each(files.cassettes) { cassette in
            lints.append(CassetteLint(cassette, try settings(for: cassette)))
            return .success
        }
        let failures = try files.failedRecordings.map {
            CassetteLint(.file($0), try settings(for: .file($0)))
        }
        let findings = files.findings(of: lints, and: failures).filter { !ignored.contains($0.rule) }
            .sorted(by: LintFinding.areInOrder)
        report.write(findings, cassettes: lints.count, to: console)
        return status(of: findings).and(problems)
    }

    private func settings(for cassette: CassetteInput) throws -> LintSettings {
        var settings = settings
        settings.redaction = try redaction.redaction(for: cassette)
        return settings
    }

    private func status(of findings: [LintFinding]) -> ExitStatus {
        if findings.contains(where: { $0.rule == .unreadable }) { return .badData }
        let fails = findings.contains { finding in
            finding.rule.severity == .error || isStrict && finding.rule.severity == .warning
        }
        return fails ? .failure : .success
    }
}

struct LintSettings: Sendable {
    /// The maximum size of a body in a cassette. A body file can be ten times as large.
    var maximumBody = ByteCount(1_000_000)
    /// The maximum age of an interaction in seconds; unlimited by default.
    var maximumAge: TimeInterval?
    var redaction = Redaction.default
    var now = WallClock.current.now()

    func maximumBody(inFile: Bool) -> ByteCount {
        guard inFile else { return maximumBody }
        let (product, isTooLarge) = maximumBody.bytes.multipliedReportingOverflow(by: 10)
        return ByteCount(isTooLarge ? .max : product)
    }

    /// Reads an age in days, or in the unit of a suffix: `h`, `d`, `w` or `y`.
    static func age(_ text: String) -> TimeInterval? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let units = ["h": 1.0 / 24, "d": 1, "": 1, "w": 7, "y": 365]
        guard let number = Double(digits), let days = units[text.dropFirst(digits.count).lowercased()] else {
            return nil
        }
        return number * days * 86_400
    }
}
