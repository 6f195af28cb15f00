/// The parts of a request that a matcher looks at, so that nothing is found out in vain.
package struct RequestParts: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The method.
    package static let method = RequestParts(rawValue: 1)
    /// The URL.
    package static let url = RequestParts(rawValue: 2)
    /// The header fields.
    package static let headers = RequestParts(rawValue: 4)
    /// The body, and the media type that says how to read it.
    package static let body = RequestParts(rawValue: 8)
    /// Everything.
    package static let all: RequestParts = [.method, .url, .headers, .body]
}

extension [Matcher] {
    /// The parts that any of the matchers looks at.
    package var parts: RequestParts {
        reduce(into: []) { $0.formUnion($1.parts) }
    }
}
