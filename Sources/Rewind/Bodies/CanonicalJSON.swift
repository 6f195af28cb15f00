extension JSON {
    /// A text that is equal for two values if and only if they are structurally equal. The order of members and the
    /// spelling of numbers do not matter; strings are compared scalar by scalar. The text is ASCII, so that comparing it
    /// does not involve canonical equivalence.
    /// - Parameter unorderedArrays: Whether to ignore the order of array elements as well; `false` by default.
    /// - Returns: The text, or `nil` if an object has two members of the same name, because its meaning is ambiguous.
    package func canonicalText(unorderedArrays: Bool = false) -> String? {
        var writer = CanonicalWriter(unorderedArrays: unorderedArrays)
        guard writer.write(self) else { return nil }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

private struct CanonicalWriter {
    let unorderedArrays: Bool
    private(set) var bytes: [UInt8] = []

    init(unorderedArrays: Bool) { self.unorderedArrays = unorderedArrays }

    /// Writes a value, or returns `false` if an object has duplicate names. Recursion is as deep as the value.
    mutating func write(_ value: JSON) -> Bool {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let number): bytes += number.canonicalSpelling.utf8
        case .string(let string): writeString(string)
        case .array(let elements): return writeArray(elements)
        case .object(let object): return writeObject(object)
        }
        return true
    }

    private mutating func writeArray(_ elements: [JSON]) -> Bool {
        guard unorderedArrays else { return writeList(elements, between: "[]") { $0.write($1) } }
        var texts: [[UInt8]] = []
        for element in elements {
            var writer = CanonicalWriter(unorderedArrays: true)
            guard writer.write(element) else { return false }
            texts.append(writer.bytes)
        }
        texts.sort { $0.lexicographicallyPrecedes($1) }
        return writeList(texts, between: "[]") { writer, text in
            writer.bytes += text
            return true
        }
    }

    private mutating func writeObject(_ object: JSONObject) -> Bool {
        let members = object.members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        for (left, right) in zip(members, members.dropFirst())
        where left.name.utf8.elementsEqual(right.name.utf8) {
            return false
        }
        return writeList(members, between: "{}") { writer, member in
            writer.writeString(member.name)
            writer.bytes.append(JSONByte.colon)
            return writer.write(member.value)
        }
    }

    private mutating func writeList<Item>(
        _ items: [Item],
        between brackets: StaticString,
        writing write: (inout Self, Item) -> Bool
    ) -> Bool {
        bytes.append(brackets.utf8Start[0])
        for (index, item) in items.enumerated() {
            if index > 0 { bytes.append(JSONByte.comma) }
            guard write(&self, item) else { return false }
        }
        bytes.append(brackets.utf8Start[1])
        return true
    }

    private mutating func writeString(_ string: String) {
        bytes.append(JSONByte.quote)
        for unit in string.utf16 {
            switch unit {
            case 0x22, 0x5C: bytes += [JSONByte.backslash, UInt8(unit)]
            case 0x20..<0x7F: bytes.append(UInt8(unit))
            default: writeEscape(of: unit)
            }
        }
        bytes.append(JSONByte.quote)
    }

    private mutating func writeEscape(of unit: UInt16) {
        bytes += [JSONByte.backslash, UInt8(ascii: "u")]
        for shift: UInt16 in [12, 8, 4, 0] {
            bytes.append(Hexadecimal.lowercaseDigits[Int(unit >> shift & 15)])
        }
    }
}

extension JSONNumber {
    /// A spelling that is equal for two numbers if and only if they have the same decimal value: a sign, digits without
    /// zeros at either end, and an exponent, as in `12`, `-5e-1` and `1e2`. Nothing is rounded.
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

    private static func isDigit(_ byte: UInt8) -> Bool { JSONByte.zero...JSONByte.nine ~= byte }

    /// Adds to a number in decimal digits that may be too large for `Int`.
    private static func sum(_ spelled: Substring.UTF8View, _ addend: Int) -> String {
        let isNegative = spelled.first == JSONByte.minus
        var digits = Array(spelled.filter(isDigit).drop { $0 == JSONByte.zero })
        if digits.count <= 17 {
            let magnitude = Int(String(decoding: digits, as: UTF8.self)) ?? 0
            return String((isNegative ? -magnitude : magnitude) + addend)
        }
        // The sign of a number this long does not change, because the addend is too small.
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
