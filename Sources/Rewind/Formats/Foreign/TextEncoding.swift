import Foundation

/// A character encoding that a message names, and the conversion of text that a cassette file contains as UTF-8.
package struct TextEncoding: Hashable {
    enum Form: Hashable {
        case utf8
        /// UTF-16 or UTF-32, with the byte order mark to write.
        case wide(String.Encoding, mark: [UInt8])
        /// The first of these encodings of the platform that has all characters, by their ``PlatformEncoding/number``.
        case table([UInt32])
        case japanese(JapaneseEncoding)
    }

    private let form: Form
    /// The name in messages.
    private let name: String

    private init(_ form: Form, name: String) { (self.form, self.name) = (form, name) }

    /// The encoding with a name such as `latin1`; `nil` if it is unknown.
    init?(name: String) {
        guard let form = CharsetNames.encoding(named: name) else { return nil }
        self.init(form, name: name)
    }

    /// The encoding with a raw value of `String.Encoding`; `nil` if it is unknown. Foundation would accept any number.
    init?(rawValue: Int) {
        guard let value = UInt32(exactly: rawValue) else { return nil }
        if value == 1 {
            self.init(.table([0x0600]), name: "us-ascii")
        } else if let name = Self.names[value] {
            self.init(name: name)
        } else if value >> 16 == 0x8000, let form = CharsetNames.encoding(number: value & 0xFFFF) {
            self.init(form, name: "number \(rawValue)")
        } else {
            return nil
        }
    }

    private static let names: [UInt32: String] = [
        3: "euc-jp", 4: "utf-8", 5: "iso-8859-1", 8: "shift_jis", 9: "iso-8859-2", 10: "utf-16",
        11: "windows-1251", 12: "windows-1252", 13: "windows-1253", 14: "windows-1254", 15: "windows-1250",
        21: "iso-2022-jp", 30: "macintosh", 0x9000_0100: "utf-16be", 0x9400_0100: "utf-16le",
        0x8C00_0100: "utf-32", 0x9800_0100: "utf-32be", 0x9C00_0100: "utf-32le",
    ]

    var isWide: Bool { if case .wide = form { true } else { false } }

    /// Whether text in ASCII has the same bytes as in UTF-8.
    private var containsASCII: Bool { !isWide && form != .table(CharsetNames.ebcdic) }

    // MARK: Text to bytes

    /// The bytes of a text in the encoding of a `Content-Type`, because archives contain text as UTF-8 (HAR 1.2,
    /// `content`), however it was sent.
    /// - Throws: ``BodyAbsence`` if the encoding is unknown or cannot represent a character.
    static func data(_ utf8: Data, sentAs contentType: String?) throws(BodyAbsence) -> Data {
        guard let name = charset(of: contentType) ?? DeclaredCharset.name(in: utf8, contentType),
            name != "utf-8"
        else { return utf8 }
        return try data(utf8, named: name)
    }

    /// Whether ``data(_:sentAs:)`` may throw for some text.
    static func mayRefuseText(of contentType: String) -> Bool {
        guard let name = charset(of: contentType) else { return DeclaredCharset.isPossible(in: contentType) }
        return name != "utf-8"
    }

    /// The bytes of a request's text. It stays UTF-8 if it cannot be converted, because browsers send a string as UTF-8
    /// whatever its header says, and a wrong guess is a miss that tells the difference.
    static func request(_ utf8: Data, sentAs contentType: String?) -> Data {
        (try? data(utf8, sentAs: contentType)) ?? utf8
    }

    /// The bytes of a text in the encoding with a name.
    /// - Throws: ``BodyAbsence`` if the encoding is unknown or cannot represent a character.
    static func data(_ utf8: Data, named name: String) throws(BodyAbsence) -> Data {
        let isASCII = utf8.allSatisfy { $0 < 0x80 }
        guard let encoding = TextEncoding(name: name) else {
            if isASCII { return utf8 }
            throw BodyAbsence(reason: "the charset \(name.prefix(40)) of the body is not supported")
        }
        if encoding.form == .utf8 { return utf8 }
        // Zeros show that the bytes of wide characters were read as UTF-8, not decoded.
        if isASCII && encoding.containsASCII || encoding.isWide && utf8.contains(0) { return utf8 }
        return try encoding.data(String(decoding: utf8, as: UTF8.self))
    }

    /// The bytes of a text.
    /// - Throws: ``BodyAbsence`` if the encoding cannot represent a character.
    func data(_ text: String) throws(BodyAbsence) -> Data {
        if let data = bytes(of: text) { return data }
        guard bytes(of: "A") != nil else {
            throw BodyAbsence(reason: "this system cannot convert the charset \(name.prefix(40)) of the body")
        }
        let scalar = firstForeignScalar(of: text).map { "U+" + Self.hexadecimal($0.value) } ?? "a character"
        throw BodyAbsence(reason: "the charset \(name.prefix(40)) of the body cannot represent \(scalar)")
    }

    private func bytes(of text: String) -> Data? {
        switch form {
        case .utf8: return Data(text.utf8)
        case .wide(let encoding, let mark):
            let isMarked = text.unicodeScalars.first == "\u{FEFF}"
            return text.data(using: encoding).map { (isMarked ? Data() : Data(mark)) + $0 }
        case .table(let numbers):
            return converted(text) { text in
                for number in numbers {
                    if let data = PlatformEncoding(number: number).data(text) { return data }
                }
                return nil
            }
        case .japanese(let encoding):
            return converted(text) { PlatformEncoding.shiftJIS.data($0).flatMap(encoding.data) }
        }
    }

    /// Converts text by a table. Tools read some bytes of East Asian encodings as different characters, so those are
    /// replaced if necessary.
    private func converted(_ text: String, by convert: (String) -> Data?) -> Data? {
        // A decoder writes U+FFFD for bytes that it does not understand, which are lost.
        guard !text.unicodeScalars.contains("\u{FFFD}") else { return nil }
        if let data = convert(text) { return data }
        guard text.unicodeScalars.contains(where: { Self.variants[$0] != nil }) else { return nil }
        var other = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { other.append(Self.variants[scalar] ?? scalar) }
        return convert(String(other))
    }

    /// Characters that JIS and Windows read from the same bytes: ¢ £ ¬ ‖ − 〜 —.
    private static let variants: [Unicode.Scalar: Unicode.Scalar] = [
        "\u{A2}": "\u{FFE0}", "\u{A3}": "\u{FFE1}", "\u{AC}": "\u{FFE2}", "\u{2016}": "\u{2225}",
        "\u{2212}": "\u{FF0D}", "\u{301C}": "\u{FF5E}", "\u{2014}": "\u{2015}",
    ]

    /// The first character that cannot be represented, by bisection.
    private func firstForeignScalar(of text: String) -> Unicode.Scalar? {
        let scalars = Array(text.unicodeScalars)
        var (good, bad) = (0, scalars.count)
        while bad - good > 1 {
            let middle = (good + bad) / 2
            var start = String.UnicodeScalarView()
            start.append(contentsOf: scalars[..<middle])
            if bytes(of: String(start)) == nil { bad = middle } else { good = middle }
        }
        return bad > 0 ? scalars[bad - 1] : nil
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    // MARK: Bytes to text

    /// The text of bytes in the encoding of a `Content-Type`, UTF-8 by default; `nil` if they are invalid in it.
    package static func text(_ data: Data, sentAs contentType: String?) -> String? {
        if let name = charset(of: contentType), let encoding = TextEncoding(name: name) {
            return encoding.text(data)
        }
        if let text = String(wellFormed: data) { return text }
        return DeclaredCharset.name(in: data, contentType).flatMap(TextEncoding.init(name:))?.text(data)
    }

    private func text(_ data: Data) -> String? {
        switch form {
        case .utf8: return String(wellFormed: data)
        case .wide(let encoding, let mark):
            // A mark tells the order, otherwise it is the one of Windows (WHATWG Encoding section 4.2).
            if mark.count == 2, data.starts(with: [0xFE, 0xFF]) {
                return String(data: data.dropFirst(2), encoding: .utf16BigEndian)
            }
            return String(data: data.starts(with: mark) ? data.dropFirst(mark.count) : data, encoding: encoding)
        case .table(let numbers):
            for number in numbers {
                if let text = PlatformEncoding(number: number).text(data) { return text }
            }
            return nil
        case .japanese(let encoding): return encoding.shiftJIS(data).flatMap(PlatformEncoding.shiftJIS.text)
        }
    }

    /// The charset that a `Content-Type` names; `nil` for none.
    private static func charset(of contentType: String?) -> String? {
        // Most types have no parameter or `charset=utf-8`, which their bytes show quickly.
        guard let contentType, contentType.withBytes({ $0.contains(UInt8(ascii: "=")) }) else { return nil }
        if contentType.withBytes({ $0.suffix(13).elementsEqual("charset=utf-8".utf8) }) { return "utf-8" }
        guard let charset = MediaType(contentType)?.parameters["charset"] else { return nil }
        let name = charset.lowercased().trimmingCharacters(in: quotes)
        return name.isEmpty ? nil : name
    }

    private static let quotes = CharacterSet(charactersIn: "'\"; ")
}

/// The charset that an HTML page or an XML document names itself. Browsers use it if the header names none.
private enum DeclaredCharset {
    static func isPossible(in contentType: String) -> Bool {
        // The names of both types have an `m`, which those of most other types do not.
        guard contentType.withBytes({ $0.contains { $0 | 0x20 == UInt8(ascii: "m") } }),
            let type = MediaType(contentType)?.essence
        else { return false }
        return type == "text/html" || type.hasSuffix("xml")
    }

    /// The name in the first bytes (HTML, "prescan a byte stream"); `nil` if there is none that is known.
    static func name(in data: Data, _ contentType: String?) -> String? {
        guard let contentType, isPossible(in: contentType) else { return nil }
        let head = String(decoding: data.prefix(1024), as: UTF8.self).lowercased()
        let isXML = head.hasPrefix("<?xml")
        let start = isXML ? head[...] : head[(head.range(of: "<meta")?.lowerBound ?? head.endIndex)...]
        guard let end = start.range(of: isXML ? "encoding=" : "charset=")?.upperBound else { return nil }
        let name = start[end...].drop { "\"' ".contains($0) }.prefix { !"\"' ;/?>".contains($0) }
        // A page whose declaration can be read as ASCII is not UTF-16, whatever it says.
        guard let encoding = TextEncoding(name: String(name)), !encoding.isWide else { return nil }
        return String(name)
    }
}
