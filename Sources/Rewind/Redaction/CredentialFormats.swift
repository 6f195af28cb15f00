import Foundation

/// The credentials that have a format, not only a prefix.
enum CredentialFormats {
    /// A JSON Web Token (RFC 7519) that is not a placeholder.
    static func jsonWebToken(in bytes: UnsafeRawBufferPointer, at place: Int) -> Range<Int>? {
        guard CredentialText.beginsWord(in: bytes, at: place),
            let range = JSONWebToken.range(in: bytes, from: place), let token = JSONWebToken(bytes[range]),
            Placeholder(token) == nil
        else { return nil }
        return range
    }

    /// A private key in PEM format (RFC 7468), with real or escaped line breaks.
    static func privateKey(in bytes: UnsafeRawBufferPointer, at place: Int) -> Range<Int>? {
        let letters = ByteSet("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ")
        let labelEnd = letters.end(in: bytes, from: place + 11, atMost: 40)
        let label = String(decoding: bytes[place + 11..<labelEnd], as: UTF8.self)
        guard label.hasSuffix("PRIVATE KEY") || label.hasSuffix("PRIVATE KEY BLOCK") else { return nil }
        let content = bytes[labelEnd...].prefix(16_384).drop { $0 == UInt8(ascii: "-") }
        // Documentation shows the header without a key.
        let digits = content.prefix(400).filter(Base64Alphabet.isDigit)
        guard digits.count >= 40, CredentialText.hasDigitAndLetter(digits), !CredentialText.isDummy(digits)
        else { return nil }
        let footer = Array("-----END".utf8)
        var last = content.startIndex
        while last < content.endIndex, !content[last...].starts(with: footer) { last += 1 }
        let hasOnlyKey = content[..<last].prefix(40).allSatisfy {
            $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ".")
        }
        return hasOnlyKey ? place..<last : nil
    }

    /// The token of a Telegram bot, including the number before the colon.
    static func telegramToken(in bytes: UnsafeRawBufferPointer, at place: Int) -> Range<Int>? {
        var start = place
        while start > 0, place - start <= 10, ByteSet.digits.contains(bytes[start - 1]) { start -= 1 }
        let end = ByteSet.wordOrHyphen.end(in: bytes, from: place + 1, atMost: 36)
        guard (8...10).contains(place - start), end - place == 36,
            start == 0 || !ByteSet.digits.contains(bytes[start - 1]),
            !CredentialText.isDummy(bytes[place..<end])
        else { return nil }
        return start..<end
    }

    /// The password before the host of a URL (RFC 3986 section 3.2.1).
    static func urlPassword(in bytes: UnsafeRawBufferPointer, at place: Int) -> Range<Int>? {
        guard place > 0, ByteSet.alphanumerics.contains(bytes[place - 1]) else { return nil }
        let colon = userInformation.end(in: bytes, from: place + 3, atMost: 128)
        guard colon < bytes.count, bytes[colon] == UInt8(ascii: ":") else { return nil }
        let end = userInformation.end(in: bytes, from: colon + 1, atMost: 256)
        guard end > colon + 1, end < bytes.count, bytes[end] == UInt8(ascii: "@") else { return nil }
        // Hosts that are reserved for documentation (RFC 2606 section 3).
        let host = bytes[(end + 1)...].prefix(8)
        guard let first = host.first, ByteSet.alphanumerics.contains(first),
            !host.elementsEqual("example.".utf8)
        else { return nil }
        let password = String(decoding: bytes[colon + 1..<end], as: UTF8.self)
        let isMasked = Set(password.utf8).count == 1 || password.hasPrefix("$") || password.hasPrefix("%7B")
        let isPlaceholder = !Placeholder.placeholders(in: password).isEmpty
        return isMasked || isPlaceholder || SecretValue.isCommonWord(password) ? nil : colon + 1..<end
    }

    private static let userInformation = ByteSet(ByteSet.letters + "0123456789-._~!$&*+;=%")

    /// The user and the password of basic authentication, in base64 (RFC 7617 section 2).
    static func basic(in bytes: UnsafeRawBufferPointer, at place: Int) -> Range<Int>? {
        let start = place + 6
        let end = ByteSet.base64.end(in: bytes, from: start, atMost: 1_024)
        guard CredentialText.beginsWord(in: bytes, at: place), end - start >= 8,
            let decoded = Base64Alphabet.decoded(bytes[start..<end].prefix { $0 != UInt8(ascii: "=") }),
            let colon = decoded.firstIndex(of: UInt8(ascii: ":")), CredentialText.isPrintable(decoded)
        else { return nil }
        let password = String(decoding: decoded[(colon + 1)...], as: UTF8.self)
        let isPlaceholder = !Placeholder.placeholders(in: String(decoding: decoded, as: UTF8.self)).isEmpty
        return isPlaceholder || password.isEmpty || SecretValue.isCommonWord(password) ? nil : start..<end
    }

    /// A bearer token (RFC 6750 section 2.1).
    static func bearer(in bytes: UnsafeRawBufferPointer, at place: Int) -> Range<Int>? {
        let start = place + 7
        let end = ByteSet.token.end(in: bytes, from: start, atMost: 8_192)
        let token = bytes[start..<end]
        guard CredentialText.beginsWord(in: bytes, at: place), CredentialText.isRandom(token),
            Placeholder.placeholders(in: String(decoding: token, as: UTF8.self)).isEmpty
        else { return nil }
        return start..<end
    }
}

/// Random values after a name such as `client_secret`.
enum NamedCredential {
    /// One rule for each word at the end of such a name, in the three common letter cases.
    static let patterns: [CredentialPattern] =
        ["secret", "token", "key", "password", "passwd", "credential", "credentials", "auth"].flatMap { word in
            [word, word.prefix(1).uppercased() + word.dropFirst(), word.uppercased()].map { spelled in
                CredentialPattern("named-secret", spelled, isVague: true) { bytes, place in
                    let isSecretName =
                        word == "key" ? isSecretKey(in: bytes, at: place) : !isCursor(in: bytes, at: place)
                    return isSecretName ? value(in: bytes, after: place + word.utf8.count) : nil
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
        guard CredentialText.isRandom(value), !value.starts(with: "eyJhbGciOiJub25lIiwi".utf8)
        else { return nil }
        return start..<end
    }

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
            skip(ByteSet.backslash, atMost: 8)
            if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") {
                position += 1
                return true
            }
            position = start
            return skip("%22")
        }

        /// Skips the separators of JSON, YAML, forms, header fields, XML and HAR.
        mutating func skipSeparator() -> Bool {
            _ = skipQuote()
            skip(ByteSet.spaces, atMost: 4)
            if next == UInt8(ascii: ",") {
                position += 1
                skip(ByteSet.spaces, atMost: 40)
                guard skipQuote(), skip("value"), skipQuote() else { return false }
                skip(ByteSet.spaces, atMost: 4)
            }
            guard ByteSet.separators.contains(next) || skip("%3D") || skip("%3d") || skip("%3A")
            else { return false }
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

enum CredentialText {
    /// Whether a word begins at an index. An escape before it does not belong to the word.
    static func beginsWord(in bytes: UnsafeRawBufferPointer, at index: Int) -> Bool {
        guard index > 0, ByteSet.word.contains(bytes[index - 1]) else { return true }
        let before = Array(bytes[max(0, index - 6)..<index])
        return isEscape(before.suffix(3), "%", digits: 2) || isEscape(before.suffix(6), "\\u", digits: 4)
            || before.count >= 2 && before[before.count - 2] == UInt8(ascii: "\\")
                && "nrt".utf8.contains(before[before.count - 1])
    }

    private static func isEscape(_ bytes: ArraySlice<UInt8>, _ sign: String, digits: Int) -> Bool {
        bytes.count == sign.utf8.count + digits && bytes.starts(with: sign.utf8)
            && bytes.suffix(digits).allSatisfy(Hexadecimal.isDigitOfEitherCase)
    }

    static func endsWord(in bytes: UnsafeRawBufferPointer, at index: Int) -> Bool {
        index >= bytes.count || !ByteSet.word.contains(bytes[index])
    }

    /// Whether a text looks like an example from documentation.
    static func isDummy(_ text: some Collection<UInt8>) -> Bool {
        guard Set(text).count > 5 else { return true }
        let lowercased = String(decoding: text, as: UTF8.self).lowercased()
        return dummies.contains { lowercased.contains($0) }
    }

    private static let dummies = [
        "example", "xxxxx", "placeholder", "redacted", "your_", "your-", "dummy", "00000000", "12345678901234",
    ]

    static func hasDigitAndLetter(_ text: some Collection<UInt8>) -> Bool {
        text.contains(where: ByteSet.digits.contains)
            && text.contains { !ByteSet.digits.contains($0) && ByteSet.alphanumerics.contains($0) }
    }

    /// Whether a text looks randomly generated.
    static func isRandom(_ text: some Collection<UInt8>) -> Bool {
        guard text.count >= 20, hasDigitAndLetter(text), !isDummy(text), !isUUID(text) else { return false }
        let isHexadecimal = text.allSatisfy(Hexadecimal.isDigitOfEitherCase)
        guard !isHexadecimal || text.count >= 32, changes(in: text) >= 0.2 else { return false }
        return entropy(of: text) >= (isHexadecimal ? 3 : 3.5)
    }

    /// The Shannon entropy in bits per character.
    static func entropy(of text: some Collection<UInt8>) -> Double {
        var counts: [UInt8: Int] = [:]
        for byte in text { counts[byte, default: 0] += 1 }
        return counts.values.reduce(0) { sum, count in
            let share = Double(count) / Double(text.count)
            return sum - share * log2(share)
        }
    }

    /// The number of changes between kinds of characters, per character.
    ///
    /// It is low in names and joined words, because a capital before lowercase letters does not count.
    private static func changes(in text: some Collection<UInt8>) -> Double {
        var changes = 0
        var last = Kind.sign
        for byte in text {
            let kind = Kind(byte)
            let isCapital = last == .upper && kind == .lower
            if kind != last, kind != .sign, last != .sign, !isCapital { changes += 1 }
            last = kind
        }
        return Double(changes) / Double(text.count)
    }

    private enum Kind {
        case lower, upper, digit, sign

        init(_ byte: UInt8) {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): self = .lower
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): self = .upper
            case UInt8(ascii: "0")...UInt8(ascii: "9"): self = .digit
            default: self = .sign
            }
        }
    }

    static func isUUID(_ text: some Collection<UInt8>) -> Bool {
        text.count == 36 && UUID(uuidString: String(decoding: text, as: UTF8.self)) != nil
    }

    static func isASCII(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.allSatisfy { $0 < 0x7F } && isPrintable(bytes)
    }

    static func isPrintable(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
            && Array(bytes).withUnsafeBytes(WellFormedUTF8.isAll)
    }
}
