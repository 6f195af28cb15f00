import Foundation

/// Commas after the last element or member, which RFC 8259 forbids.
enum TrailingCommas {
    /// The text with spaces in the place of such commas, so that every other byte stays where it was.
    static func removed(from data: Data) -> Data {
        var bytes = [UInt8](data)
        var comma: Int?
        var isQuoted = false
        var isEscaped = false
        for (position, byte) in bytes.enumerated() {
            if isQuoted {
                if byte == JSONByte.quote, !isEscaped { isQuoted = false }
                isEscaped = byte == JSONByte.backslash && !isEscaped
                continue
            }
            switch byte {
            case JSONByte.space, JSONByte.tab, JSONByte.lineFeed, JSONByte.carriageReturn: continue
            case JSONByte.closeBrace, JSONByte.closeBracket:
                if let comma { bytes[comma] = JSONByte.space }
            case JSONByte.quote: isQuoted = true
            default: break
            }
            comma = byte == JSONByte.comma ? position : nil
        }
        return Data(bytes)
    }
}
