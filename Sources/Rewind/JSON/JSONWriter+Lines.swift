extension JSONWriter {
    /// Writes a value without a line break.
    mutating func writeOnOneLine(_ value: JSON) {
        switch value {
        case .null: write("null")
        case .bool(true): write("true")
        case .bool(false): write("false")
        case .number(let number): writePlain(number.literal)
        case .string(let string): writeString(string)
        case .array(let elements):
            write("[")
            for (index, element) in elements.enumerated() {
                if index > 0 { write(", ") }
                writeOnOneLine(element)
            }
            write("]")
        case .object(let object):
            for (index, member) in object.members.enumerated() {
                if index > 0 { write(", ") } else { write("{ ") }
                writeMemberName(member.name)
                writeOnOneLine(member.value)
            }
            if object.members.isEmpty { write("{}") } else { write(" }") }
        }
    }

    private mutating func writePlain(_ text: String) {
        text.withBytes { write(UnsafeRawBufferPointer($0)) }
    }

    /// Writes the name of a member and what stands between it and the value.
    mutating func writeMemberName(_ name: String) {
        writeString(name)
        write(": ")
    }

    /// Writes a string in quotes; only quotes, backslashes and control characters are escaped.
    mutating func writeString(_ string: String) {
        string.withBytes { writeString(UnsafeRawBufferPointer($0)) }
    }

    /// Writes a string that is given in UTF-8.
    mutating func writeString(_ content: UnsafeRawBufferPointer) {
        write("\"")
        var position = JSONPlainRun(in: content, from: 0).end
        write(UnsafeRawBufferPointer(rebasing: content[..<position]))
        while position < content.count {
            let end = min(content.count, position + JSONEscapeEncoder.longest)
            write(atMost: JSONEscapeEncoder.room) { output in
                var encoder = JSONEscapeEncoder(output)
                encoder.encode(UnsafeRawBufferPointer(rebasing: content[position..<end]))
                return encoder.count
            }
            position = end
        }
        write("\"")
    }
}
