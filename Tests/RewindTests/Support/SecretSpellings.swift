@testable import Rewind

/// The representations of a secret by common encoders, to check that redaction removes all of them.
enum SecretSpellings {
    /// Every distinct representation; base64 encodes the secret alone.
    static func all(of value: String, withBase64: Bool = true) -> [String] {
        let percent = PercentSpelling.all(of: value)
        let base64 = [Base64Alphabet.standard, .url].flatMap { alphabet in
            [true, false].map { alphabet.encoded(value.utf8, padded: $0) }
        }
        let texts =
            [Array(value.utf8)] + percent + percent.map(PercentSpelling.encodedAgain)
            + JSONSpelling.all(of: value) + HTMLSpelling.all(of: value) + (withBase64 ? base64 : [])
        var seen: Set<[UInt8]> = []
        return texts.filter { seen.insert($0).inserted }.map { String(decoding: $0, as: UTF8.self) }
    }
}

/// A set of characters that an encoder of URLs or forms does not encode.
private struct PercentSpelling {
    private let kept: Set<UInt8>
    private let space: String

    init(_ kept: String, space: String = "%20") {
        self.kept = Set(kept.utf8)
        self.space = space
    }

    /// The common encoders.
    private static let encoders: [PercentSpelling] = {
        let sets = [
            // RFC 3986 section 2.3, JavaScript's encodeURIComponent and encodeURI.
            "-._~", "-_.!~*'()", "-_.!~*'();,/?:@&=+$#",
            // URLComponents: query items without and with the plus sign, a query, a path, a user and a password.
            "-._~/?:@!$'()*,;", "-._~/?:@!$'()*,;+", "-._~/?:@!$'()*,;+&=", "-._~/:@!$'()*,+&=",
            "-._~!$&'()*+,;=",
            // Python's quote, and Alamofire.
            "-._~/", "-._~/?",
            // The query of the URL standard of WHATWG.
            "-._~/?:@!$()*,;+&=|{}^`\\[]",
        ]
        // application/x-www-form-urlencoded, with and without the tilde and the asterisk.
        let forms = ["*-._", "-._~", "-._", "*-._~"]
        return sets.map { PercentSpelling($0) } + forms.map { PercentSpelling($0, space: "+") }
    }()

    /// The text from every encoder, with upper-case and lower-case digits.
    static func all(of value: String) -> [[UInt8]] {
        encoders.flatMap { encoder in
            [Hexadecimal.uppercaseDigits, Hexadecimal.lowercaseDigits].map {
                encoder.encoded(value.utf8, digits: $0)
            }
        }
    }

    /// Encodes a percent-encoded text again.
    static func encodedAgain(_ text: [UInt8]) -> [UInt8] {
        let isLower = !text.contains { $0 >= 0x41 && $0 <= 0x46 }
        return encoders[0].encoded(
            text,
            digits: isLower ? Hexadecimal.lowercaseDigits : Hexadecimal.uppercaseDigits
        )
    }

    private func encoded(_ text: some Collection<UInt8>, digits: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        for byte in text {
            if Self.isAlphanumeric(byte) || kept.contains(byte) {
                result.append(byte)
            } else if byte == UInt8(ascii: " ") {
                result += space.utf8
            } else {
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return result
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

/// What an encoder of JSON strings escapes beyond the required characters (RFC 8259 section 7).
private struct JSONSpelling {
    let escapesSlash: Bool
    let escapesMarkup: Bool
    let escapesForeign: Bool
    let isUppercase: Bool

    /// The text in a JSON string from every encoder, and in a JSON string inside of a JSON string.
    static func all(of value: String) -> [[UInt8]] {
        var encoders: [JSONSpelling] = []
        for number in 0..<16 {
            encoders.append(
                JSONSpelling(
                    escapesSlash: number & 1 != 0,
                    escapesMarkup: number & 2 != 0,
                    escapesForeign: number & 4 != 0,
                    isUppercase: number & 8 != 0
                )
            )
        }
        let once = encoders.map { $0.escaped(value) }
        let twice = once.flatMap { text in encoders.prefix(2).map { $0.escaped(text) } }
        return (once + twice).map { Array($0.utf8) }
    }

    private func escaped(_ value: String) -> String {
        var result = ""
        for scalar in value.unicodeScalars {
            if scalar.isASCII, let letter = JSONEscapes.letter(forByte: UInt8(scalar.value)) {
                result += "\\\(Character(Unicode.Scalar(letter)))"
            } else if scalar == "/", escapesSlash {
                result += "\\/"
            } else if scalar.value < 0x20 || !scalar.isASCII && escapesForeign
                || escapesMarkup && "<>&'+`".unicodeScalars.contains(scalar)
            {
                for unit in UTF16.encode(scalar) ?? .init() { result += escape(unit) }
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private func escape(_ unit: UInt16) -> String {
        "\\u" + Hexadecimal.text(unit, digits: 4, uppercase: isUppercase)
    }
}

/// How encoders of HTML and XML write special characters.
private enum HTMLSpelling {
    /// The text from every encoder.
    static func all(of value: String) -> [[UInt8]] {
        var texts = [value.replacingScalars("&", "&amp;").replacingScalars("<", "&lt;")]
        for (character, references) in references where value.unicodeScalars.contains(character) {
            texts = texts.flatMap { text in
                references.map { text.replacingScalars(String(character), $0) }
            }
        }
        return texts.map { Array($0.utf8) }
    }

    private static let references: [(Unicode.Scalar, [String])] = [
        (">", ["&gt;", ">"]),
        ("\"", ["&quot;", "\"", "&#34;", "&#x22;"]),
        ("'", ["'", "&#39;", "&#x27;", "&apos;", "&#039;"]),
        ("+", ["+", "&#43;", "&#x2B;"]),
    ]
}

extension String {
    /// The text with a scalar replaced by a text.
    fileprivate func replacingScalars(_ part: String, _ other: String) -> String {
        var result = ""
        for scalar in unicodeScalars {
            if String(scalar) == part { result += other } else { result.unicodeScalars.append(scalar) }
        }
        return result
    }
}
