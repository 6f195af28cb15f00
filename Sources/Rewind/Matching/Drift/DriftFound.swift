import Foundation

/// The real API has drifted from cassettes that a test verified.
public struct DriftFound: Error, Hashable, Sendable {
    /// The drift of each cassette.
    public var reports: [DriftReport]

    package init(reports: [DriftReport]) {
        self.reports = reports
    }
}

extension DriftFound: LocalizedError, CustomStringConvertible {
    /// The whole story.
    public var description: String { reports.map(\.description).joined(separator: "\n") }
    /// The whole story.
    public var errorDescription: String? { description }
}
