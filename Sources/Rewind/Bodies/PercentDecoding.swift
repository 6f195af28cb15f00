/// The reading of percent-encoded text (RFC 3986 section 2.1).
package enum PercentDecoding {
    /// The text with every triplet decoded, or `nil` where a triplet is broken or the result is not UTF-8.
    package static func decoded(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
        let isPlain = !text.utf8.contains { $0 == UInt8(ascii: "%") || plusIsSpace && $0 == UInt8(ascii: "+") }
        if isPlain { return String(text) }
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.next().flatMap(Hexadecimal.value),
                    let low = rest.next().flatMap(Hexadecimal.value)
                else { return nil }
                result.append(high << 4 | low)
            } else {
                result.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(wellFormed: result)
    }
}
