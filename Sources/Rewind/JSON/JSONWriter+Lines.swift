extension JSONWriter {
    /// Writes a value without a line break.
    mutating func writeOnOneLine(_ value: JSON) {
        switch value {
        case .null: write("null".utf8)
        case .bool(let value): write((value ? "true" : "false").utf8)
        case .number(let number): write(number.literal.utf8)
        case .string(let string): writeString(string)
        case .array(let elements):
            write("[".utf8)
            for (index, element) in elements.enumerated() {
                if index > 0 { write(", ".utf8) }
                writeOnOneLine(element)
            }
            write("]".utf8)
        case .object(let object):
            for (index, member) in object.members.enumerated() {
                write((index > 0 ? ", " : "{ ").utf8)
                writeMemberName(member.name)
                writeOnOneLine(member.value)
            }
            write((object.members.isEmpty ? "{}" : " }").utf8)
        }
    }

    /// Writes the name of a member and what stands between it and the value.
    mutating func writeMemberName(_ name: String) {
        writeString(name)
        write(": ".utf8)
    }

    /// Writes a string in quotes; only quotes, backslashes and control characters are escaped.
    private mutating func writeString(_ string: String) {
        var string = string
        write(CollectionOfOne(JSONByte.quote))
        string.withUTF8 { content in
            let content = UnsafeRawBufferPointer(content)
            var position = 0
            while true {
                let run = JSONPlainRun(in: content, from: position)
                write(UnsafeRawBufferPointer(rebasing: content[position..<run.end]))
                guard run.end < content.count else { break }
                writeEscape(of: content[run.end])
                position = run.end + 1
            }
        }
        write(CollectionOfOne(JSONByte.quote))
    }

    private mutating func writeEscape(of byte: UInt8) {
        write(CollectionOfOne(JSONByte.backslash))
        if let letter = JSONEscapes.letter(forByte: byte) {
            write(CollectionOfOne(letter))
        } else {
            write((byte < 0x10 ? "u000" : "u00").utf8)
            write(String(byte, radix: 16).utf8)
        }
    }
}
