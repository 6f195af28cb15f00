/// A way to tell what was found.
protocol LintReport: Sendable {
    /// Writes all findings, which are in order.
    func write(_ findings: [LintFinding], cassettes count: Int, to console: Console)
}
