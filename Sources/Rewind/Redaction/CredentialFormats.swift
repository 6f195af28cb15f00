import Foundation

/// The credentials that have a format, not only a prefix.
enum CredentialFormats {
    static let patterns =
        [
            CredentialPattern("json-web-token", "eyJ", jsonWebToken),
            CredentialPattern("private-key", "-----BEGIN ", privateKey),
            CredentialPattern("telegram-token", ":AA", telegramToken),
            CredentialPattern("url-password", "://", urlPassword),
        ]
        + ["Basic ", "basic "].map { CredentialPattern("basic-credentials", $0, isVague: true, basic) }
        + ["Bearer ", "bearer "].map { CredentialPattern("bearer-token", $0, isVague: true, bearer) }

    /// A JSON Web Token (RFC 7519) that is not a placeholder.
    @Sendable private static func jsonWebToken(
        in bytes: UnsafeRawBufferPointer,
        at place: Int,
        _ memory: inout RunMemory
    ) -> Range<Int>? {
        guard CredentialText.beginsWord(in: bytes, at: place) else { return nil }
        let longest = JSONWebToken.longest
        let dot = memory.end(of: .wordOrHyphen, in: bytes, from: place, atMost: longest)
        // The payload is an object too. Without this, every word of a text with many hyphens would be decoded.
        guard bytes.count - dot > 4, bytes[dot..<dot + 4].elementsEqual(".eyJ".utf8),
            memory.mayExamine(until: dot), let range = JSONWebToken.range(in: bytes, from: place),
            let token = JSONWebToken(bytes[range]), Placeholder(token) == nil
        else { return nil }
        return range
    }

    /// A private key in PEM format (RFC 7468), with real or escaped line breaks.
    @Sendable private static func privateKey(
        in bytes: UnsafeRawBufferPointer,
        at place: Int,
        _ memory: inout RunMemory
    ) -> Range<Int>? {
        let labelEnd = labelCharacters.end(in: bytes, from: place + 11, atMost: 60)
        let label = String(decoding: bytes[place + 11..<labelEnd], as: UTF8.self)
        guard label.hasSuffix("PRIVATE KEY") || label.hasSuffix("PRIVATE KEY BLOCK") else { return nil }
        let start = ByteSet.hyphen.end(in: bytes, from: labelEnd, atMost: 16)
        // A key contains no other line of hyphens, so each byte is searched only once.
        let content = bytes[start..<lineOfHyphens(in: bytes, from: start, atMost: 16_384)]
        // Documentation shows the header without a key.
        let digits = content.prefix(400).filter(Base64Alphabet.isDigit)
        guard digits.count >= 40, CredentialText.hasDigitAndLetter(digits), !CredentialText.isDummy(digits),
            content.prefix(40).allSatisfy({ $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ".") })
        else { return nil }
        return place..<content.endIndex
    }

    private static let labelCharacters = ByteSet("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ")

    /// The start of the next five hyphens, or the end of the text.
    private static func lineOfHyphens(in bytes: UnsafeRawBufferPointer, from start: Int, atMost count: Int)
        -> Int
    {
        var hyphens = 0
        for index in start..<min(start + count, bytes.count) {
            hyphens = bytes[index] == UInt8(ascii: "-") ? hyphens + 1 : 0
            if hyphens == 5 { return index - 4 }
        }
        return min(start + count, bytes.count)
    }

    /// The token of a Telegram bot, including the number before the colon.
    @Sendable private static func telegramToken(
        in bytes: UnsafeRawBufferPointer,
        at place: Int,
        _ memory: inout RunMemory
    ) -> Range<Int>? {
        let start = ByteSet.digits.start(in: bytes, before: place, atMost: 11)
        let end = ByteSet.wordOrHyphen.end(in: bytes, from: place + 1, atMost: 36)
        guard (8...10).contains(place - start), end - place == 36,
            !CredentialText.isDummy(bytes[place..<end])
        else { return nil }
        return start..<end
    }

    /// The password before the host of a URL (RFC 3986 section 3.2.1).
    @Sendable private static func urlPassword(
        in bytes: UnsafeRawBufferPointer,
        at place: Int,
        _ memory: inout RunMemory
    ) -> Range<Int>? {
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
    @Sendable private static func basic(
        in bytes: UnsafeRawBufferPointer,
        at place: Int,
        _ memory: inout RunMemory
    ) -> Range<Int>? {
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
    @Sendable private static func bearer(
        in bytes: UnsafeRawBufferPointer,
        at place: Int,
        _ memory: inout RunMemory
    ) -> Range<Int>? {
        let start = place + 7
        let end = ByteSet.token.end(in: bytes, from: start, atMost: 8_192)
        let token = bytes[start..<end]
        guard CredentialText.beginsWord(in: bytes, at: place), CredentialText.isRandom(token),
            Placeholder.placeholders(in: String(decoding: token, as: UTF8.self)).isEmpty
        else { return nil }
        return start..<end
    }
}
