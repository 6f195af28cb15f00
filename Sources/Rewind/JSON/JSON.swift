import Foundation

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
    case null
    case bool(Bool)
    /// A number, with its spelling.
    case number(JSONNumber)
    /// A string, without its quotes and escapes.
    case string(String)
    case array([JSON])
    case object(JSONObject)
}

extension JSON {
    /// Parses a whole text by the letter of RFC 8259, in UTF-8 with or without a byte order mark.
    ///
    /// Only one thing is read more kindly: an escaped half of a surrogate pair, such as `\ud800`, becomes
    /// U+FFFD, since browsers export such halves.
    package init(parsing data: Data, limits: JSONLimits = .default) throws(JSONError) {
        self = try JSONScanner.reading(data, limits: limits) { (scanner) throws(JSONError) in
            scanner.beginDocument()
            let value = try scanner.value()
            try scanner.endDocument()
            return value
        }
    }

    /// Creates a number, or `null` for infinities and “not a number”, which JSON cannot spell.
    package init(_ value: Double) { self = JSONNumber(value).map(JSON.number) ?? .null }
    package init(_ value: Int) { self = .number(JSONNumber(value)) }

    /// The value of the last member of that name, or `nil` if there is none or this is not an object.
    package subscript(name: String) -> JSON? { objectValue?[name] }

    /// The element at an index, or `nil` if there is none or this is not an array.
    package subscript(index: Int) -> JSON? {
        guard let elements = arrayValue, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

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

    package var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    package var arrayValue: [JSON]? {
        if case .array(let value) = self { value } else { nil }
    }

    package var objectValue: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }
}

extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    package init(nilLiteral: ()) { self = .null }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int) { self.init(value) }
    package init(floatLiteral value: Double) { self.init(value) }
    package init(stringLiteral value: String) { self = .string(value) }
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }

    package init(dictionaryLiteral members: (String, JSON)...) {
        self = .object(JSONObject(members.map(JSONObject.Member.init)))
    }
}

/// The members of a JSON object in the order they were written, duplicates included.
///
/// Names are compared by their exact characters, as JSON demands, not by Unicode equivalence.
package struct JSONObject: Sendable, Hashable {
    /// One name with its value.
    package struct Member: Sendable, Hashable {
        /// The name, without its quotes and escapes.
        package var name: String
        package var value: JSON

        package init(name: String, value: JSON) {
            self.name = name
            self.value = value
        }

        fileprivate func hasName(_ other: String) -> Bool {
            // Equality first, as it is quick at telling different names apart.
            name == other && name.utf8.elementsEqual(other.utf8)
        }
    }

    package var members: [Member]

    package init(_ members: [Member] = []) { self.members = members }

    /// The value of the last member of that name, the one that browsers would take.
    ///
    /// Setting it replaces that value in place or adds a member at the end; `nil` removes every member of
    /// the name.
    package subscript(name: String) -> JSON? {
        get { members.last { $0.hasName(name) }?.value }
        set {
            guard let newValue else { return members.removeAll { $0.hasName(name) } }
            if let index = members.lastIndex(where: { $0.hasName(name) }) {
                members[index].value = newValue
            } else {
                append(name, newValue)
            }
        }
    }

    /// Adds a member at the end and keeps those that have the same name.
    package mutating func append(_ name: String, _ value: JSON) {
        members.append(Member(name: name, value: value))
    }

    /// Whether two members have the same name.
    package var hasDuplicateNames: Bool { Set(members.map { Array($0.name.utf8) }).count < members.count }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral members: (String, JSON)...) { self.init(members.map(Member.init)) }
}

/// A JSON number, kept as it was spelled so that nothing is lost between reading and writing.
///
/// Numbers are equal when their spelling is: `1`, `1.0` and `1e0` are three different numbers.
package struct JSONNumber: Sendable, Hashable {
    /// The spelling as it stood in the text, always one that JSON allows.
    package let literal: String

    /// Creates a number whose spelling is already known to be one that JSON allows.
    init(checkedLiteral literal: String) { self.literal = literal }
    package init(_ value: Int) { literal = String(value) }

    /// Creates a number with the shortest spelling that reads back as the same value, without a final `.0`.
    ///
    /// The result is `nil` for infinities and “not a number”, which JSON cannot spell.
    package init?(_ value: Double) {
        guard value.isFinite else { return nil }
        let spelling = value.description
        literal = spelling.hasSuffix(".0") ? String(spelling.dropLast(2)) : spelling
    }

    /// The nearest value of `Double`, or `nil` if the number is larger than any finite one.
    package var double: Double? { Double(literal).flatMap { $0.isFinite ? $0 : nil } }

    /// The same number as an `Int`, or `nil` if it has a fraction or `Int` cannot hold it.
    package var integer: Int? { Int(literal) ?? double.flatMap(Int.init(exactly:)) }
}
