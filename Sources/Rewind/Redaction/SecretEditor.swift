import Foundation

/// Replaces values whose names are secret with placeholders, and adds the secrets to a ledger.
final class SecretEditor: MessageEditor {
    let readsFields = true
    let rules: SecretRules
    private let ledger: SecretLedger
    /// The host of the request, for rules that are limited to some hosts.
    let host: String
    /// The places from which secrets were removed, in order.
    private(set) var places: [String] = []
    /// The same places as a set, because a body may contain many.
    private var knownPlaces: Set<String> = []
    /// The secrets from rules for whole texts that the ledger does not search for.
    private(set) var unsearched: [(value: String, placeholder: Placeholder)] = []
    /// The message that is being edited.
    var message = MessageKind.request

    init(_ rules: SecretRules, _ ledger: SecretLedger, host: String) {
        self.rules = rules
        self.ledger = ledger
        self.host = host
    }

    func edited(_ text: String, at part: MessagePart) -> String? {
        switch part {
        case .url(let message):
            self.message = message
            return redactURL(text, at: message.rawValue)
        case .header(let name, let message):
            self.message = message
            return redactHeader(name, text, of: message)
        case .statusText: return nil
        case .failure:
            message = .response
            return redactURL(text, at: "failure")
        }
    }

    func edited(_ body: Data, mediaType: String?, of message: MessageKind, part: String?) -> Data? {
        guard !rules.isEmpty else { return nil }
        self.message = message
        let place = message.rawValue + " body"
        guard let part else {
            func redacted() -> Data? { redact(body, mediaType: mediaType, at: place) }
            // A finder is called for each message, and may know more than before.
            guard !rules.hasFinders, let plain = rules.plainBodies else { return redacted() }
            return plain.edited(body, mediaType: mediaType, of: message, host: host, by: redacted)
        }
        return redact(part: part, body, mediaType: mediaType, at: "\(place) part \(part)")
    }

    /// The placeholder for a secret; `nil` if the value is empty or already a placeholder.
    func placeholder(
        for value: String,
        name: String,
        at place: @autoclosure () -> String,
        isEverywhere: Bool = true
    ) -> String? {
        guard !value.isEmpty, !isPlaceholder(value), !Self.isUserWithPlaceholder(value) else { return nil }
        note(place())
        // An encoded token, or a user with a token: on replay, the app sends the same with the placeholder.
        if let known = ledger.replacer?.replacing(in: value), Self.isUserWithPlaceholder(known) { return known }
        return ledger.placeholder(for: value, name: name, isEverywhere: isEverywhere).text(for: value)
    }

    /// Whether a value, or the text in it in base64, is a placeholder or a user and a placeholder, as in `ann:REDACTED…`.
    private static func isUserWithPlaceholder(_ value: String) -> Bool {
        guard value.utf8.count <= 8_192, Placeholder.isPresent(in: value) else { return false }
        let digits = value.utf8.prefix { $0 != UInt8(ascii: "=") }
        let decoded = Base64Alphabet.decoded(digits).flatMap { CredentialText.isASCII($0) ? $0 : nil }
        return (decoded ?? Array(value.utf8)).withUnsafeBytes { bytes in
            let matches = Array(PlaceholderSearch(bytes))
            guard matches.count == 1, matches[0].range.upperBound == bytes.count else { return false }
            let user = bytes[..<matches[0].range.lowerBound]
            return user.isEmpty
                || user.count <= 64 && user.last == UInt8(ascii: ":")
                    && user.dropLast().allSatisfy { ByteSet.userName.contains($0) }
        }
    }

    func isPlaceholder(_ value: String) -> Bool {
        if Placeholder(value) != nil || ledger.isChosen(value) { return true }
        guard JSONWebToken.isStart(value.utf8), let token = JSONWebToken(value.utf8) else { return false }
        return Placeholder(token) != nil
    }

    func note(_ place: String) {
        if knownPlaces.insert(place).inserted { places.append(place) }
    }

    /// Adds the secrets that rules for whole texts find. They are replaced later.
    func enterValues(in text: @autoclosure () -> String) {
        guard rules.hasFinders else { return }
        for (value, name) in rules.values(in: text(), host: host) {
            let placeholder = ledger.placeholder(for: value, name: name)
            if ledger.isUnsearched(value), SecretValue.isDistinctive(value) {
                unsearched.append((value, placeholder))
            }
        }
    }

    // MARK: Text

    /// Redacts a body by its media type and its first bytes.
    func redact(_ data: Data, mediaType: String?, at place: String) -> Data? {
        let essence = mediaType.flatMap { MediaType($0)?.essence }
        let isForm = essence == "application/x-www-form-urlencoded"
        let isTable = essence == "text/csv" || essence == "text/tab-separated-values"
        enterValues(in: String(decoding: data, as: UTF8.self))
        var data = data
        let isEdited = data.edit { bytes in
            // Platforms also use this type for bodies that are not forms.
            let first = bytes.first { $0 > 0x20 } ?? 0
            return isForm && !Self.structureStarts.contains(first)
                ? pairEdits(in: bytes, ends: Self.formValueEnds, of: "field", at: place, isForm: true).merged
                : ((isTable ? columnEdits(in: bytes, at: place) : []) + edits(in: bytes, at: place)).merged
        }
        return isEdited ? data : nil
    }

    /// Redacts a part of a multipart form, whose name is that of a field.
    private func redact(part name: String, _ data: Data, mediaType: String?, at place: String) -> Data? {
        let field = SecretField(name: name, meaning: formMeaning(of: name), isMachineText: true)
        if data.count <= Self.longestValue, field.isSecret(data) {
            let value = String(decoding: data, as: UTF8.self)
            return placeholder(for: value, name: name, at: place).map { Data($0.utf8) }
        }
        return redact(data, mediaType: mediaType, at: place)
    }

    /// Longer values are files.
    private static let longestValue = 65_536
    private static let structureStarts = ByteSet("{[<\"")

    /// Finds secrets in a text of any format. A text may contain several formats, such as JSON in a log line.
    func edits(in bytes: UnsafeRawBufferPointer, at place: String, depth: Int = 0) -> [ByteEdit] {
        guard depth < Self.deepest else { return [] }
        var edits = memberEdits(in: bytes, at: place, depth: depth)
        edits += markupEdits(in: bytes, at: place, depth: depth)
        edits += userEdits(in: bytes, at: place)
        edits += pairEdits(in: bytes, ends: Self.valueEnds, of: "query", at: place, depth: depth)
        edits += assignmentEdits(in: bytes, at: place, depth: depth)
        edits += pathEdits(in: bytes, at: place)
        return edits.merged
    }

    private static let deepest = 5

    /// The edits of a value: the placeholder if it is secret, and otherwise those of the texts that it contains.
    func edits(
        of range: Range<Int>,
        in bytes: UnsafeRawBufferPointer,
        escapedBy layer: EscapeLayer?,
        _ field: SecretField?,
        at place: () -> String,
        depth: Int
    ) -> [ByteEdit] {
        guard !range.isEmpty else { return [] }
        let isEscaped = layer?.isUsed(in: range, of: bytes) ?? false
        if let field, let meaning = field.meaning, meaning.role != .description {
            if SecretNames.isCookieField(field.name) {
                let value = String(
                    decoding: layer?.decoded(range, of: bytes) ?? Array(bytes[range]),
                    as: UTF8.self
                )
                if value.contains("="),
                    let cookies = redactCookies(value, onlyFirst: false, all: false, at: place())
                {
                    return cookies == value
                        ? []
                        : [ByteEdit(range: range, replacement: layer?.encoded(cookies) ?? Array(cookies.utf8))]
                }
            }
            let decoded = isEscaped ? layer?.decoded(range, of: bytes) : nil
            let isSecret = decoded.map { field.isSecret($0) } ?? field.isSecret(bytes[range])
            if isSecret {
                // A secret in JSON consists of its members.
                if (decoded?.first ?? bytes[range.lowerBound]) == UInt8(ascii: "{"), let layer {
                    let inner = innerEdits(of: range, in: bytes, escapedBy: layer, at: place(), depth: depth)
                    if !inner.isEmpty { return inner }
                }
                let value = String(decoding: decoded ?? Array(bytes[range]), as: UTF8.self)
                return placeholder(for: value, name: field.name, at: place()).map { [ByteEdit(range, $0)] }
                    ?? []
            }
        }
        // Outside of JSON, an unescaped text was read together with the text around it.
        let isMarkup = layer == .json && bytes[range].contains(UInt8(ascii: "<"))
        if isEscaped || isMarkup, let layer {
            return innerEdits(of: range, in: bytes, escapedBy: layer, at: place(), depth: depth)
        }
        return credentialEdits(of: range, in: bytes, at: place)
            ?? base64Edits(of: range, in: bytes, at: place, depth: depth)
    }

    /// Redacts a credential after its scheme (RFC 9110 section 11.4), under any name; `nil` if the value is not one.
    private func credentialEdits(of range: Range<Int>, in bytes: UnsafeRawBufferPointer, at place: () -> String)
        -> [ByteEdit]?
    {
        let scheme = bytes[range].prefix(6)
        let isBasic = scheme.elementsEqual("Basic ".utf8) || scheme.elementsEqual("basic ".utf8)
        guard isBasic || bytes[range].starts(with: "Bearer ".utf8) || bytes[range].starts(with: "bearer ".utf8)
        else {
            return nil
        }
        let start = range.lowerBound + (isBasic ? 6 : 7)
        let value = bytes[start..<range.upperBound]
        let decoded = isBasic ? Base64Alphabet.decoded(value.prefix { $0 != UInt8(ascii: "=") }) : nil
        let isSecret =
            isBasic
            ? decoded.map { $0.contains(UInt8(ascii: ":")) && CredentialText.isPrintable($0) } ?? false
            : ValuePattern.looksGenerated(value)
        guard isSecret else { return nil }
        let text = String(decoding: value, as: UTF8.self)
        return placeholder(for: text, name: "authorization", at: place()).map {
            [ByteEdit(start..<range.upperBound, $0)]
        }
    }

    /// The edits of the texts that a value contains.
    private func innerEdits(
        of range: Range<Int>,
        in bytes: UnsafeRawBufferPointer,
        escapedBy layer: EscapeLayer,
        at place: String,
        depth: Int
    ) -> [ByteEdit] {
        let decoded = layer.decoded(range, of: bytes)
        let found = decoded.withUnsafeBytes { text in
            let found = edits(in: text, at: place, depth: depth + 1)
            let whole = 0..<text.count
            return found.isEmpty ? base64Edits(of: whole, in: text, at: { place }, depth: depth + 1) : found
        }
        return found.isEmpty ? [] : layer.edits(found, of: range, in: bytes)
    }

    /// Redacts JSON, XML and forms in base64.
    private func base64Edits(
        of range: Range<Int>,
        in bytes: UnsafeRawBufferPointer,
        at place: () -> String,
        depth: Int
    ) -> [ByteEdit] {
        guard depth < Self.deepest, range.count >= 16, Self.mayBeEncodedText(bytes[range]) else { return [] }
        // Base64 may be wrapped into lines (RFC 2045 section 6.8).
        let lineEnd = ByteSet.lineEnds.first(in: bytes, from: range.lowerBound, to: range.upperBound)
        let line = (lineEnd ?? range.upperBound) - range.lowerBound
        let isWrapped = line < range.count
        let text = isWrapped ? bytes[range].filter { !ByteSet.lineEnds.contains($0) } : Array(bytes[range])
        let digits = text.prefix { $0 != UInt8(ascii: "=") }
        let padding = text.count - digits.count
        guard padding < 3, line > 0, let decoded = Base64Alphabet.decoded(digits),
            decoded.prefix(64).allSatisfy({ $0 >= 0x20 || (0x09...0x0D).contains($0) })
        else { return [] }
        let replaced: [UInt8]? = decoded.withUnsafeBytes { text in
            let found = edits(in: text, at: place(), depth: depth + 1)
            return found.isEmpty ? nil : text.applying(found)
        }
        guard let replaced else { return [] }
        let encoded = Base64Alphabet.encoded(replaced, like: digits, hasPadding: padding > 0)
        guard isWrapped else { return [ByteEdit(range: range, replacement: encoded)] }
        let lines = stride(from: 0, to: encoded.count, by: line).map {
            encoded[$0..<min($0 + line, encoded.count)]
        }
        let end: [UInt8] = bytes[range].last == 0x0A ? [0x0A] : []
        return [ByteEdit(range: range, replacement: Array(lines.joined(separator: [0x0A])) + end)]
    }

    /// Whether base64 begins like `{"`, `[{`, `<`, or a line of text with white space before it.
    private static func mayBeEncodedText(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard text.dropFirst(4).first.map(Base64Alphabet.isDigit) ?? false else { return false }
        return encodedStarts.contains { text.starts(with: $0.utf8) }
            && text.allSatisfy {
                Base64Alphabet.isDigit($0) || $0 == UInt8(ascii: "=") || $0 == 0x0A || $0 == 0x0D
            }
    }

    private static let encodedStarts = [
        "eyJ", "eyA", "ewo", "ew0", "ewk", "WyJ", "Wwo", "W3", "PG", "PH", "PF", "PE", "PD",
        // `pass`, `user`, `toke`, `secr`, `apiK`, `api_`, `grant`, `clie`, `acce`.
        "cGFz", "dXNl", "dG9r", "c2Vj", "YXBp", "Z3Jh", "Y2xp", "YWNj", "aWRf",
        // `API_`, `DB_`, `AWS_`, `export `, `TOKEN`.
        "QVBJ", "REJf", "QVdT", "ZXhwb3J0", "VE9LRU4",
    ]
}

extension ByteSet {
    fileprivate static let userName = ByteSet(letters + "0123456789_-.@+")
}

extension UnsafeRawBufferPointer {
    /// Whether the first character begins a JSON object or array.
    var beginLikeJSON: Bool {
        let first = first { $0 > 0x20 }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }
}
