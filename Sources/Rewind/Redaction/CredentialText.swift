import Foundation

/// Tells generated texts from words, examples and identifiers.
enum CredentialText {
    /// Whether a word begins at an index. An escape before it does not belong to the word.
    static func beginsWord(in bytes: UnsafeRawBufferPointer, at index: Int) -> Bool {
        index == 0 || !ByteSet.word.contains(bytes[index - 1]) || isAfterEscape(in: bytes, at: index)
    }

    /// Whether an escape ends at an index, such as `%3D`, `\n` or `\u003d`.
    static func isAfterEscape(in bytes: UnsafeRawBufferPointer, at index: Int) -> Bool {
        func isEscape(_ signs: StaticString, digits: Int) -> Bool {
            let start = index - digits - signs.utf8CodeUnitCount
            guard start >= 0 else { return false }
            return signs.withUTF8Buffer { bytes[start..<index - digits].elementsEqual($0) }
                && bytes[index - digits..<index].allSatisfy(Hexadecimal.isDigitOfEitherCase)
        }
        if index >= 2, bytes[index - 2] == UInt8(ascii: "\\"),
            [UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t")].contains(bytes[index - 1])
        {
            return true
        }
        return isEscape("%", digits: 2) || isEscape("\\u", digits: 4)
    }

    static func endsWord(in bytes: UnsafeRawBufferPointer, at index: Int) -> Bool {
        index >= bytes.count || !ByteSet.word.contains(bytes[index])
    }

    /// Whether a text looks like an example from documentation.
    static func isDummy(_ text: some Collection<UInt8>) -> Bool {
        var kinds = ByteCounts()
        var lowercased: [UInt8] = []
        lowercased.reserveCapacity(text.count)
        for byte in text {
            kinds.add(byte)
            lowercased.append(UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte)
        }
        guard kinds.distinct > 5 else { return true }
        return lowercased.withUnsafeBytes { bytes in
            var position = 0
            while let place = dummies.candidate(in: bytes, from: position) {
                if dummies.first(in: bytes, at: place, { $0 }) != nil { return true }
                position = place + 1
            }
            return false
        }
    }

    private static let dummies = LiteralTable(
        [
            "example", "xxxxx", "placeholder", "redacted", "your_", "your-", "dummy", "00000000",
            "12345678901234",
        ].map { Array($0.utf8) }
    )

    static func hasDigitAndLetter(_ text: some Collection<UInt8>) -> Bool {
        text.contains(where: ByteSet.digits.contains)
            && text.contains { !ByteSet.digits.contains($0) && ByteSet.alphanumerics.contains($0) }
    }

    /// Whether a text after the prefix of a provider looks generated. About one generated text in thirty has no digit, but
    /// then it changes often between upper and lower case.
    static func looksGenerated(_ text: some Collection<UInt8>) -> Bool {
        hasDigitAndLetter(text)
            || text.count >= 16 && text.contains(where: ByteSet.anyLetter.contains)
                && changes(in: text) >= 0.15 && entropy(of: text) >= 3.25
    }

    /// Whether a text looks randomly generated.
    static func isRandom(_ text: some Collection<UInt8>) -> Bool {
        guard text.count >= 20, hasDigitAndLetter(text), !isDummy(text), !isUUID(text), !isAddress(text)
        else { return false }
        let isHexadecimal = text.allSatisfy(Hexadecimal.isDigitOfEitherCase)
        guard !isHexadecimal || text.count >= 32, changes(in: text) >= 0.2 else { return false }
        return entropy(of: text) >= (isHexadecimal ? 3 : 3.5)
    }

    /// The Shannon entropy in bits per character.
    static func entropy(of text: some Collection<UInt8>) -> Double {
        var counts = ByteCounts()
        for byte in text { counts.add(byte) }
        return counts.entropy
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

    /// Whether a text is the address or the hash of something on a block chain.
    private static func isAddress(_ text: some Collection<UInt8>) -> Bool {
        (text.count == 42 || text.count == 66) && text.starts(with: "0x".utf8)
            && text.dropFirst(2).allSatisfy(Hexadecimal.isDigitOfEitherCase)
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

/// How often each byte occurs in a text.
private struct ByteCounts {
    private var counts = [UInt32](repeating: 0, count: 256)
    private var total = 0
    private(set) var distinct = 0

    mutating func add(_ byte: UInt8) {
        if counts[Int(byte)] == 0 { distinct += 1 }
        counts[Int(byte)] += 1
        total += 1
    }

    var entropy: Double {
        counts.reduce(0) { sum, count in
            guard count > 0 else { return sum }
            let share = Double(count) / Double(total)
            return sum - share * log2(share)
        }
    }
}
