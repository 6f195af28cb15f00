import Foundation

extension Body {
    /// Bytes in the place of a response's body that no parser takes, as many and in the same pieces.
    ///
    /// They are of those that UTF-8 never has, so that they are no text, JSON or XML, and of no other format's
    /// beginning. An empty body gets some too, where a response of its status has one (RFC 9110 section 6.4.1).
    static func malformed(like response: Response, seed: UInt64) -> Body {
        var count = response.body.count
        if count == 0, response.status >= 200, ![204, 205, 304].contains(response.status) { count = 64 }
        var generator = SeededGenerator(seed: seed)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count { bytes.append(0xF8 | UInt8(generator.next() >> 62)) }
        return Body(Data(bytes), chunks: response.body.chunks)
    }
}
