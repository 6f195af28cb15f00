/// A JSON value (RFC 8259) that keeps what the text said: member order, duplicate names and number spelling.
///
/// Trees can be written by hand with literals:
///
/// ```swift
/// let response: JSON = ["status": 200, "headers": [["name": "Accept", "value": "*/*"]]]
/// response["headers"]?[0]?["name"]?.stringValue  // "Accept"
/// ```
///
/// Strings are equal as Swift strings are: two spellings of “é” that Unicode holds equivalent are equal.
package enum JSON: Sendable, Hashable {
    /// The value `null`.
    case null
    /// The value `true` or `false`.
    case bool(Bool)
    /// A number, with its spelling.
    case number(JSONNumber)
    /// A string, without its quotes and escapes.
    case string(String)
    /// The elements of an array.
    case array([JSON])
    /// The members of an object.
    case object(JSONObject)
}

extension JSON {
    /// Creates a number, or `null` for infinities and “not a number”, which JSON cannot spell.
    package init(_ value: Double) {
        self = JSONNumber(value).map(JSON.number) ?? .null
    }

    /// Creates a number.
    package init(_ value: Int) {
        self = .number(JSONNumber(value))
    }

    /// The value of the last member of that name, or `nil` if there is none or this is not an object.
    package subscript(name: String) -> JSON? {
        objectValue?[name]
    }

    /// The element at an index, or `nil` if there is none or this is not an array.
    package subscript(index: Int) -> JSON? {
        guard let elements = arrayValue, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// The string, or `nil` if this is another kind of value.
    package var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The number, or `nil` if this is another kind of value or beyond what `Double` can hold.
    package var doubleValue: Double? {
        if case .number(let value) = self { value.double } else { nil }
    }

    /// The whole number, or `nil` if this is another kind of value or beyond what `Int` can hold.
    package var integerValue: Int? {
        if case .number(let value) = self { value.integer } else { nil }
    }

    /// The truth value, or `nil` if this is another kind of value.
    package var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The elements, or `nil` if this is not an array.
    package var arrayValue: [JSON]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The object, or `nil` if this is another kind of value.
    package var objectValue: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }
}

extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    package init(nilLiteral: ()) {
        self = .null
    }

    package init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    package init(integerLiteral value: Int) {
        self.init(value)
    }

    package init(floatLiteral value: Double) {
        self.init(value)
    }

    package init(stringLiteral value: String) {
        self = .string(value)
    }

    package init(arrayLiteral elements: JSON...) {
        self = .array(elements)
    }

    package init(dictionaryLiteral members: (String, JSON)...) {
        self = .object(JSONObject(members.map(JSONObject.Member.init)))
    }
}
