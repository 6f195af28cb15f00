extension Condition {
    /// Holds where a header field is there, whatever its value.
    /// - Parameter name: The name, whatever its letter case.
    /// - Returns: The condition.
    public static func header(_ name: String) -> Condition {
        let part = ConditionPart("header(\(name))", of: .headers, problem: headerProblem(name)) {
            !$0.request.headers.values(for: name).isEmpty
        } mismatch: { _ in
            "header \(name) is missing"
        }
        return Condition(part)
    }

    /// Holds where a header field has a value.
    ///
    /// Of fields that are there twice one will do, or all of them joined by a comma (RFC 9110 section 5.3).
    /// - Parameters:
    ///   - name: The name, whatever its letter case.
    ///   - value: The whole value, letter case included.
    /// - Returns: The condition.
    public static func header(_ name: String, _ value: String) -> Condition {
        let value = value.trimmingSpaces()
        let part = ConditionPart("header(\(name): \(value))", of: .headers, problem: headerProblem(name)) {
            let values = $0.request.headers.values(for: name)
            return !values.isEmpty
                && (values + [values.joined(separator: ", ")]).contains { $0.hasSameBytes(as: value) }
        } mismatch: {
            let values = $0.request.headers.values(for: name)
            return values.isEmpty
                ? "header \(name) is missing"
                : "header \(name) is \(values.joined(separator: ", ").shown()), not \(value.shown())"
        }
        return Condition(part)
    }

    private static func headerProblem(_ name: String) -> String? {
        name.isToken
            ? nil
            : "\(name.debugDescription) is no name of a header field. Write it alone and its value as the second"
                + " argument: header(\"Accept\", \"text/plain\")."
    }
}
