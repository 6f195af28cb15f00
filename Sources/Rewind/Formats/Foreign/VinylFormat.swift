import Foundation

/// The JSON files of Vinyl: an array of interactions, mostly written by hand. Trailing commas are accepted, because
/// Foundation's parser, which Vinyl uses, accepts them. Vinyl compares method and URL: `matching = [.method, .url]`.
package enum VinylFormat: CassetteReader {
    package static let name = "Vinyl"

    /// An array of objects with a `response` or a `request`.
    package static func recognizes(_ data: Data) -> Bool {
        guard FormatDetector.begins(with: "[", data), !VCRPyFormat.recognizes(data) else { return false }
        let text = removingTrailingCommas(from: data)
        return FormatDetector.firstMember(of: ["response", "request"], at: [.firstElement], in: text) != nil
    }

    package static func read(_ data: Data) throws -> Cassette {
        let entries = try JSONEntries(removingTrailingCommas(from: data), at: []).entries
        return Cassette(interactions: try entries.map(DVRReader(isVinyl: true).interaction))
    }

    /// Replaces trailing commas, which RFC 8259 forbids, with spaces, so that the offsets of other bytes do not change.
    private static func removingTrailingCommas(from data: Data) -> Data {
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
