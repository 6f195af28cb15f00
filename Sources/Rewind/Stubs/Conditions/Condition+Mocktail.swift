extension Condition {
    /// Holds for the requests in whose method and URL the regular expressions of a Mocktail file find something, whatever
    /// the letter case.
    static func mocktail(method: String, url: String) -> Condition {
        let methodSearch = SharedExpression(method, ignoringCase: true)
        let urlSearch = SharedExpression(url, ignoringCase: true)
        let unreadable = methodSearch == nil ? method : urlSearch == nil ? url : nil
        let part = ConditionPart(
            "\(method) \(url)",
            of: [.method, .url],
            problem: unreadable.map { "\($0.debugDescription) is no regular expression. Mend it in the file." }
        ) {
            methodSearch?.groups(in: $0.request.method) == nil ? nil : urlSearch?.groups(in: $0.request.url)
        } mismatch: {
            methodSearch?.groups(in: $0.request.method) == nil
                ? "method is \($0.request.method.shown()), not \(method)" : "the URL does not match \(url)"
        }
        return Condition(part)
    }
}
