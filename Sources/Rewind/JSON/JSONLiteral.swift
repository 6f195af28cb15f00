import Foundation

/// A JSON value written as a Swift literal. The members of objects keep their order.
///
/// ```swift
/// let user: JSONLiteral = ["id": 42, "name": "Ada", "tags": [1, nil], "home": .value(address)]
/// ```
public struct JSONLiteral: Hashable, Sendable {
    package let json: JSON
    /// Why a part of the value cannot be encoded; `nil` if it can.
    package let problem: String?

    private init(_ json: JSON, problem: String? = nil) {
        self.json = json
        self.problem = problem
    }

    /// Encodes a value, for use inside a literal.
    ///
    /// If the value cannot be encoded, the stub or the interaction that uses the literal reports the error.
    /// - Parameter value: The value, such as a number, a string or a structure.
    /// - Returns: The value as `JSONEncoder` encodes it, with members sorted by name.
    public static func value(_ value: some Encodable) -> JSONLiteral {
        do {
            return JSONLiteral(try JSON(parsing: JSON.text(of: value)))
        } catch {
            return JSONLiteral(.null, problem: JSON.cause(of: error))
        }
    }

    init(_ members: KeyValuePairs<String, (any Encodable)?>) {
        self.init(members.map { ($0, $1.map { .value($0) } ?? nil) })
    }

    private init(_ members: [(name: String, value: JSONLiteral)]) {
        self.init(
            .object(JSONObject(members.map { JSONObject.Member(name: $0.name, value: $0.value.json) })),
            problem: members.lazy.compactMap(\.value.problem).first
        )
    }
}

extension JSONLiteral: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// Creates `null`.
    public init(nilLiteral: ()) { self.init(.null) }

    /// Creates `true` or `false`.
    public init(booleanLiteral value: Bool) { self.init(.bool(value)) }

    /// Creates a whole number.
    public init(integerLiteral value: Int) { self.init(JSON(value)) }

    /// Creates a number.
    public init(floatLiteral value: Double) {
        self.init(JSON(value), problem: value.isFinite ? nil : "JSON cannot represent the number \(value)")
    }

    /// Creates a string.
    public init(stringLiteral value: String) { self.init(.string(value)) }

    /// Creates an array.
    public init(arrayLiteral elements: JSONLiteral...) {
        self.init(.array(elements.map(\.json)), problem: elements.lazy.compactMap(\.problem).first)
    }

    /// Creates an object. The members keep their order.
    public init(dictionaryLiteral members: (String, JSONLiteral)...) { self.init(members) }
}

extension JSON {
    /// The JSON text of a value. By default, members are sorted by name, so that the text is the same in every run.
    package static func text(of value: some Encodable, encoder: JSONEncoder? = nil) throws -> Data {
        if let encoder { return try encoder.encode(value) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    package static func cause(of error: any Error) -> String {
        guard case .invalidValue(_, let context)? = error as? EncodingError else { return "\(error)" }
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return (path.isEmpty ? "" : "\(path): ") + context.debugDescription
    }
}
