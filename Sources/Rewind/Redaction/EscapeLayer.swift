import Foundation

/// A way to escape single characters, which may hide a secret.
package enum EscapeLayer: CaseIterable {
    /// Percent-encoding (RFC 3986 section 2.1).
    case percent
    /// Percent-encoding with a plus sign for a space (application/x-www-form-urlencoded).
    case form
    /// The escapes of JSON strings (RFC 8259 section 7).
    case json
    /// The character references of HTML and XML.
    case html

    /// Converts edits of decoded runs to edits of the text. The rest of a run stays as it was escaped.
    func edits(in bytes: UnsafeRawBufferPointer, _ find: (UnsafeRawBufferPointer) -> [ByteEdit]) -> [ByteEdit] {
        var edits: [ByteEdit] = []
        var position = 0
        while let place = firstEscape(in: bytes, from: position) {
            let run = run(in: bytes, around: place, after: position)
            position = run.upperBound
            if self == .form, !bytes[run].contains(UInt8(ascii: "+")) { continue }
            let found = decoded(run, of: bytes).withUnsafeBytes(find)
            if !found.isEmpty { edits += self.edits(found, of: run, in: bytes) }
        }
        return edits
    }

    /// The decoded bytes of a range.
    func decoded(_ range: Range<Int>, of bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(range.count)
        decode(range, of: bytes) { byte, _ in decoded.append(byte) }
        return decoded
    }

    /// Whether a range contains an escape sequence.
    func isUsed(in range: Range<Int>, of bytes: UnsafeRawBufferPointer) -> Bool {
        let part = UnsafeRawBufferPointer(rebasing: bytes[range])
        return firstEscape(in: part, from: 0) != nil
            || self == .form && part.contains(UInt8(ascii: "+"))
    }

    /// Converts edits of the decoded bytes of a range to edits of the text.
    func edits(_ edits: [ByteEdit], of range: Range<Int>, in bytes: UnsafeRawBufferPointer) -> [ByteEdit] {
        /// The range of the text from which each byte was decoded.
        var origins: [Range<Int>] = []
        decode(range, of: bytes) { origins.append($1) }
        return edits.map { edit in
            let start =
                edit.range.lowerBound < origins.count
                ? origins[edit.range.lowerBound].lowerBound : range.upperBound
            let end = edit.range.isEmpty ? start : origins[edit.range.upperBound - 1].upperBound
            let text = String(decoding: edit.replacement, as: UTF8.self)
            return ByteEdit(range: start..<end, replacement: encoded(text))
        }
    }

    /// Passes each decoded byte with the range from which it was decoded.
    private func decode(_ run: Range<Int>, of bytes: UnsafeRawBufferPointer, _ use: (UInt8, Range<Int>) -> Void)
    {
        var position = run.lowerBound
        while position < run.upperBound {
            let escape = escape(in: bytes, at: position)
            let origin = position..<position + (escape?.count ?? 1)
            switch escape?.content {
            case .scalar(let scalar): for byte in UTF8.encode(scalar) ?? .init() { use(byte, origin) }
            case .byte(let byte): use(byte, origin)
            case nil: use(bytes[position], origin)
            }
            position = origin.upperBound
        }
    }

    func encoded(_ text: String) -> [UInt8] {
        switch self {
        case .percent: Array(PercentEncoding.encoded(text).utf8)
        case .form: Array(PercentEncoding.encoded(text).replacingOccurrences(of: "%20", with: "+").utf8)
        case .json: Array(JSONEscapes.encoded(text))
        case .html: Array(text.escapedForHTML.utf8)
        }
    }

    private func firstEscape(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var position = start
        while position < bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + position, Int32(introducer), bytes.count - position)
        {
            position = base.distance(to: UnsafeRawPointer(found))
            if escape(in: bytes, at: position) != nil { return position }
            position += 1
        }
        return nil
    }

    private var introducer: UInt8 {
        switch self {
        case .percent, .form: UInt8(ascii: "%")
        case .json: UInt8(ascii: "\\")
        case .html: UInt8(ascii: "&")
        }
    }

    /// The run around an escape that an encoder may have written at once.
    private func run(in bytes: UnsafeRawBufferPointer, around place: Int, after end: Int) -> Range<Int> {
        var (lower, upper) = (place, place)
        while lower > end, !isOutside(bytes[lower - 1]) { lower -= 1 }
        while upper < bytes.count, !isOutside(bytes[upper]) {
            let isEscape = self == .json && bytes[upper] == UInt8(ascii: "\\") && upper + 1 < bytes.count
            upper += isEscape && bytes[upper + 1] >= 0x20 ? 2 : 1
        }
        return lower..<upper
    }

    /// Whether every encoder escapes a byte, so that a run ends there.
    private func isOutside(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "<"): self != .json
        case UInt8(ascii: ">"), UInt8(ascii: " "): self == .percent || self == .form
        case UInt8(ascii: "\""): self != .html
        default: byte < 0x20 && self != .html
        }
    }

    /// An escape sequence, and the byte or the character that it represents.
    private struct Escape {
        enum Content {
            case byte(UInt8)
            case scalar(Unicode.Scalar)
        }

        let count: Int
        let content: Content

        init(count: Int, byte: UInt8) { (self.count, content) = (count, .byte(byte)) }

        init?(count: Int, scalar: UInt32) {
            guard let scalar = Unicode.Scalar(scalar) else { return nil }
            (self.count, content) = (count, .scalar(scalar))
        }
    }

    private func escape(in bytes: UnsafeRawBufferPointer, at index: Int) -> Escape? {
        switch (self, bytes[index]) {
        case (.form, UInt8(ascii: "+")): Escape(count: 1, byte: UInt8(ascii: " "))
        case (.percent, UInt8(ascii: "%")), (.form, UInt8(ascii: "%")):
            Self.number(in: bytes, at: index + 1, digits: 2).map {
                Escape(count: 3, byte: UInt8(truncatingIfNeeded: $0))
            }
        case (.json, UInt8(ascii: "\\")): Self.json(in: bytes, at: index)
        case (.html, UInt8(ascii: "&")): Self.reference(in: bytes, at: index)
        default: nil
        }
    }

    private static func json(in bytes: UnsafeRawBufferPointer, at index: Int) -> Escape? {
        guard index + 1 < bytes.count else { return nil }
        if let byte = JSONEscapes.byte(forLetter: bytes[index + 1]) { return Escape(count: 2, byte: byte) }
        guard let unit = codeUnit(in: bytes, at: index) else { return nil }
        guard unit & 0xFC00 == 0xD800 else { return Escape(count: 6, scalar: unit) }
        guard let trail = codeUnit(in: bytes, at: index + 6), trail & 0xFC00 == 0xDC00 else { return nil }
        return Escape(count: 12, scalar: 0x10000 + (unit - 0xD800) << 10 + (trail - 0xDC00))
    }

    private static func codeUnit(in bytes: UnsafeRawBufferPointer, at index: Int) -> UInt32? {
        guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
        else { return nil }
        return number(in: bytes, at: index + 2, digits: 4)
    }

    private static func number(in bytes: UnsafeRawBufferPointer, at index: Int, digits: Int) -> UInt32? {
        guard index + digits <= bytes.count else { return nil }
        var number: UInt32 = 0
        for digit in bytes[index..<index + digits] {
            guard let value = Hexadecimal.value(of: digit) else { return nil }
            number = number << 4 | UInt32(value)
        }
        return number
    }

    private static func reference(in bytes: UnsafeRawBufferPointer, at index: Int) -> Escape? {
        // The longest reference is `&#x0010FFFF;`.
        let window = bytes[index...].prefix(12)
        guard let end = window.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = String(decoding: bytes[index + 1..<end], as: UTF8.self)
        let count = end + 1 - index
        if let scalar = named[name] { return Escape(count: count, scalar: scalar.value) }
        guard name.hasPrefix("#") else { return nil }
        let isHexadecimal = name.dropFirst().lowercased().hasPrefix("x")
        let number = UInt32(name.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10)
        return number.flatMap { Escape(count: count, scalar: $0) }
    }

    private static let named: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
    ]
}

extension String {
    var escapedForHTML: String {
        [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;")]
            .reduce(self) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    }

    /// Resolves the references of XML 1.0 section 4.6.
    var unescapedFromXML: String {
        guard utf8.contains(UInt8(ascii: "&")) else { return self }
        return [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
            .reduce(self) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    }
}
