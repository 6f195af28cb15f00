import Foundation

/// Replaces the placeholders that the user chose for known secrets with the secrets on replay.
package struct SecretRestorer: Sendable, MessageEditor {
    private var secrets: [String] = []
    private let table: LiteralTable

    /// Creates a restorer; `nil` if there are no known secrets.
    package init?(_ redaction: Redaction) {
        let named = redaction.namedSecrets.sorted { $0.key < $1.key }
        guard !named.isEmpty else { return nil }
        secrets = named.map(\.key)
        table = LiteralTable(named.map { Array($0.value.text.utf8) })
        lengths = named.map { $0.value.text.utf8.count }
    }

    private let lengths: [Int]

    package func restored(_ interaction: Interaction) -> Interaction {
        var interaction = interaction
        interaction.changeResponse { $0 = edited($0) }
        return interaction
    }

    package func restored(_ request: Interaction.Request) -> Interaction.Request { edited(request) }

    func edited(_ text: String, at part: MessagePart) -> String? {
        let isURL = if case .url = part { true } else { false }
        return text.edited { edits(in: $0, escapedBy: isURL ? .percent : nil) }
    }

    func edited(_ text: Data, mediaType: String?, of message: MessageKind, part: String?) -> Data? {
        var text = text
        let isJSON = MediaType(mediaType)?.essence.hasSuffix("json") ?? false
        let layer: EscapeLayer? = isJSON ? .json : EscapeLayer(mediaType: mediaType)
        return text.edit { edits(in: $0, escapedBy: layer) } ? text : nil
    }

    /// A placeholder with escapes is replaced in the same layer.
    private func edits(in bytes: UnsafeRawBufferPointer, escapedBy layer: EscapeLayer?) -> [ByteEdit] {
        let plain = edits(in: bytes) { layer?.encoded($0) ?? Array($0.utf8) }
        var edits = plain
        for layer in EscapeLayer.allCases where layer != .form {
            let found = layer.edits(in: bytes) { decoded in self.edits(in: decoded) { Array($0.utf8) } }
            edits += found.filter { edit in !edits.contains { $0.range.overlaps(edit.range) } }
        }
        return edits.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    private func edits(in bytes: UnsafeRawBufferPointer, _ encoded: (String) -> [UInt8]) -> [ByteEdit] {
        var edits: [ByteEdit] = []
        var position = 0
        while let place = table.candidate(in: bytes, from: position) {
            position = place + 1
            guard let index = table.first(in: bytes, at: place, { $0 }) else { continue }
            position = place + lengths[index]
            edits.append(ByteEdit(range: place..<position, replacement: encoded(secrets[index])))
        }
        return edits
    }
}

extension EscapeLayer {
    /// The layer in which a body escapes all text; `nil` if there is none, or if only strings are escaped.
    init?(mediaType: String?) {
        switch MediaType(mediaType)?.essence ?? "" {
        case "application/x-www-form-urlencoded": self = .percent
        case "text/html", "text/xml", "application/xml", "application/xhtml+xml": self = .html
        case let essence where essence.hasSuffix("+xml"): self = .html
        default: return nil
        }
    }
}
