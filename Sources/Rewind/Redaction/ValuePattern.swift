import Foundation

/// What the characters of a value tell about it.
enum ValuePattern {
    /// Whether a value reads as text for people: several words, or one word that is a description or a setting.
    static func isProse(_ value: some BidirectionalCollection<UInt8>) -> Bool {
        guard !value.isEmpty, !isStandIn(value) else { return true }
        if isURL(value) || isNumber(value) && value.count < 4 { return true }
        let text = String(decoding: value, as: UTF8.self)
        if SecretValue.isCommonWord(text) { return true }
        let words = value.split(whereSeparator: isSpace)
        guard words.count > 1 else { return isForeignWord(text) || isCode(value) }
        // Words that restore a wallet (BIP 39).
        if words.count >= 12, words.count % 3 == 0,
            value.allSatisfy({ ByteSet.smallLetters.contains($0) || $0 == 0x20 })
        {
            return false
        }
        // `Nightingale 7` is a password, `at least 8 characters` is not.
        let letterWords = words.count {
            $0.contains(where: ByteSet.letterBytes.contains) || $0.contains { $0 >= 0x80 }
        }
        guard letterWords > 1 || letterWords == words.count else { return false }
        // A credential may follow its scheme, as in `Bearer abc`.
        guard !words.contains(where: { looksGenerated($0) }) else { return false }
        guard words.contains(where: { $0.contains { ByteSet.letterBytes.contains($0) || $0 >= 0x80 } }) else {
            return false
        }
        return words.allSatisfy { word in
            let letters = word.count { ByteSet.letterBytes.contains($0) || $0 >= 0x80 }
            return letters * 2 >= word.count || isNumber(word) || word.count == 1 || isBracketed(word)
        }
    }

    /// Whether a value looks as if a program generated it, rather than a person.
    ///
    /// In requests and URLs, where titles are rare, letters and digits in one word are enough.
    static func looksGenerated(_ value: some BidirectionalCollection<UInt8>, isMachineText: Bool = false)
        -> Bool
    {
        let value = value.drop(while: isSpace)
        if let space = value.firstIndex(where: isSpace) {
            let scheme = value[..<space]
            let rest = value[space...].drop(while: isSpace)
            return SecretNames.isScheme(scheme) && !rest.contains(where: isSpace) && rest.count >= 6
                && (looksGenerated(rest) || rest.count >= 12 && !isWords(rest))
        }
        guard value.count >= 8, value.allSatisfy({ (0x21...0x7E).contains($0) }), !isURL(value),
            !isStandIn(value), !isPublic(value)
        else { return false }
        if CredentialText.isUUID(value) { return true }
        if value.allSatisfy(ByteSet.digits.contains) { return value.count >= 16 }
        if isDate(value) || isEmailAddress(value) { return false }
        if value.allSatisfy(Hexadecimal.isDigitOfEitherCase), value.count >= 10 {
            return value.contains(where: ByteSet.digits.contains)
                && value.contains { !ByteSet.digits.contains($0) }
        }
        let parts = value.split { !ByteSet.alphanumerics.contains($0) }
        return !isWords(value)
            || isMachineText && parts.contains { $0.count >= 8 && CredentialText.hasDigitAndLetter($0) }
    }

    /// Whether a value is random enough to be a secret under a name that says little.
    static func looksRandom(_ value: some BidirectionalCollection<UInt8>) -> Bool {
        if value.allSatisfy(Hexadecimal.isDigitOfEitherCase) {
            return value.count >= 32 && CredentialText.hasDigitAndLetter(value) && Set(value).count > 5
        }
        return value.allSatisfy(ByteSet.token.contains) && CredentialText.isRandom(value) && !isWords(value)
            && !isPublic(value)
    }

    /// Whether every part between punctuation is a word, a number, or both, such as `apache-2.0` and `user42`.
    private static func isWords(_ value: some BidirectionalCollection<UInt8>) -> Bool {
        let parts = value.split { !ByteSet.alphanumerics.contains($0) }
        // `LZFW6-8S7BR-RVJ1X`, as in license keys.
        let mixedCount = parts.count { $0.count >= 4 && CredentialText.hasDigitAndLetter($0) }
        return mixedCount < 3 && parts.allSatisfy { isWord($0) }
    }

    /// Whether a text takes the place of a value, such as `********`, `<password>`, `${SECRET}` and `YOUR_API_KEY`.
    static func isStandIn(_ value: some BidirectionalCollection<UInt8>) -> Bool {
        guard let first = value.first, let last = value.last else { return true }
        if value.count > 1, value.allSatisfy({ $0 == first }) { return true }
        if value.count(where: { $0 == UInt8(ascii: "*") }) >= 4 { return true }
        let isEnclosed = Self.brackets.contains { first == $0 && last == $1 }
        if value.starts(with: "${".utf8), last == UInt8(ascii: "}") { return true }
        if isEnclosed || first == UInt8(ascii: "$") && value.dropFirst().allSatisfy(isVariableByte) {
            return true
        }
        let start = String(decoding: value.prefix(6), as: UTF8.self).lowercased()
        return start.hasPrefix("your_") || start.hasPrefix("your-") || start.unicodeScalars.first == "\u{2022}"
    }

    private static let brackets = [("<", ">"), ("{", "}"), ("[", "]"), ("%", "%")].map { pair in
        (pair.0.utf8.first ?? 0, pair.1.utf8.first ?? 0)
    }

    private static func isVariableByte(_ byte: UInt8) -> Bool {
        ByteSet.word.contains(byte) || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}")
            || byte == UInt8(ascii: "(") || byte == UInt8(ascii: ")")
    }

    private static let codeEnds = ByteSet("[]()")

    /// Whether a value is an expression of code, such as `os.environ["KEY"]` and `settings.API_KEY`.
    private static func isCode(_ value: some BidirectionalCollection<UInt8>) -> Bool {
        if let last = value.last, codeEnds.contains(last) {
            return value.first.map(ByteSet.letterBytes.contains) ?? false
        }
        return value.contains(UInt8(ascii: ".")) && !value.contains(where: ByteSet.digits.contains)
            && value.allSatisfy { ByteSet.word.contains($0) || $0 == UInt8(ascii: ".") }
    }

    /// Whether a value has the format of one that everybody may know: the address of a contract, the number of a
    /// resource of Twilio, or a signature in DER.
    private static func isPublic(_ value: some BidirectionalCollection<UInt8>) -> Bool {
        if value.count == 42 || value.count == 66, value.starts(with: "0x".utf8) {
            return value.dropFirst(2).allSatisfy(Hexadecimal.isDigitOfEitherCase)
        }
        if value.count == 34, value.prefix(2).allSatisfy(ByteSet.capitals.contains) {
            return value.dropFirst(2).allSatisfy(ByteSet.hexadecimal.contains)
        }
        return ["MEUC", "MEQC", "MEYC", "SHA256:", "sha256-", "sha384-", "sha512-"].contains {
            value.starts(with: $0.utf8)
        }
    }

    private static func isWord(_ part: some BidirectionalCollection<UInt8>) -> Bool {
        let digits = part.count(where: ByteSet.digits.contains)
        if digits == part.count { return part.count < 16 }
        if digits == 0 { return isLetterWord(part) }
        guard part.count >= 6 else { return true }
        var changes = 0
        var wasDigit: Bool?
        for byte in part {
            let isDigit = ByteSet.digits.contains(byte)
            if let wasDigit, wasDigit != isDigit { changes += 1 }
            wasDigit = isDigit
        }
        // `user42` and `2nd` change once; `10x20px` twice.
        guard changes < 2 else { return changes == 2 && part.count < 8 && !isMixedCase(part) }
        return part.count < 20 && isLetterWord(part.filter { !ByteSet.digits.contains($0) })
    }

    private static func isLetterWord(_ part: some BidirectionalCollection<UInt8>) -> Bool {
        if part.count >= 6, isMixedCase(part) { return false }
        guard part.count >= 10 else { return true }
        let vowels = part.count { ByteSet.vowels.contains($0) }
        return vowels * 6 >= part.count && part.count <= 30
    }

    /// Whether capitals are scattered through the letters, unlike in `DeepDive` and `HTTPServer`.
    private static func isMixedCase(_ part: some BidirectionalCollection<UInt8>) -> Bool {
        var rises = 0
        var last: UInt8 = 0
        for byte in part {
            if ByteSet.capitals.contains(byte), ByteSet.smallLetters.contains(last) { rises += 1 }
            last = byte
        }
        return rises >= 2 && rises * 6 >= part.count
    }

    static func isNumber(_ value: some Collection<UInt8>) -> Bool {
        value.allSatisfy { ByteSet.digits.contains($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
    }

    private static func isURL(_ value: some BidirectionalCollection<UInt8>) -> Bool {
        let text = value.prefix(12)
        return (text.starts(with: "https://".utf8) || text.starts(with: "http://".utf8))
            && !value.contains(UInt8(ascii: "@"))
    }

    private static func isDate(_ value: some BidirectionalCollection<UInt8>) -> Bool {
        let pattern = value.prefix(10).map { ByteSet.digits.contains($0) ? UInt8(ascii: "0") : $0 }
        return pattern.elementsEqual("0000-00-00".utf8) && value.count <= 35
    }

    private static func isEmailAddress(_ value: some BidirectionalCollection<UInt8>) -> Bool {
        guard let at = value.firstIndex(of: UInt8(ascii: "@")), at > value.startIndex else { return false }
        let host = value[value.index(after: at)...]
        return host.contains(UInt8(ascii: ".")) && host.allSatisfy(ByteSet.dotted.contains)
    }

    /// Whether a word stands in the brackets of a template, such as `{{name}}` and `%{count}`.
    private static func isBracketed(_ word: some BidirectionalCollection<UInt8>) -> Bool {
        word.contains(UInt8(ascii: "{")) && word.contains(UInt8(ascii: "}")) || word.first == UInt8(ascii: "%")
            || word.first == UInt8(ascii: ":")
    }

    /// Whether a word is the name of a password field in another language, or in another script.
    private static func isForeignWord(_ text: String) -> Bool {
        let word = text.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: " .:!?*…"))
        return SecretNames.passwordWords.contains(word)
            || word.unicodeScalars.allSatisfy { !$0.isASCII && $0.properties.isAlphabetic }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }
}

extension ByteSet {
    static let letterBytes = ByteSet(letters)
    static let capitals = ByteSet("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    static let smallLetters = ByteSet("abcdefghijklmnopqrstuvwxyz")
    fileprivate static let vowels = ByteSet("aeiouyAEIOUY")
}

package enum SecretValue {
    /// Whether a secret can be replaced everywhere. A common value would also be replaced where it is not the secret.
    package static func isDistinctive(_ value: String) -> Bool {
        let bytes = value.utf8
        guard value.unicodeScalars.count >= 6, let first = bytes.first, !bytes.allSatisfy({ $0 == first })
        else { return false }
        let hasOnlyDigits = bytes.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
        if hasOnlyDigits, bytes.count < 10 { return false }
        return !isCommonWord(value) && !Placeholder.isPresent(in: value)
    }

    static func isCommonWord(_ value: String) -> Bool {
        value.utf8.count <= 20 && commonWords.contains(value.lowercased())
    }

    private static let commonWords: Set<String> = [
        "access", "access_token", "admin", "administrator", "anonymous", "api_key", "apikey", "application",
        "authorization", "basic", "bearer", "changeme", "client", "client_secret", "cookie", "credentials",
        "default", "deleted", "digest", "disabled", "enabled", "example", "expired", "false", "foobar", "guest",
        "hidden", "id_token", "invalid", "letmein", "localhost", "login", "masked", "none", "null", "number",
        "object", "optional", "pass", "passwd", "password", "private", "public", "pwd", "qwerty", "redacted",
        "refresh_token", "removed", "required", "sample", "secret", "secrets", "session", "string", "test",
        "testing", "token", "true", "undefined", "unknown", "user", "username", "value", "welcome",
        "your_token", "your-token", "yes", "no", "on", "off", "ok", "array", "boolean", "integer", "text",
        "blank",
        "missing", "too_short", "too_long", "forgotten", "incorrect", "mismatch", "confirmation", "weak",
        "strong",
        "medium", "nil", "empty", "unset", "revoked", "active", "inactive", "rotated", "denied", "forbidden",
    ]
}
