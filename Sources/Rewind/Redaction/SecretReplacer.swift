import Foundation

/// Replaces secrets with placeholders, in any encoding.
///
/// A secret is found unencoded, inside base64, and with the escapes of ``EscapeLayer``, even if encodings are nested or
/// only some characters are escaped. Existing placeholders stay. A secret needs at least two bytes to be found, and four
/// inside base64.
package struct SecretReplacer: Sendable {
    private struct Literal {
        enum Meaning {
            /// A placeholder that the user chose.
            case chosen
            /// The beginning of a numbered placeholder.
            case placeholder
            /// A secret unencoded, or as the encoders of a layer usually write it, and its replacement.
            case secret(String, EscapeLayer?)
            case core(Base64Core)
        }

        let text: [UInt8]
        let meaning: Meaning
    }

    private var table: LiteralTable
    private var literals: [Literal]

    /// Creates a replacer. Of equal secrets, the first one counts.
    package init(_ secrets: [(value: String, placeholder: Placeholder)]) {
        literals = [Literal(text: Array(Placeholder.start.utf8), meaning: .placeholder)]
        table = LiteralTable(literals.map(\.text))
        append(secrets)
    }

    /// Adds secrets, at a cost that does not depend on those before.
    mutating func append(_ secrets: [(value: String, placeholder: Placeholder)]) {
        var new: [Literal] = []
        for placeholder in Set(secrets.map(\.placeholder)) where placeholder.number == nil {
            for (text, _) in Self.spellings(of: placeholder.text) {
                new.append(Literal(text: text, meaning: .chosen))
            }
        }
        for (value, placeholder) in secrets {
            let replacement = placeholder.text(for: value)
            for (text, layer) in Self.spellings(of: value) {
                new.append(Literal(text: text, meaning: .secret(replacement, layer)))
            }
        }
        for core in secrets.flatMap({ Self.cores(of: $0.value) }) {
            new.append(Literal(text: core.text, meaning: .core(core)))
        }
        literals += new
        table.append(new.map(\.text))
    }

    /// A value unencoded and as each layer usually writes it, so that it is found as a whole even if it contains another
    /// secret. Decoding the layers finds every other spelling.
    private static func spellings(of value: String) -> [([UInt8], EscapeLayer?)] {
        [(Array(value.utf8), nil)] + EscapeLayer.allCases.map { ($0.encoded(value), $0) }
    }

    /// The cores of the characters that no encoder escapes, or of the usual spellings if these are too few.
    private static func cores(of value: String) -> [Base64Core] {
        let plain = value.utf8.split { !ByteSet.dotted.contains($0) }.max { $0.count < $1.count }
        let cores = Base64Core.cores(of: Array(plain ?? []))
        return cores.isEmpty ? spellings(of: value).flatMap { Base64Core.cores(of: $0.0) } : cores
    }

    /// Replaces the secrets; `nil` if there are none. The layer applies to the placeholders of unescaped secrets.
    package func replacing(in data: Data, escapedBy layer: EscapeLayer? = nil) -> Data? {
        data.withUnsafeBytes { replacing(in: $0, escapedBy: layer, depth: 0) }.map { Data($0) }
    }

    /// Replaces the secrets; `nil` if there are none.
    package func replacing(in text: String, escapedBy layer: EscapeLayer? = nil) -> String? {
        text.withBytes { replacing(in: UnsafeRawBufferPointer($0), escapedBy: layer, depth: 0) }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Repeats the search, because an edit may reveal a secret that another encoding hid.
    private func replacing(in bytes: UnsafeRawBufferPointer, escapedBy layer: EscapeLayer?, depth: Int)
        -> [UInt8]?
    {
        var edits = edits(in: bytes, escapedBy: layer, depth: depth)
        guard !edits.isEmpty else { return nil }
        var result = bytes.applying(edits)
        for _ in 0..<Self.rounds {
            edits = result.withUnsafeBytes { self.edits(in: $0, escapedBy: layer, depth: depth) }
            if edits.isEmpty { break }
            result = result.withUnsafeBytes { $0.applying(edits) }
        }
        return result
    }

    private static var rounds: Int { 16 }
    private static var deepest: Int { 3 }

    /// Edits unencoded secrets; if there are none, escaped secrets; if there are none, secrets inside base64.
    private func edits(in bytes: UnsafeRawBufferPointer, escapedBy outer: EscapeLayer?, depth: Int)
        -> [ByteEdit]
    {
        var showsCore = false
        let plain = literalEdits(in: bytes) { literal, place, _ in
            let range = place..<place + literal.text.count
            switch literal.meaning {
            case .chosen: return ByteEdit(range: range, replacement: literal.text)
            case .placeholder:
                guard let (_, end) = Placeholder.read(in: bytes, at: place) else { return nil }
                return ByteEdit(range: place..<end, replacement: Array(bytes[place..<end]))
            case .secret(let text, let layer):
                return ByteEdit(range: range, replacement: (layer ?? outer)?.encoded(text) ?? Array(text.utf8))
            case .core:
                showsCore = true
                return nil
            }
        }
        guard plain.isEmpty, depth < Self.deepest else { return plain }
        for layer in EscapeLayer.allCases {
            let edits = layer.edits(in: bytes) { self.edits(in: $0, escapedBy: nil, depth: depth + 1) }
            if !edits.isEmpty { return edits }
        }
        guard showsCore else { return [] }
        var runs = Base64Runs(bytes)
        return literalEdits(in: bytes) { literal, place, end in
            guard case .core(let core) = literal.meaning else { return nil }
            return runs.edit(of: core, at: place, after: end) { decoded in
                self.replacing(in: decoded, escapedBy: nil, depth: depth + 1)
            }
        }
    }

    /// Finds, at each place, the longest literal for which the closure returns an edit.
    private func literalEdits(
        in bytes: UnsafeRawBufferPointer,
        _ edit: (_ literal: Literal, _ place: Int, _ end: Int) -> ByteEdit?
    ) -> [ByteEdit] {
        var edits: [ByteEdit] = []
        var position = 0
        while let place = table.candidate(in: bytes, from: position) {
            position = place + 1
            let end = edits.last?.range.upperBound ?? 0
            guard let found = table.first(in: bytes, at: place, { edit(literals[$0], place, end) })
            else { continue }
            position = max(position, found.range.upperBound)
            // A placeholder stays, and is not searched for secrets.
            if !bytes[found.range].elementsEqual(found.replacement) { edits.append(found) }
        }
        return edits
    }
}

extension SecretReplacer: MessageEditor {
    func edited(_ text: String, at part: MessagePart) -> String? {
        replacing(in: text, escapedBy: part.isURL ? .percent : nil)
    }

    func edited(_ text: Data, mediaType: String?, of message: MessageKind, part: String?) -> Data? {
        replacing(in: text, escapedBy: EscapeLayer(mediaType: mediaType))
    }
}
