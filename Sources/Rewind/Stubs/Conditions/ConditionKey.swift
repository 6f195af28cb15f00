/// What a condition demands to the letter, so that it can be looked up and need not be tried.
struct ConditionKey: Hashable, Sendable {
    /// The host, in lower case; `nil` where several can do.
    var host: String?
    /// The path, its percent-encoding normalised; `nil` where several can do.
    var path: String?

    /// What two conditions demand together.
    func joined(with other: ConditionKey) -> ConditionKey {
        ConditionKey(host: host ?? other.host, path: path ?? other.path)
    }
}

extension ConditionKey {
    /// A path as ``PathPattern`` compares it: rooted, and its percent-encoding normalised.
    static func path(_ text: String) -> String {
        PercentEncoding.normalized(text.utf8.first == UInt8(ascii: "/") ? text : "/" + text)
    }
}
