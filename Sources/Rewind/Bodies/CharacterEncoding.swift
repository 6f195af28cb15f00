import Foundation

/// The character encoding of a body. Decoding and encoding again preserves every byte.
struct CharacterEncoding: Hashable {
    private enum Form: Hashable {
        case utf8
        /// Each byte is a character. This also reads other encodings that contain ASCII.
        case bytes
        case utf16(isBigEndian: Bool)
        case utf32(isBigEndian: Bool)
    }

    private let form: Form
    /// The byte order mark.
    private let mark: [UInt8]

    private init(_ form: Form, mark: [UInt8] = []) { (self.form, self.mark) = (form, mark) }

    /// Finds the encoding by a byte order mark, the `charset` parameter, or the bytes; `nil` if they are not text.
    init?(of body: Data, mediaType: String?) {
        let start = Array(body.prefix(4))
        if let marked = Self.marked.first(where: { start.starts(with: $0.mark) }) {
            self = marked
        } else if let form = Self.wideForm(of: body.prefix(64)) {
            self.init(form)
        } else if body.withUnsafeBytes(WellFormedUTF8.isAll) {
            self.init(.utf8)
        } else if Self.names8Bits(mediaType) || !Self.isBinary(body) {
            self.init(.bytes)
        } else {
            return nil
        }
    }

    /// Whether a character takes several bytes, so that ASCII text is not found in the bytes.
    var isWide: Bool {
        switch form {
        case .utf8, .bytes: false
        case .utf16, .utf32: true
        }
    }

    private static let marked = [
        CharacterEncoding(.utf32(isBigEndian: false), mark: [0xFF, 0xFE, 0, 0]),
        CharacterEncoding(.utf32(isBigEndian: true), mark: [0, 0, 0xFE, 0xFF]),
        CharacterEncoding(.utf16(isBigEndian: false), mark: [0xFF, 0xFE]),
        CharacterEncoding(.utf16(isBigEndian: true), mark: [0xFE, 0xFF]),
        CharacterEncoding(.utf8, mark: [0xEF, 0xBB, 0xBF]),
    ]

    /// Text with wide characters begins with ASCII, whose other bytes are zero (RFC 4627 section 3).
    private static func wideForm(of start: Data) -> Form? {
        let bytes = Array(start)
        guard bytes.count >= 4, bytes.contains(0) else { return nil }
        func matches(_ zeros: [Bool]) -> Bool {
            bytes.prefix(8).enumerated().allSatisfy { ($1 == 0) == zeros[$0 % zeros.count] }
        }
        if matches([false, true]) { return .utf16(isBigEndian: false) }
        if matches([true, false]) { return .utf16(isBigEndian: true) }
        if matches([false, true, true, true]) { return .utf32(isBigEndian: false) }
        return matches([true, true, true, false]) ? .utf32(isBigEndian: true) : nil
    }

    private static func names8Bits(_ mediaType: String?) -> Bool {
        guard let charset = mediaType.flatMap({ MediaType($0)?.parameters["charset"] }) else { return false }
        return !charset.lowercased().hasPrefix("utf")
    }

    private static func isBinary(_ body: Data) -> Bool {
        body.prefix(1_024).contains { $0 < 0x09 || (0x0E...0x1F).contains($0) && $0 != 0x1B }
    }

    /// The text in UTF-8, in which a half of a surrogate pair is encoded like a character; `nil` if the bytes are UTF-8
    /// already, or cannot be preserved.
    func decoded(_ body: Data) -> Data? {
        let bytes = body.dropFirst(mark.count)
        var text = Data()
        switch form {
        case .utf8: return mark.isEmpty ? nil : Data(bytes)
        case .bytes: for byte in bytes { text.appendScalar(UInt32(byte)) }
        case .utf16(let isBigEndian):
            guard bytes.count % 2 == 0 else { return nil }
            var high: UInt32?
            for unit in Self.units(of: bytes, size: 2, isBigEndian) {
                if let lead = high {
                    high = nil
                    if unit & 0xFC00 == 0xDC00 {
                        text.appendScalar(0x10000 + (lead - 0xD800) << 10 + (unit - 0xDC00))
                        continue
                    }
                    text.appendScalar(lead)
                }
                if unit & 0xFC00 == 0xD800 { high = unit } else { text.appendScalar(unit) }
            }
            if let high { text.appendScalar(high) }
        case .utf32(let isBigEndian):
            guard bytes.count % 4 == 0 else { return nil }
            for unit in Self.units(of: bytes, size: 4, isBigEndian) {
                guard unit < 0x11_0000 else { return nil }
                text.appendScalar(unit)
            }
        }
        return text
    }

    private static func units(of bytes: Data, size: Int, _ isBigEndian: Bool) -> [UInt32] {
        stride(from: bytes.startIndex, to: bytes.endIndex, by: size).map { start in
            let unit = bytes[start..<start + size]
            return isBigEndian
                ? unit.reduce(0) { $0 << 8 | UInt32($1) } : unit.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
    }

    /// Encodes text that ``decoded(_:)`` returned, also after an edit.
    func encoded(_ text: Data) -> Data {
        var body = Data(mark)
        switch form {
        case .utf8: body += text
        case .bytes: for scalar in text.scalars { body.append(UInt8(truncatingIfNeeded: scalar)) }
        case .utf16(let isBigEndian):
            for scalar in text.scalars {
                if scalar < 0x10000 {
                    body.append(scalar, size: 2, isBigEndian)
                } else {
                    body.append(0xD800 + (scalar - 0x10000) >> 10, size: 2, isBigEndian)
                    body.append(0xDC00 + (scalar - 0x10000) & 0x3FF, size: 2, isBigEndian)
                }
            }
        case .utf32(let isBigEndian): for scalar in text.scalars { body.append(scalar, size: 4, isBigEndian) }
        }
        return body
    }
}

extension Data {
    /// Appends a scalar, or a half of a surrogate pair, as UTF-8 (RFC 3629 section 3).
    fileprivate mutating func appendScalar(_ scalar: UInt32) {
        func trailing(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: 0x80 | scalar >> shift & 0x3F) }
        switch scalar {
        case 0..<0x80: append(UInt8(truncatingIfNeeded: scalar))
        case 0x80..<0x800: append(contentsOf: [UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6), trailing(0)])
        case 0x800..<0x10000:
            append(contentsOf: [UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12), trailing(6), trailing(0)])
        default:
            append(
                contentsOf: [
                    UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18), trailing(12), trailing(6), trailing(0),
                ]
            )
        }
    }

    fileprivate mutating func append(_ unit: UInt32, size: UInt32, _ isBigEndian: Bool) {
        for place in 0..<size {
            let shift = 8 * (isBigEndian ? size - 1 - place : place)
            append(UInt8(truncatingIfNeeded: unit >> shift))
        }
    }

    /// The scalars of UTF-8, and halves of surrogate pairs.
    fileprivate var scalars: [UInt32] {
        var scalars: [UInt32] = []
        scalars.reserveCapacity(count)
        for byte in self {
            if byte & 0xC0 == 0x80, let last = scalars.popLast() {
                scalars.append(last << 6 | UInt32(byte & 0x3F))
            } else {
                let lead: UInt8 =
                    byte < 0x80 ? byte : byte < 0xE0 ? byte & 0x1F : byte < 0xF0 ? byte & 0x0F : byte & 0x07
                scalars.append(UInt32(lead))
            }
        }
        return scalars
    }
}
