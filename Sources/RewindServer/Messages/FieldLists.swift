import Rewind

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

    /// Whether a comma-separated field has a member, whatever its letter case.
    func hasListMember(_ member: String, in name: String) -> Bool {
        listMembers(of: name).contains { $0.equalsIgnoringCase(member) }
    }
}

extension Substring {
    /// The text without the spaces and tabs around it, the only white space HTTP knows (RFC 9110 section 5.6.3).
    var withoutOuterWhitespace: Substring {
        let start = utf8.firstIndex { !$0.isOptionalWhitespace } ?? endIndex
        let end = utf8.lastIndex { !$0.isOptionalWhitespace }.map(utf8.index(after:)) ?? endIndex
        return self[start..<end]
    }

    /// Whether the text is an ASCII keyword in any letter case.
    ///
    /// The byte counts rule out the few other letters, such as the Kelvin sign, that lowercase to ASCII.
    func equalsIgnoringCase(_ keyword: String) -> Bool {
        utf8.count == keyword.utf8.count && lowercased() == keyword.lowercased()
    }
}
