import Foundation

indirect enum PropertyList: Sendable, Hashable, FieldValue {
    case string(String)
    case number(Double)
    case date(Date)
    case data(Data)
    case array([PropertyList])
    case dictionary([String: PropertyList])
    case truth
    /// `false`, and types that no cassette uses.
    case other

    /// Parses a property list, after checking that it is complete and not too deep for Foundation's parser.
    init(_ data: Data) throws {
        if data.starts(with: Array("bplist".utf8)) {
            throw CassetteError.Problem.structure(
                place: "its first bytes",
                cause: "binary property lists are not supported"
            )
        }
        try PropertyListCheck.check(data)
        do {
            self.init(any: try PropertyListSerialization.propertyList(from: data, format: nil))
        } catch {
            let cause = (error as NSError).userInfo["NSDebugDescription"] as? String
            throw CassetteError.Problem.structure(
                place: "the property list",
                cause: cause ?? "it cannot be parsed"
            )
        }
    }

    /// Whether bytes begin like a property list, in XML or binary, and contain a key.
    static func has(_ key: String, in data: Data) -> Bool {
        let text = data.starts(with: JSONLocation.byteOrderMark) ? data.dropFirst(3) : data[...]
        let start = text.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }.prefix(16)
        if start.starts(with: "bplist".utf8) { return data.range(of: Data(key.utf8)) != nil }
        return ["<?xml", "<!DOCTYPE plist", "<plist"].contains { start.starts(with: $0.utf8) }
            && data.range(of: Data("<key>\(key)</key>".utf8)) != nil
    }

    private init(any value: Any) {
        switch value {
        case let value as String: self = .string(value)
        case let value as Data: self = .data(value)
        case let value as Date: self = .date(value)
        case let value as [Any]: self = .array(value.map(PropertyList.init(any:)))
        case let value as [String: Any]: self = .dictionary(value.mapValues(PropertyList.init(any:)))
        // Foundation has no other way to distinguish a Boolean from a number.
        case let value as NSNumber where String(cString: value.objCType) == "c":
            self = value.boolValue ? .truth : .other
        case let value as NSNumber: self = .number(value.doubleValue)
        default: self = .other
        }
    }

    var isNull: Bool { false }
    var stringValue: String? { if case .string(let value) = self { value } else { nil } }

    var scalarText: String? {
        switch self {
        case .string(let text): text
        case .number(let number): JSON(number).scalarText
        case .truth: "true"
        case .date, .data, .array, .dictionary, .other: nil
        }
    }

    var doubleValue: Double? {
        guard case .number(let value) = self, value.isFinite else { return nil }
        return value
    }

    var integerValue: Int? { doubleValue.flatMap(Int.init(exactly:)) }
    var arrayValue: [PropertyList]? { if case .array(let value) = self { value } else { nil } }
    var isObject: Bool { if case .dictionary = self { true } else { false } }

    /// The members in alphabetical order, because a dictionary is unordered.
    var members: [(name: String, value: PropertyList)] {
        guard case .dictionary(let value) = self else { return [] }
        return value.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    subscript(name: String) -> PropertyList? {
        if case .dictionary(let value) = self { value[name] } else { nil }
    }
}

typealias PropertyListField = CassetteField<PropertyList>

extension PropertyListField {
    /// The field, if it is a text.
    var text: PropertyListField? { value.stringValue == nil ? nil : self }

    func data() throws -> Data {
        guard case .data(let data) = value else { throw problem("expected data") }
        return data
    }

    func request(_ reading: inout EntryReading) -> Interaction.Request {
        var request = Interaction.Request(
            method: reading.value { try self["HTTPMethod"]?.string() } ?? "GET",
            url: reading.url("URL", of: self),
            headers: reading.headers(self["allHTTPHeaderFields"])
        )
        reading.body(of: &request) { try self["HTTPBody"]?.data() }
        return request
    }

    /// The head of a response, from the members of the object. The status is 0 if the response is not one of HTTP.
    func response(to request: Interaction.Request, _ reading: inout EntryReading) -> Interaction.Response {
        // The recorders write 0 or -1 for a response that is not one of HTTP.
        let isHTTP = self["statusCode"].map { ![0, -1].contains($0.value.integerValue) } ?? false
        var response = Interaction.Response(
            status: isHTTP ? max(0, reading.status(self["statusCode"])) : 0,
            headers: reading.headers(self["allHeaderFields"])
        )
        response.setURL(self["URL"]?.value.stringValue, of: request)
        return response
    }

    /// The time in seconds since 1970: a number or, in early files, a date. `nil` if it is neither.
    var seconds: Double? {
        if case .date(let date) = value { return date.timeIntervalSince1970 }
        return value.doubleValue
    }
}

/// Checks the elements of an XML property list before Foundation parses it. Foundation's parser recurses for each nested
/// element, so a small file could exhaust the stack, and it does not report the place of an error.
struct PropertyListCheck {
    static let maximumDepth = 64

    private let bytes: [UInt8]
    private var position = 0
    private var start = 0
    private var names: [ArraySlice<UInt8>] = []
    private var hasRoot = false

    /// Checks that every element has its closing tag, and that no entities are defined, because they could expand.
    /// - Throws: ``CassetteError/Problem`` with the line and column.
    static func check(_ data: Data) throws {
        var check = PropertyListCheck(bytes: [UInt8](data))
        while let tag = try check.nextTag() { try check.follow(tag) }
        try check.finish()
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Reads up to the end of the next tag, skipping comments and character data, and returns its content.
    private mutating func nextTag() throws -> ArraySlice<UInt8>? {
        while let open = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
            (start, position) = (open, open)
            if try skip(from: "<!--", to: "-->") || skip(from: "<![CDATA[", to: "]]>") { continue }
            guard let close = bytes[open...].firstIndex(of: UInt8(ascii: ">")) else {
                throw error("missing `>` at the end of the tag")
            }
            position = close + 1
            return bytes[(open + 1)..<close]
        }
        return nil
    }

    private mutating func skip(from opening: String, to closing: String) throws -> Bool {
        guard bytes[position...].starts(with: opening.utf8) else { return false }
        guard let end = bytes[(position + opening.utf8.count)...].firstRange(of: Array(closing.utf8)) else {
            throw error("missing `\(closing)` after `\(opening)`")
        }
        position = end.upperBound
        return true
    }

    private mutating func follow(_ tag: ArraySlice<UInt8>) throws {
        switch tag.first {
        case UInt8(ascii: "/"):
            let name = tag.dropFirst()
            guard let last = names.popLast(), last == name.prefix(last.count) else {
                throw error(
                    "unexpected closing tag `</\(String(decoding: name.prefix(40), as: UTF8.self))>`"
                )
            }
        case UInt8(ascii: "?"):
            guard Self.isReadable(tag) else { throw error("only the encoding UTF-8 is supported") }
        case UInt8(ascii: "!"): if tag.contains(UInt8(ascii: "[")) { throw error("entities are not supported") }
        default:
            hasRoot = true
            guard tag.last != UInt8(ascii: "/") else { break }
            guard names.count < Self.maximumDepth else {
                throw error("nested deeper than \(Self.maximumDepth) levels")
            }
            names.append(tag.prefix { ![0x20, 0x09, 0x0A, 0x0D].contains($0) })
        }
    }

    /// Whether a declaration names no other encoding than UTF-8, in which the elements could be different ones.
    private static func isReadable(_ declaration: ArraySlice<UInt8>) -> Bool {
        let text = String(decoding: declaration, as: UTF8.self).lowercased()
        return !text.contains("encoding") || text.contains("\"utf-8\"") || text.contains("'utf-8'")
    }

    private mutating func finish() throws {
        start = bytes.count
        if let name = names.last {
            throw error("missing closing tag of `<\(String(decoding: name, as: UTF8.self))>`")
        }
        if !hasRoot { throw error("expected a property list") }
    }

    private func error(_ cause: String) -> CassetteError.Problem {
        let place = bytes.withUnsafeBytes { JSONLocation(of: start, in: $0) }
        return .syntax(line: place.line, column: place.column, cause: cause)
    }
}
