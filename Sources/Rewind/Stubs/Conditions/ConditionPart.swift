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
