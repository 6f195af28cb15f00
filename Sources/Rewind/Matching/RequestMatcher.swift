import Foundation

/// Compares one part of a live request with the same part of a recorded request.
///
/// An interaction answers a request if all matchers of ``Stubber/Configuration/matching`` find the requests equal.
///
/// ```swift
/// configuration.matching = [.method, .path, .json]
/// configuration.matching = .default + [.headers("Accept-Language")]
/// configuration.matching = .default.ignoring(.queryItems("ts", "utm_*"), .jsonPaths("$..requestId"))
/// ```
///
/// Built-in matchers and ``custom(_:projection:)`` cost the same in a cassette of any size. A
/// ``custom(_:comparison:)`` is called for each interaction that the other matchers accept.
///
/// Closures of matchers run on threads of their own, as [Callbacks](doc:Callbacks) describes.
///
/// - Note: Secrets are redacted before a request is compared. See ``Redaction``.
/// - Note: Cassettes of some other systems contain no header fields. A matcher for header fields then matches only requests
///   without them.
public struct RequestMatcher: Sendable {
    /// The name in the diagnosis of a miss, such as `url`.
    public let name: String
    /// The parts that the matcher ignores.
    public private(set) var ignored: [RequestMatcher.Ignored] = []
    package let parts: RequestParts
    /// Whether it calls a closure of the test.
    let hasCallbacks: Bool
    /// Parses the body, if the matcher compares bodies. Equal bytes then match without it.
    private let read: (@Sendable (Interaction.Request) -> BodyContent)?
    private let project: @Sendable (Interaction.Request) -> Projection
    private let agree: (@Sendable (_ requested: Interaction.Request, _ recorded: Interaction.Request) -> Bool)?
    private let describe: Description?

    /// Lists the differences between two requests, given their bodies as sent.
    typealias Description = @Sendable (Interaction.Request, Interaction.Request, SentBodies) -> [Difference]

    init(
        _ name: String,
        of parts: RequestParts,
        callingBack hasCallbacks: Bool = false,
        reading read: (@Sendable (Interaction.Request) -> BodyContent)? = nil,
        comparing agree: (
            @Sendable (_ requested: Interaction.Request, _ recorded: Interaction.Request) -> Bool
        )? = nil,
        describing describe: Description? = nil,
        project: @escaping @Sendable (Interaction.Request) -> Projection
    ) {
        self.name = name
        self.parts = parts
        self.hasCallbacks = hasCallbacks
        self.read = read
        self.agree = agree
        self.describe = describe
        self.project = project
    }

    /// Returns this matcher with parts that it ignores in both requests.
    ///
    /// ```swift
    /// configuration.matching = [.method, .url.ignoring(.queryItems("ts")), .body]
    /// ```
    /// - Parameter ignored: The parts to ignore. Parts that this matcher does not compare have no effect.
    /// - Returns: The matcher.
    public func ignoring(_ ignored: RequestMatcher.Ignored...) -> RequestMatcher { ignoring(ignored) }

    func ignoring(_ ignored: [RequestMatcher.Ignored]) -> RequestMatcher {
        var matcher = self
        matcher.ignored = (self.ignored + ignored.filter { !parts.isDisjoint(with: $0.parts) }).merged
        return matcher
    }

    package var isComparison: Bool { agree != nil }
    /// Whether requests with equal bytes match, even with different media types.
    var comparesBodies: Bool { read != nil }

    package func projection(_ request: Interaction.Request) -> Projection {
        project(ignored.isEmpty ? request : without(request))
    }

    /// Whether a comparison accepts the request; always `true` for a projection.
    package func agrees(_ request: Interaction.Request, with recorded: Interaction.Request) -> Bool {
        agree?(without(request), without(recorded)) ?? true
    }

    package func matches(_ request: Interaction.Request, _ recorded: Interaction.Request) -> Bool {
        (comparesBodies && request.hasSameBody(as: recorded) || projection(request) == projection(recorded))
            && agrees(request, with: recorded)
    }

    /// The differences between two requests; empty if they match.
    ///
    /// A difference has a suggestion only if all suggestions together remove all differences.
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
        if comparesBodies, let absence = recorded.bodyAbsence {
            let sent = request.body.map { $0.data.excerpt() }
            return [Difference(name, recorded: "(unknown)", requested: sent, remark: absence)]
        }
        let (live, stored) = (without(request), without(recorded))
        let sent = SentBodies(requested: request.body?.data ?? Data(), recorded: recorded.body?.data ?? Data())
        if let differences = describe?(live, stored, sent), !differences.isEmpty { return differences }
        return comparesBodies && !sent.isEmpty
            ? [sent.difference(of: name)] : [Difference(of: name, between: project(live), and: project(stored))]
    }

    private func without(_ request: Interaction.Request) -> Interaction.Request {
        ignored.reduce(request) { $1.removed(from: $0, reading: read ?? { BodyContent(of: $0) }) }
    }

    /// Compares a text that you create from each request.
    /// - Parameters:
    ///   - name: The name in the diagnosis of a miss.
    ///   - projection: Returns the text that must be equal for a live request and a recorded one. It may be called more than
    ///     once for a request.
    /// - Returns: The matcher.
    public static func custom(_ name: String, projection: @escaping @Sendable (Interaction.Request) -> String)
        -> RequestMatcher
    {
        RequestMatcher(name, of: .all, callingBack: true) { .text(projection($0)) }
    }

    /// Compares a live request with a recorded one in a closure.
    ///
    /// The closure is called for each interaction that the other matchers accept. In a large cassette,
    /// ``custom(_:projection:)`` is faster.
    /// - Parameters:
    ///   - name: The name in the diagnosis of a miss.
    ///   - comparison: Returns whether the recorded interaction may answer the request.
    /// - Returns: The matcher.
    public static func custom(
        _ name: String,
        comparison:
            @escaping @Sendable (_ requested: Interaction.Request, _ recorded: Interaction.Request) -> Bool
    ) -> RequestMatcher {
        RequestMatcher(name, of: .all, callingBack: true, comparing: comparison) { _ in .absent }
    }
}

extension [RequestMatcher] {
    package var parts: RequestParts { reduce(into: []) { $0.formUnion($1.parts) } }
    /// Compares the method, the URL and the body.
    public static var `default`: [RequestMatcher] { [.method, .url, .body] }

    /// Compares the method and the URL, in which repeated query items count once, as LaserDisc does. The body is ignored.
    public static var approximate: [RequestMatcher] { [.method, .url.ignoring(.component(.query)), .querySet] }

    /// Returns these matchers with parts that they ignore in both requests.
    /// - Parameter ignored: The parts to ignore.
    /// - Returns: The matchers.
    public func ignoring(_ ignored: RequestMatcher.Ignored...) -> [RequestMatcher] {
        map { $0.ignoring(ignored) }
    }

    /// Returns these matchers with a closure that compares one component of the URL in their place.
    ///
    /// ```swift
    /// configuration.matching = .default.overriding(.scheme) { requested, recorded in true }
    /// ```
    /// - Parameters:
    ///   - component: The component, which these matchers then ignore.
    ///   - comparison: Returns whether two values are equal. A value is `nil` if the URL does not have the component.
    /// - Returns: The matchers.
    public func overriding(
        _ component: RequestMatcher.URLComponent,
        comparison: @escaping @Sendable (_ requested: String?, _ recorded: String?) -> Bool
    ) -> [RequestMatcher] {
        let own = RequestMatcher(
            "\(component)",
            of: .url,
            callingBack: true,
            comparing: { comparison(component.value(of: $0.url), component.value(of: $1.url)) },
            project: { _ in .absent }
        )
        return map { $0.ignoring([.component(component)]) } + [own]
    }
}

/// The parts of a request that a matcher compares; other parts are not computed.
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
    /// The body of a recorded request is not known. No live request has this projection.
    case unknown
    case text(String)
    case bytes(Data)
    /// Multipart content. It never equals `bytes`.
    case parts(Data)

    /// Compares bytes, as Swift's strings also equal canonically equivalent text.
    package static func == (left: Projection, right: Projection) -> Bool {
        switch (left, right) {
        case (.absent, .absent), (.unknown, .unknown): true
        case (.text(let left), .text(let right)): left.hasSameBytes(as: right)
        case (.bytes(let left), .bytes(let right)), (.parts(let left), .parts(let right)): left == right
        default: false
        }
    }

    /// Hashes all bytes. `Data` hashes only the first ones, which bodies of one API often share.
    package func hash(into hasher: inout Hasher) {
        switch self {
        case .absent: hasher.combine(0)
        case .unknown: hasher.combine(1)
        case .text(let text): hasher.combine(text)
        case .bytes(let data), .parts(let data): data.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }
}
