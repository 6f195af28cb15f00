import Foundation
import Rewind

/// Reads a chunked body and the trailer section after it (RFC 9112 section 7.1).
struct ChunkedContentReader: Sendable {
    private enum Stage {
        case size
        case data(Int)
        case dataEnd
        case trailers
    }

    /// The largest number of digits in the size of a chunk.
    private static let digits = 16

    private let limits: HTTPLimits
    private var stage = Stage.size
    private let content: RequestContent
    private var spareExtensionBytes: Int
    private var trailers: FieldSectionReader

    init(limits: HTTPLimits, content: RequestContent) {
        self.limits = limits
        self.content = content
        // Prevents an overflow if the limit is `Int.max`.
        spareExtensionBytes = min(limits.chunkExtensionBytes, .max - Self.digits)
        trailers = FieldSectionReader(limits: limits)
    }

    /// Returns the trailers; `nil` until the whole body has arrived.
    mutating func read(from received: inout ReceivedBytes) throws(HTTPRefusal) -> HeaderList? {
        while true {
            switch stage {
            case .size:
                guard let size = try readSize(from: &received) else { return nil }
                stage = size == 0 ? .trailers : .data(size)
            case .data(let size):
                let part = received.take(atMost: size)
                if part.isEmpty { return nil }
                try content.append(part)
                stage = part.count < size ? .data(size - part.count) : .dataEnd
            case .dataEnd:
                guard let end = received.take(2) else { return nil }
                guard end.elementsEqual("\r\n".utf8) else { throw .malformedChunkEnd }
                stage = .size
            case .trailers:
                return try trailers.read(from: &received)
            }
        }
    }

    /// Reads the first line of a chunk. Its extensions must be well-formed and are ignored.
    private mutating func readSize(from received: inout ReceivedBytes) throws(HTTPRefusal) -> Int? {
        guard
            let line = try received.takeLine(
                atMost: Self.digits + spareExtensionBytes,
                otherwise: .chunkExtensionsTooLarge(limit: limits.chunkExtensionBytes)
            )
        else { return nil }
        spareExtensionBytes -= max(0, line.count - Self.digits)
        let digits = line.prefix { $0.isHexadecimalDigit }
        guard !digits.isEmpty else { throw .malformedChunkSize }
        var extensions = line[digits.endIndex...]
        while !extensions.isEmpty {
            guard extensions.dropExtension() else { throw .malformedChunkSize }
        }
        guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16),
            size <= limits.contentBytes - content.count
        else { throw .contentTooLarge(limit: limits.contentBytes) }
        return size
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

    private mutating func dropWhitespace() { self = drop { $0.isOptionalWhitespace } }

    private mutating func dropToken() -> Bool {
        let token = prefix { $0.isTokenCharacter }
        self = self[token.endIndex...]
        return !token.isEmpty
    }

    /// Drops a quoted string with backslash escapes (RFC 9110 section 5.6.4).
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
