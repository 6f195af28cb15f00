/// Copies the content of a string while escaping what has to be escaped.
struct JSONEscapeEncoder {
    private let output: UnsafeMutableRawBufferPointer
    /// The number of bytes written.
    private(set) var count = 0

    /// The number of bytes that are encoded in one go.
    static var longest: Int { 1024 }
    /// The room they need where each becomes `\u0000`, and eight bytes are written at once.
    static var room: Int { 6 * longest + 8 }

    init(_ output: UnsafeMutableRawBufferPointer) {
        self.output = output
    }

    /// Adds some bytes, no more than ``longest``.
    mutating func encode(_ content: UnsafeRawBufferPointer) {
        var index = 0
        while index < content.count {
            if index &+ 8 <= content.count {
                // What is copied beyond a stop is written over.
                let word = UInt64(littleEndian: content.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                output.storeBytes(of: word.littleEndian, toByteOffset: count, as: UInt64.self)
                let stops = JSONPlainRun.stops(in: word)
                let length = stops == 0 ? 8 : stops.trailingZeroBitCount >> 3
                index &+= length
                count &+= length
                if stops == 0 { continue }
            }
            add(content[index])
            index &+= 1
        }
    }

    @inline(__always)
    private mutating func add(_ byte: UInt8) {
        if let letter = JSONEscapes.letter(forByte: byte) {
            put(JSONByte.backslash)
            put(letter)
        } else if byte < JSONByte.space {
            for byte in "\\u00".utf8 { put(byte) }
            put(byte < 0x10 ? JSONByte.zero : JSONByte.zero + 1)
            put(Hexadecimal.lowercaseDigits[Int(byte & 15)])
        } else {
            put(byte)
        }
    }

    @inline(__always)
    private mutating func put(_ byte: UInt8) {
        output[count] = byte
        count &+= 1
    }
}
