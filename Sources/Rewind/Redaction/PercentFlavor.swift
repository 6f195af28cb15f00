/// A set of characters that some encoder of URLs or forms leaves as they are.
struct PercentFlavor {
    private let kept: Set<UInt8>
    private let space: String

    private init(_ kept: String, space: String = "%20") {
        self.kept = Set(kept.utf8)
        self.space = space
    }

    /// The flavors of the encoders in use.
    private static let all: [PercentFlavor] = {
        let sets = [
            // RFC 3986 section 2.3, JavaScript's encodeURIComponent and encodeURI.
            "-._~", "-_.!~*'()", "-_.!~*'();,/?:@&=+$#",
            // Query items of URLComponents, with the plus sign and without; a query, a path, a user and a password.
            "-._~/?:@!$'()*,;", "-._~/?:@!$'()*,;+", "-._~/?:@!$'()*,;+&=", "-._~/:@!$'()*,+&=",
            "-._~!$&'()*+,;=",
            // Python's quote, and Alamofire.
            "-._~/", "-._~/?",
            // The query of the URL standard of WHATWG.
            "-._~/?:@!$()*,;+&=|{}^`\\[]",
        ]
        // application/x-www-form-urlencoded, with and without the tilde and the asterisk.
        let forms = ["*-._", "-._~", "-._", "*-._~"]
        return sets.map { PercentFlavor($0) } + forms.map { PercentFlavor($0, space: "+") }
    }()

    /// The text in every flavor, with digits in upper and in lower case.
    static func spellings(of value: String) -> [[UInt8]] {
        all.flatMap { flavor in
            [Hexadecimal.uppercaseDigits, Hexadecimal.lowercaseDigits].map {
                flavor.encoded(value.utf8, digits: $0)
            }
        }
    }

    /// What is percent-encoded already, encoded once more.
    static func encodedAgain(_ text: [UInt8]) -> [UInt8] {
        let isLower = !text.contains { $0 >= 0x41 && $0 <= 0x46 }
        return all[0].encoded(text, digits: isLower ? Hexadecimal.lowercaseDigits : Hexadecimal.uppercaseDigits)
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
