/// Findings a line each, as compilers write them and editors read them.
struct TextReport: LintReport {
    func write(_ findings: [LintFinding], cassettes count: Int, to console: Console) {
        let style = console.style
        for finding in findings { console.print(Self.line(finding, style)) }
        let cassettes = Counted.text(count, "cassette")
        guard !findings.isEmpty else { return console.print("Nothing found in \(cassettes).") }
        console.print("")
        for rule in LintRule.allCases where findings.contains(where: { $0.rule == rule }) {
            console.print("\(style(.bold, rule.name)): \(rule.mend)")
        }
        let counts = LintRule.Severity.allCases.compactMap { severity -> String? in
            let count = findings.count { $0.rule.severity == severity }
            return count == 0 ? nil : Counted.text(count, severity.rawValue)
        }
        console.print("\n\(style(.bold, counts.joined(separator: ", "))) in \(cassettes)")
    }

    private static func line(_ finding: LintFinding, _ style: TextStyle) -> String {
        let place = [finding.line, finding.column].compactMap { $0 }.map { ":\($0)" }.joined()
        let severity = finding.rule.severity
        let color: TextStyle.Emphasis =
            switch severity {
            case .error: .red
            case .warning: .yellow
            case .note: .cyan
            }
        return "\(VisibleText.line(finding.path))\(place): \(style(color, severity.rawValue + ":")) "
            + VisibleText.line(finding.message) + style(.dim, " [\(finding.rule.name)]")
    }
}
