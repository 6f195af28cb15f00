import Foundation

struct PlaceholderSearch: Sequence, IteratorProtocol {
    struct Match {
        let placeholder: Placeholder
        let range: Range<Int>
        /// The same placeholder without its number, with the same escaping.
        let withoutNumber: [UInt8]
    }

    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func next() -> Match? {
        while position < bytes.count {
            let match: Match? =
                switch bytes[position] {
                case UInt8(ascii: "<"), UInt8(ascii: "%"), UInt8(ascii: "&"): bracketed()
                case UInt8(ascii: "e"): token()
                default: nil
                }
            if let match {
                position = match.range.upperBound
                return match
            }
            position += 1
        }
        return nil
    }

    private func bracketed() -> Match? {
        guard let spelling = Spelled.all.first(where: { has($0.open, at: position) }) else { return nil }
        let start = position + spelling.open.count
        var end = start
        while end < bytes.count, ByteSet.dotted.contains(bytes[end]) { end += 1 }
        let nameEnd = end
        if let colon = spelling.colons.first(where: { has($0, at: end) }) {
            end += colon.count
            let digits = end
            while end < bytes.count, ByteSet.digits.contains(bytes[end]) { end += 1 }
            return match(spelling, name: start..<nameEnd, number: digits..<end)
        }
        return match(spelling, name: start..<nameEnd, number: nil)
    }

    private func match(_ spelling: Spelled, name: Range<Int>, number: Range<Int>?) -> Match? {
        let end = number?.upperBound ?? name.upperBound
        let content = bytes[name] + (number.map { [UInt8(ascii: ":")] + bytes[$0] } ?? [])
        guard has(spelling.close, at: end), let placeholder = Placeholder(content: content) else { return nil }
        let close = end..<end + spelling.close.count
        return Match(
            placeholder: placeholder,
            range: position..<close.upperBound,
            withoutNumber: Array(bytes[position..<name.upperBound]) + bytes[close]
        )
    }

    private func token() -> Match? {
        // A token never begins inside a word, so each word is searched only once.
        guard has(Self.tokenStart, at: position), position == 0 || !Base64Alphabet.isDigit(bytes[position - 1]),
            let range = JSONWebToken.range(in: bytes, from: position),
            let token = JSONWebToken(bytes[range]), let placeholder = Placeholder(token)
        else { return nil }
        return Match(
            placeholder: placeholder,
            range: range,
            withoutNumber: Array(placeholder.withoutNumber.jwtText().utf8)
        )
    }

    /// Whether a text occurs at an index. Hexadecimal digits after a percent sign may have either case.
    private func has(_ text: [UInt8], at index: Int) -> Bool {
        guard index <= bytes.count - text.count else { return false }
        for (offset, byte) in text.enumerated() {
            let found = bytes[index + offset]
            let upper = text[0] == UInt8(ascii: "%") && found >= 0x61 ? found - 0x20 : found
            if upper != byte { return false }
        }
        return true
    }

    private static let tokenStart = Array("eyJ".utf8)

    private struct Spelled {
        let open: [UInt8]
        let colons: [[UInt8]]
        let close: [UInt8]

        init(_ open: String, _ colons: [String], _ close: String) {
            self.open = Array(open.utf8)
            self.colons = colons.map { Array($0.utf8) }
            self.close = Array(close.utf8)
        }

        static let all = [
            Spelled("<", [":"], ">"), Spelled("%3C", ["%3A", ":"], "%3E"),
            Spelled("%253C", ["%253A", "%3A", ":"], "%253E"), Spelled("&lt;", [":"], "&gt;"),
        ]
    }
}

extension Placeholder {
    /// The placeholders in order, with any escaping. A tag such as `<b>` looks like a placeholder without a number.
    package static func placeholders(in data: Data) -> [Placeholder] {
        data.withUnsafeBytes { PlaceholderSearch($0).map(\.placeholder) }
    }

    package static func placeholders(in text: String) -> [Placeholder] {
        text.withBytes { PlaceholderSearch(UnsafeRawBufferPointer($0)).map(\.placeholder) }
    }

    package static func isPresent(in data: Data) -> Bool {
        data.withUnsafeBytes { PlaceholderSearch($0).contains { _ in true } }
    }

    package static func isPresent(in text: String) -> Bool {
        text.withBytes { PlaceholderSearch(UnsafeRawBufferPointer($0)).contains { _ in true } }
    }

    /// Removes the numbers of placeholders, preserving their escaping.
    package static func withoutNumbers(_ data: Data) -> Data {
        var data = data
        data.edit(numberRemovals)
        return data
    }

    package static func withoutNumbers(_ text: String) -> String { text.edited(numberRemovals) ?? text }

    private static func numberRemovals(in bytes: UnsafeRawBufferPointer) -> [ByteEdit] {
        PlaceholderSearch(bytes).map { ByteEdit(range: $0.range, replacement: $0.withoutNumber) }
    }

    package static func placeholders(in list: any InteractionList) -> [Placeholder] {
        var found: Set<Placeholder> = []
        for position in list.indices {
            let interaction = list[position]
            var texts = [interaction.request.url] + interaction.request.headers.map(\.value)
            texts += interaction.response?.headers.map(\.value) ?? []
            for text in texts { found.formUnion(placeholders(in: text)) }
            for body in [interaction.request.body, interaction.response?.body].compactMap({ $0 }) {
                found.formUnion(placeholders(in: body.data))
            }
        }
        return found.filter { $0.number != nil }
    }
}
