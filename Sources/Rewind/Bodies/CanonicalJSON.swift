import Foundation

extension JSON {
    /// A text that is equal for two values if and only if they are structurally equal. The order of members and the
    /// spelling of numbers do not matter; strings are compared scalar by scalar. The text is ASCII, so that comparing it
    /// does not involve canonical equivalence.
    /// - Parameter unorderedArrays: Whether to ignore the order of array elements as well; `false` by default.
    /// - Returns: The text, or `nil` if an object has two members of the same name, because its meaning is ambiguous.
    package func canonicalText(unorderedArrays: Bool = false) -> String? {
        var writer = CanonicalWriter(unorderedArrays: unorderedArrays)
        guard writer.write(self) else { return nil }
        return writer.bytes().withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}

private struct CanonicalWriter: ~Copyable {
    let unorderedArrays: Bool
    private var text = TextBuffer()

    init(unorderedArrays: Bool) { self.unorderedArrays = unorderedArrays }

    consuming func bytes() -> Data { text.data() }

    /// Writes a value, or returns `false` if an object has duplicate names. Recursion is as deep as the value.
    mutating func write(_ value: JSON) -> Bool {
        switch value {
        case .null: text.append("null")
        case .bool(let value): text.append(value ? "true" : "false")
        case .number(let number): text.append(number.canonicalSpelling)
        case .string(let string): writeString(string)
        case .array(let elements): return writeArray(elements)
        case .object(let object): return writeObject(object)
        }
        return true
    }

    private mutating func writeArray(_ elements: [JSON]) -> Bool {
        var texts: [Data] = []
        text.append(0x5B)
        for index in elements.indices {
            if unorderedArrays {
                var writer = CanonicalWriter(unorderedArrays: true)
                guard writer.write(elements[index]) else { return false }
                texts.append(writer.bytes())
            } else {
                if index > 0 { text.append(0x2C) }
                guard write(elements[index]) else { return false }
            }
        }
        texts.sort { $0.lexicographicallyPrecedes($1) }
        for index in texts.indices {
            if index > 0 { text.append(0x2C) }
            texts[index].withUnsafeBytes { text.append(contentsOf: $0) }
        }
        text.append(0x5D)
        return true
    }

    private mutating func writeObject(_ object: JSONObject) -> Bool {
        var members = object.members
        if !Self.areInOrder(members) {
            members.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
            guard Self.areInOrder(members) else { return false }
        }
        text.append(0x7B)
        for index in members.indices {
            if index > 0 { text.append(0x2C) }
            writeString(members[index].name)
            text.append(0x3A)
            guard write(members[index].value) else { return false }
        }
        text.append(0x7D)
        return true
    }

    /// Whether the names are in the order of their bytes, and none is there twice.
    private static func areInOrder(_ members: [JSONObject.Member]) -> Bool {
        var index = 1
        while index < members.count {
            guard members[index - 1].name.precedes(members[index].name) else { return false }
            index += 1
        }
        return true
    }

    private mutating func writeString(_ string: String) {
        text.append(0x22)
        let isPlain = string.withBytes { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            let run = JSONPlainRun(in: bytes, from: 0)
            guard run.end == bytes.count, run.isASCII, bytes.firstIndex(ofByte: 0x7F, from: 0) == nil else {
                return false
            }
            text.append(contentsOf: bytes)
            return true
        }
        if !isPlain { writeEscaped(string) }
        text.append(0x22)
    }

    private mutating func writeEscaped(_ string: String) {
        for unit in string.utf16 {
            switch unit {
            case 0x22, 0x5C:
                text.append(JSONByte.backslash)
                text.append(UInt8(unit))
            case 0x20..<0x7F: text.append(UInt8(unit))
            default: writeEscape(of: unit)
            }
        }
    }

    private mutating func writeEscape(of unit: UInt16) {
        text.append(JSONByte.backslash)
        text.append(UInt8(ascii: "u"))
        for shift: UInt16 in [12, 8, 4, 0] {
            text.append(Hexadecimal.lowercaseDigits[Int(unit >> shift & 15)])
        }
    }
}

extension String {
    /// Whether the text comes before another one in the order of their bytes.
    fileprivate func precedes(_ other: String) -> Bool {
        withBytes { left in
            other.withBytes { right in
                guard let first = left.baseAddress, let second = right.baseAddress else {
                    return left.count < right.count
                }
                let order = memcmp(first, second, left.count < right.count ? left.count : right.count)
                return order < 0 || order == 0 && left.count < right.count
            }
        }
    }
}

extension JSONNumber {
    /// A spelling that is equal for two numbers if and only if they have the same decimal value: a sign, digits without
    /// zeros at either end, and an exponent, as in `12`, `-5e-1` and `1e2`. Nothing is rounded.
    package var canonicalSpelling: String { isCanonicalInteger ? literal : normalizedSpelling }

    /// Whether the literal has digits only, without zeros at either end, as most numbers.
    private var isCanonicalInteger: Bool {
        literal.withBytes { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            guard !bytes.isEmpty, bytes[0] != JSONByte.zero, bytes[bytes.count - 1] != JSONByte.zero else {
                return false
            }
            return ByteSet.digits.end(in: bytes, from: 0) == bytes.count
        }
    }

    private var normalizedSpelling: String {
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
