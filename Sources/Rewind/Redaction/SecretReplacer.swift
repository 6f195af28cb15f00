import Foundation

/// Replaces secrets by placeholders, however the secrets are spelled.
///
/// A secret is looked for as it is, inside base64, and under the escapes of ``EscapeLayer``, even if one encoding
/// stands inside another and only some of the characters are escaped. Placeholders that stand in a text already are
/// kept. Inside base64 a placeholder has no number.
///
/// A value shorter than two bytes is not looked for at all, and one shorter than four bytes not inside base64.
package struct SecretReplacer: Sendable {
    /// A text of the table and what it means.
    private struct Literal {
        enum Meaning {
            case placeholder
            /// A secret as it is, or as the encoders of a layer usually spell it.
            case secret(Placeholder, token: String?, EscapeLayer?)
            case core(Base64Core)
        }

        let text: [UInt8]
        let meaning: Meaning
    }

    private let table: LiteralTable
    private let literals: [Literal]

    /// Creates a replacer of some secrets, of which the first counts where two are equal.
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

    /// A value as it is and as it usually stands in each layer, where it is found in one piece even if another secret
    /// is a part of it. The layers find it in every other spelling.
    private static func spellings(of value: String) -> [([UInt8], EscapeLayer?)] {
        [(Array(value.utf8), nil)] + EscapeLayer.allCases.map { ($0.encoded(value), $0) }
    }

    /// The cores by which a value is noticed inside base64, where it may be escaped: those of characters
    /// that no encoder escapes, or where these are too few those of its usual spellings.
    private static func cores(of value: String) -> [Base64Core] {
        let plain = value.utf8.split { !ByteSet.dotted.contains($0) }.max { $0.count < $1.count }
        let cores = Base64Core.cores(of: Array(plain ?? []))
        return cores.isEmpty ? spellings(of: value).flatMap { Base64Core.cores(of: $0.0) } : cores
    }

    /// Takes the secrets out of data; `nil` where it has none.
    ///
    /// - Parameters:
    ///   - data: The bytes of any text or other content.
    ///   - spelling: How to write a placeholder where a secret stood as it is; `percent` suits URLs and forms, `html`
    ///     suits HTML and XML.
    /// - Returns: The new bytes, or `nil`.
    package func replacing(in data: Data, spelling: Placeholder.Spelling = .raw) -> Data? {
        guard !literals.isEmpty else { return nil }
        return data.withUnsafeBytes { replacing(in: $0, spelling: spelling, depth: 0) }.map { Data($0) }
    }

    /// Takes the secrets out of a text; `nil` where it has none.
    package func replacing(in text: String, spelling: Placeholder.Spelling = .raw) -> String? {
        guard !literals.isEmpty else { return nil }
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

    /// The edits of secrets as they are, or else under escapes, or else inside base64, which may be escaped as well.
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
            guard case .core(let core) = literal.meaning else {
                return ByteEdit(range: place..<place + literal.text.count, replacement: literal.text)
            }
            return runs.edit(of: core, at: place, after: end) { decoded in
                // Nobody reads a number here, and the matcher could not compare those of two cassettes.
                self.replacing(in: decoded, spelling: .raw, depth: depth + 1)
                    .map { Array(Placeholder.withoutNumbers(Data($0))) }
            }
        }
    }

    /// The edits that a closure makes of literals, of those at one place the longest that it has an edit for.
    private func literalEdits(
        in bytes: UnsafeRawBufferPointer,
        _ edit: (_ literal: Literal, _ place: Int, _ end: Int) -> ByteEdit?
    ) -> [ByteEdit] {
        var edits: [ByteEdit] = []
        var position = 0
        while let place = table.candidate(in: bytes, from: position) {
            position = place + 1
            let end = edits.last?.range.upperBound ?? 0
            guard let found = table.first(in: bytes, at: place, { edit(literals[$0], place, end) }) else {
                continue
            }
            position = max(position, found.range.upperBound)
            // A placeholder is kept, so that nothing is looked for inside it.
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

/// Puts secrets back where their placeholders stand in what is played, for those that have a placeholder of their own.
package struct SecretRestorer: Sendable, MessageEditor {
    private var texts: [[UInt8]] = []
    /// What takes the place of each text, in JSON and elsewhere.
    private var values: [(json: [UInt8], other: [UInt8])] = []
    private let table: LiteralTable

    /// Creates a restorer; `nil` where nothing is to be put back.
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

    /// An interaction as the app saw it live.
    package func restored(_ interaction: Interaction) -> Interaction {
        var interaction = interaction
        interaction.changeResponse { $0 = edited($0) }
        return interaction
    }

    /// A request as the app made it.
    package func restored(_ request: Request) -> Request { edited(request) }

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
