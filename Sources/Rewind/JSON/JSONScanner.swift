/// Goes through JSON text, checks its grammar and makes no value of it.
///
/// It accepts what ``JSONParser`` accepts and nothing else. Of a text that it refuses it knows only that something is
/// wrong: the parser, which reads such a text once more, tells what and where.
struct JSONScanner {
    /// The text is not one that can be gone through.
    struct Refusal: Error {}

    let bytes: UnsafeRawBufferPointer
    private let maximumDepth: Int
    /// The offset of the next byte to be read.
    var position: Int

    /// Begins at an offset of a text that spans can reach all of.
    init(_ bytes: UnsafeRawBufferPointer, at position: Int = 0, limits: JSONLimits = .default) throws(Refusal) {
        guard bytes.count <= JSONSpan.limit else { throw Refusal() }
        self.bytes = bytes
        self.position = position
        maximumDepth = limits.maximumDepth
    }

    /// The next byte, or 0 at the end of the text, which begins nothing.
    @inline(__always) var next: UInt8 {
        position < bytes.count ? bytes[position] : 0
    }

    /// Skips a byte, or refuses the text where another stands.
    @inline(__always)
    mutating func skip(_ byte: UInt8) throws(Refusal) {
        guard next == byte else { throw Refusal() }
        position &+= 1
    }

    /// Skips a value of any kind, around which so many arrays and objects stand.
    mutating func value(depth: Int) throws(Refusal) {
        switch next {
        case JSONByte.quote: _ = try string()
        case JSONByte.openBrace:
            guard try beginObject(depth: depth) else { return }
            repeat {
                _ = try name()
                try value(depth: depth + 1)
            } while try hasMore(before: JSONByte.closeBrace)
        case JSONByte.openBracket:
            guard try beginArray(depth: depth) else { return }
            repeat { try value(depth: depth + 1) } while try hasMore(before: JSONByte.closeBracket)
        case JSONByte.minus, JSONByte.zero...JSONByte.nine: _ = try number()
        case UInt8(ascii: "t"): try skip("true")
        case UInt8(ascii: "f"): try skip("false")
        default: try skip("null")
        }
    }

    // MARK: Arrays and objects

    /// Whether an object begins here.
    var isObject: Bool { next == JSONByte.openBrace }
    /// Whether an array begins here.
    var isArray: Bool { next == JSONByte.openBracket }

    /// Goes to the first member of an object at a depth, or returns `false` after an empty one.
    @inline(__always)
    mutating func beginObject(depth: Int) throws(Refusal) -> Bool {
        try begin(JSONByte.openBrace, JSONByte.closeBrace, depth)
    }

    /// Goes to the first element of an array at a depth, or returns `false` after an empty one.
    @inline(__always)
    mutating func beginArray(depth: Int) throws(Refusal) -> Bool {
        try begin(JSONByte.openBracket, JSONByte.closeBracket, depth)
    }

    private mutating func begin(_ open: UInt8, _ close: UInt8, _ depth: Int) throws(Refusal) -> Bool {
        guard depth < maximumDepth else { throw Refusal() }
        try skip(open)
        skipWhiteSpace()
        guard next == close else { return true }
        position &+= 1
        return false
    }

    /// Goes from the name of a member to its value.
    @inline(__always)
    mutating func name() throws(Refusal) -> JSONSpan {
        let name = try string()
        skipWhiteSpace()
        try skip(JSONByte.colon)
        skipWhiteSpace()
        return name
    }

    /// Goes from one element or member to the next, or returns `false` after the bracket that follows the last one.
    @inline(__always)
    mutating func hasMore(before end: UInt8) throws(Refusal) -> Bool {
        skipWhiteSpace()
        let byte = next
        guard byte == JSONByte.comma || byte == end else { throw Refusal() }
        position &+= 1
        guard byte == JSONByte.comma else { return false }
        skipWhiteSpace()
        return true
    }
}
