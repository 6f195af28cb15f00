import Foundation

/// Replaces secrets with placeholders, in any encoding.
///
/// A secret is found unencoded, inside base64, and with the escapes of ``EscapeLayer``, even if encodings are nested or
/// only some characters are escaped. Existing placeholders stay. Inside base64, a placeholder has no number. A secret needs
/// at least two bytes to be found, and four inside base64.
package struct SecretReplacer: Sendable {
    private struct Literal {
        enum Meaning {
            case placeholder
            /// A secret unencoded, or as the encoders of a layer usually write it.
            case secret(Placeholder, token: String?, EscapeLayer?)
            case core(Base64Core)
        }

        let text: [UInt8]
        let meaning: Meaning
    }

    private let table: LiteralTable
    private let literals: [Literal]

    /// Creates a replacer. Of equal secrets, the first one counts.
    package init(_ secrets: [(value: String, placeholder: Placeholder)]) {
        var literals: [Literal] = []
        for (value, placeholder) in secrets {
            let token = placeholder.jwtText(replacing: value)
            for spelling in Placeholder.Spelling.allCases {
                for text in [placeholder.text(spelling), placeholder.withoutNumber.text(spelling)] {
                    literals.append(Literal(text: Array(text.utf8), meaning: .placeholder))
                }
            }
            if let token { literals.append(Literal(text: Array(token.utf8), meaning: .placeholder)) }
        }
        for (value, placeholder) in secrets {
            let token = placeholder.jwtText(replacing: value)
            for (text, layer) in Self.spellings(of: value) {
                literals.append(Literal(text: text, meaning: .secret(placeholder, token: token, layer)))
            }
        }
        for core in secrets.flatMap({ Self.cores(of: $0.value) }) {
            literals.append(Literal(text: core.text, meaning: .core(core)))
        }
        table = LiteralTable(literals.map(\.text))
        self.literals = literals
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

    /// Replaces the secrets; `nil` if there are none. The spelling applies to the placeholders of unescaped secrets.
    package func replacing(in data: Data, spelling: Placeholder.Spelling = .raw) -> Data? {
        guard !literals.isEmpty else { return nil }
        return data.withUnsafeBytes { replacing(in: $0, spelling: spelling, depth: 0) }.map { Data($0) }
    }

    /// Replaces the secrets; `nil` if there are none.
    package func replacing(in text: String, spelling: Placeholder.Spelling = .raw) -> String? {
        guard !literals.isEmpty else { return nil }
        return text.withBytes { replacing(in: UnsafeRawBufferPointer($0), spelling: spelling, depth: 0) }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Repeats the search, because an edit may reveal a secret that another encoding hid.
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

    /// Edits unencoded secrets; if there are none, escaped secrets; if there are none, secrets inside base64.
    private func edits(in bytes: UnsafeRawBufferPointer, spelling: Placeholder.Spelling, depth: Int)
        -> [ByteEdit]
    {
        var showsCore = false
        let plain = literalEdits(in: bytes) { literal, place, _ in
            let range = place..<place + literal.text.count
            switch literal.meaning {
            case .placeholder: return ByteEdit(range: range, replacement: literal.text)
            case .secret(let placeholder, let token, let layer):
                let text = token ?? placeholder.text(layer == nil ? spelling : .raw)
                return ByteEdit(range: range, replacement: layer?.encoded(text) ?? Array(text.utf8))
            case .core:
                showsCore = true
                return nil
            }
        }
        guard plain.isEmpty, depth < Self.deepest else { return plain }
        for layer in EscapeLayer.allCases {
            let edits = layer.edits(in: bytes) { self.edits(in: $0, spelling: .raw, depth: depth + 1) }
            if !edits.isEmpty { return edits }
        }
        guard showsCore else { return [] }
        var runs = Base64Runs(bytes)
        return literalEdits(in: bytes) { literal, place, end in
            guard case .core(let core) = literal.meaning
            else { return ByteEdit(range: place..<place + literal.text.count, replacement: literal.text) }
            return runs.edit(of: core, at: place, after: end) { decoded in
                // Without a number, because matchers could not compare the numbers of two cassettes.
                self.replacing(in: decoded, spelling: .raw, depth: depth + 1)
                    .map { Array(Placeholder.withoutNumbers(Data($0))) }
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
        let isURL =
            switch part {
            case .url: true
            case .header(let name, _): ["location", "content-location", "referer"].contains(name.lowercased())
            case .statusText, .failure: false
            }
        return replacing(in: text, spelling: isURL ? .percent : .raw)
    }

    func edited(_ body: Data, mediaType: String?, of message: MessageKind) -> Data? {
        let essence = MediaType(mediaType)?.essence ?? ""
        let spelling: Placeholder.Spelling =
            switch essence {
            case "application/x-www-form-urlencoded": .percent
            case "text/html", "text/xml", "application/xml", "application/xhtml+xml": .html
            default: essence.hasSuffix("+xml") ? .html : .raw
            }
        return replacing(in: body, spelling: spelling)
    }
}

/// Replaces the placeholders of known secrets with the secrets on replay.
package struct SecretRestorer: Sendable, MessageEditor {
    private var texts: [[UInt8]] = []
    private var values: [(json: [UInt8], other: [UInt8])] = []
    private let table: LiteralTable

    /// Creates a restorer; `nil` if there are no known secrets.
    package init?(_ redaction: Redaction) {
        for (secret, placeholder) in redaction.namedSecrets {
            let spellings: [(Placeholder.Spelling, json: [UInt8], other: [UInt8])] = [
                (.raw, Array(JSONEscapes.encoded(secret)), Array(secret.utf8)),
                (.percent, EscapeLayer.percent.encoded(secret), EscapeLayer.percent.encoded(secret)),
                (.html, EscapeLayer.html.encoded(secret), EscapeLayer.html.encoded(secret)),
            ]
            for (spelling, json, other) in spellings {
                texts.append(Array(placeholder.text(spelling).utf8))
                values.append((json, other))
            }
        }
        guard !texts.isEmpty else { return nil }
        table = LiteralTable(texts)
    }

    package func restored(_ interaction: Interaction) -> Interaction {
        var interaction = interaction
        interaction.changeResponse { $0 = edited($0) }
        return interaction
    }

    package func restored(_ request: Interaction.Request) -> Interaction.Request { edited(request) }

    func edited(_ text: String, at part: MessagePart) -> String? {
        text.edited { edits(in: $0, isJSON: false) }
    }

    func edited(_ body: Data, mediaType: String?, of message: MessageKind) -> Data? {
        var body = body
        let isJSON = MediaType(mediaType)?.essence.hasSuffix("json") ?? false
        return body.edit { edits(in: $0, isJSON: isJSON) } ? body : nil
    }

    private func edits(in bytes: UnsafeRawBufferPointer, isJSON: Bool) -> [ByteEdit] {
        var edits: [ByteEdit] = []
        var position = 0
        while let place = table.candidate(in: bytes, from: position) {
            position = place + 1
            guard let index = table.first(in: bytes, at: place, { $0 }) else { continue }
            position = place + texts[index].count
            let value = isJSON ? values[index].json : values[index].other
            edits.append(ByteEdit(range: place..<position, replacement: value))
        }
        return edits
    }
}
