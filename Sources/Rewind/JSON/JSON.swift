import Foundation

/// A JSON value (RFC 8259) that preserves the order of members, duplicate names and the spelling of numbers. Strings
/// compare like Swift strings: canonically equivalent spellings of “é” are equal.
package enum JSON: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSON])
    case object(JSONObject)

    /// Parses a text strictly by RFC 8259, in UTF-8 with or without a byte order mark. With one exception: half of an
    /// escaped surrogate pair, such as `\ud800`, becomes U+FFFD, because browsers export such halves.
    package init(parsing data: Data, limits: JSONLimits = .default) throws(JSONError) {
        self = try JSONScanner.reading(data, limits: limits) { (scanner) throws(JSONError) in
            scanner.beginDocument()
            let value = try scanner.value()
            try scanner.endDocument()
            return value
        }
    }

    /// Creates a number, or `null` for infinity and NaN, which JSON cannot represent.
    package init(_ value: Double) { self = JSONNumber(value).map(JSON.number) ?? .null }
    package init(_ value: Int) { self = .number(JSONNumber(value)) }

    /// The value of the last member of that name.
    package subscript(name: String) -> JSON? { objectValue?[name] }

    package subscript(index: Int) -> JSON? {
        guard let elements = arrayValue, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    package var stringValue: String? { if case .string(let value) = self { value } else { nil } }
    package var doubleValue: Double? { if case .number(let value) = self { value.double } else { nil } }

    /// The number as an `Int`; `nil` if it has a fraction or is out of range.
    package var integerValue: Int? { if case .number(let value) = self { value.integer } else { nil } }
    package var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
    package var arrayValue: [JSON]? { if case .array(let value) = self { value } else { nil } }
    package var objectValue: JSONObject? { if case .object(let value) = self { value } else { nil } }
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

/// The members of a JSON object in written order, duplicates included; names are compared byte by byte.
package struct JSONObject: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    package struct Member: Sendable, Hashable {
        package var name: String
        package var value: JSON

        package init(name: String, value: JSON) {
            self.name = name
            self.value = value
        }

        fileprivate func hasName(_ other: String) -> Bool {
            // `==` first, because it is faster for different names.
            name == other && name.utf8.elementsEqual(other.utf8)
        }
    }

    package var members: [Member]

    package init(_ members: [Member] = []) { self.members = members }

    /// The value of the last member of that name, like in browsers. Setting it replaces that value in place or
    /// appends a member; `nil` removes every member of the name.
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

    /// Appends a member, even if another one has the same name.
    package mutating func append(_ name: String, _ value: JSON) {
        members.append(Member(name: name, value: value))
    }

    /// The place of the last member of each name.
    var lastPlaces: [[UInt8]: Int] {
        Dictionary(members.enumerated().map { (Array($1.name.utf8), $0) }, uniquingKeysWith: { $1 })
    }

    package var hasDuplicateNames: Bool { Set(members.map { Array($0.name.utf8) }).count < members.count }

    package init(dictionaryLiteral members: (String, JSON)...) { self.init(members.map(Member.init)) }
}

/// A JSON number with its spelling; `1`, `1.0` and `1e0` are three different numbers.
package struct JSONNumber: Sendable, Hashable {
    package let literal: String

    /// Creates a number from a spelling that is known to be valid JSON.
    init(checkedLiteral literal: String) { self.literal = literal }
    package init(_ value: Int) { literal = String(value) }

    /// Creates a number with the shortest spelling that reads back as the same value; `nil` unless it is finite.
    package init?(_ value: Double) {
        guard value.isFinite else { return nil }
        let spelling = value.description
        literal = spelling.hasSuffix(".0") ? String(spelling.dropLast(2)) : spelling
    }

    /// The nearest `Double`, or `nil` if the number is larger than any finite one.
    package var double: Double? { Double(literal).flatMap { $0.isFinite ? $0 : nil } }
    package var integer: Int? { Int(literal) ?? double.flatMap(Int.init(exactly:)) }
}
