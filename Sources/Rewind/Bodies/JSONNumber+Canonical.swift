extension JSONNumber {
    /// A spelling that two numbers share exactly when they have the same decimal value.
    ///
    /// It has a sign, the digits without zeros at either end, and an exponent: `12`, `-5e-1`, `1e2`. Nothing is
    /// rounded, and an exponent of any length is taken as it is.
    package var canonicalSpelling: String {
        var mantissa = literal.utf8[...]
        var exponent: Substring.UTF8View = "0"[...].utf8
        if let mark = mantissa.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
            exponent = mantissa[mantissa.index(after: mark)...]
            mantissa = mantissa[..<mark]
        }
        let isNegative = mantissa.first == JSONByte.minus
        var digits = mantissa.filter(Self.isDigit)
        let point = mantissa.firstIndex(of: UInt8(ascii: "."))
        let fractionCount = point.map { mantissa[$0...].count - 1 } ?? 0
        let trailingZeros = digits.reversed().prefix { $0 == JSONByte.zero }.count
        digits.removeLast(trailingZeros)
        digits.removeFirst(digits.prefix { $0 == JSONByte.zero }.count)
        guard !digits.isEmpty else { return "0" }
        let power = Self.sum(exponent, trailingZeros - fractionCount)
        let sign = isNegative ? "-" : ""
        return sign + String(decoding: digits, as: UTF8.self) + (power == "0" ? "" : "e" + power)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        JSONByte.zero...JSONByte.nine ~= byte
    }

    /// Adds the length of a spelling to a number that may be larger than `Int` can hold.
    private static func sum(_ spelled: Substring.UTF8View, _ addend: Int) -> String {
        let isNegative = spelled.first == JSONByte.minus
        var digits = Array(spelled.filter(isDigit).drop { $0 == JSONByte.zero })
        if digits.count <= 17 {
            let magnitude = Int(String(decoding: digits, as: UTF8.self)) ?? 0
            return String((isNegative ? -magnitude : magnitude) + addend)
        }
        // A number this long keeps its sign, as no spelling is long enough to change it.
        var carry = isNegative ? -addend : addend
        for index in digits.indices.reversed() where carry != 0 {
            let sum = Int(digits[index] - JSONByte.zero) + carry
            let digit = ((sum % 10) + 10) % 10
            digits[index] = JSONByte.zero + UInt8(digit)
            carry = (sum - digit) / 10
        }
        let high = carry > 0 ? String(carry) : ""
        let low = digits.drop { high.isEmpty && $0 == JSONByte.zero }
        return (isNegative ? "-" : "") + high + String(decoding: low, as: UTF8.self)
    }
}
