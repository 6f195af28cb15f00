/// Tells the names of members that are ids, as in `{"1042": …, "1043": …}`, from those that a programmer chose.
enum IDName {
    /// Whether a name is a number, a UUID, a date or a long run of hexadecimal digits.
    static func isOne(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        return isNumber(bytes) || isUUID(bytes) || isDate(bytes) || isHexadecimal(bytes)
    }

    private static func isNumber(_ bytes: [UInt8]) -> Bool {
        let digits = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes[...]
        return !digits.isEmpty && digits.allSatisfy(isDigit)
    }

    /// RFC 9562 section 4.
    private static func isUUID(_ bytes: [UInt8]) -> Bool {
        let groups = bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12]
            && groups.joined().allSatisfy(Hexadecimal.isDigitOfEitherCase)
    }

    /// A day or a month of ISO 8601, with whatever follows the day.
    private static func isDate(_ bytes: [UInt8]) -> Bool {
        let pattern = Array("0000-00".utf8)
        guard bytes.count >= pattern.count,
            zip(pattern, bytes).allSatisfy({ $0 == UInt8(ascii: "0") ? isDigit($1) : $0 == $1 })
        else { return false }
        let rest = bytes.dropFirst(pattern.count)
        guard !rest.isEmpty else { return true }
        let day = rest.dropFirst().prefix(2)
        return rest.first == UInt8(ascii: "-") && day.count == 2 && day.allSatisfy(isDigit)
            && (rest.count == 3 || rest.dropFirst(3).first.map { " T".utf8.contains($0) } ?? false)
    }

    /// A run without a digit is more likely a word, and a short one too.
    private static func isHexadecimal(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 16 && bytes.allSatisfy(Hexadecimal.isDigitOfEitherCase) && bytes.contains(where: isDigit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
}
