import Foundation

/// Replaces values whose names are secret with placeholders, and adds the secrets to a ledger.
final class SecretEditor: MessageEditor {
    let rules: SecretRules
    private let ledger: SecretLedger
    /// The host of the request, for rules that are limited to some hosts.
    let host: String
    /// The places from which secrets were removed, in order.
    private(set) var places: [String] = []
    /// The same places as a set, because a body may contain many.
    private var knownPlaces: Set<String> = []

    init(_ rules: SecretRules, _ ledger: SecretLedger, host: String) {
        self.rules = rules
        self.ledger = ledger
        self.host = host
    }

    func edited(_ text: String, at part: MessagePart) -> String? {
        switch part {
        case .url: redactURL(text, at: "request")
        case .header(let name, let message): redactHeader(name, text, of: message)
        case .statusText: nil
        case .failure: redactURL(text, at: "failure")
        }
    }

    func edited(_ body: Data, mediaType: String?, of message: MessageKind) -> Data? {
        rules.isEmpty ? nil : redact(body, mediaType: mediaType, at: message.rawValue + " body")
    }

    /// The placeholder for a secret; `nil` if the value is empty or already a placeholder.
    func placeholder(
        for value: String,
        name: String,
        at place: @autoclosure () -> String,
        isEverywhere: Bool = true
    ) -> Placeholder? {
        guard !value.isEmpty, Placeholder(value) == nil, !JSONWebToken.isPlaceholder(value) else { return nil }
        note(place())
        return ledger.placeholder(for: value, name: name, isEverywhere: isEverywhere)
    }

    func note(_ place: String) {
        if knownPlaces.insert(place).inserted { places.append(place) }
    }

    /// Adds the secrets that rules for whole texts find. They are replaced later.
    func enterValues(in text: String) {
        guard rules.hasFinders else { return }
        for (value, name) in rules.values(in: text, host: host) {
            _ = ledger.placeholder(for: value, name: name)
        }
    }

    // MARK: Header fields

    /// Redacts a header field, except the scheme of a credential and the names and attributes of cookies.
    private func redactHeader(_ name: String, _ value: String, of message: MessageKind) -> String? {
        // Most fields have no secret name, and no character that a secret in a URL needs.
        guard rules.hasFinders || rules.mayBeSecretHeader(name) || Self.mayHoldSecret(value) else { return nil }
        let name = name.lowercased()
        func place() -> String { "\(message.rawValue) header \(name)" }
        guard rules.isSecretHeader(name, host: host) else {
            let isChallenge = name == "www-authenticate" || name == "proxy-authenticate"
            guard isChallenge, !rules.isEmpty else { return redactURL(value, at: place()) }
            enterValues(in: value)
            return redactChallenge(value, at: place())
        }
        switch name {
        case "cookie": return redactCookies(value, onlyFirst: false, at: place())
        case "set-cookie": return redactCookies(value, onlyFirst: true, at: place())
        case "authorization", "proxy-authorization": return redactCredential(value, named: name, at: place())
        default: return placeholder(for: value, name: name, at: place())?.text(for: value)
        }
    }

    /// Redacts a credential, except its scheme (RFC 9110 section 11.4).
    private func redactCredential(_ value: String, named name: String, at place: String) -> String? {
        guard let space = value.firstIndex(of: " ")
        else { return placeholder(for: value, name: name, at: place)?.text(for: value) }
        let scheme = value[..<space]
        let credential = value[space...].trimmingSpaces()
        if scheme.lowercased() == "basic" { enterPassword(of: credential) }
        return placeholder(for: credential, name: name, at: place).map {
            "\(scheme) \($0.text(for: credential))"
        }
    }

    /// Adds the password of a basic credential (RFC 7617 section 2), because it may occur elsewhere too.
    private func enterPassword(of credential: String) {
        guard let data = Data(base64Encoded: credential), let text = String(data: data, encoding: .utf8),
            let colon = text.firstIndex(of: ":")
        else { return }
        let password = String(text[text.index(after: colon)...])
        if !password.isEmpty { _ = ledger.placeholder(for: password, name: "password") }
    }

    /// Redacts the values of cookies. In `Set-Cookie`, only the first pair is a cookie.
    private func redactCookies(_ value: String, onlyFirst: Bool, at place: String) -> String {
        let parts = value.split(separator: ";", omittingEmptySubsequences: false)
        return parts.enumerated().map { index, part -> String in
            guard index == 0 || !onlyFirst, let equals = part.firstIndex(of: "=") else { return String(part) }
            let name = part[..<equals].trimmingSpaces()
            let cookie = part[part.index(after: equals)...].trimmingSpaces()
            // Cookies also contain settings such as a language, which must not be replaced everywhere.
            let isEverywhere =
                cookie.utf8.count >= 12 && cookie.contains { $0.isNumber } && cookie.contains { $0.isLetter }
            let place = "\(place) \(name)"
            let placeholder = placeholder(for: cookie, name: name, at: place, isEverywhere: isEverywhere)
            return placeholder.map { part[...equals] + $0.text(for: cookie) } ?? String(part)
        }.joined(separator: ";")
    }

    /// Redacts the values that a server generates for one challenge (RFC 7616 section 3.3).
    private func redactChallenge(_ value: String, at place: String) -> String {
        var value = value
        for name in SecretNames.challengeParameters.sorted() {
            guard let start = value.range(of: name + "=\"", options: .caseInsensitive)?.upperBound,
                let end = value[start...].firstIndex(of: "\"")
            else { continue }
            let secret = String(value[start..<end])
            if let placeholder = placeholder(for: secret, name: name, at: "\(place) \(name)") {
                value.replaceSubrange(start..<end, with: placeholder.text)
            }
        }
        return value
    }

    // MARK: URLs

    /// Redacts the user, the query and the fragment of each URL in a text.
    private func redactURL(_ text: String, at place: @autoclosure () -> String) -> String? {
        guard rules.hasFinders || Self.mayHoldSecret(text) else { return nil }
        let users = text.edited { userEdits(in: $0, at: place()) }
        let url = users ?? text
        enterValues(in: url)
        return url.edited { pairEdits(in: $0, at: place() + " query") } ?? users
    }

    private static func mayHoldSecret(_ text: String) -> Bool {
        text.withBytes { $0.contains { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "@") } }
    }

    /// Redacts the user and the password of each URL in a text.
    func userEdits(in bytes: UnsafeRawBufferPointer, at place: @autoclosure () -> String) -> [ByteEdit] {
        guard rules.redactsUsers, bytes.firstIndex(ofByte: UInt8(ascii: "@"), from: 0) != nil else { return [] }
        var edits: [ByteEdit] = []
        var position = 0
        while let slash = bytes.firstIndex(ofByte: UInt8(ascii: "/"), from: position) {
            position = slash + 1
            guard position < bytes.count, bytes[position] == UInt8(ascii: "/") else { continue }
            position += 1
            let end = bytes[position...].firstIndex(where: Self.authorityEnds.contains) ?? bytes.count
            // Only at the start of a text can a URL begin with two slashes; elsewhere it has a scheme.
            guard slash == 0 || bytes[slash - 1] == UInt8(ascii: ":"),
                let at = bytes[position..<end].lastIndex(of: UInt8(ascii: "@"))
            else { continue }
            let parts = bytes[position..<at].split(
                separator: UInt8(ascii: ":"),
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            for (part, name) in zip(parts, ["user", "password"]) {
                let spelled = String(decoding: part, as: UTF8.self)
                let value = PercentDecoding.decoded(spelled) ?? spelled
                if let placeholder = placeholder(for: value, name: name, at: "\(place()) \(name)") {
                    edits.append(ByteEdit(part.startIndex..<part.endIndex, placeholder.text(.percent)))
                }
            }
            position = at
        }
        return edits
    }

    private static let authorityEnds = ByteSet(" \t\r\n/?#\"'<>\\")

    /// Redacts `name=value` pairs in the query and the fragment of each URL in a text.
    ///
    /// A fragment may be a query, as in OAuth's implicit grant (RFC 6749 section 4.2.2).
    func pairEdits(in bytes: UnsafeRawBufferPointer, at place: @autoclosure () -> String) -> [ByteEdit] {
        var edits: [ByteEdit] = []
        var position = 0
        while let equals = bytes.firstIndex(ofByte: UInt8(ascii: "="), from: position) {
            position = equals + 1
            let end = edits.last?.range.upperBound ?? 0
            guard let start = Self.start(ofNameBefore: equals, in: bytes, after: end) else { continue }
            // The bytes of most names show that they are not secret; an encoded name must be decoded first.
            let name = bytes[start..<equals]
            guard rules.mayBeSecretField(name) || name.contains(where: Self.encodings.contains)
            else { continue }
            let spelled = String(decoding: name, as: UTF8.self)
            let valueEnd = bytes[position...].firstIndex(where: Self.valueEnds.contains) ?? bytes.count
            let edit = edit(
                name: PercentDecoding.decoded(spelled, plusIsSpace: true) ?? spelled,
                value: String(decoding: bytes[position..<valueEnd], as: UTF8.self),
                at: place()
            )
            guard let edit else { continue }
            edits.append(ByteEdit(position..<valueEnd, edit))
            position = valueEnd
        }
        return edits
    }

    /// The start of the name before an equals sign; `nil` if it is not the name of a query item.
    private static func start(ofNameBefore equals: Int, in bytes: UnsafeRawBufferPointer, after end: Int)
        -> Int?
    {
        var start = equals
        while start > end, nameBytes.contains(bytes[start - 1]) {
            start -= 1
            guard equals - start <= 96 else { return nil }
        }
        guard start < equals else { return nil }
        return start == 0 || itemStarts.contains(bytes[start - 1]) ? start : nil
    }

    private static let nameBytes = ByteSet(ByteSet.letters + "0123456789_-.[]%+$")
    private static let encodings = ByteSet("%+")
    private static let itemStarts = ByteSet("?&;#\n")
    private static let valueEnds = ByteSet(
        String((0...0x20 as ClosedRange<UInt8>).map { Character(Unicode.Scalar($0)) }) + "&#\"'<>\\;"
    )

    // MARK: Forms

    func redactForm(_ data: Data, at place: String) -> Data? {
        guard var form = FormFields(data) else { return nil }
        for index in form.fields.indices {
            let field = form.fields[index]
            guard let spelled = field.spelledValue else { continue }
            if let value = edit(name: field.name, value: spelled, at: place + " field") {
                form.fields[index].spelledValue = value
            } else if let value = field.value, value.utf8.first == UInt8(ascii: "{"),
                let text = value.edited({ memberEdits(in: $0, at: place + " field \(field.name)") })
            {
                form.fields[index].spelledValue = PercentEncoding.encoded(text)
            }
        }
        return Data(form.text.utf8)
    }

    /// The replacement of a value; `nil` if it is not secret.
    private func edit(name: String, value spelled: String, at place: String) -> String? {
        guard !spelled.isEmpty else { return nil }
        let value = PercentDecoding.decoded(spelled) ?? spelled
        guard rules.isSecretField(name, value: value, host: host) else { return nil }
        return placeholder(for: value, name: name, at: "\(place) \(name)")?.text(for: value, spelling: .percent)
    }
}

extension JSONWebToken {
    /// Whether a text is a JSON Web Token that replaced a secret.
    static func isPlaceholder(_ text: String) -> Bool {
        guard text.utf8.starts(with: "eyJ".utf8), let token = JSONWebToken(text.utf8) else { return false }
        return Placeholder(token) != nil
    }
}

extension Placeholder {
    /// The replacement of a secret. A JSON Web Token is replaced by one, so that clients can decode it.
    func text(for value: String, spelling: Spelling = .raw) -> String {
        jwtText(replacing: value) ?? text(spelling)
    }
}
