import Foundation

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
