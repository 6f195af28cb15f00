/// Findings as commands of a GitHub workflow, which shows them beside the lines of a change.
///
/// <https://docs.github.com/actions/reference/workflow-commands-for-github-actions>
struct WorkflowReport: LintReport {
    func write(_ findings: [LintFinding], cassettes count: Int, to console: Console) {
        for finding in findings { console.print(Self.command(finding)) }
    }

    private static func command(_ finding: LintFinding) -> String {
        let name = finding.rule.severity == .note ? "notice" : finding.rule.severity.rawValue
        var properties: [(String, String)] = []
        if finding.file != nil { properties.append(("file", VisibleText.line(finding.path))) }
        if let line = finding.line { properties.append(("line", "\(line)")) }
        if let column = finding.column { properties.append(("col", "\(column)")) }
        properties.append(("title", "\(finding.rule.name): \(finding.rule.summary)"))
        let list = properties.map { "\($0)=\(escapedProperty($1))" }.joined(separator: ",")
        return "::\(name) \(list)::\(escaped("\(VisibleText.line(finding.message))\n\(finding.rule.mend)"))"
    }

    /// A message, which ends with its line.
    static func escaped(_ text: String) -> String {
        replacing(text, ["%": "%25", "\r": "%0D", "\n": "%0A"])
    }

    /// A property, which a colon or a comma ends as well.
    static func escapedProperty(_ text: String) -> String {
        replacing(text, ["%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"])
    }

    private static func replacing(_ text: String, _ escapes: [Unicode.Scalar: String]) -> String {
        text.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
    }
}
