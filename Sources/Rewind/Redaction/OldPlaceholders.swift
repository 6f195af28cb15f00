import Foundation

extension RecordedCassette {
    /// The cassette with the placeholders of the current version.
    package var withCurrentPlaceholders: RecordedCassette {
        guard interactions.listsRedactedPlaces, let text, OldPlaceholders.arePresent(in: text) else {
            return self
        }
        var cassette = self
        cassette.interactions = interactions.all.map { OldPlaceholders().edited($0) }
        return cassette
    }
}

/// Converts placeholders of cassettes that were recorded before version 1.0, such as `<access_token:1>`.
struct OldPlaceholders: MessageEditor {
    /// Whether to convert only tokens that begin with `eyJ`. They need no conversion to be found.
    private var convertsTokens = false

    func edited(_ text: String, at part: MessagePart) -> String? { text.edited { edits(in: $0) } }

    func edited(_ text: Data, mediaType: String?, of message: MessageKind, part: String?) -> Data? {
        var text = text
        return text.edit { edits(in: $0) } ? text : nil
    }

    /// The interactions with tokens that are plainly placeholders, for a file that is written.
    static func convertingTokens(in interactions: [Interaction]) -> [Interaction] {
        let editor = OldPlaceholders(convertsTokens: true)
        return interactions.map { $0.redactedPlaces.isEmpty ? $0 : editor.edited($0) }
    }

    /// Whether the text of a cassette contains an old placeholder.
    static func arePresent(in text: Data) -> Bool {
        text.withUnsafeBytes { bytes in
            var position = 0
            return nextEdit(in: bytes, from: &position) != nil
        }
    }

    private func edits(in bytes: UnsafeRawBufferPointer) -> [ByteEdit] {
        guard convertsTokens else {
            var edits: [ByteEdit] = []
            var position = 0
            while let edit = Self.nextEdit(in: bytes, from: &position) { edits.append(edit) }
            return edits
        }
        return PlaceholderSearch(bytes) { placeholder, place, text in
            guard text.bytes[place...].starts(with: Placeholder.formerTokenHeader.utf8) else { return nil }
            let payload = JSONWebToken.range(in: text.bytes, from: place)
                .flatMap { JSONWebToken(text.bytes[$0]) }?.payload
            return Array(placeholder.jwtText(replacing: payload).utf8)
        }.compactMap { match in
            let isChanged = !bytes[match.range].elementsEqual(match.replacement)
            return isChanged ? ByteEdit(range: match.range, replacement: match.replacement) : nil
        }
    }

    private static func nextEdit(in bytes: UnsafeRawBufferPointer, from position: inout Int) -> ByteEdit? {
        while position < bytes.count {
            let place = position
            position += 1
            let edit: ByteEdit? =
                switch bytes[place] {
                case UInt8(ascii: "<"), UInt8(ascii: "%"), UInt8(ascii: "&"): bracketed(in: bytes, at: place)
                case UInt8(ascii: "e"): token(in: bytes, at: place)
                default: nil
                }
            guard let edit else { continue }
            position = edit.range.upperBound
            return edit
        }
        return nil
    }

    private static func bracketed(in bytes: UnsafeRawBufferPointer, at place: Int) -> ByteEdit? {
        guard let (open, colon, close) = spellings.first(where: { bytes[place...].starts(with: $0.0.utf8) })
        else { return nil }
        let name = place + open.utf8.count
        let nameEnd = ByteSet.dotted.end(in: bytes, from: name, atMost: 128)
        let colons = [colon, ":", colon.lowercased()].first { bytes[nameEnd...].starts(with: $0.utf8) }
        guard nameEnd > name, let colons else { return nil }
        let digits = nameEnd + colons.utf8.count
        let digitsEnd = ByteSet.digits.end(in: bytes, from: digits, atMost: 10)
        let closes = [close, close.lowercased()].first { bytes[digitsEnd...].starts(with: $0.utf8) }
        guard let number = Int(String(decoding: bytes[digits..<digitsEnd], as: UTF8.self)), let closes else {
            return nil
        }
        let placeholder = Placeholder(
            name: String(decoding: bytes[name..<nameEnd], as: UTF8.self),
            number: number
        )
        return ByteEdit(place..<digitsEnd + closes.utf8.count, placeholder.text)
    }

    /// A JSON Web Token that replaced one.
    private static func token(in bytes: UnsafeRawBufferPointer, at place: Int) -> ByteEdit? {
        guard bytes[place...].starts(with: Placeholder.formerTokenHeader.utf8),
            let range = JSONWebToken.range(in: bytes, from: place), let token = JSONWebToken(bytes[range]),
            let old = token.payload["placeholder"]?.stringValue
        else { return nil }
        let new = old.edited { text in
            var position = 0
            return nextEdit(in: text, from: &position).map { [$0] } ?? []
        }
        guard let placeholder = new.flatMap({ Placeholder($0) }) else { return nil }
        return ByteEdit(range, placeholder.jwtText(replacing: token.payload))
    }

    private static let spellings = [
        ("<", ":", ">"), ("%3C", "%3A", "%3E"), ("%3c", "%3a", "%3e"), ("%253C", "%253A", "%253E"),
        ("&lt;", ":", "&gt;"),
    ]
}
