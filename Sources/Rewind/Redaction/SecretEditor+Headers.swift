import Foundation

extension SecretEditor {
    /// Redacts a header field, except the scheme of a credential and the names and attributes of cookies.
    func redactHeader(_ name: String, _ value: String, of message: MessageKind) -> String? {
        guard !rules.isEmpty else { return nil }
        let role = rules.role(ofHeader: name, host: host)
        // Most fields have no secret name, and no character that a secret in a text needs.
        guard role != nil || rules.hasFinders || Self.mayHoldSecret(value) else { return nil }
        let name = name.lowercased()
        func place() -> String { "\(message.rawValue) header \(name)" }
        enterValues(in: value)
        switch (role, name) {
        case (_, "www-authenticate"), (_, "proxy-authenticate"): return redactChallenge(value, at: place())
        case (.always, "cookie"), (.certain, "cookie"):
            return redactCookies(value, onlyFirst: false, all: role == .always, at: place())
        case (_, "sec-websocket-protocol"): return redactSubprotocols(value, at: place())
        case (.always, "set-cookie"), (.certain, "set-cookie"):
            return redactCookies(value, onlyFirst: true, all: role == .always, at: place())
        case (.always, _), (.certain, _): return redactCredential(value, named: name, at: place())
        case (.likely, _) where ValuePattern.looksGenerated(Array(value.utf8)):
            return redactCredential(value, named: name, at: place())
        default:
            return value.edited { bytes in
                let found = edits(in: bytes, at: place())
                let whole = 0..<bytes.count
                return found.isEmpty
                    ? edits(of: whole, in: bytes, escapedBy: .percent, nil, at: place, depth: 0) : found
            }
        }
    }

    private static func mayHoldSecret(_ value: String) -> Bool {
        value.withBytes { bytes in bytes.count >= 60 || bytes.contains { secretSigns.contains($0) } }
    }

    private static let secretSigns = ByteSet("=@\"{<%/")

    /// Redacts a credential, except its scheme (RFC 9110 section 11.4).
    private func redactCredential(_ value: String, named name: String, at place: String) -> String? {
        let words = value.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard words.count == 2, let first = words.first, !first.isEmpty,
            name.hasSuffix("authorization") || SecretNames.isScheme(first.utf8)
        else { return placeholder(for: value, name: name, at: place) }
        let credential = words[1].trimmingSpaces()
        // The user stays, so that the requests of two users differ.
        if first.lowercased() == "basic" { enterPassword(of: credential) }
        return placeholder(for: credential, name: name, at: place).map { "\(first) \($0)" }
    }

    /// Adds the password of a basic credential (RFC 7617 section 2), because it may occur elsewhere too.
    private func enterPassword(of credential: String) {
        guard let data = Data(base64Encoded: credential), let text = String(data: data, encoding: .utf8),
            let colon = text.firstIndex(of: ":")
        else { return }
        let password = String(text[text.index(after: colon)...])
        if !password.isEmpty {
            _ = placeholder(for: password, name: "password", at: "request header authorization")
        }
    }

    /// Redacts the values of cookies that are secret by their name or look generated. In `Set-Cookie`, only the first pair
    /// is a cookie.
    func redactCookies(_ value: String, onlyFirst: Bool, all: Bool, at place: String) -> String? {
        let parts = value.split(separator: ";", omittingEmptySubsequences: false)
        return parts.enumerated().map { index, part -> String in
            guard index == 0 || !onlyFirst, let equals = part.firstIndex(of: "=") else { return String(part) }
            let name = part[..<equals].trimmingSpaces()
            let cookie = part[part.index(after: equals)...].trimmingSpaces()
            let place = "\(place) \(name)"
            guard isSecretCookie(name, cookie, all: all) else {
                let inner = cookie.edited { bytes in
                    edits(of: 0..<bytes.count, in: bytes, escapedBy: .percent, nil, at: { place }, depth: 0)
                }
                return inner.map { part[...equals] + $0 } ?? String(part)
            }
            // Cookies also contain settings such as a language, which must not be replaced everywhere.
            let isEverywhere =
                cookie.utf8.count >= 12 && cookie.contains { $0.isNumber } && cookie.contains { $0.isLetter }
            let placeholder = placeholder(for: cookie, name: name, at: place, isEverywhere: isEverywhere)
            return placeholder.map { part[...equals] + $0 } ?? String(part)
        }.joined(separator: ";")
    }

    private func isSecretCookie(_ name: String, _ cookie: String, all: Bool) -> Bool {
        switch rules.role(ofCookie: name, host: host) {
        case .always?: return true
        case .harmless?: return all
        case .certain?: return all || !SecretValue.isCommonWord(cookie)
        default:
            let value = Array((PercentDecoding.decoded(cookie) ?? cookie).utf8)
            return all || ValuePattern.looksGenerated(value) && !isEncodedJSON(value)
        }
    }

    /// Whether a value is JSON in base64, whose members say what is secret.
    private func isEncodedJSON(_ value: [UInt8]) -> Bool {
        guard value.starts(with: "ey".utf8),
            let decoded = Base64Alphabet.decoded(value.filter { $0 != UInt8(ascii: "=") })
        else { return false }
        return (try? JSON(parsing: Data(decoded))) != nil
    }

    /// Redacts credentials among the names of WebSocket subprotocols, where clients in browsers put them.
    private func redactSubprotocols(_ value: String, at place: String) -> String? {
        let items = value.split(separator: ",", omittingEmptySubsequences: false).map { item -> String in
            let name = item.trimmingSpaces()
            let start = name.lastIndex(of: ".").map { name.index(after: $0) } ?? name.startIndex
            let end = name[start...]
            guard ValuePattern.looksRandom(Array(end.utf8)),
                let placeholder = placeholder(for: String(end), name: "protocol", at: place)
            else { return String(item) }
            return item.prefix { $0 == " " } + name[..<start] + placeholder
        }
        return items.joined(separator: ",")
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
                value.replaceSubrange(start..<end, with: placeholder)
            }
        }
        return value
    }
}
