extension JSON {
    /// A text that two values share exactly when they are the same by structure.
    ///
    /// The order of members and the spelling of numbers are free; strings are the same only scalar by scalar.
    /// The text is JSON in ASCII, so that comparing it never meets Unicode equivalence.
    /// - Parameter unorderedArrays: Whether the order of elements is free too.
    /// - Returns: The text, or `nil` where an object has two members of one name, as their meaning is open.
    package func canonicalText(unorderedArrays: Bool = false) -> String? {
        var writer = CanonicalWriter(unorderedArrays: unorderedArrays)
        guard writer.write(self) else { return nil }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// Writes values so that those that are the same become the same bytes.
private struct CanonicalWriter {
    let unorderedArrays: Bool
    private(set) var bytes: [UInt8] = []

    init(unorderedArrays: Bool) {
        self.unorderedArrays = unorderedArrays
    }

    /// Writes a value, or returns `false` where it has duplicate names; recursion is as deep as the value.
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
        guard unorderedArrays else {
            return writeList(elements, between: "[]") { $0.write($1) }
        }
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
