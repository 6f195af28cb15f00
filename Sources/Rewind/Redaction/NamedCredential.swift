import Foundation

/// Random values after a name such as `client_secret`.
///
/// The time is linear in the text, because the values of two names hardly overlap: a value without quotes after `=` ends at
/// the next `=`, other values contain neither quotes nor colons.
enum NamedCredential {
    /// One rule for each word at the end of such a name, in the three common letter cases.
    static let patterns: [CredentialPattern] =
        ["secret", "token", "key", "password", "passwd", "credential", "credentials", "auth"].flatMap { word in
            [word, word.prefix(1).uppercased() + word.dropFirst(), word.uppercased()].map { spelled in
                CredentialPattern("named-secret", spelled, isVague: true) { bytes, place, _ in
                    guard let range = candidate(in: bytes, after: place + word.utf8.count),
                        word == "key" ? isSecretKey(in: bytes, at: place) : !isCursor(in: bytes, at: place)
                    else { return nil }
                    return isSecret(bytes[range]) ? range : nil
                }
            }
        }

    private static func isSecretKey(in bytes: UnsafeRawBufferPointer, at place: Int) -> Bool {
        ["api", "private", "access", "secret", "auth", "signing", "encryption", "master", "account"]
            .contains(where: wordBefore(in: bytes, at: place).hasSuffix)
    }

    private static func isCursor(in bytes: UnsafeRawBufferPointer, at place: Int) -> Bool {
        ["page", "next", "continuation", "sync", "cursor", "cancel"]
            .contains(where: wordBefore(in: bytes, at: place).hasSuffix)
    }

    private static func wordBefore(in bytes: UnsafeRawBufferPointer, at place: Int) -> String {
        var word = bytes[max(0, place - 14)..<place]
        if let last = word.last, last == UInt8(ascii: "_") || last == UInt8(ascii: "-") { word.removeLast() }
        return String(decoding: word, as: UTF8.self).lowercased()
    }

    /// The value after a name; `nil` if it is too short or ends unlike a value.
    private static func candidate(in bytes: UnsafeRawBufferPointer, after nameEnd: Int) -> Range<Int>? {
        var cursor = Cursor(bytes: bytes, position: nameEnd)
        guard let separator = cursor.skipSeparator() else { return nil }
        let isQuoted = cursor.skipQuote()
        let start = cursor.position
        var end: Int
        if isQuoted || separator != UInt8(ascii: "=") {
            end = ByteSet.token.end(in: bytes, from: start, atMost: 1_024)
        } else {
            end = tokenWithoutPadding.end(in: bytes, from: start, atMost: 1_024)
            end = ByteSet.equals.end(in: bytes, from: end, atMost: 2)
        }
        let next = end < bytes.count ? bytes[end] : 0x20
        guard end - start >= 20, (isQuoted ? quotedEnds : plainEnds).contains(next) else { return nil }
        while end > start, bytes[end - 1] == UInt8(ascii: ".") { end -= 1 }
        return start..<end
    }

    private static func isSecret(_ value: Slice<UnsafeRawBufferPointer>) -> Bool {
        CredentialText.isRandom(value)
            && ![Placeholder.tokenHeader, Placeholder.formerTokenHeader].contains {
                value.starts(with: $0.utf8)
            }
    }

    private static let tokenWithoutPadding = ByteSet(ByteSet.letters + "0123456789_-.~+/")
    private static let quotedEnds = ByteSet("\"'\\%&")
    private static let plainEnds = ByteSet(" \t\r\n&;,\"'<}])\\%#")

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

        mutating func skipQuote() -> Bool {
            let start = position
            skip(.backslash, atMost: 8)
            if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") {
                position += 1
                return true
            }
            position = start
            return skip("%22")
        }

        /// Skips the separators of JSON, YAML, forms, header fields, XML and HAR.
        /// - Returns: The last separator; `nil` if there is none.
        mutating func skipSeparator() -> UInt8? {
            _ = skipQuote()
            skip(.spaces, atMost: 4)
            if next == UInt8(ascii: ",") {
                position += 1
                skip(.spaces, atMost: 40)
                guard skipQuote(), skip("value"), skipQuote() else { return nil }
                skip(.spaces, atMost: 4)
            }
            guard ByteSet.separators.contains(next) || skip("%3D") || skip("%3d") || skip("%3A")
            else { return nil }
            skip(.separators, atMost: 2)
            let last = bytes[position - 1]
            skip(.spaces, atMost: 4)
            return last
        }
    }
}
