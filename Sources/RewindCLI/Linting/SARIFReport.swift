import Foundation
import Rewind

/// Findings in the Static Analysis Results Interchange Format 2.1.0 (OASIS), which code scanning of many hosts reads.
struct SARIFReport: LintReport {
    func write(_ findings: [LintFinding], cassettes count: Int, to console: Console) {
        console.print(VisibleText.json(Self.log(findings)))
    }

    /// The document.
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
            "id": .string(rule.name), "shortDescription": ["text": .string(rule.summary + ".")],
            "help": ["text": .string(rule.mend)],
            "defaultConfiguration": ["level": .string(rule.severity.rawValue)],
        ]
    }

    private static func result(_ finding: LintFinding) -> JSON {
        // Code scanning asks for a line, which for a whole file is the first.
        var region: JSONObject = ["startLine": JSON(finding.line ?? 1)]
        if let column = finding.column { region.append("startColumn", JSON(column)) }
        let place: JSON = [
            "artifactLocation": ["uri": .string(uri(of: finding))], "region": .object(region),
        ]
        return [
            "ruleId": .string(finding.rule.name),
            "ruleIndex": JSON(LintRule.allCases.firstIndex(of: finding.rule) ?? 0),
            "level": .string(finding.rule.severity.rawValue), "message": ["text": .string(finding.message)],
            "locations": [["physicalLocation": place]],
        ]
    }

    /// A reference from the working directory for files in it, else a whole URI (RFC 3986 section 4.1).
    private static func uri(of finding: LintFinding) -> String {
        let path = finding.path
        let encoded = path.split(separator: "/", omittingEmptySubsequences: false)
            .map { PercentEncoding.encoded(String($0)) }.joined(separator: "/")
        return path.hasPrefix("/") ? "file://" + encoded : encoded
    }
}
