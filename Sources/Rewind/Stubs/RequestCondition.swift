/// Says which requests a stub answers.
///
/// ## Overview
/// A condition looks at one part of a request, or joins others by `&&`, `||` and `!`. It is a plain value: it can be
/// kept, joined again and printed.
///
/// ## Usage
/// ```swift
/// let users: Condition = .get("https://api.example.com/users/*")
/// let search: Condition = .host("*.example.com") && .path("/search") && .query(["q": "cat"])
/// let unsigned: Condition = .url("/v2/**") && !.header("Authorization")
/// ```
///
/// ## Caveats
/// - A condition that cannot be read, such as a URL without a host, holds for no request; negated it does not, either.
/// - A `*` matches any text within a host, a segment of a path or the value of a query item, a segment `**` of a path
///   for any number of segments.
public struct RequestCondition: Sendable {
    let form: Form
    /// The written form, where `form` does not provide it.
    let title: String?
    /// What cannot be read of it and what to write instead.
    package let problem: String?
    package let parts: RequestParts
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
        /// What its wildcards matched; `nil` where it does not hold.
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
            ? "A condition is nested more than \(Self.depthLimit) levels deep. Join conditions by `&&` or `||` alone, or"
                + " decide in the closure of request(where:)."
            : problem ?? members.lazy.compactMap(\.problem).first
        if case .part(let part) = form {
            parts = part.parts
        } else {
            parts = members.reduce(into: []) { $0.formUnion($1.parts) }
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
    /// Holds for every request.
    public static let any = RequestCondition(.all([]), title: "any")

    /// Holds where a closure says so.
    /// - Parameter predicate: Whether the stub may answer the request, which has its header fields and its body.
    /// - Returns: The condition.
    public static func request(where predicate: @escaping @Sendable (Interaction.Request) -> Bool)
        -> RequestCondition
    {
        RequestCondition("request(where:)", of: .all) {
            predicate($0.request)
        } mismatch: { _ in
            "the closure of request(where:) says no"
        }
    }

    /// Whether the condition holds for a request.
    public func matches(_ request: Interaction.Request) -> Bool {
        captures(in: ConditionSubject(request)) != nil
    }

    /// What each wildcard and each group matched, in order and percent-decoded; `nil` where it does not hold.
    ///
    /// For `||` the first side that holds counts; `!` has none.
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

    /// As in `method is GET, not POST`; `nil` where the condition holds.
    package func mismatch(with subject: ConditionSubject) -> String? {
        if let problem { return problem }
        switch form {
        case .part(let part): return part.captures(subject) == nil ? part.mismatch(subject) : nil
        case .all(let members): return members.lazy.compactMap { $0.mismatch(with: subject) }.first
        case .either(let members):
            let mismatches = members.compactMap { $0.mismatch(with: subject) }
            guard mismatches.count == members.count else { return nil }
            let named = mismatches.prefix(2).joined(separator: ", and ")
            return mismatches.count > 2 ? named + ", and \(mismatches.count - 2) more do not hold" : named
        case .not(let member): return member.mismatch(with: subject) == nil ? "\(member) holds" : nil
        }
    }

    var key: ConditionKey {
        switch form {
        case .part(let part): part.key
        case .all(let members): members.reduce(ConditionKey()) { $0.joined(with: $1.key) }
        case .either, .not: ConditionKey()
        }
    }

    /// Holds where both conditions hold.
    public static func && (left: RequestCondition, right: RequestCondition) -> RequestCondition {
        let members = left.factors + right.factors
        if let only = members.first, members.count == 1 { return only }
        return members.isEmpty ? left : RequestCondition(.all(members))
    }

    /// Holds where at least one of the conditions holds.
    public static func || (left: RequestCondition, right: RequestCondition) -> RequestCondition {
        RequestCondition(.either(left.alternatives + right.alternatives))
    }

    /// Holds where the condition does not.
    public static prefix func ! (condition: RequestCondition) -> RequestCondition {
        RequestCondition(.not(condition))
    }

    /// The conditions joined by `&&`; none for ``any``.
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
    /// The condition as it is written, such as `host(api.example.com) && !method(POST)`.
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
        // A title such as `GET /users` reads as one thing beside `&&`, but not behind `!`.
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
