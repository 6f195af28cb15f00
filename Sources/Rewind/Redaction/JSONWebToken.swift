import Foundation

/// A token of three parts in base64url, of which the first two are JSON objects (RFC 7519 section 3).
struct JSONWebToken {
    /// The first part, which names an algorithm.
    let header: JSON
    /// The second part, the claims.
    let payload: JSON
    /// The parts as they were written.
    let parts: [[UInt8]]

    /// Reads a whole text as a token.
    init?(_ text: some Collection<UInt8>) {
        let parts = Array(text).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map {
            Array($0)
        }
        guard parts.count == 3, text.count <= Self.longest, !parts[2].isEmpty,
            let header = Self.object(parts[0]), header["alg"]?.stringValue != nil,
            let payload = Self.object(parts[1]), Base64Alphabet.decoded(parts[2]) != nil
        else { return nil }
        (self.header, self.payload, self.parts) = (header, payload, parts)
    }

    /// No server takes header fields of this length.
    static var longest: Int { 65_536 }

    private static func object(_ part: [UInt8]) -> JSON? {
        // Every object begins with a brace and a quote, and thus every part with the same letters.
        guard part.starts(with: Array("eyJ".utf8)), let bytes = Base64Alphabet.decoded(part),
            let json = try? JSON(parsing: Data(bytes)), json.objectValue != nil
        else { return nil }
        return json
    }

    /// The range of a token that begins at an index, as far as its characters reach.
    static func range(in bytes: UnsafeRawBufferPointer, from start: Int) -> Range<Int>? {
        var dots = 0
        var end = start
        while end < bytes.count, end - start < longest {
            if bytes[end] == UInt8(ascii: ".") {
                guard dots < 2 else { break }
                dots += 1
            } else if !isURLDigit(bytes[end]) {
                break
            }
            end += 1
        }
        return dots == 2 ? start..<end : nil
    }

    private static func isURLDigit(_ byte: UInt8) -> Bool {
        Base64Alphabet.isDigit(byte) && byte != UInt8(ascii: "+") && byte != UInt8(ascii: "/")
    }
}
