/// A value of a YAML text with the line on which it begins.
struct YAMLNode: Sendable, Hashable {
    /// What the value is.
    enum Content: Sendable, Hashable {
        /// A text, as it is after quotes and line breaks are undone.
        case scalar(String, Style)
        /// The elements of a list.
        case sequence([YAMLNode])
        /// The keys and values of a map in order.
        case mapping([Pair])
    }

    /// How a text was spelled, which tells whether it may be anything but text.
    enum Style: Sendable, Hashable {
        /// Without quotes: `null`, a number, a truth value or text.
        case plain
        /// In quotes or as a block, or with a tag that says so: always text.
        case text
        /// With the tag of base64.
        case binary
    }

    /// A key and its value.
    struct Pair: Sendable, Hashable {
        var key: String
        var value: YAMLNode
    }

    var content: Content
    var line: Int?
}

extension YAMLNode: FieldValue {
    var isNull: Bool {
        guard case .scalar(let text, .plain) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }

    var stringValue: String? {
        if case .scalar(let text, _) = content { text } else { nil }
    }

    var doubleValue: Double? {
        guard case .scalar(let text, .plain) = content else { return nil }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    var integerValue: Int? {
        guard case .scalar(let text, .plain) = content else { return nil }
        return Int(text)
    }

    var arrayValue: [YAMLNode]? {
        if case .sequence(let elements) = content { elements } else { nil }
    }

    var isObject: Bool {
        if case .mapping = content { true } else { false }
    }

    var members: [(name: String, value: YAMLNode)] {
        if case .mapping(let pairs) = content { pairs.map { ($0.key, $0.value) } } else { [] }
    }

    subscript(name: String) -> YAMLNode? {
        guard case .mapping(let pairs) = content else { return nil }
        return pairs.last { $0.key == name }?.value
    }

    var base64Text: String? {
        if case .scalar(let text, .binary) = content { text } else { nil }
    }
}
