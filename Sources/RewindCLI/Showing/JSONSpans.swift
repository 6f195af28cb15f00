/// The parts of JSON text that are set off from one another where it is shown.
struct JSONSpans {
    /// What a part is.
    enum Kind: Sendable {
        case name, string, number, word
        /// Brackets, commas, colons and white space.
        case mark
    }

    /// The parts in order; together they are the text.
    private(set) var all: [(kind: Kind, text: Substring)] = []

    /// Divides a text, which may be cut off anywhere.
    init(_ text: String) {
        let bytes = text.utf8
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let start = index
            let kind = Self.kind(bytes[index])
            if kind == .string {
                index = Self.endOfString(bytes, from: index)
            } else {
                let isNumber = kind == .number
                let end = bytes[index...].firstIndex { byte in
                    // An exponent begins with a letter.
                    Self.kind(byte) != kind && !(isNumber && byte == UInt8(ascii: "e"))
                }
                index = end ?? bytes.endIndex
            }
            all.append((kind == .string && Self.isName(bytes[index...]) ? .name : kind, text[start..<index]))
        }
    }

    private static func kind(_ byte: UInt8) -> Kind {
        switch byte {
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "E"):
            .number
        case UInt8(ascii: "a")...UInt8(ascii: "z"): .word
        default: .mark
        }
    }

    private static func endOfString(_ bytes: String.UTF8View, from start: String.Index) -> String.Index {
        var isEscaped = false
        var index = bytes.index(after: start)
        while index < bytes.endIndex {
            let byte = bytes[index]
            index = bytes.index(after: index)
            if byte == UInt8(ascii: "\""), !isEscaped { return index }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return index
    }

    private static func isName(_ rest: Substring.UTF8View) -> Bool {
        rest.first { $0 != 0x20 } == UInt8(ascii: ":")
    }
}
