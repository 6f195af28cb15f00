/// The runs of base64 in a text that decode to text themselves.
struct Base64Text: Sequence, IteratorProtocol {
    /// A run with what it decodes to.
    struct Run {
        let range: Range<Int>
        let decoded: [UInt8]
    }

    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    mutating func next() -> Run? {
        while let range = nextRange() {
            // Pictures are known by their first bytes.
            guard let start = Base64Alphabet.decoded(bytes[range].prefix(32)), CredentialText.isASCII(start),
                let decoded = Base64Alphabet.decoded(bytes[range]), CredentialText.isPrintable(decoded)
            else { continue }
            return Run(range: range, decoded: decoded)
        }
        return nil
    }

    private static var shortest: Int { 40 }

    /// Looks at the last byte that a run must reach, and so passes over most of a text.
    private mutating func nextRange() -> Range<Int>? {
        while position + Self.shortest <= bytes.count {
            let end = position + Self.shortest
            var start = end
            while start > position, Base64Alphabet.isDigit(bytes[start - 1]) { start -= 1 }
            guard start == position else {
                position = start
                continue
            }
            position = Base64Alphabet.endOfDigits(in: bytes, from: end)
            return start..<position
        }
        return nil
    }
}
