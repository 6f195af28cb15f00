import Foundation

package struct TextEncoding: Hashable {
    private let encoding: String.Encoding

    static let utf8 = TextEncoding(encoding: .utf8)

    private init(encoding: String.Encoding) { self.encoding = encoding }

    /// The encoding with a raw value of `String.Encoding`; `nil` if it is unknown. Foundation would accept any number.
    init?(rawValue: Int) {
        guard let encoding = Self.names.values.first(where: { $0.rawValue == UInt(exactly: rawValue) }) else {
            return nil
        }
        self.encoding = encoding
    }

    /// The encoding with a name from the IANA registry of character sets.
    init?(name: String) {
        guard let encoding = Self.names[name.lowercased()] else { return nil }
        self.encoding = encoding
    }

    var rawValue: Int { Int(encoding.rawValue) }

    func data(_ text: String) -> Data? { text.data(using: encoding) }

    /// The encoding in a `Content-Type`; `nil` if it is UTF-8, unknown or wider than a byte.
    private static func ofContent(_ contentType: String?) -> TextEncoding? {
        // Most types have no parameter or `charset=utf-8`, which their bytes show quickly.
        let isPlain = contentType?.withBytes { bytes in
            !bytes.contains(UInt8(ascii: "=")) || bytes.suffix(5).elementsEqual("utf-8".utf8)
        }
        guard let contentType, isPlain == false,
            let charset = MediaType(contentType)?.parameters["charset"]?.lowercased(), !charset.hasPrefix("utf")
        else { return nil }
        return TextEncoding(name: charset)
    }

    /// The bytes of a text in the encoding of a `Content-Type`, because archives contain text as UTF-8 (HAR 1.2,
    /// `content`). ISO 8859-1 falls back to Windows-1252 (WHATWG Encoding section 4.2). The text stays UTF-8 if the
    /// encoding cannot represent a character.
    static func data(_ utf8: Data, sentAs contentType: String?) -> Data {
        guard let encoding = ofContent(contentType), !utf8.allSatisfy({ $0 < 0x80 }) else { return utf8 }
        let text = String(decoding: utf8, as: UTF8.self)
        let isLatin = [.ascii, .isoLatin1].contains(encoding.encoding)
        return encoding.data(text) ?? (isLatin ? text.data(using: .windowsCP1252) : nil) ?? utf8
    }

    /// The text of bytes in the encoding of a `Content-Type`, UTF-8 by default; `nil` if they are invalid in it.
    package static func text(_ data: Data, sentAs contentType: String?) -> String? {
        let named = MediaType(contentType)?.parameters["charset"].flatMap(TextEncoding.init(name:))
        guard let encoding = named?.encoding, encoding != .utf8 else { return String(wellFormed: data) }
        return String(data: data, encoding: encoding)
    }

    private static let names: [String: String.Encoding] = [
        "utf-8": .utf8, "us-ascii": .ascii, "iso-8859-1": .isoLatin1, "latin1": .isoLatin1,
        "iso-8859-2": .isoLatin2, "windows-1250": .windowsCP1250, "windows-1251": .windowsCP1251,
        "windows-1252": .windowsCP1252, "windows-1253": .windowsCP1253, "windows-1254": .windowsCP1254,
        "shift_jis": .shiftJIS, "euc-jp": .japaneseEUC, "iso-2022-jp": .iso2022JP, "macintosh": .macOSRoman,
        "utf-16": .utf16, "utf-16be": .utf16BigEndian, "utf-16le": .utf16LittleEndian,
        "utf-32": .utf32, "utf-32be": .utf32BigEndian, "utf-32le": .utf32LittleEndian,
    ]
}
