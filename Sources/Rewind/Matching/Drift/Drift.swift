/// One thing in which a live answer is of another make than the recorded one.
///
/// Values say nothing: ids, dates and tokens differ at every call. What counts is what the app's code relies on: the status,
/// the media type, and which members a body has, of which types.
///
/// ```swift
/// print(drift)  // $.items[].name: string → number
/// ```
public struct Drift: Hashable, Sendable {
    /// What kind of change it is.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
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
