import Foundation

/// A glance at JSON text that finds a telling member without reading, or checking, more of the text than it must.
struct JSONGlance {
    /// A step from a value to one inside it.
    enum Step {
        case member(String)
        case firstElement
    }

    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    /// The name of the first member that is one of the names, in the object that a path leads to.
    static func firstMember(of names: Set<String>, at path: [Step] = [], in data: Data) -> String? {
        data.withUnsafeBytes { bytes in
            var glance = JSONGlance(bytes)
            guard glance.follow(path) else { return nil }
            return glance.skip(toMember: names.contains)
        }
    }

    /// Whether the text begins with a certain bracket, white space and a byte order mark aside.
    static func begins(with bracket: Character, _ data: Data) -> Bool {
        data.withUnsafeBytes { JSONGlance($0).next == bracket.asciiValue }
    }

    private init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        if bytes.starts(with: JSONLocation.byteOrderMark) { position = JSONLocation.byteOrderMark.count }
        skipWhiteSpace()
    }

    private var next: UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private mutating func follow(_ path: [Step]) -> Bool {
        for step in path {
            switch step {
            case .member(let name): guard skip(toMember: { $0 == name }) != nil else { return false }
            case .firstElement: guard skip(JSONByte.openBracket) else { return false }
            }
        }
        return true
    }

    /// Goes to the value of the first member whose name is wanted.
    private mutating func skip(toMember isWanted: (String) -> Bool) -> String? {
        guard skip(JSONByte.openBrace) else { return nil }
        while let name = string(), skip(JSONByte.colon) {
            if isWanted(name) { return name }
            skipValue()
            guard skip(JSONByte.comma) else { return nil }
        }
        return nil
    }

    /// Reads a string as it is spelled, its escapes included.
    private mutating func string() -> String? {
        guard next == JSONByte.quote else { return nil }
        let start = position + 1
        skipString()
        guard position <= bytes.count, start < position else { return nil }
        let name = String(decoding: bytes[start..<position - 1], as: UTF8.self)
        skipWhiteSpace()
        return name
    }

    private mutating func skipString() {
        position += 1
        while let byte = next {
            position += byte == JSONByte.backslash ? 2 : 1
            if byte == JSONByte.quote { return }
        }
    }

    /// Goes to the comma or bracket after a value, by counting brackets only.
    private mutating func skipValue() {
        var depth = 0
        while let byte = next {
            switch byte {
            case JSONByte.quote:
                skipString()
                continue
            case JSONByte.openBrace, JSONByte.openBracket: depth += 1
            case JSONByte.closeBrace, JSONByte.closeBracket:
                guard depth > 0 else { return }
                depth -= 1
            case JSONByte.comma where depth == 0: return
            default: break
            }
            position += 1
        }
    }

    /// Skips a byte and the white space around it, or returns `false` where another stands.
    private mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        skipWhiteSpace()
        return true
    }

    private mutating func skipWhiteSpace() {
        while let byte = next,
            [JSONByte.space, JSONByte.tab, JSONByte.lineFeed, JSONByte.carriageReturn].contains(byte)
        {
            position += 1
        }
    }
}
