import Foundation

/// The JSON files of Vinyl: an array of interactions, mostly written by hand. Vinyl compares method and URL:
/// `matching = [.method, .url]`.
package enum VinylFormat: CassetteReader {
    package static let name = "Vinyl"

    /// An array of objects with a `response` or a `request`.
    package static func recognizes(_ data: Data) -> Bool {
        guard FormatDetector.begins(with: "[", data), !VCRPyFormat.recognizes(data) else { return false }
        let text = TrailingCommas.removed(from: data)
        return FormatDetector.firstMember(of: ["response", "request"], at: [.firstElement], in: text) != nil
    }

    package static func read(_ data: Data) throws -> Cassette {
        try DVRReader(isVinyl: true).cassette(data, at: [])
    }
}

/// Commas after the last element of a JSON array or object. RFC 8259 forbids them, but Foundation's parser, with which DVR
/// and Vinyl read their files, accepts them.
enum TrailingCommas {
    /// Replaces them with spaces, so that the offsets of other bytes do not change.
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
            case JSONByte.closeBrace, JSONByte.closeBracket: if let comma { bytes[comma] = JSONByte.space }
            case JSONByte.quote: isQuoted = true
            default: break
            }
            comma = byte == JSONByte.comma ? position : nil
        }
        return Data(bytes)
    }
}
