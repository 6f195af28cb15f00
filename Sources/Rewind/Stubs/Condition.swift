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
/// - A `*` stands for any text within a host, a segment of a path or the value of a query item, a segment `**` of a path
///   for any number of segments.
public struct Condition: Sendable {
    let form: Form
    /// What it is written as, where its form does not tell.
    let title: String?
    /// What cannot be read of it and what mends it; `nil` where it can be read.
    package let problem: String?
    /// The parts of a request that it looks at.
    package let parts: RequestParts
    /// How many conditions stand inside one another.
    let depth: Int

    init(_ form: Form, title: String? = nil, problem: String? = nil) {
        let members = form.members
        let depth = (members.map(\.depth).max() ?? 0) + 1
        let isTooDeep = depth > Self.depthLimit
        self.depth = min(depth, Self.depthLimit)
        self.title = isTooDeep ? "(…)" : title
        // What is nested deeper is dropped, as walking through it needs stack for every level.
        self.form = isTooDeep ? .all([]) : form
        self.problem =
            isTooDeep
            ? "A condition is nested more than \(Self.depthLimit) levels deep. Join conditions by `&&` or `||` alone, or"
                + " decide in the closure of request(where:)."
            : problem ?? form.problem
        parts = form.parts
    }

    private static let depthLimit = 100
}

extension Condition {
    /// Holds for every request.
    public static let any = Condition(.all([]), title: "any")

    /// Holds where a closure says so.
    /// - Parameter predicate: Whether the stub may answer the request, which has its header fields and its body.
    /// - Returns: The condition.
    public static func request(where predicate: @escaping @Sendable (Request) -> Bool) -> Condition {
        let part = ConditionPart("request(where:)", of: .all) {
            predicate($0.request)
        } mismatch: { _ in
            "the closure of request(where:) says no"
        }
        return Condition(part)
    }

    init(_ part: ConditionPart) {
        self.init(.part(part))
    }

    /// Creates a condition that cannot be read.
    init(unreadable title: String, _ problem: String) {
        self.init(.all([]), title: title, problem: problem)
    }
}

extension Condition {
    /// Whether the condition holds for a request.
    public func matches(_ request: Request) -> Bool {
        captures(in: request) != nil
    }

    /// What each wildcard stands for, from left to right and percent-decoded; `nil` where the condition does not hold.
    ///
    /// Of `||` they are those of the first side that holds; `!` has none. The groups of a regular expression count too.
    package func captures(in request: Request) -> [String]? {
        captures(in: ConditionSubject(request))
    }

    /// What each wildcard stands for, in a request of which several conditions are asked.
    package func captures(in subject: ConditionSubject) -> [String]? {
        problem == nil ? form.captures(in: subject) : nil
    }

    /// The first part that does not hold, as in `method is GET, not POST`; `nil` where the condition holds.
    package func mismatch(with request: Request) -> String? {
        mismatch(with: ConditionSubject(request))
    }

    /// The first part that does not hold, of a request of which several conditions are asked.
    package func mismatch(with subject: ConditionSubject) -> String? {
        problem ?? form.mismatch(with: subject)
    }
}

extension Condition {
    /// Holds where both conditions hold.
    public static func && (left: Condition, right: Condition) -> Condition {
        let members = left.factors + right.factors
        if let only = members.first, members.count == 1 { return only }
        return members.isEmpty ? left : Condition(.all(members))
    }

    /// Holds where at least one of the conditions holds.
    public static func || (left: Condition, right: Condition) -> Condition {
        Condition(.either(left.alternatives + right.alternatives))
    }

    /// Holds where the condition does not.
    public static prefix func ! (condition: Condition) -> Condition {
        Condition(.not(condition))
    }

    /// The conditions that it joins by `&&`; none for ``any``, which adds nothing.
    private var factors: [Condition] {
        guard problem == nil, case .all(let members) = form, title == nil || members.isEmpty else {
            return [self]
        }
        return members
    }

    /// The conditions that it joins by `||`.
    private var alternatives: [Condition] {
        guard case .either(let members) = form else { return [self] }
        return members
    }
}

extension Condition: CustomStringConvertible {
    /// The condition as it is written, such as `host(api.example.com) && !method(POST)`.
    public var description: String {
        if let title { return title }
        switch form {
        case .part(let part): return part.title
        case .all(let members): return members.map { $0.text(inside: .all) }.joined(separator: " && ")
        case .either(let members): return members.map { $0.text(inside: .either) }.joined(separator: " || ")
        case .not(let member): return "!" + member.text(inside: .not)
        }
    }

    /// How closely an operator binds what stands beside it.
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

extension Condition {
    /// How a condition is made of others.
    indirect enum Form: Sendable {
        case part(ConditionPart)
        case all([Condition])
        case either([Condition])
        case not(Condition)
    }
}

extension Condition.Form {
    /// The conditions that it is made of.
    var members: [Condition] {
        switch self {
        case .part: []
        case .all(let members), .either(let members): members
        case .not(let member): [member]
        }
    }

    var problem: String? {
        if case .part(let part) = self { return part.problem }
        return members.lazy.compactMap(\.problem).first
    }

    var parts: RequestParts {
        if case .part(let part) = self { return part.parts }
        return members.reduce(into: []) { $0.formUnion($1.parts) }
    }

    /// What can be looked up of the requests that it holds for.
    var key: ConditionKey {
        switch self {
        case .part(let part): part.key
        case .all(let members): members.reduce(ConditionKey()) { $0.joined(with: $1.form.key) }
        case .either, .not: ConditionKey()
        }
    }

    func captures(in subject: ConditionSubject) -> [String]? {
        switch self {
        case .part(let part):
            return part.captures(subject)
        case .all(let members):
            var captures: [String] = []
            for member in members {
                guard let found = member.captures(in: subject) else { return nil }
                captures += found
            }
            return captures
        case .either(let members):
            return members.lazy.compactMap { $0.captures(in: subject) }.first
        case .not(let member):
            return member.captures(in: subject) == nil ? [] : nil
        }
    }

    func mismatch(with subject: ConditionSubject) -> String? {
        switch self {
        case .part(let part):
            return part.captures(subject) == nil ? part.mismatch(subject) : nil
        case .all(let members):
            return members.lazy.compactMap { $0.mismatch(with: subject) }.first
        case .either(let members):
            var mismatches: [String] = []
            for member in members {
                guard let mismatch = member.mismatch(with: subject) else { return nil }
                mismatches.append(mismatch)
            }
            return Self.phrase(mismatches)
        case .not(let member):
            return member.mismatch(with: subject) == nil ? "\(member) holds" : nil
        }
    }

    /// Why none of some alternatives holds, the first two named.
    private static func phrase(_ mismatches: [String]) -> String {
        let others = mismatches.count - 2
        let named = mismatches.prefix(2).joined(separator: ", and ")
        return others > 0 ? named + ", and \(others) more do not hold" : named
    }
}

/// One thing that a condition asks of a request.
struct ConditionPart: Sendable {
    /// What it is written as, such as `host(api.example.com)`.
    let title: String
    /// The parts of a request that it looks at.
    let parts: RequestParts
    /// What cannot be read of it and what mends it.
    let problem: String?
    /// What can be looked up of the requests that it holds for.
    let key: ConditionKey
    /// What its wildcards stand for; `nil` where it does not hold.
    let captures: @Sendable (ConditionSubject) -> [String]?
    /// Why it does not hold, asked only where it does not.
    let mismatch: @Sendable (ConditionSubject) -> String

    /// Creates a part with wildcards.
    init(
        _ title: String,
        of parts: RequestParts,
        problem: String? = nil,
        key: ConditionKey = ConditionKey(),
        captures: @escaping @Sendable (ConditionSubject) -> [String]?,
        mismatch: @escaping @Sendable (ConditionSubject) -> String
    ) {
        self.title = title
        self.parts = parts
        self.problem = problem
        self.key = key
        self.captures = captures
        self.mismatch = mismatch
    }

    /// Creates a part that captures nothing.
    init(
        _ title: String,
        of parts: RequestParts,
        problem: String? = nil,
        holds: @escaping @Sendable (ConditionSubject) -> Bool,
        mismatch: @escaping @Sendable (ConditionSubject) -> String
    ) {
        self.init(title, of: parts, problem: problem, captures: { holds($0) ? [] : nil }, mismatch: mismatch)
    }
}

extension String {
    /// The text as a phrase shows it, `(none)` for an empty one, without its middle where it is long.
    func shown(upTo limit: Int = 80) -> String {
        isEmpty ? "(none)" : StoryText.shortened(self, to: limit)
    }
}
