/// The drift of one cassette: where the real API no longer answers as it was recorded.
///
/// ```swift
/// let report = try stubber.eject().drift.first
/// print(report?.entries.count ?? 0)
/// ```
public struct DriftReport: Hashable, Sendable {
    /// One request whose live answer has drifted.
    public struct Entry: Hashable, Sendable {
        /// The place on the cassette, counted from one; `nil` for a request that the cassette does not have.
        public var number: Int?
        /// The request, its secrets taken out.
        public var request: Request
        /// In what the answer has drifted.
        public var drifts: [Drift]

        package init(number: Int?, request: Request, drifts: [Drift]) {
            self.number = number
            self.request = request
            self.drifts = drifts
        }
    }

    /// The path of the cassette.
    public var cassettePath: String
    /// The requests in recorded order, and after them those that the cassette does not have.
    public var entries: [Entry]

    package init(cassettePath: String, entries: [Entry]) {
        self.cassettePath = cassettePath
        self.entries = entries
    }
}

extension DriftReport: CustomStringConvertible {
    /// The whole story: each request, and what has changed in its answer.
    public var description: String {
        let lines = entries.flatMap { entry in
            let number = entry.number.map { "#\($0) " } ?? ""
            return ["  \(number)\(entry.request)"] + entry.lines.map { "      \($0)" }
        }
        let head = "The real API has drifted from the cassette \(cassettePath):"
        let end = "  When the app is ready for it, record the cassette anew with REWIND_MODE=all."
        return ([head] + lines + [end]).joined(separator: "\n")
    }
}

extension DriftReport.Entry {
    /// The changes, a line each, without those that are more than anybody reads.
    package var lines: [String] {
        let shown = drifts.prefix(Self.limit).map(\.description)
        let rest = drifts.count - shown.count
        return rest > 0 ? shown + ["and \(rest) more"] : shown
    }

    private static let limit = 24
}
