import Foundation

/// Names the part of a request that must be equal for an interaction to answer it.
///
/// ## Overview
/// A matcher is a named projection of a request, or a comparison of two. An interaction answers a request when all
/// matchers find both equal. Projections are index keys, so that a lookup costs the same in a cassette of any size;
/// comparisons see only the interactions that the projections found.
///
/// ## Usage
/// ```swift
/// configuration.matching = [.method, .path, .json]
/// configuration.matching = .default + [.headers("Accept-Language")]
/// configuration.matching = .default.ignoring(.queryItems("ts", "utm_*"), .jsonPaths("$..requestId"))
/// ```
///
/// ## Caveats
/// - Secrets are removed from a request before it is compared, see ``Redaction``.
/// - A cassette without header fields, as some other systems make, matches nothing by header fields.
public struct RequestMatcher: Sendable {
    /// The name, which the diagnosis of a miss uses.
    public let name: String
    /// What it leaves out of the comparison.
    public private(set) var ignored: [RequestMatcher.Ignored] = []
    package let parts: RequestParts
    /// Reads a body, where bodies are compared: equal bytes are then equal whatever it reads in them.
    private let read: (@Sendable (Interaction.Request) -> BodyContent)?
    private let project: @Sendable (Interaction.Request) -> Projection
    private let agree: (@Sendable (_ requested: Interaction.Request, _ recorded: Interaction.Request) -> Bool)?
    private let describe: Description?

    /// Lists the differences of two requests that are not equal, given their bodies as sent.
    typealias Description = @Sendable (Interaction.Request, Interaction.Request, SentBodies) -> [Difference]

    init(
        _ name: String,
        of parts: RequestParts,
        reading read: (@Sendable (Interaction.Request) -> BodyContent)? = nil,
        comparing agree: (
            @Sendable (_ requested: Interaction.Request, _ recorded: Interaction.Request) -> Bool
        )? = nil,
        describing describe: Description? = nil,
        project: @escaping @Sendable (Interaction.Request) -> Projection
    ) {
        self.name = name
        self.parts = parts
        self.read = read
        self.agree = agree
        self.describe = describe
        self.project = project
    }

    /// The same matcher, without some parts of what it compares.
    /// - Parameter ignored: What is left out of both requests before they are compared.
    /// - Returns: The matcher.
    public func ignoring(_ ignored: RequestMatcher.Ignored...) -> RequestMatcher { ignoring(ignored) }

    func ignoring(_ ignored: [RequestMatcher.Ignored]) -> RequestMatcher {
        var matcher = self
        matcher.ignored = (self.ignored + ignored.filter { !parts.isDisjoint(with: $0.parts) }).merged
        return matcher
    }

    package var isComparison: Bool { agree != nil }
    /// Whether requests with equal bodies are equal to it, whatever their media types say.
    var comparesBodies: Bool { read != nil }

    package func projection(_ request: Interaction.Request) -> Projection {
        project(ignored.isEmpty ? request : without(request))
    }

    /// Whether a comparison accepts the request; a projection always does.
    package func agrees(_ request: Interaction.Request, with recorded: Interaction.Request) -> Bool {
        agree?(without(request), without(recorded)) ?? true
    }

    package func matches(_ request: Interaction.Request, _ recorded: Interaction.Request) -> Bool {
        (comparesBodies && request.hasSameBody(as: recorded) || projection(request) == projection(recorded))
            && agrees(request, with: recorded)
    }

    /// The differences of two requests, none where they are equal.
    ///
    /// There are suggestions only where these, taken together, remove all differences.
    package func differences(_ request: Interaction.Request, from recorded: Interaction.Request) -> [Difference]
    {
        guard !matches(request, recorded) else { return [] }
        var differences = allDifferences(request, recorded)
        let isEnough = ignoring(differences.compactMap(\.suggestion)).matches(request, recorded)
        for index in differences.indices {
            differences[index].matcher = name
            if !isEnough { differences[index].suggestion = nil }
        }
        return differences
    }

    private func allDifferences(_ request: Interaction.Request, _ recorded: Interaction.Request) -> [Difference]
    {
        guard !isComparison
        else {
            return [
                Difference(name, recorded: nil, requested: nil, remark: "the custom comparison returned false")
            ]
        }
        let (asked, had) = (without(request), without(recorded))
        let sent = SentBodies(requested: request.body?.data ?? Data(), recorded: recorded.body?.data ?? Data())
        if let differences = describe?(asked, had, sent), !differences.isEmpty { return differences }
        return comparesBodies && !sent.isEmpty
            ? [sent.difference(of: name)] : [Difference(of: name, between: project(asked), and: project(had))]
    }

    private func without(_ request: Interaction.Request) -> Interaction.Request {
        ignored.reduce(request) { $1.removed(from: $0, reading: read ?? { BodyContent(of: $0) }) }
    }

    /// Compares a text of your own making.
    /// - Parameters:
    ///   - name: The name, which the diagnosis of a miss uses.
    ///   - projection: Takes the text that must be equal out of a request.
    /// - Returns: The matcher.
    public static func custom(_ name: String, projection: @escaping @Sendable (Interaction.Request) -> String)
        -> RequestMatcher
    {
        RequestMatcher(name, of: .all) { .text(projection($0)) }
    }

    /// Compares a request with a recorded one as you see fit.
    ///
    /// It sees every interaction that the other matchers found, so a projection is quicker in large cassettes.
    /// - Parameters:
    ///   - name: The name, which the diagnosis of a miss uses.
    ///   - comparison: Whether the recorded request's answer may be played for the request.
    /// - Returns: The matcher.
    public static func custom(
        _ name: String,
        comparison:
            @escaping @Sendable (_ requested: Interaction.Request, _ recorded: Interaction.Request) -> Bool
    ) -> RequestMatcher {
        RequestMatcher(name, of: .all, comparing: comparison) { _ in .absent }
    }
}

extension [RequestMatcher] {
    package var parts: RequestParts { reduce(into: []) { $0.formUnion($1.parts) } }
    /// Method, URL and body: what a server can tell apart without reading headers.
    public static var `default`: [RequestMatcher] { [.method, .url, .body] }

    /// Method, URL and query as a set, as in LaserDisc: repeated items count once, and the body does not count.
    public static var approximate: [RequestMatcher] { [.method, .url.ignoring(.component(.query)), .querySet] }

    /// The same matchers, without some parts of what they compare.
    /// - Parameter ignored: What is left out of both requests before they are compared.
    /// - Returns: The matchers.
    public func ignoring(_ ignored: RequestMatcher.Ignored...) -> [RequestMatcher] {
        map { $0.ignoring(ignored) }
    }

    /// The same matchers with a comparison of your own in place of theirs for one component of the URL.
    ///
    /// ```swift
    /// configuration.matching = .default.overriding(.scheme) { requested, recorded in true }
    /// ```
    /// - Parameters:
    ///   - component: The component, which all matchers leave out from now on.
    ///   - comparison: Whether two values of it are equal; `nil` for a URL that lacks the component.
    /// - Returns: The matchers.
    public func overriding(
        _ component: RequestMatcher.URLComponent,
        comparison: @escaping @Sendable (_ requested: String?, _ recorded: String?) -> Bool
    ) -> [RequestMatcher] {
        let own = RequestMatcher(
            "\(component)",
            of: .url,
            comparing: { comparison(component.value(of: $0.url), component.value(of: $1.url)) },
            project: { _ in .absent }
        )
        return map { $0.ignoring([.component(component)]) } + [own]
    }
}

/// The parts of a request that a matcher looks at; no other is computed.
package struct RequestParts: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let method = RequestParts(rawValue: 1)
    package static let url = RequestParts(rawValue: 2)
    package static let headers = RequestParts(rawValue: 4)
    package static let body = RequestParts(rawValue: 8)
    package static let all: RequestParts = [.method, .url, .headers, .body]
}

package enum Projection: Hashable, Sendable {
    case absent
    case text(String)
    case bytes(Data)
    /// Must not equal a body of the bytes that write the parts down.
    case parts(Data)

    /// Compares bytes: letters that Unicode holds equivalent differ.
    package static func == (left: Projection, right: Projection) -> Bool {
        switch (left, right) {
        case (.absent, .absent): true
        case (.text(let left), .text(let right)): left.hasSameBytes(as: right)
        case (.bytes(let left), .bytes(let right)), (.parts(let left), .parts(let right)): left == right
        default: false
        }
    }

    /// Hashes all bytes: `Data` hashes only the first ones, which the bodies of one API share.
    package func hash(into hasher: inout Hasher) {
        switch self {
        case .absent: hasher.combine(0)
        case .text(let text): hasher.combine(text)
        case .bytes(let data), .parts(let data): data.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }
}
