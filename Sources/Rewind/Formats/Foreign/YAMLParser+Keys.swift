extension YAMLParser {
    /// Reads a key and its colon; `nil`, with the place somewhere after it, where there is none on the line.
    mutating func key() throws -> String? {
        let line = text.line
        let key: String
        switch text.next {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            key = try quoted()
            text.skipSpaces()
        case UInt8(ascii: "?") where text.isBlank(after: 1):
            throw text.error("keys that are no text are not read")
        case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: ">"): return nil
        default:
            var length = 0
            while !isColon(after: length) {
                guard !text.endsLine(after: length), !isComment(after: length) else { return nil }
                length += 1
            }
            try checkStart()
            key = String(decoding: text.take(length), as: UTF8.self).trimmingSpaces()
        }
        guard text.line == line, isColon(after: 0) else { return nil }
        text.skip()
        return key
    }

    /// Whether a colon that ends a key stands some way ahead.
    func isColon(after distance: Int) -> Bool {
        text.byte(after: distance) == JSONByte.colon && text.isBlank(after: distance + 1)
    }

    /// Whether a comment begins some way ahead.
    func isComment(after distance: Int) -> Bool {
        text.byte(after: distance) == UInt8(ascii: "#")
            && (distance == 0 || [JSONByte.space, JSONByte.tab].contains(text.byte(after: distance - 1)))
    }

    /// Refuses characters with which text without quotes may not begin.
    func checkStart() throws {
        switch text.next {
        case UInt8(ascii: "&"), UInt8(ascii: "*"):
            throw text.error("anchors and aliases are not read; write the value out where it is used")
        case UInt8(ascii: "!"): throw text.error("a key may not have a tag")
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "%"), UInt8(ascii: "@"),
            UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: ">"):
            throw text.error("text that begins so needs quotes")
        case UInt8(ascii: "-"), UInt8(ascii: "?"), JSONByte.colon:
            if text.isBlank(after: 1) { throw text.error("expected a value") }
        default: break
        }
    }

    /// Reads a tag; `nil` where there is none.
    mutating func tag() throws -> YAMLNode.Style? {
        guard text.next == UInt8(ascii: "!") else { return nil }
        var length = 1
        while !text.isBlank(after: length), length < 100 { length += 1 }
        let start = text
        let tag = String(decoding: text.take(length), as: UTF8.self)
        text.skipSpaces()
        switch tag {
        // Psych 1.3 put `!` before every text in quotes.
        case "!", "!!str", "!<tag:yaml.org,2002:str>": return .text
        case "!!binary", "!binary", "!<tag:yaml.org,2002:binary>": return .binary
        default:
            throw start.error(
                "the tag `\(tag)` is not read, as tags can ask for any object; only `!!binary` is"
            )
        }
    }
}
