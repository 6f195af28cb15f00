import Foundation

/// One structural difference between a live answer and the recorded one.
///
/// Values do not count, as ids, dates and tokens always differ; status, media type and the body's members and types do.
///
/// ```swift
/// print(drift)  // $.items[].name: string → number
/// ```
public struct Drift: Hashable, Sendable {
    /// What kind of change it is.
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// Another status code.
        case status
        /// A failure in the place of a response, a response in the place of a failure, or another failure.
        case outcome
        /// Another media type.
        case mediaType
        /// Another kind of body, such as HTML in the place of JSON, or none.
        case body
        /// A member of a JSON object that was not there.
        case added
        /// A member of a JSON object that is gone.
        case removed
        /// A member that every recorded object has and only some of the live ones.
        case optional
        /// A value of another type.
        case type
        /// A `null` where there was none, or a value where there was only `null`.
        case nullability
        /// A request that the cassette does not have.
        case unrecorded
    }

    /// What kind of change it is.
    public var kind: Kind
    /// Where it is: `status`, `content type`, `body`, or a place in a JSON body such as `$.items[].name`.
    public var place: String
    /// What the recording has; `nil` where it has nothing.
    public var recorded: String?
    /// What the live answer has; `nil` where it has nothing.
    public var live: String?

    init(_ kind: Kind, _ place: String, recorded: String? = nil, live: String? = nil) {
        self.kind = kind
        self.place = place
        self.recorded = recorded
        self.live = live
    }
}

extension Drift: CustomStringConvertible {
    /// The change in one line.
    public var description: String {
        switch kind {
        case .added: "\(place): added (\(live ?? "nothing"))"
        case .removed: "\(place): removed (\(recorded ?? "nothing"))"
        case .unrecorded: recorded ?? "not on the cassette"
        case .status, .outcome, .mediaType, .body, .optional, .type, .nullability:
            "\(place): \(recorded ?? "none") → \(live ?? "none")"
        }
    }
}

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
        public var request: Interaction.Request
        /// In what the answer has drifted.
        public var drifts: [Drift]

        package init(number: Int?, request: Interaction.Request, drifts: [Drift]) {
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
    /// The whole report: each request, and what has changed in its answer.
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
