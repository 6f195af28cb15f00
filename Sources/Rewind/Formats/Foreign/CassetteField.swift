import Foundation

/// A value in a cassette file with its place, for error messages.
struct CassetteField<Value: FieldValue> {
    let value: Value
    private let place: FieldPlace

    init(_ value: Value, place: FieldPlace) {
        self.value = value
        self.place = place
    }

    /// `nil` if it is missing or null.
    subscript(name: String) -> CassetteField? {
        guard let value = value[name], !value.isNull else { return nil }
        return CassetteField(value, place: .member(name, of: place))
    }

    func required(_ name: String) throws -> CassetteField {
        guard let field = self[name] else {
            throw CassetteField(value, place: .member(name, of: place)).problem("this member is missing")
        }
        return field
    }

    /// `nil` if it is missing or null.
    func object(_ name: String) throws -> CassetteField? { try self[name].map { try $0.object() } }

    func string() throws -> String {
        guard let string = value.stringValue else { throw problem("expected a string") }
        return string
    }

    func double() throws -> Double {
        guard let double = value.doubleValue else { throw problem("expected a number") }
        return double
    }

    /// A fraction is truncated, because browsers write sizes as floating-point numbers.
    func integer() throws -> Int {
        if let integer = value.integerValue { return integer }
        guard let integer = Int(exactly: try double().rounded(.towardZero)) else {
            throw problem("the number is out of range")
        }
        return integer
    }

    func elements() throws -> [CassetteField] {
        guard let elements = value.arrayValue else { throw problem("expected an array") }
        return elements.enumerated().map { CassetteField($1, place: .element($0, of: place)) }
    }

    func object() throws -> CassetteField {
        guard value.isObject else { throw problem("expected an object") }
        return self
    }

    /// The fields of an object in order; `nil` if the value is null.
    func members() throws -> [(name: String, field: CassetteField?)] {
        try object().value.members.map { name, value in
            (name, value.isNull ? nil : CassetteField(value, place: .member(name, of: place)))
        }
    }

    /// Another value at the same place.
    func replacing(_ value: Value) -> CassetteField { CassetteField(value, place: place) }

    func problem(_ cause: String) -> CassetteError.Problem {
        .structure(place: place.description(line: value.line), cause: value.unsupported ?? cause)
    }

    func excess(_ cause: String) -> CassetteError.Problem {
        .tooLarge("\(cause) (\(place.description(line: value.line)))")
    }
}

typealias JSONField = CassetteField<JSON>

/// The place of a field: its entry, the line of the entry, and the path in it. It is formatted only for an error,
/// because an entry has a hundred fields.
indirect enum FieldPlace {
    case root
    case entry(Int)
    case text(Int, range: Range<Int>, of: Data)
    /// A place of an entry, at the end of the range that begins with the entry, on the given line.
    case lines(Int, from: Int, Range<Int>, of: Data)
    case member(String, of: FieldPlace)
    case element(Int, of: FieldPlace)

    /// The place in words, with the line of the field if it is known, otherwise the line of the entry.
    func description(line: Int?) -> String { describe([], line: line) }

    private func describe(_ names: [String], line: Int?) -> String {
        switch self {
        case .member(let name, let outer): outer.describe([name] + names, line: line)
        case .element(let index, let outer): outer.describe(["\(index)"] + names, line: line)
        case .root: Self.joined(line.map { "line \($0)" }, names)
        case .entry(let entry): Self.joined("entry \(entry + 1)" + (line.map { " (line \($0))" } ?? ""), names)
        case .text(let entry, let range, let data):
            Self.joined("entry \(entry + 1) (line \(line ?? Self.line(of: range, in: data)))", names)
        case .lines(let entry, let first, let range, let data):
            Self.joined(
                "entry \(entry + 1) (line \(first + data[range].count { $0 == JSONByte.lineFeed }))",
                names
            )
        }
    }

    private static func joined(_ start: String?, _ names: [String]) -> String {
        let path = names.isEmpty ? nil : "`\(names.joined(separator: "."))`"
        return [start, path].compactMap { $0 }.joined(separator: ", ")
    }

    private static func line(of text: Range<Int>, in data: Data) -> Int {
        data[data.startIndex..<text.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1
    }
}

/// A value of a parsed JSON, YAML or XML text.
protocol FieldValue: Sendable {
    var isNull: Bool { get }
    var isBoolean: Bool { get }
    var stringValue: String? { get }
    /// The text of a string, or of a number or a Boolean as it is spelled.
    var scalarText: String? { get }
    var doubleValue: Double? { get }
    var integerValue: Int? { get }
    var arrayValue: [Self]? { get }
    /// Whether the value is an object, even an empty one.
    var isObject: Bool { get }
    /// The members in order; empty if the value is not an object.
    var members: [(name: String, value: Self)] { get }
    /// The text of a value that the syntax marks as base64.
    var base64Text: String? { get }
    /// The line on which the value begins, if known.
    var line: Int? { get }
    /// Why the value cannot be read, whatever is expected.
    var unsupported: String? { get }
    /// The value of the last member of that name.
    subscript(name: String) -> Self? { get }
    /// Writes the value as JSON text.
    /// - Throws: ``BodyAbsence`` if JSON cannot represent it.
    func writeJSON(to text: inout [UInt8]) throws
}

extension FieldValue {
    var scalarText: String? { stringValue }
    var base64Text: String? { nil }
    var line: Int? { nil }
    var unsupported: String? { nil }
    var isBoolean: Bool { false }

    func writeJSON(to text: inout [UInt8]) throws {
        throw BodyAbsence(reason: "the body has an unknown format")
    }
}

extension JSON: FieldValue {
    var isNull: Bool { if case .null = self { true } else { false } }
    var isBoolean: Bool { boolValue != nil }
    var isObject: Bool { if case .object = self { true } else { false } }

    var scalarText: String? {
        switch self {
        case .string(let text): text
        case .number, .bool: String(decoding: lineText, as: UTF8.self)
        case .null, .array, .object: nil
        }
    }

    var members: [(name: String, value: JSON)] { objectValue?.members.map { ($0.name, $0.value) } ?? [] }

    func writeJSON(to text: inout [UInt8]) { text += lineText }
}
