import Foundation
import Rewind

struct LintCommand: Subcommand {
    private static let format = Option(
        "--format FORMAT",
        "text, which is the default, sarif, or github for annotations of a workflow",
        .oneOf(LintReport.allCases.map(\.rawValue))
    )
    private static let ignore = Option(
        "--ignore RULE …",
        "a rule to leave out",
        .oneOf(LintRule.allCases.map(\.rawValue))
    )
    private static let maximumAge = Option(
        "--max-age AGE",
        "the age a recording may have, such as 90d, 12h, 6w or 1y; any by default"
    )
    private static let maximumBody = Option(
        "--max-body SIZE",
        "the size of a body in a cassette, such as 64kB; 1MB by default, ten times that in a file beside it"
    )
    private static let allow = Option("--allow FINGERPRINT …", "a value that only looks like a credential")
    private static let keep = Option(
        "--keep NAME …",
        "a name whose values are no secrets, although it looks so"
    )
    private static let strict = Option("--strict", "end with 1 for warnings, too")

    static let synopsis = Synopsis(
        name: "lint",
        summary: "find secrets, broken and missing files and what else is wrong with cassettes",
        operands: [
            .init(
                "[PATH …]",
                "files, folders, or `-`; the folder of REWIND_CASSETTES, or else Cassettes, by default",
                .file
            )
        ],
        options: [format, ignore, maximumAge, maximumBody, allow, keep, strict],
        discussion: """
            RULES:
            \(LintRule.table)

            The status is 1 where there is an error, with --strict also where there is a warning, and 65 where a cassette
            cannot be read; all others are looked at nevertheless. No secret is ever printed.
            """,
        examples: [
            "rewind lint --strict",
            "rewind lint Cassettes --max-age 90d --ignore duplicate,failure --format github",
        ]
    )

    private let words: [String]
    private let report: LintReport
    private let ignored: Set<LintRule>
    private let settings: LintSettings
    private let isStrict: Bool

    init(_ arguments: ParsedArguments) throws {
        words = arguments.operands.isEmpty ? [CassetteFolder.usual.path] : arguments.operands
        report = try arguments.choice(Self.format).flatMap(LintReport.init) ?? .text
        ignored = Set(try arguments.choices(Self.ignore).compactMap(LintRule.init))
        isStrict = arguments.has(Self.strict)
        settings = try Self.settings(arguments)
    }

    private static func settings(_ arguments: ParsedArguments) throws -> LintSettings {
        var settings = LintSettings()
        if let text = arguments[maximumAge] {
            guard let age = LintSettings.age(text) else {
                throw maximumAge.badValue(text, wanted: "a number of h, d, w or y, such as 90d")
            }
            settings.maximumAge = age
        }
        if let text = arguments[maximumBody] {
            guard let size = ByteCount(text) else {
                throw maximumBody.badValue(text, wanted: "a number of bytes, kB, MB or GB")
            }
            settings.maximumBody = size
        }
        settings.allowedFingerprints = Set(arguments.list(allow).map { $0.lowercased() })
        for name in arguments.list(keep) { settings.redaction.keep(name) }
        return settings
    }

    func run(in console: Console) async throws -> ExitStatus {
        let files = try LintedFiles(words)
        var lints: [CassetteLint] = []
        _ = await console.each(files.cassettes) { cassette in
            lints.append(CassetteLint(cassette, settings))
            return .success
        }
        let failures = files.failedRecordings.map { CassetteLint(.file($0), settings) }
        let findings = files.findings(of: lints, and: failures).filter { !ignored.contains($0.rule) }
            .sorted(by: LintFinding.areInOrder)
        report.write(findings, cassettes: lints.count, to: console)
        return status(of: findings)
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
    /// The number of bytes that a body may have in a cassette; in a file beside it ten times that.
    var maximumBody = ByteCount(1_000_000)
    /// The age in seconds that an interaction may have; any by default.
    var maximumAge: TimeInterval?
    var redaction = Redaction.default
    var allowedFingerprints: Set<String> = []
    var now = WallClock.current.now()

    func maximumBody(inFile: Bool) -> ByteCount {
        guard inFile else { return maximumBody }
        let (product, isTooLarge) = maximumBody.bytes.multipliedReportingOverflow(by: 10)
        return ByteCount(isTooLarge ? .max : product)
    }

    /// Reads an age: a number of days, or of the hours, weeks or years whose first letter follows it.
    static func age(_ text: String) -> TimeInterval? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let units = ["h": 1.0 / 24, "d": 1, "": 1, "w": 7, "y": 365]
        guard let number = Double(digits), let days = units[text.dropFirst(digits.count).lowercased()] else {
            return nil
        }
        return number * days * 86_400
    }
}
