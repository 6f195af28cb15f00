extension RequestCondition {
    /// Matches requests with a path, however it is percent-encoded. An encoded slash is part of a segment.
    /// - Parameter pattern: The path. A `*` matches a segment or a part of one, a segment `**` any number of segments. You can
    ///   omit the first slash; a slash at the end must match.
    /// - Returns: The condition.
    public static func path(_ pattern: String) -> RequestCondition {
        let path = PathPattern(pattern)
        return RequestCondition(
            "path(\(pattern))",
            of: .url,
            problem: pathProblem(pattern),
            key: ConditionKey(path: pattern.utf8.contains(UInt8(ascii: "*")) ? nil : ConditionKey.path(pattern))
        ) {
            path.captures(in: $0.url.path)?.map { PercentDecoding.decoded($0) ?? $0 }
        } mismatch: {
            "path \($0.url.path.shown()) is not \(pattern)"
        }
    }

    /// Matches requests whose path begins with a text, which may end within a segment.
    /// - Parameter prefix: The text, without wildcards. You can omit the first slash.
    /// - Returns: The condition.
    public static func path(prefix: String) -> RequestCondition {
        let units = ConditionKey.path(prefix).pathUnits
        return RequestCondition("path(prefix: \(prefix))", of: .url, problem: pathProblem(prefix)) {
            ConditionKey.path($0.url.path).pathUnits.starts(with: units)
        } mismatch: {
            "path \($0.url.path.shown()) does not begin with \(prefix)"
        }
    }

    /// Matches requests whose path ends with a text, which may begin within a segment.
    /// - Parameter suffix: The text, without wildcards.
    /// - Returns: The condition.
    public static func path(suffix: String) -> RequestCondition {
        let units = PercentEncoding.normalized(suffix).pathUnits
        return RequestCondition("path(suffix: \(suffix))", of: .url, problem: pathProblem(suffix)) {
            ConditionKey.path($0.url.path).pathUnits.suffix(units.count).elementsEqual(units)
        } mismatch: {
            "path \($0.url.path.shown()) does not end with \(suffix)"
        }
    }

    /// Matches requests in whose path a regular expression finds a match.
    ///
    /// The expression searches the percent-decoded path. To match the whole path, begin it with `^` and end it with `$`.
    /// ``StubbedRequest/wildcards`` contains the text of each group.
    /// - Parameter expression: The expression, in the syntax of `NSRegularExpression`.
    /// - Returns: The condition.
    public static func path(matching expression: String) -> RequestCondition {
        let search = SharedExpression(expression)
        return RequestCondition(
            "path(matching: \(expression))",
            of: .url,
            problem: search == nil
                ? "Invalid regular expression \(expression.debugDescription). Fix it, or use `path(_:)`, in which `*` is a"
                    + " wildcard." : nil
        ) {
            search?.groups(in: PercentDecoding.decoded($0.url.path) ?? $0.url.path)
        } mismatch: {
            "path \($0.url.path.shown()) does not match \(expression)"
        }
    }

    /// Matches requests whose path ends in a file extension. Letter case matters.
    /// - Parameter name: The extension without its dot, such as `json` or `tar.gz`.
    /// - Returns: The condition.
    public static func pathExtension(_ name: String) -> RequestCondition {
        let isReadable = !name.isEmpty && name.utf8.first != UInt8(ascii: ".") && !name.contains("/")
        return RequestCondition(
            "pathExtension(\(name))",
            of: .url,
            problem: isReadable
                ? nil
                : "Invalid path extension \(name.debugDescription). Write it without its dot, such as `json`."
        ) {
            let segment = $0.url.path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
            let file = Array((PercentDecoding.decoded(segment) ?? String(segment)).utf8)
            // A name whose only dot comes first, such as `.json`, is a hidden file without an extension.
            return file.count > name.utf8.count + 1
                && file.suffix(name.utf8.count + 1).elementsEqual(".\(name)".utf8)
        } mismatch: {
            "path \($0.url.path.shown()) does not have the extension \(name)"
        }
    }

    private static func pathProblem(_ text: String) -> String? {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") })
        else { return nil }
        return
            "Invalid path \(text.debugDescription). Match the query with `url(_:)` or `query(_:)`. If the `?` or `#` is part of the"
            + " path, write `%3F` or `%23`."
    }

    /// Matches requests whose query contains all the given items, in any order.
    ///
    /// ```swift
    /// .query(["q": "cat food", "page": "2", "debug": nil])   // ?debug&page=2&q=cat%20food&lang=en
    /// ```
    /// - Parameter items: Names and values without percent-encoding. `nil` means an item without `=`: `?debug` has the value
    ///   `nil`, `?debug=` the value `""`. A `+` in a request matches both a plus sign and a space.
    /// - Returns: The condition.
    public static func query(_ items: KeyValuePairs<String, String?>) -> RequestCondition {
        query(items.map { QueryItem(name: $0.key, value: $0.value.map(QueryItem.ItemValue.exact) ?? .absent) })
    }

    static func query(spelled text: String) -> RequestCondition {
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

    private static func query(_ items: [QueryItem]) -> RequestCondition {
        RequestCondition("query(\(items.map(\.description).joined(separator: ", ")))", of: .url) { subject in
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
    }
}

private struct QueryItem: Sendable, CustomStringConvertible {
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

    /// `nil` if no item matches.
    func captures(among fields: [FormFields.Field]) -> [String]? {
        fields.lazy.filter(hasName).compactMap { captures(in: $0.spelledValue) }.first
    }

    func hasName(of field: FormFields.Field) -> Bool {
        Self.readings(of: field.spelledName).contains { $0.hasSameBytes(as: name) }
    }

    private func captures(in spelled: String?) -> [String]? {
        switch (value, spelled.map(Self.readings)) {
        case (.absent, nil): []
        case (.exact(let value), let readings?): readings.contains { $0.hasSameBytes(as: value) } ? [] : nil
        case (.pattern(let glob), let readings?): readings.lazy.compactMap { glob.captures(in: $0) }.first
        case (.absent, _), (_, nil): nil
        }
    }

    /// The possible values of a spelled text: in forms a `+` means a space, in RFC 3986 a plus sign.
    private static func readings(of spelled: String) -> [String] {
        let forms = spelled.utf8.contains(UInt8(ascii: "+")) ? [true, false] : [false]
        return forms.map { PercentDecoding.decoded(spelled, plusIsSpace: $0) ?? spelled }
    }
}

extension String {
    /// The units of a normalized path that a prefix cannot split: a byte or a percent-encoded byte.
    fileprivate var pathUnits: [UInt16] {
        var units: [UInt16] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(Substring(rest.prefix(2)), radix: 16)
            {
                units.append(0x100 | UInt16(value))
                rest = rest.dropFirst(2)
            } else {
                units.append(UInt16(byte))
            }
        }
        return units
    }
}
