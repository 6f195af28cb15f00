/// Selects the requests that a stub answers.
///
/// A condition tests one part of a request. Combine conditions with `&&`, `||` and `!`. A condition is a value: you
/// can store it, combine it again and print it.
///
/// ```swift
/// let users: RequestCondition = .get("https://api.example.com/users/*")
/// let search: RequestCondition = .host("*.example.com") && .path("/search") && .query(["q": "cat"])
/// let unsigned: RequestCondition = .url("/v2/**") && !.header("Authorization")
/// ```
///
/// - Note: A `*` matches any text within a host, a path segment or the value of a query item. A path segment `**`
///   matches any number of segments.
/// - Note: An invalid condition, such as a URL without a host, matches no request, and neither does its negation. A
///   stub with an invalid condition fails the test with a ``StubError``.
public struct RequestCondition: Sendable {
    let form: Form
    /// The description, if it does not follow from `form`.
    let title: String?
    /// Why the condition is invalid, and what to write instead.
    package let problem: String?
    package let parts: RequestParts
    /// Whether it calls a closure of the test.
    let hasCallbacks: Bool
    private let depth: Int

    indirect enum Form: Sendable {
        case part(Part)
        case all([RequestCondition])
        case either([RequestCondition])
        case not(RequestCondition)

        var members: [RequestCondition] {
            switch self {
            case .part: []
            case .all(let members), .either(let members): members
            case .not(let member): [member]
            }
        }
    }

    struct Part: Sendable {
        let parts: RequestParts
        let key: ConditionKey
        var hasCallbacks = false
        /// The texts that the wildcards matched; `nil` if the part does not match.
        let captures: @Sendable (ConditionSubject) -> [String]?
        let mismatch: @Sendable (ConditionSubject) -> String
    }

    init(_ form: Form, title: String? = nil, problem: String? = nil) {
        let members = form.members
        let depth = (members.map(\.depth).max() ?? 0) + 1
        let isTooDeep = depth > Self.depthLimit
        self.depth = min(depth, Self.depthLimit)
        self.title = isTooDeep ? "(…)" : title
        // Deeper members are dropped, as each level needs stack.
        self.form = isTooDeep ? .all([]) : form
        self.problem =
            isTooDeep
            ? "The condition has more than \(Self.depthLimit) nested levels. Combine conditions only with `&&` or only with"
                + " `||`, or test the request in the closure of `request(where:)`."
            : problem ?? members.lazy.compactMap(\.problem).first
        if case .part(let part) = form {
            parts = part.parts
            hasCallbacks = part.hasCallbacks
        } else {
            parts = members.reduce(into: []) { $0.formUnion($1.parts) }
            hasCallbacks = members.contains(where: \.hasCallbacks)
        }
    }

    init(
        _ title: String,
        of parts: RequestParts,
        problem: String? = nil,
        key: ConditionKey = ConditionKey(),
        captures: @escaping @Sendable (ConditionSubject) -> [String]?,
        mismatch: @escaping @Sendable (ConditionSubject) -> String
    ) {
        let part = Part(parts: parts, key: key, captures: captures, mismatch: mismatch)
        self.init(.part(part), title: title, problem: problem)
    }

    init(
        _ title: String,
        of parts: RequestParts,
        problem: String? = nil,
        holds: @escaping @Sendable (ConditionSubject) -> Bool,
        mismatch: @escaping @Sendable (ConditionSubject) -> String
    ) {
        self.init(title, of: parts, problem: problem, captures: { holds($0) ? [] : nil }, mismatch: mismatch)
    }

    private static let depthLimit = 100
    /// Matches every request.
    public static let any = RequestCondition(.all([]), title: "any")

    /// Matches requests for which a closure returns `true`.
    /// - Parameter predicate: Returns whether the request matches. It receives the request with its header fields and body.
    ///   It may make requests and wait for them, as [Callbacks](doc:Callbacks) describes.
    /// - Returns: The condition.
    public static func request(where predicate: @escaping @Sendable (Interaction.Request) -> Bool)
        -> RequestCondition
    {
        let part = Part(
            parts: .all,
            key: ConditionKey(),
            hasCallbacks: true,
            captures: { predicate($0.request) ? [] : nil },
            mismatch: { _ in "the closure of request(where:) returned false" }
        )
        return RequestCondition(.part(part), title: "request(where:)")
    }

    /// Returns whether a request satisfies the condition.
    /// - Parameter request: The request.
    /// - Returns: `true` if the request matches.
    public func matches(_ request: Interaction.Request) -> Bool {
        captures(in: ConditionSubject(request)) != nil
    }

    /// The texts that the wildcards and regular expression groups matched, in order and percent-decoded; `nil` if the
    /// request does not match.
    ///
    /// An `||` captures what its first matching side captures; a `!` captures nothing.
    package func captures(in subject: ConditionSubject) -> [String]? {
        guard problem == nil else { return nil }
        switch form {
        case .part(let part): return part.captures(subject)
        case .all(let members):
            var captures: [String] = []
            for member in members {
                guard let found = member.captures(in: subject) else { return nil }
                captures += found
            }
            return captures
        case .either(let members): return members.lazy.compactMap { $0.captures(in: subject) }.first
        case .not(let member): return member.captures(in: subject) == nil ? [] : nil
        }
    }

    /// The reason the request does not match, such as `method is GET, not POST`; `nil` if it matches.
    package func mismatch(with subject: ConditionSubject) -> String? {
        if let problem { return problem }
        switch form {
        case .part(let part): return part.captures(subject) == nil ? part.mismatch(subject) : nil
        case .all(let members): return members.lazy.compactMap { $0.mismatch(with: subject) }.first
        case .either(let members):
            let mismatches = members.compactMap { $0.mismatch(with: subject) }
            guard mismatches.count == members.count else { return nil }
            let named = mismatches.prefix(2).joined(separator: ", and ")
            return mismatches.count > 2 ? named + ", and \(mismatches.count - 2) more do not match" : named
        case .not(let member): return member.mismatch(with: subject) == nil ? "\(member) matches" : nil
        }
    }

    var key: ConditionKey {
        switch form {
        case .part(let part): part.key
        case .all(let members): members.reduce(ConditionKey()) { $0.joined(with: $1.key) }
        case .either, .not: ConditionKey()
        }
    }

    /// Matches requests that satisfy both conditions.
    public static func && (left: RequestCondition, right: RequestCondition) -> RequestCondition {
        let members = left.factors + right.factors
        if let only = members.first, members.count == 1 { return only }
        return members.isEmpty ? left : RequestCondition(.all(members))
    }

    /// Matches requests that satisfy at least one of the conditions.
    public static func || (left: RequestCondition, right: RequestCondition) -> RequestCondition {
        RequestCondition(.either(left.alternatives + right.alternatives))
    }

    /// Matches requests that do not satisfy the condition.
    public static prefix func ! (condition: RequestCondition) -> RequestCondition {
        RequestCondition(.not(condition))
    }

    /// The operands of `&&`; empty for ``any``.
    private var factors: [RequestCondition] {
        guard problem == nil, case .all(let members) = form, title == nil || members.isEmpty
        else { return [self] }
        return members
    }

    private var alternatives: [RequestCondition] {
        guard case .either(let members) = form else { return [self] }
        return members
    }
}

extension RequestCondition: CustomStringConvertible {
    /// The condition as code, such as `host(api.example.com) && !method(POST)`.
    public var description: String {
        if let title { return title }
        switch form {
        case .part: return ""
        case .all(let members): return members.map { $0.text(inside: .all) }.joined(separator: " && ")
        case .either(let members): return members.map { $0.text(inside: .either) }.joined(separator: " || ")
        case .not(let member): return "!" + member.text(inside: .not)
        }
    }

    private enum Binding: Int {
        case either, all, not, part
    }

    private var binding: Binding {
        switch form {
        case .part: .part
        // A title with a space, such as `GET /users`, needs parentheses after `!` but not beside `&&`.
        case .all: title == nil || title?.utf8.contains(UInt8(ascii: " ")) == true ? .all : .part
        case .either: .either
        case .not: .not
        }
    }

    private func text(inside outer: Binding) -> String {
        binding.rawValue < outer.rawValue ? "(\(description))" : description
    }
}

extension String {
    func shown(upTo limit: Int = 80) -> String { isEmpty ? "(none)" : shortened(to: limit) }
}
