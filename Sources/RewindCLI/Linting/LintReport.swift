import Foundation
import Rewind

/// The format of a report.
enum LintReport: String, CaseIterable, Sendable {
    case text, sarif, github

    func write(_ findings: [LintFinding], cassettes count: Int, to console: Console) {
        let lines =
            switch self {
            case .text: TextReport.lines(findings, cassettes: count, console.style)
            case .sarif: [VisibleText.json(SARIFReport.log(findings))]
            case .github: findings.map(WorkflowReport.command)
            }
        if !lines.isEmpty { console.print(lines.joined(separator: "\n")) }
    }
}

/// One line for each finding, in the format of compilers, which editors understand.
private enum TextReport {
    static func lines(_ findings: [LintFinding], cassettes count: Int, _ style: TextStyle) -> [String] {
        let cassettes = Counted.text(count, "cassette")
        guard !findings.isEmpty else { return ["No problems found in \(cassettes)."] }
        let rules = Set(findings.map(\.rule))
        let suggestions = LintRule.allCases.filter(rules.contains).map {
            "\(style(.bold, $0.rawValue)): \($0.recoverySuggestion)"
        }
        let counts = LintRule.Severity.allCases.compactMap { severity -> String? in
            let count = findings.count { $0.rule.severity == severity }
            return count == 0 ? nil : Counted.text(count, severity.rawValue)
        }
        let summary = "\(style(.bold, counts.joined(separator: ", "))) in \(cassettes)"
        return findings.map { line($0, style) } + [""] + suggestions + ["", summary]
    }

    private static func line(_ finding: LintFinding, _ style: TextStyle) -> String {
        let place = [finding.line, finding.column].compactMap { $0 }.map { ":\($0)" }.joined()
        let severity = finding.rule.severity
        let color: TextStyle.Emphasis = severity == .error ? .red : severity == .warning ? .yellow : .cyan
        return "\(VisibleText.line(finding.path))\(place): \(style(color, severity.rawValue + ":")) "
            + VisibleText.line(finding.message) + style(.dim, " [\(finding.rule.rawValue)]")
    }
}

/// Findings as workflow commands, which GitHub shows as annotations of a pull request.
///
/// <https://docs.github.com/actions/reference/workflow-commands-for-github-actions>
enum WorkflowReport {
    static func command(_ finding: LintFinding) -> String {
        let name = finding.rule.severity == .note ? "notice" : finding.rule.severity.rawValue
        var properties: [(String, String)] = []
        if finding.file != nil { properties.append(("file", VisibleText.line(finding.path))) }
        if let line = finding.line { properties.append(("line", "\(line)")) }
        if let column = finding.column { properties.append(("col", "\(column)")) }
        properties.append(("title", "\(finding.rule.rawValue): \(finding.rule.summary)"))
        let list = properties.map { "\($0)=\(escapedProperty($1))" }.joined(separator: ",")
        return
            "::\(name) \(list)::\(escaped("\(VisibleText.line(finding.message))\n\(finding.rule.recoverySuggestion)"))"
    }

    static func escaped(_ text: String) -> String { replacing(text, ["%": "%25", "\r": "%0D", "\n": "%0A"]) }

    /// The value of a property, in which colons and commas are escaped as well.
    static func escapedProperty(_ text: String) -> String {
        replacing(text, ["%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"])
    }

    private static func replacing(_ text: String, _ escapes: [Unicode.Scalar: String]) -> String {
        text.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
    }
}

/// Findings in the Static Analysis Results Interchange Format 2.1.0 (OASIS) for code scanning.
private enum SARIFReport {
    static func log(_ findings: [LintFinding]) -> JSON {
        let driver: JSON = [
            "name": "rewind", "version": .string(CommandLineTool.version),
            "rules": .array(LintRule.allCases.map(rule)),
        ]
        return [
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
            "runs": [
                [
                    "tool": ["driver": driver], "columnKind": "unicodeCodePoints",
                    "results": .array(findings.map(result)),
                ]
            ],
        ]
    }

    private static func rule(_ rule: LintRule) -> JSON {
        [
            "id": .string(rule.rawValue), "shortDescription": ["text": .string(rule.summary + ".")],
            "help": ["text": .string(rule.recoverySuggestion)],
            "defaultConfiguration": ["level": .string(rule.severity.rawValue)],
        ]
    }

    private static func result(_ finding: LintFinding) -> JSON {
        // Code scanning requires a line; a finding about a whole file is on line 1.
        var region: JSONObject = ["startLine": JSON(finding.line ?? 1)]
        if let column = finding.column { region.append("startColumn", JSON(column)) }
        let place: JSON = ["artifactLocation": ["uri": .string(uri(of: finding))], "region": .object(region)]
        return [
            "ruleId": .string(finding.rule.rawValue),
            "ruleIndex": JSON(LintRule.allCases.firstIndex(of: finding.rule) ?? 0),
            "level": .string(finding.rule.severity.rawValue), "message": ["text": .string(finding.message)],
            "locations": [["physicalLocation": place]],
        ]
    }

    /// A relative reference for files in the working directory, else an absolute URI (RFC 3986 section 4.1).
    private static func uri(of finding: LintFinding) -> String {
        let path = finding.path
        let encoded = path.split(separator: "/", omittingEmptySubsequences: false)
            .map { PercentEncoding.encoded(String($0)) }.joined(separator: "/")
        return path.hasPrefix("/") ? "file://" + encoded : encoded
    }
}
