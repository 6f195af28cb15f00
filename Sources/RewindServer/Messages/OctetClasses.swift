/// The classes of octets that HTTP's grammar is made of.
extension UInt8 {
    static let horizontalTab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20

    /// Whether the octet is a space or a tab (RFC 9110 section 5.6.3).
    var isOptionalWhitespace: Bool { self == .space || self == .horizontalTab }

    /// Whether the octet is a visible ASCII character.
    var isVisible: Bool { (0x21...0x7E).contains(self) }

    /// Whether the octet may stand in a field value or a reason phrase (RFC 9110 section 5.5).
    var isFieldContent: Bool { isVisible || isOptionalWhitespace || self >= 0x80 }

    /// Whether the octet could end a field, and let the rest of its text pass for another one.
    var endsLine: Bool { self == .carriageReturn || self == .lineFeed || self == 0 }

    /// Whether the octet is an ASCII letter.
    var isLetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }

    /// Whether the octet is a decimal digit.
    var isDigit: Bool { (0x30...0x39).contains(self) }

    /// Whether the octet may stand in a method or a field name (RFC 9110 section 5.6.2).
    var isTokenCharacter: Bool {
        isLetter || isDigit || self == UInt8(ascii: "-") || "!#$%&'*+.^_`|~".utf8.contains(self)
    }

    /// Whether the octet may stand in the host and port of a URL (RFC 3986 section 3.2.2).
    var isAuthorityCharacter: Bool { isLetter || isDigit || "-._~%!$&'()*+,;=:[]".utf8.contains(self) }
}

extension Collection<UInt8> {
    /// Whether the octets form a token, as a method and a field name are: one or more token characters.
    package var isToken: Bool { !isEmpty && allSatisfy(\.isTokenCharacter) }
}
