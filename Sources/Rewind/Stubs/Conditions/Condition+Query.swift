extension Condition {
    /// Holds where the query has all of these items, among others and in any order.
    ///
    /// ```swift
    /// .query(["q": "cat food", "page": "2", "debug": nil])   // ?debug&page=2&q=cat%20food&lang=en
    /// ```
    /// - Parameter items: The names and values without percent-encoding; `nil` for an item without a value, as `?debug`
    ///   has it, which is not the same as an empty one, as in `?debug=`. A `+` in a request may be a plus sign or a space.
    /// - Returns: The condition.
    public static func query(_ items: KeyValuePairs<String, String?>) -> Condition {
        query(items.map { QueryItem(name: $0.key, value: $0.value.map(QueryItem.ItemValue.exact) ?? .absent) })
    }

    /// Holds where the query has all items of one that is spelled as in a URL, its values with wildcards.
    static func query(spelled text: String) -> Condition {
        let fields = FormFields(spelled: text).fields
        return query(
            fields.filter { !$0.text.isEmpty }.map { field in
                let value = field.spelledValue.map { PercentDecoding.decoded($0) ?? $0 }
                let isPattern = field.spelledValue?.utf8.contains(UInt8(ascii: "*")) ?? false
                return QueryItem(
                    name: PercentDecoding.decoded(field.spelledName) ?? field.spelledName,
                    value: value.map { isPattern ? .pattern(Glob($0)) : .exact($0) } ?? .absent
                )
            }
        )
    }

    private static func query(_ items: [QueryItem]) -> Condition {
        let part = ConditionPart(
            "query(\(items.map(\.description).joined(separator: ", ")))",
            of: .url
        ) { subject in
            var captures: [String] = []
            for item in items {
                guard let found = item.captures(among: subject.queryItems) else { return nil }
                captures += found
            }
            return captures
        } mismatch: { subject in
            let missing = items.first { $0.captures(among: subject.queryItems) == nil }
            guard let missing else { return "" }
            let other = subject.queryItems.first { missing.hasName(of: $0) }
            return "query has \(other?.text.shown() ?? "no item \(missing.name)"), not \(missing)"
        }
        return Condition(part)
    }
}

/// An item that a query must have.
private struct QueryItem: Sendable, CustomStringConvertible {
    /// What stands behind the equals sign.
    enum ItemValue: Sendable {
        case absent
        case exact(String)
        case pattern(Glob)
    }

    let name: String
    let value: ItemValue

    var description: String {
        switch value {
        case .absent: name
        case .exact(let value): "\(name)=\(value)"
        case .pattern(let glob): "\(name)=\(glob)"
        }
    }

    /// What the wildcards of the first item that will do stand for; `nil` where none will.
    func captures(among fields: [FormFields.Field]) -> [String]? {
        fields.lazy.filter(hasName).compactMap { captures(in: $0.spelledValue) }.first
    }

    func hasName(of field: FormFields.Field) -> Bool {
        Self.readings(of: field.spelledName).contains { $0.hasSameBytes(as: name) }
    }

    private func captures(in spelled: String?) -> [String]? {
        guard let spelled else {
            if case .absent = value { return [] }
            return nil
        }
        let readings = Self.readings(of: spelled)
        switch value {
        case .absent: return nil
        case .exact(let value): return readings.contains { $0.hasSameBytes(as: value) } ? [] : nil
        case .pattern(let glob): return readings.lazy.compactMap { glob.captures(in: $0) }.first
        }
    }

    /// What a spelling may mean: forms encode a space as `+`, which RFC 3986 leaves as it is.
    private static func readings(of spelled: String) -> [String] {
        let forms = spelled.utf8.contains(UInt8(ascii: "+")) ? [true, false] : [false]
        return forms.map { PercentDecoding.decoded(spelled, plusIsSpace: $0) ?? spelled }
    }
}
