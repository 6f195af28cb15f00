import Foundation

/// A structural difference between a live response and the recorded one.
///
/// Drift is reported for the status, the media type, and the members and types of a JSON body. Values are not compared,
/// because ids, dates and tokens differ in every response.
///
/// ```swift
/// print(drift)  // $.items[].name: string → number
/// ```
public struct Drift: Hashable, Sendable {
    /// The kind of difference.
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// The status code differs.
        case status
        /// One is a response and the other an error, or the errors differ.
        case outcome
        /// The media type differs.
        case mediaType
        /// The body is of another kind, such as HTML instead of JSON, or empty.
        case body
        /// A JSON object has a member that was not recorded.
        case added
        /// A JSON object lacks a recorded member.
        case removed
        /// Only some of the live objects have a member that every recorded object has.
        case optional
        /// A value has another type.
        case type
        /// A value is `null` and was not, or was always `null` and is not.
        case nullability
        /// The cassette has no recording for the request.
        case unrecorded
    }

    /// The kind of difference.
    public var kind: Kind
    /// Where the difference is: `status`, `outcome`, `content type`, `body`, `request`, or a place in a JSON body such as
    /// `$.items[].name`.
    public var place: String
    /// The recorded status, type or kind; `nil` if there is none.
    public var recorded: String?
    /// The live status, type or kind; `nil` if there is none.
    public var live: String?

    init(_ kind: Kind, _ place: String, recorded: String? = nil, live: String? = nil) {
        self.kind = kind
        self.place = place
        self.recorded = recorded
        self.live = live
    }
}

extension Drift: CustomStringConvertible {
    /// The difference in one line, such as `$.items[].name: string → number`.
    public var description: String {
        switch kind {
        case .added: "\(place): added (\(live ?? "nothing"))"
        case .removed: "\(place): removed (\(recorded ?? "nothing"))"
        case .unrecorded: recorded ?? "not in the cassette"
        case .status, .outcome, .mediaType, .body, .optional, .type, .nullability:
            "\(place): \(recorded ?? "none") → \(live ?? "none")"
        }
    }
}

/// The differences between the live API and one cassette.
///
/// ```swift
/// let report = try stubber.eject().drift.first
/// print(report?.entries.count ?? 0)
/// ```
public struct DriftReport: Hashable, Sendable {
    /// A request with the drift of its response.
    public struct Entry: Hashable, Sendable {
        /// The number of the interaction in the cassette, counted from 1; `nil` if the cassette has no recording for the request.
        public var number: Int?
        /// The request, redacted.
        public var request: Interaction.Request
        /// The differences.
        public var drifts: [Drift]

        package init(number: Int?, request: Interaction.Request, drifts: [Drift]) {
            self.number = number
            self.request = request
            self.drifts = drifts
        }
    }

    /// The path of the cassette.
    public var cassettePath: String
    /// The requests in recorded order, followed by those that the cassette does not contain.
    public var entries: [Entry]

    package init(cassettePath: String, entries: [Entry]) {
        self.cassettePath = cassettePath
        self.entries = entries
    }
}

extension DriftReport {
    /// Whether the test made requests that are not in the cassette.
    var lacksRequests: Bool { entries.contains { $0.number == nil } }
}

extension DriftReport: CustomStringConvertible {
    /// The report as text: each request with its differences.
    public var description: String {
        let lines = entries.flatMap { entry in
            let number = entry.number.map { "#\($0) " } ?? ""
            return ["  \(number)\(entry.request)"] + entry.lines.map { "      \($0)" }
        }
        let head = "The live API differs from the cassette \(cassettePath):"
        return ([head] + lines).joined(separator: "\n")
    }
}

extension DriftReport.Entry {
    package var lines: [String] {
        let shown = drifts.prefix(24).map(\.description)
        let rest = drifts.count - shown.count
        return rest > 0 ? shown + ["and \(rest) more"] : shown
    }
}
