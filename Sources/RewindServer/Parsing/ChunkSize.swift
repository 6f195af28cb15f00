/// The line that begins a chunk (RFC 9112 section 7.1).
struct ChunkSize: Hashable, Sendable {
    /// The most digits a size can have without its extensions.
    static let digits = 16

    /// The number of bytes that follow; `nil` if it is beyond every limit.
    let bytes: Int?

    /// Reads the size and checks the syntax of the extensions, whose meaning is unknown and thus ignored.
    init(parsing line: ArraySlice<UInt8>) throws(HTTPRefusal) {
        let size = line.prefix { $0.isHexadecimalDigit }
        guard !size.isEmpty else { throw .malformedChunkSize }
        bytes = Int(String(decoding: size, as: UTF8.self), radix: 16)

        var rest = line[size.endIndex...]
        while !rest.isEmpty {
            guard rest.dropExtension() else { throw .malformedChunkSize }
        }
    }
}

extension UInt8 {
    fileprivate var isHexadecimalDigit: Bool {
        isDigit || (0x41...0x46).contains(self) || (0x61...0x66).contains(self)
    }
}

extension ArraySlice<UInt8> {
    /// Drops one extension: a semicolon, a name, and an optional value (RFC 9112 section 7.1.1).
    fileprivate mutating func dropExtension() -> Bool {
        dropWhitespace()
        guard popFirst() == UInt8(ascii: ";") else { return false }
        dropWhitespace()
        guard dropToken() else { return false }

        let afterName = self
        dropWhitespace()
        guard first == UInt8(ascii: "=") else {
            self = afterName
            return true
        }
        removeFirst()
        dropWhitespace()
        return first == UInt8(ascii: "\"") ? dropQuotedString() : dropToken()
    }

    private mutating func dropWhitespace() {
        self = drop { $0.isOptionalWhitespace }
    }

    private mutating func dropToken() -> Bool {
        let token = prefix { $0.isTokenCharacter }
        self = self[token.endIndex...]
        return !token.isEmpty
    }

    /// Drops a quoted string, in which a backslash takes the meaning from a quote (RFC 9110 section 5.6.4).
    private mutating func dropQuotedString() -> Bool {
        removeFirst()
        while let octet = popFirst() {
            if octet == UInt8(ascii: "\"") { return true }
            let content = octet == UInt8(ascii: "\\") ? popFirst() : octet
            guard content?.isFieldContent == true else { return false }
        }
        return false
    }
}
