import Foundation

extension SecretEditor {
    /// Redacts a URL, or another text that holds URLs: what stands before a host, in a query and in a fragment.
    mutating func redactURL(_ url: String, at place: @autoclosure () -> String) -> String {
        guard rules.hasFinders || mayHoldSecret(url) else { return url }
        // Bytes are quicker to look through than characters.
        var url = url
        if rules.redactsUsers { url = redactUsers(in: url, at: place()) }
        enterValues(in: url)
        return redactPairs(in: url, at: place() + " query")
    }

    /// Whether a text has what stands before a host or after the name of an item.
    func mayHoldSecret(_ text: String) -> Bool {
        text.withBytes { $0.contains { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "@") } }
    }

    /// Redacts the user and the password before a host, wherever in a text a URL stands.
    mutating func redactUsers(in text: String, at place: @autoclosure () -> String) -> String {
        guard text.firstIndex(ofByte: UInt8(ascii: "@")) != nil else { return text }
        var edits: [(range: Range<String.Index>, text: String)] = []
        var position = text.startIndex
        while let slash = text.firstIndex(ofByte: UInt8(ascii: "/"), from: position) {
            position = text.utf8.index(after: slash)
            guard text.utf8[position...].first == UInt8(ascii: "/") else { continue }
            position = text.utf8.index(after: position)
            let end = text[position...].firstIndex(where: Self.endsAuthority) ?? text.endIndex
            guard Self.beginsAuthority(slash, in: text),
                let at = text[position..<end].lastIndex(of: "@")
            else { continue }
            let parts = text[position..<at].split(
                separator: ":",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            for (part, name) in zip(parts, ["user", "password"]) {
                let value = part.removingPercentEncoding ?? String(part)
                if let placeholder = placeholder(for: value, name: name, at: "\(place()) \(name)") {
                    edits.append((part.startIndex..<part.endIndex, placeholder.text(.percent)))
                }
            }
            position = at
        }
        return text.applying(edits)
    }

    /// A network path reference begins a text; elsewhere a scheme stands before it.
    private static func beginsAuthority(_ slashes: String.Index, in text: String) -> Bool {
        slashes == text.startIndex || text[text.index(before: slashes)] == ":"
    }

    private static func endsAuthority(_ character: Character) -> Bool {
        character.isWhitespace || "/?#\"'<>\\".contains(character)
    }
}
