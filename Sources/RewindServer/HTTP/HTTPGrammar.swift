import Rewind

extension UInt8 {
    static let horizontalTab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20

    /// Whether the octet is a space or a tab (RFC 9110 section 5.6.3).
    var isOptionalWhitespace: Bool { self == .space || self == .horizontalTab }

    var isVisible: Bool { (0x21...0x7E).contains(self) }
    /// Whether the octet may stand in a field value or a reason phrase (RFC 9110 section 5.5).
    var isFieldContent: Bool { isVisible || isOptionalWhitespace || self >= 0x80 }

    /// Whether the octet could end a field, and let the rest of its text pass for another one.
    var endsLine: Bool { self == .carriageReturn || self == .lineFeed || self == 0 }

    var isLetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
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

extension StringProtocol {
    /// Whether the text is a host with an optional port; user information is refused (RFC 9110 section 4.2.4).
    var isAuthority: Bool { !isEmpty && utf8.allSatisfy(\.isAuthorityCharacter) }
}

extension Substring {
    /// The text without the spaces and tabs around it, the only white space HTTP knows (RFC 9110 section 5.6.3).
    var withoutOuterWhitespace: Substring {
        let start = utf8.firstIndex { !$0.isOptionalWhitespace } ?? endIndex
        let end = utf8.lastIndex { !$0.isOptionalWhitespace }.map(utf8.index(after:)) ?? endIndex
        return self[start..<end]
    }

    /// The byte counts rule out the few other letters, such as the Kelvin sign, that lowercase to ASCII.
    func equalsIgnoringCase(_ keyword: String) -> Bool {
        utf8.count == keyword.utf8.count && lowercased() == keyword.lowercased()
    }
}

extension HeaderList {
    /// The members of a comma-separated field over all its lines, empty ones included (RFC 9110 section 5.6.1).
    func listMembers(of name: String) -> [Substring] {
        let values = values(for: name)
        // Most fields that are asked for are not there.
        if values.isEmpty { return [] }
        return values.flatMap { value in
            value.split(separator: ",", omittingEmptySubsequences: false).map(\.withoutOuterWhitespace)
        }
    }

    func hasListMember(_ member: String, in name: String) -> Bool {
        listMembers(of: name).contains { $0.equalsIgnoringCase(member) }
    }

    /// The fields that go on to the next recipient: those of one connection are left out (RFC 9110 section 7.6.1).
    package var withoutConnectionFields: HeaderList {
        guard firstPosition(where: { $0.isOfConnection }) != nil else { return self }
        let named = listMembers(of: "Connection")
        return HeaderList(
            fields.filter { field in !field.isOfConnection && !named.contains { field.hasName(String($0)) } }
        )
    }

    /// Refuses fields that would end early, so that the rest of their text could pass for another field.
    func checkFields() throws {
        guard let position = firstPosition(where: { !$0.isSendable }) else { return }
        let field = self[position]
        guard field.name.utf8.isToken else { throw HTTPResponseError.invalidFieldName(field.name) }
        throw HTTPResponseError.invalidFieldValue(name: field.name, value: field.value)
    }
}

extension HeaderList.Field {
    /// Whether no text of the field could become structure of a message.
    var isSendable: Bool { name.withBytes(\.isToken) && !value.withBytes { $0.contains(where: \.endsLine) } }

    /// Whether it is one of the fields of RFC 9110 section 7.6.1; with `Trailer`, for trailers are not passed on, and
    /// `Proxy-Authorization`, which is for the proxy alone (section 11.7.2).
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
