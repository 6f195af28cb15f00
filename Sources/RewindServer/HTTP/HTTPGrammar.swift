import Rewind

extension UInt8 {
    static let horizontalTab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20

    /// Whether the octet is a space or a tab (RFC 9110 section 5.6.3).
    var isOptionalWhitespace: Bool { self == .space || self == .horizontalTab }

    var isVisible: Bool { (0x21...0x7E).contains(self) }
    /// Whether the octet is allowed in a field value or a reason phrase (RFC 9110 section 5.5).
    var isFieldContent: Bool { isVisible || isOptionalWhitespace || self >= 0x80 }

    /// Whether a recipient could take the octet for the end of a field.
    var endsLine: Bool { self == .carriageReturn || self == .lineFeed || self == 0 }

    var isLetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
    var isDigit: Bool { (0x30...0x39).contains(self) }

    /// Whether the octet is allowed in a method or a field name (RFC 9110 section 5.6.2).
    var isTokenCharacter: Bool {
        isLetter || isDigit || self == UInt8(ascii: "-") || "!#$%&'*+.^_`|~".utf8.contains(self)
    }

    /// Whether the octet is allowed in the host and port of a URL (RFC 3986 section 3.2.2).
    var isAuthorityCharacter: Bool { isLetter || isDigit || "-._~%!$&'()*+,;=:[]".utf8.contains(self) }
}

extension Collection<UInt8> {
    /// Whether the octets are a token, like a method or a field name: one or more token characters.
    package var isToken: Bool { !isEmpty && allSatisfy(\.isTokenCharacter) }
}

extension StringProtocol {
    /// Whether the text is a host with an optional port. User information is not allowed (RFC 9110 section 4.2.4).
    var isAuthority: Bool { !isEmpty && utf8.allSatisfy(\.isAuthorityCharacter) }
}

extension Substring {
    /// The text without surrounding spaces and tabs, the only whitespace of HTTP (RFC 9110 section 5.6.3).
    var withoutOuterWhitespace: Substring {
        let start = utf8.firstIndex { !$0.isOptionalWhitespace } ?? endIndex
        let end = utf8.lastIndex { !$0.isOptionalWhitespace }.map(utf8.index(after:)) ?? endIndex
        return self[start..<end]
    }

    /// Comparing byte counts excludes other letters that lowercase to ASCII, such as the Kelvin sign.
    func equalsIgnoringCase(_ keyword: String) -> Bool {
        utf8.count == keyword.utf8.count && lowercased() == keyword.lowercased()
    }
}

extension HeaderList {
    /// The members of a comma-separated field in all its lines, including empty ones (RFC 9110 section 5.6.1).
    func listMembers(of name: String) -> [Substring] {
        let values = values(for: name)
        // Most of the requested fields do not exist.
        if values.isEmpty { return [] }
        return values.flatMap { value in
            value.split(separator: ",", omittingEmptySubsequences: false).map(\.withoutOuterWhitespace)
        }
    }

    func hasListMember(_ member: String, in name: String) -> Bool {
        listMembers(of: name).contains { $0.equalsIgnoringCase(member) }
    }

    /// The fields that are forwarded, without those of a single connection (RFC 9110 section 7.6.1).
    package var withoutConnectionFields: HeaderList {
        guard firstPosition(where: { $0.isOfConnection }) != nil else { return self }
        let named = listMembers(of: "Connection")
        return HeaderList(
            fields.filter { field in !field.isOfConnection && !named.contains { field.hasName(String($0)) } }
        )
    }

    /// Rejects fields with line ends, after which the rest could be taken for another field.
    func checkFields() throws {
        guard let position = firstPosition(where: { !$0.isSendable }) else { return }
        let field = self[position]
        guard field.name.utf8.isToken else { throw HTTPResponseError.invalidFieldName(field.name) }
        throw HTTPResponseError.invalidFieldValue(name: field.name, value: field.value)
    }
}

extension HeaderList.Field {
    /// Whether the field contains no characters that would break the message format.
    var isSendable: Bool { name.withBytes(\.isToken) && !value.withBytes { $0.contains(where: \.endsLine) } }

    /// Whether it is a field of RFC 9110 section 7.6.1, `Trailer` (trailers are not forwarded) or `Proxy-Authorization`
    /// (section 11.7.2).
    var isOfConnection: Bool {
        switch name.utf8.count {
        case 2: hasName("TE")
        case 7: hasName("Upgrade") || hasName("Trailer")
        case 10: hasName("Connection") || hasName("Keep-Alive")
        case 16: hasName("Proxy-Connection")
        case 17: hasName("Transfer-Encoding")
        case 19: hasName("Proxy-Authorization")
        default: false
        }
    }
}
