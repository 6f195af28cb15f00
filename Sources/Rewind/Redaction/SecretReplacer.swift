import Foundation

/// Puts placeholders in the place of secrets, however these are spelled.
///
/// Besides the spellings of ``SecretSpelling`` it finds secrets inside base64, and where only some of their characters
/// are escaped, even if one encoding stands inside another. Placeholders that stand in a text already are kept. Inside
/// base64 a placeholder has no number.
///
/// A value shorter than two bytes is not looked for at all, and one shorter than four bytes not inside base64.
package struct SecretReplacer: Sendable {
    /// What a literal of the table means.
    private enum Meaning {
        case placeholder([UInt8])
        case secret(SecretSpelling, Placeholder)
        case core(Base64Core)
    }

    private let table: LiteralTable
    private let meanings: [Meaning]

    /// Creates a replacer of some secrets, of which the first counts where two are equal.
    package init(_ secrets: [(value: String, placeholder: Placeholder)]) {
        var literals: [(text: [UInt8], meaning: Meaning)] = []
        for (value, placeholder) in secrets {
            let token = [placeholder.jwtText(replacing: value)].compactMap { $0 }
            let plain = Placeholder.Spelling.allCases.map(placeholder.withoutNumber.text)
            for text in Placeholder.Spelling.allCases.map(placeholder.text) + plain + token {
                literals.append((Array(text.utf8), .placeholder(Array(text.utf8))))
            }
        }
        let spellings = secrets.map { SecretSpelling.all(of: $0.value, placeholder: $0.placeholder) }
        for (spellings, secret) in zip(spellings, secrets) {
            for spelling in spellings where spelling.encoding != .base64 {
                literals.append((spelling.text, .secret(spelling, secret.placeholder)))
            }
        }
        // What stands inside base64 may be escaped there.
        for spelling in spellings.joined() where [.raw, .percent, .json].contains(spelling.encoding) {
            literals += Base64Core.cores(of: spelling.text).map { ($0.text, .core($0)) }
        }
        table = LiteralTable(literals.map(\.text))
        meanings = literals.map(\.meaning)
    }

    /// Takes the secrets out of data; `nil` where it has none.
    ///
    /// - Parameters:
    ///   - data: The bytes of any text or other content.
    ///   - spelling: How to write a placeholder where a secret stood as it is; `percent` suits URLs and forms, `html`
    ///     suits HTML and XML.
    /// - Returns: The new bytes, or `nil`.
    package func replacing(in data: Data, spelling: Placeholder.Spelling = .raw) -> Data? {
        guard !meanings.isEmpty else { return nil }
        return data.withUnsafeBytes { replacing(in: $0, spelling: spelling, depth: 0) }.map { Data($0) }
    }

    /// Takes the secrets out of a text; `nil` where it has none.
    ///
    /// - Parameters:
    ///   - text: Any text.
    ///   - spelling: How to write a placeholder where a secret stood as it is.
    /// - Returns: The new text, or `nil`.
    package func replacing(in text: String, spelling: Placeholder.Spelling = .raw) -> String? {
        guard !meanings.isEmpty else { return nil }
        return text.withBytes { replacing(in: UnsafeRawBufferPointer($0), spelling: spelling, depth: 0) }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Edits until nothing is found any more, as one edit may uncover what another spelling hid.
    private func replacing(in bytes: UnsafeRawBufferPointer, spelling: Placeholder.Spelling, depth: Int)
        -> [UInt8]?
    {
        var edits = edits(in: bytes, spelling: spelling, depth: depth)
        guard !edits.isEmpty else { return nil }
        var result = bytes.applying(edits)
        for _ in 0..<Self.rounds {
            edits = result.withUnsafeBytes { self.edits(in: $0, spelling: spelling, depth: depth) }
            if edits.isEmpty { break }
            result = result.withUnsafeBytes { $0.applying(edits) }
        }
        return result
    }

    private static var rounds: Int { 16 }
    private static var deepest: Int { 3 }

    /// The edits of the first kind of spelling that is found.
    private func edits(in bytes: UnsafeRawBufferPointer, spelling: Placeholder.Spelling, depth: Int)
        -> [ByteEdit]
    {
        var runs = Base64Runs(bytes, avoidsEscapes: depth < Self.deepest)
        let plain = plainEdits(in: bytes, spelling: spelling, depth: depth, runs: &runs)
        guard plain.isEmpty, depth < Self.deepest else { return plain }
        for layer in EscapeLayer.allCases {
            let edits = layer.edits(in: bytes) { self.edits(in: $0, spelling: .raw, depth: depth + 1) }
            if !edits.isEmpty { return edits }
        }
        guard runs.hasAvoided else { return [] }
        runs = Base64Runs(bytes, avoidsEscapes: false)
        return plainEdits(in: bytes, spelling: spelling, depth: depth, runs: &runs)
    }

    /// The edits of what can be seen without decoding escapes.
    private func plainEdits(
        in bytes: UnsafeRawBufferPointer,
        spelling: Placeholder.Spelling,
        depth: Int,
        runs: inout Base64Runs
    ) -> [ByteEdit] {
        var edits: [ByteEdit] = []
        var position = 0
        while let place = table.candidate(in: bytes, from: position) {
            let end = edits.last?.range.upperBound ?? 0
            position = place + 1
            let found: ByteEdit? = table.first(in: bytes, at: place) { index in
                switch meanings[index] {
                case .placeholder(let text):
                    return ByteEdit(range: place..<place + text.count, replacement: text)
                case .secret(let found, let placeholder):
                    let isRaw = found.encoding == .raw && found.replacement.elementsEqual(placeholder.text.utf8)
                    let replacement = isRaw ? Array(placeholder.text(spelling).utf8) : found.replacement
                    return ByteEdit(range: place..<place + found.text.count, replacement: replacement)
                case .core(let core):
                    guard depth < Self.deepest else { return nil }
                    return runs.edit(of: core, at: place, after: end) { decoded in
                        // Nobody reads a number here, and two cassettes' numbers could not be told to mean the same.
                        self.replacing(in: decoded, spelling: .raw, depth: depth + 1)
                            .map { Array(Placeholder.withoutNumbers(Data($0))) }
                    }
                }
            }
            guard let found else { continue }
            position = max(position, found.range.upperBound)
            // A placeholder is kept, so that nothing is looked for inside it.
            if !bytes[found.range].elementsEqual(found.replacement) { edits.append(found) }
        }
        return edits
    }
}
