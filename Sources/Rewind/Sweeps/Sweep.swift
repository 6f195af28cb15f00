import Foundation

extension Stubber {
    /// The ways in which a sweep changes a recorded conversation, one at a time.
    ///
    /// ```swift
    /// try await Stubber.sweep(.faults) { _ in
    ///     do { try await checkout() } catch { #expect(error is CheckoutError) }
    /// }
    /// ```
    public struct Sweep: Sendable {
        let kind: Kind
        var faultKinds: [Fault] = []

        /// Each answer fails in each way.
        public static let faults = faults(Fault.allCases)

        /// Each answer fails in some ways.
        /// - Parameter kinds: The ways.
        /// - Returns: The sweep.
        public static func faults(_ kinds: [Fault]) -> Sweep { Sweep(kind: .fault, faultKinds: kinds) }

        /// Each field of each JSON answer is removed, becomes `null`, and changes in other ways.
        ///
        /// A closure that throws does not fail this sweep: its error is what the report says about the field.
        public static let fields = Sweep(kind: .field)

        /// The answers of requests that were in flight together arrive in other orders.
        ///
        /// A request that began after the end of another one is never answered before it. The recording must have the
        /// times of its interactions, as each one has that Rewind wrote.
        public static let timing = Sweep(kind: .order)

        /// What a sweep varies. The raw value begins the name of each of its variations.
        enum Kind: String, Sendable, CaseIterable {
            case fault, field, order

            var title: String {
                switch self {
                case .fault: "Fault sweep"
                case .field: "Field sweep"
                case .order: "Timing sweep"
                }
            }
        }

        /// A way in which the answer to a request fails. The raw value ends the name of the variation.
        public enum Fault: String, Sendable, CaseIterable {
            /// No connection: `URLError.cannotConnectToHost`.
            case connectionRefused = "connection-refused"
            /// No answer in time: `URLError.timedOut`, at once.
            case timeout
            /// The connection is lost after half of the body: `URLError.networkConnectionLost`.
            case cut
            /// Status 500 with a text.
            case status500 = "status-500"
            /// Status 503 with `Retry-After: 120`.
            case status503 = "status-503"
            /// Status 401 without a body.
            case status401 = "status-401"
            /// Status 429 with `Retry-After: 120`.
            case status429 = "status-429"
            /// The recorded answer without its body.
            case emptyBody = "empty-body"
            /// The first half of a JSON answer, as if that were all.
            case truncatedJSON = "truncated-json"
            /// Status 200 with a page of HTML in place of JSON, as of a captive portal.
            case html
            /// The recorded answer after 30 seconds of the configuration's clock; without one, they take no time.
            case slow
        }
    }

    /// One run of the closure of a sweep.
    public struct Variation: Sendable, CustomStringConvertible {
        /// The name, such as `fault-3-timeout`: `REWIND_SWEEP` runs the variations that it names.
        public let id: String
        /// The request and the change, such as `#3 POST /orders: timeout`.
        public let description: String
        /// The fault of a fault sweep; `nil` for the unchanged conversation and in other sweeps.
        public internal(set) var fault: Sweep.Fault?

        /// Whether it is the unchanged conversation, which each sweep runs first.
        public var isUnchanged: Bool { id == Self.unchanged.id }

        static let unchanged = Variation(id: "unchanged", description: "the unchanged conversation")
    }
}

extension Stubber.Sweep.Fault {
    /// The interaction with this fault; equal to the given one if the fault changes nothing.
    func applied(to recorded: Interaction) -> Interaction {
        guard
            case .play(let played, _) = answer(to: recorded).resolved(for: recorded.request, call: 0, recorded)
        else { return recorded }
        var changed = recorded
        (changed.outcome, changed.timing) = (played.outcome, played.timing)
        return changed
    }

    private func answer(to recorded: Interaction) -> StubAnswer {
        let body = recorded.isJSONAnswer ? recorded.response?.body.data : nil
        let count = recorded.response?.body.count ?? 0
        switch self {
        case .connectionRefused: return .failure(.cannotConnectToHost)
        case .timeout: return .failure(.timedOut)
        case .cut: return count > 0 ? .recorded.cut(afterBytes: count / 2) : .recorded
        case .status500: return .text("Internal Server Error", status: 500)
        case .status503: return .status(503, headers: ["Retry-After": "120"])
        case .status401: return .status(401)
        case .status429: return .status(429, headers: ["Retry-After": "120"])
        case .emptyBody: return .recorded { $0.replaceBody(Data()) }
        case .truncatedJSON:
            guard let body else { return .recorded }
            return .recorded { $0.replaceBody(body.prefix(body.count / 2)) }
        case .html:
            guard body != nil else { return .recorded }
            let page = "<!DOCTYPE html><title>Sign in</title><p>Sign in to use this network."
            return .data(Data(page.utf8), contentType: "text/html; charset=utf-8")
        case .slow: return .recorded.delayed(by: .seconds(30))
        }
    }
}

extension StubAnswer {
    /// Resolves the answer for a recorded interaction, which is known.
    fileprivate func resolved(for request: Interaction.Request, call: Int, _ recorded: Interaction) -> Resolved
    {
        guard case .recorded(let transform) = resolved(for: request, call: call) else {
            return resolved(for: request, call: call)
        }
        let (changed, timeScale) = transform(recorded, 1)
        return .play(changed, timeScale: timeScale)
    }
}

extension Interaction {
    /// Whether it is a complete answer that contains JSON by its media type.
    var isJSONAnswer: Bool {
        guard case .response(let response) = outcome, !response.body.isEmpty else { return false }
        return MediaType(response.headers["Content-Type"])?.isJSON ?? false
    }
}

extension Interaction.Response {
    /// Replaces the body, and the length that the header fields state.
    mutating func replaceBody(_ data: Data) {
        body = Interaction.Body(data)
        if headers["Content-Length"] != nil { headers["Content-Length"] = "\(data.count)" }
    }
}
