import Foundation

/// Replaces placeholders with secrets on replay: those that the user chose for known secrets, and numbered ones whose
/// secret the app sent itself.
package struct SecretRestorer: Sendable, MessageEditor {
    /// Returns the secret that the app sent today; `nil` if it sent none.
    typealias SentSecret = @Sendable (Placeholder) -> String?

    private var secrets: [String] = []
    private let table: LiteralTable
    private let lengths: [Int]
    private var sent: SentSecret?

    /// Creates a restorer of the known secrets; `nil` if there are none.
    package init?(_ redaction: Redaction) {
        self.init(redaction.namedSecrets)
        if secrets.isEmpty { return nil }
    }

    /// Creates a restorer of the secrets that the app sent.
    init(of sent: @escaping SentSecret) {
        self.init([:])
        self.sent = sent
    }

    private init(_ named: [String: Placeholder]) {
        let named = named.sorted { $0.key < $1.key }
        secrets = named.map(\.key)
        table = LiteralTable(named.map { Array($0.value.text.utf8) })
        lengths = named.map { $0.value.text.utf8.count }
    }

    /// The same restorer, which also replaces the placeholders of secrets that the app sent.
    func restoring(_ sent: @escaping SentSecret) -> SecretRestorer {
        var restorer = self
        restorer.sent = sent
        return restorer
    }

    package func restored(_ interaction: Interaction) -> Interaction {
        var interaction = interaction
        interaction.changeResponse { $0 = edited($0) }
        return interaction
    }

    package func restored(_ request: Interaction.Request) -> Interaction.Request { edited(request) }

    func edited(_ text: String, at part: MessagePart) -> String? {
        text.edited { edits(in: $0, escapedBy: part.isURL ? .percent : nil, isBody: false) }
    }

    func edited(_ text: Data, mediaType: String?, of message: MessageKind, part: String?) -> Data? {
        var text = text
        let isJSON = MediaType(mediaType)?.essence.hasSuffix("json") ?? false
        let layer: EscapeLayer? = isJSON ? .json : EscapeLayer(mediaType: mediaType)
        return text.edit { edits(in: $0, escapedBy: layer, isBody: true) } ? text : nil
    }

    private func edits(in bytes: UnsafeRawBufferPointer, escapedBy layer: EscapeLayer?, isBody: Bool)
        -> [ByteEdit]
    {
        let chosen = secrets.isEmpty ? [] : chosenEdits(in: bytes, escapedBy: layer)
        guard let sent else { return chosen }
        let numbered = PlaceholderSearch(bytes) { placeholder, place, text in
            let inner: EscapeLayer? = text.bytes.beginLikeJSON ? .json : nil
            let layer = text.isEncoded ? inner : layer
            return sent(placeholder).map {
                Self.spelled($0, before: place, in: text.bytes, layer, isBody: isBody)
            }
        }
        let edits = numbered.lazy.filter { !$0.range.isEmpty }
            .map { ByteEdit(range: $0.range, replacement: $0.replacement) }
            .filter { edit in !chosen.contains { $0.range.overlaps(edit.range) } }
        return (chosen + edits).sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// A placeholder with escapes is replaced in the same layer.
    private func chosenEdits(in bytes: UnsafeRawBufferPointer, escapedBy layer: EscapeLayer?) -> [ByteEdit] {
        let plain = chosenEdits(in: bytes) { layer?.encoded($0) ?? Array($0.utf8) }
        var edits = plain
        for layer in EscapeLayer.allCases where layer != .form {
            let found = layer.edits(in: bytes) { decoded in chosenEdits(in: decoded) { Array($0.utf8) } }
            edits += found.filter { edit in !edits.contains { $0.range.overlaps(edit.range) } }
        }
        return edits
    }

    private func chosenEdits(in bytes: UnsafeRawBufferPointer, _ encoded: (String) -> [UInt8]) -> [ByteEdit] {
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

    // MARK: Encodings

    /// A secret as the text around its placeholder spells it. A placeholder looks the same in every encoding.
    private static func spelled(
        _ secret: String,
        before place: Int,
        in bytes: UnsafeRawBufferPointer,
        _ layer: EscapeLayer?,
        isBody: Bool
    ) -> [UInt8] {
        if secret.utf8.allSatisfy(ByteSet.dotted.contains) { return Array(secret.utf8) }
        let decoded = PercentDecoding.decoded(secret).flatMap { $0 == secret ? nil : $0 }
        if layer == .percent || isInURL(place, of: bytes) {
            // A value from a URL is already encoded.
            return decoded == nil ? EscapeLayer.percent.encoded(secret) : Array(secret.utf8)
        }
        let text = isBody ? decoded ?? secret : secret
        return layer?.encoded(text) ?? Array(text.utf8)
    }

    /// Whether the text before a place begins like a URL or a path.
    private static func isInURL(_ place: Int, of bytes: UnsafeRawBufferPointer) -> Bool {
        let before = bytes[max(0, place - 2_048)..<place]
        let start = before.lastIndex { urlEnds.contains($0) }.map { $0 + 1 } ?? before.startIndex
        let run = UnsafeRawBufferPointer(rebasing: bytes[start..<place])
        // JSON may escape a slash.
        return run.first == UInt8(ascii: "/") || run.starts(with: #"\/"#.utf8)
            || run.indices.contains { run[$0] == UInt8(ascii: ":") && startsAuthority(run, at: $0 + 1) }
    }

    private static func startsAuthority(_ run: UnsafeRawBufferPointer, at place: Int) -> Bool {
        run[place...].starts(with: "//".utf8) || run[place...].starts(with: #"\/\/"#.utf8)
    }

    private static let urlEnds = ByteSet(" \t\r\n\"'<>()")
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

extension MessagePart {
    /// Whether the text is a URL, so that what is inserted must be percent-encoded.
    var isURL: Bool {
        switch self {
        case .url: true
        case .header(let name, _): ["location", "content-location", "referer"].contains(name.lowercased())
        case .statusText, .failure: false
        }
    }
}
