import Foundation

/// Judges by its characters whether a text is a credential.
enum CredentialText {
    /// Whether no word goes on before an index, where escapes are no part of a word.
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

    /// Whether no word goes on at an index.
    static func endsWord(in bytes: UnsafeRawBufferPointer, at index: Int) -> Bool {
        index >= bytes.count || !ByteSet.word.contains(bytes[index])
    }

    /// Whether a text is one that manuals show.
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

    /// Whether a text of some length has the disorder of one that a machine drew.
    static func isRandom(_ text: some Collection<UInt8>) -> Bool {
        guard text.count >= 20, hasDigitAndLetter(text), !isDummy(text), !isUUID(text) else { return false }
        let isHexadecimal = text.allSatisfy(Hexadecimal.isDigitOfEitherCase)
        guard !isHexadecimal || text.count >= 32, changes(in: text) >= 0.2 else { return false }
        return entropy(of: text) >= (isHexadecimal ? 3 : 3.5)
    }

    /// Shannon's entropy in bits for each character.
    static func entropy(of text: some Collection<UInt8>) -> Double {
        var counts: [UInt8: Int] = [:]
        for byte in text { counts[byte, default: 0] += 1 }
        return counts.values.reduce(0) { sum, count in
            let share = Double(count) / Double(text.count)
            return sum - share * log2(share)
        }
    }

    /// How often one kind of character follows another, for each character.
    ///
    /// It is seldom in names and in words joined by signs, whose capitals before small letters do not count.
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

    private static func isUUID(_ text: some Collection<UInt8>) -> Bool {
        text.count == 36 && UUID(uuidString: String(decoding: text, as: UTF8.self)) != nil
    }

    /// Whether bytes are printable characters of ASCII.
    static func isASCII(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.allSatisfy { $0 < 0x7F } && isPrintable(bytes)
    }

    /// Whether bytes are text that a person could read.
    static func isPrintable(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
            && Array(bytes).withUnsafeBytes(WellFormedUTF8.isAll)
    }
}
