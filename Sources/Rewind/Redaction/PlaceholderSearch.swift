import Foundation

/// Finds the numbered placeholders in a text: as they are, inside base64, and in the format of a JSON Web Token.
///
/// Every other encoding leaves a placeholder unchanged.
struct PlaceholderSearch: Sequence, IteratorProtocol {
    struct Match {
        let placeholder: Placeholder
        let range: Range<Int>
        /// What replaces the range: by default its text without the numbers of placeholders.
        let replacement: [UInt8]
    }

    /// A text in which a placeholder is: the searched one, or what base64 in it contains.
    struct Text {
        let bytes: UnsafeRawBufferPointer
        let isEncoded: Bool
    }

    /// Returns what replaces the placeholder at an index of a text; `nil` if it stays.
    typealias Replace = (_ placeholder: Placeholder, _ place: Int, _ text: Text) -> [UInt8]?

    private let bytes: UnsafeRawBufferPointer
    private let isEncoded: Bool
    /// `nil` if only the numbers are removed.
    private let replace: Replace?
    private var position = 0
    /// The further placeholders of a run of base64.
    private var pending: ArraySlice<Match> = []
    private var runs: Base64Runs
    private var lastEnd = 0

    init(_ bytes: UnsafeRawBufferPointer, replacing replace: Replace? = nil) {
        self.init(bytes, isEncoded: false, replace)
    }

    private init(_ bytes: UnsafeRawBufferPointer, isEncoded: Bool, _ replace: Replace?) {
        self.bytes = bytes
        self.isEncoded = isEncoded
        self.replace = replace
        runs = Base64Runs(bytes)
        // Most texts cannot contain a placeholder, because every form of one has two capitals in a row.
        if !Self.hasCapitals(bytes) { position = bytes.count }
    }

    private static func hasCapitals(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var wasCapital = false
        for byte in bytes {
            let isCapital = byte &- UInt8(ascii: "A") < 26
            if isCapital, wasCapital { return true }
            wasCapital = isCapital
        }
        return false
    }

    mutating func next() -> Match? {
        if let match = pending.popFirst() { return match }
        while let place = Self.table.candidate(in: bytes, from: position) {
            position = place + 1
            guard let index = Self.table.first(in: bytes, at: place, { $0 }) else { continue }
            if let match = match(Self.meanings[index], at: place) {
                position = match.range.upperBound
                lastEnd = position
                return match
            }
        }
        position = bytes.count
        return nil
    }

    private mutating func match(_ meaning: Meaning, at place: Int) -> Match? {
        switch meaning {
        case .plain:
            guard let (placeholder, end) = Placeholder.read(in: bytes, at: place) else { return nil }
            return match(placeholder, place..<end)
        case .token(let headerLength): return token(at: place, headerLength)
        case .core(let core):
            var found: [Placeholder] = []
            let edit = runs.edit(of: core, at: place, after: lastEnd) { [replace] decoded in
                let matches = Array(PlaceholderSearch(decoded, isEncoded: true, replace))
                found = matches.map(\.placeholder)
                return found.isEmpty
                    ? nil
                    : decoded.applying(matches.map { ByteEdit(range: $0.range, replacement: $0.replacement) })
            }
            guard let edit, let first = found.first else { return nil }
            let end = edit.range.upperBound
            pending = found.dropFirst().map { Match(placeholder: $0, range: end..<end, replacement: []) }[...]
            // Encoders differ in the padding.
            let plain = replace == nil ? edit.replacement.filter { $0 != UInt8(ascii: "=") } : edit.replacement
            return Match(placeholder: first, range: edit.range, replacement: plain)
        }
    }

    private func match(_ placeholder: Placeholder, _ range: Range<Int>) -> Match {
        let replacement =
            if let replace {
                replace(placeholder, range.lowerBound, Text(bytes: bytes, isEncoded: isEncoded))
                    ?? Array(bytes[range])
            } else {
                Array(placeholder.withoutNumber.utf8)
            }
        return Match(placeholder: placeholder, range: range, replacement: replacement)
    }

    /// A token whose full stops may be percent-encoded.
    private func token(at place: Int, _ headerLength: Int) -> Match? {
        var parts: [Range<Int>] = []
        var start = place
        for number in 0..<3 {
            // The header is always the same, so that a long run of letters is not read once for each place.
            let end =
                number == 0
                ? place + headerLength : ByteSet.alphanumerics.end(in: bytes, from: start)
            parts.append(start..<end)
            start = end
            if parts.count == 3 { break }
            guard let dot = Self.dots.first(where: { bytes[end...].starts(with: $0.utf8) }) else { return nil }
            start += dot.utf8.count
        }
        let text = parts.map { Array(bytes[$0]) }.joined(separator: [UInt8(ascii: ".")])
        guard let token = JSONWebToken(Array(text)), let placeholder = Placeholder(token) else { return nil }
        return match(placeholder, place..<parts[2].upperBound)
    }

    private static let dots = [".", "%2E", "%2e", "%252E", "%252e"]

    private enum Meaning {
        case plain
        case token(headerLength: Int)
        case core(Base64Core)
    }

    private static let headers = [Placeholder.tokenHeader, Placeholder.formerTokenHeader]

    private static let literals: [(text: [UInt8], meaning: Meaning)] =
        [
            (Array(Placeholder.start.utf8), .plain)
        ] + headers.map { (Array($0.utf8), .token(headerLength: $0.utf8.count)) }
        + ([Placeholder.start] + headers).flatMap { text in
            Base64Core.cores(of: Array(text.utf8)).map { ($0.text, .core($0)) }
        }
    private static let table = LiteralTable(literals.map(\.text))
    private static let meanings = literals.map(\.meaning)
}

extension Placeholder {
    /// The numbered placeholders in order.
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

    package static func withoutNumbers(_ data: Data) -> Data {
        var data = data
        data.edit(numberRemovals)
        return data
    }

    package static func withoutNumbers(_ text: String) -> String { text.edited(numberRemovals) ?? text }

    private static func numberRemovals(in bytes: UnsafeRawBufferPointer) -> [ByteEdit] {
        PlaceholderSearch(bytes).map { ByteEdit(range: $0.range, replacement: $0.replacement) }
    }

    package static func placeholders(in list: any InteractionList) -> [Placeholder] {
        var found: Set<Placeholder> = []
        for position in list.indices {
            let interaction = list[position]
            var texts = [interaction.request.url] + interaction.request.headers.map(\.value)
            texts += interaction.recordedResponse?.headers.map(\.value) ?? []
            if let url = interaction.recordedResponse?.url { texts.append(url) }
            for text in texts { found.formUnion(placeholders(in: text)) }
            for body in [interaction.request.body, interaction.recordedResponse?.body].compactMap({ $0 }) {
                found.formUnion(placeholders(in: body.data))
            }
        }
        return Array(found)
    }
}
