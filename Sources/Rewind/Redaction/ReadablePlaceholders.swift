import Foundation

extension Interaction.Request {
    /// The URL as people read it: `<accessToken:1>` for a numbered placeholder, also for one in the format of a token, and
    /// `<API_KEY>` for the percent-encoded `%3CAPI_KEY%3E` of a chosen one. It is only for text that nobody requests again.
    package var readableURL: String { Placeholder.readable(inURL: url) }
}

extension Placeholder {
    /// A URL as people read it; see ``Interaction/Request/readableURL``.
    package static func readable(inURL url: String) -> String {
        url.edited { bytes in
            let numbered = PlaceholderSearch(bytes) { placeholder, _, text in
                text.isEncoded ? nil : Array(placeholder.readableText.utf8)
            }.compactMap { match in
                bytes[match.range].elementsEqual(match.replacement)
                    ? nil : ByteEdit(range: match.range, replacement: match.replacement)
            }
            let edits = numbered + chosenEdits(in: bytes)
            return edits.sorted { $0.range.lowerBound < $1.range.lowerBound }
        } ?? url
    }

    /// The name and the number, such as `<accessToken:1>`.
    var readableText: String { number.map { "<\(name):\($0)>" } ?? name }

    /// Decodes the angle brackets of names such as `%3CAPI_KEY%3E`.
    private static func chosenEdits(in bytes: UnsafeRawBufferPointer) -> [ByteEdit] {
        var edits: [ByteEdit] = []
        var position = 0
        while let place = bytes.firstIndex(ofByte: UInt8(ascii: "%"), from: position) {
            position = place + 1
            guard spellings(of: "3C").contains(where: { bytes[position...].starts(with: $0) }) else { continue }
            let end = ByteSet.dotted.end(in: bytes, from: place + 3, atMost: 128)
            guard end > place + 3, end < bytes.count, bytes[end] == UInt8(ascii: "%"),
                spellings(of: "3E").contains(where: { bytes[(end + 1)...].starts(with: $0) })
            else { continue }
            edits.append(ByteEdit(place..<place + 3, "<"))
            edits.append(ByteEdit(end..<end + 3, ">"))
            position = end + 3
        }
        return edits
    }

    private static func spellings(of digits: String) -> [String.UTF8View] {
        [digits.utf8, digits.lowercased().utf8]
    }
}
