/// Finds random values behind a name that tells that they are secret.
enum NamedCredential {
    /// A pattern for each word that ends such a name, in the three cases in use.
    static let patterns: [CredentialPattern] =
        ["secret", "token", "key", "password", "passwd", "credential", "credentials", "auth"].flatMap { word in
            [word, word.prefix(1).uppercased() + word.dropFirst(), word.uppercased()].map { spelled in
                CredentialPattern("named-secret", spelled, isVague: true) { bytes, place in
                    let isTelling =
                        word == "key" ? isSecretKey(in: bytes, at: place) : !isCursor(in: bytes, at: place)
                    return isTelling ? value(in: bytes, after: place + word.utf8.count) : nil
                }
            }
        }

    /// Whether the word before `key` says that the key is secret.
    private static func isSecretKey(in bytes: UnsafeRawBufferPointer, at place: Int) -> Bool {
        let kinds = [
            "api", "private", "access", "secret", "auth", "signing", "encryption", "master", "account",
        ]
        return kinds.contains(where: wordBefore(in: bytes, at: place).hasSuffix)
    }

    /// Whether a token only says where a list goes on.
    private static func isCursor(in bytes: UnsafeRawBufferPointer, at place: Int) -> Bool {
        ["page", "next", "continuation", "sync", "cursor", "cancel"]
            .contains(where: wordBefore(in: bytes, at: place).hasSuffix)
    }

    private static func wordBefore(in bytes: UnsafeRawBufferPointer, at place: Int) -> String {
        var word = bytes[max(0, place - 14)..<place]
        if let last = word.last, last == UInt8(ascii: "_") || last == UInt8(ascii: "-") { word.removeLast() }
        return String(decoding: word, as: UTF8.self).lowercased()
    }

    private static func value(in bytes: UnsafeRawBufferPointer, after nameEnd: Int) -> Range<Int>? {
        var cursor = Cursor(bytes: bytes, position: nameEnd)
        guard cursor.skipSeparator() else { return nil }
        let isQuoted = cursor.skipQuote()
        let start = cursor.position
        var end = ByteSet.token.end(in: bytes, from: start, atMost: 1_024)
        let next = end < bytes.count ? bytes[end] : 0x20
        guard (isQuoted ? quotedEnds : plainEnds).contains(next) else { return nil }
        while end > start, bytes[end - 1] == UInt8(ascii: ".") { end -= 1 }
        let value = bytes[start..<end]
        guard CredentialText.isRandom(value), !value.starts(with: "eyJhbGciOiJub25lIiwi".utf8) else {
            return nil
        }
        return start..<end
    }

    private static let quotedEnds = ByteSet("\"'\\%&")
    private static let plainEnds = ByteSet(" \t\r\n&;,\"'<}])\\%#")

    /// A place in what stands between a name and its value.
    private struct Cursor {
        let bytes: UnsafeRawBufferPointer
        var position: Int

        private var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

        private mutating func skip(_ set: ByteSet, atMost count: Int) {
            position = set.end(in: bytes, from: position, atMost: count)
        }

        private mutating func skip(_ text: String) -> Bool {
            guard bytes[position...].starts(with: text.utf8) else { return false }
            position += text.utf8.count
            return true
        }

        /// Skips a quote, which may be escaped.
        mutating func skipQuote() -> Bool {
            let start = position
            skip(ByteSet.backslash, atMost: 8)
            if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") {
                position += 1
                return true
            }
            position = start
            return skip("%22")
        }

        /// Skips what joins a value to its name in JSON, YAML, forms, fields, XML and HAR.
        mutating func skipSeparator() -> Bool {
            _ = skipQuote()
            skip(ByteSet.spaces, atMost: 4)
            if next == UInt8(ascii: ",") {
                position += 1
                skip(ByteSet.spaces, atMost: 40)
                guard skipQuote(), skip("value"), skipQuote() else { return false }
                skip(ByteSet.spaces, atMost: 4)
            }
            guard ByteSet.separators.contains(next) || skip("%3D") || skip("%3d") || skip("%3A") else {
                return false
            }
            skip(ByteSet.separators, atMost: 2)
            skip(ByteSet.spaces, atMost: 4)
            return true
        }
    }
}

extension ByteSet {
    fileprivate static let spaces = ByteSet(" \t\r\n")
    fileprivate static let separators = ByteSet(":=>")
    fileprivate static let backslash = ByteSet("\\")
}
