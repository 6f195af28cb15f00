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
