/// A value of a parsed text, whatever its grammar, as the readers of cassettes ask for it.
protocol FieldValue: Sendable {
    /// Whether the value says that there is none.
    var isNull: Bool { get }
    /// The text, or `nil` if this is another kind of value.
    var stringValue: String? { get }
    /// The number, or `nil` if this is another kind of value or beyond what `Double` can hold.
    var doubleValue: Double? { get }
    /// The whole number, or `nil` if this is another kind of value or beyond what `Int` can hold.
    var integerValue: Int? { get }
    /// The elements, or `nil` if this is another kind of value.
    var arrayValue: [Self]? { get }
    /// Whether the value has members, if only none.
    var isObject: Bool { get }
    /// The members in order; none if the value is of another kind.
    var members: [(name: String, value: Self)] { get }
    /// The text of a value whose grammar marks it as bytes in base64.
    var base64Text: String? { get }
    /// The line on which the value stands, where it was noted.
    var line: Int? { get }
    /// The value of the last member of that name.
    subscript(name: String) -> Self? { get }
}

extension FieldValue {
    var base64Text: String? { nil }
}

extension JSON: FieldValue {
    var isNull: Bool {
        if case .null = self { true } else { false }
    }

    var isObject: Bool {
        if case .object = self { true } else { false }
    }

    var members: [(name: String, value: JSON)] {
        objectValue?.members.map { ($0.name, $0.value) } ?? []
    }

    var line: Int? { nil }
}
