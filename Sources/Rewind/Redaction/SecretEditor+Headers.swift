import Foundation

extension SecretEditor {
    /// Redacts header fields: credentials without their scheme, cookies without their names and attributes.
    mutating func redact(_ headers: HeaderList, at place: String) -> HeaderList {
        var headers = headers
        for index in headers.fields.indices {
            let field = headers.fields[index]
            // Most values are of no secret name, and have nothing in which a secret could stand.
            guard rules.hasFinders || rules.mayBeSecretHeader(field.name) || mayHoldSecret(field.value) else {
                continue
            }
            let name = field.name.lowercased()
            headers.fields[index].value = redact(field.value, named: name, at: "\(place) header \(name)")
        }
        return headers
    }

    private mutating func redact(
        _ value: String,
        named name: String,
        at place: @autoclosure () -> String
    ) -> String {
        guard rules.isSecretHeader(name, host: host) else {
            enterValues(in: value)
            let isChallenge = name == "www-authenticate" || name == "proxy-authenticate"
            return isChallenge && !rules.isEmpty
                ? redactChallenge(value, at: place()) : redactURL(value, at: place())
        }
        switch name {
        case "cookie": return redactCookies(value, onlyFirst: false, at: place())
        case "set-cookie": return redactCookies(value, onlyFirst: true, at: place())
        case "authorization", "proxy-authorization": return redactCredential(value, named: name, at: place())
        default: return placeholder(for: value, name: name, at: place())?.text(for: value) ?? value
        }
    }

    /// Keeps the scheme of a credential (RFC 9110 section 11.4).
    private mutating func redactCredential(_ value: String, named name: String, at place: String) -> String {
        guard let space = value.firstIndex(of: " ") else {
            return placeholder(for: value, name: name, at: place)?.text(for: value) ?? value
        }
        let scheme = value[..<space]
        let credential = value[space...].trimmingSpaces()
        if scheme.lowercased() == "basic" { enterPassword(of: credential) }
        guard let placeholder = placeholder(for: credential, name: name, at: place) else { return value }
        return "\(scheme) \(placeholder.text(for: credential))"
    }

    /// Makes the password inside a basic credential known (RFC 7617 section 2), as it may stand elsewhere as well.
    private func enterPassword(of credential: String) {
        guard let data = Data(base64Encoded: credential), let text = String(data: data, encoding: .utf8),
            let colon = text.firstIndex(of: ":")
        else { return }
        let password = String(text[text.index(after: colon)...])
        if !password.isEmpty { _ = ledger.placeholder(for: password, name: "password") }
    }

    /// Redacts the values of cookies; of a `Set-Cookie` only the first pair is one.
    private mutating func redactCookies(_ value: String, onlyFirst: Bool, at place: String) -> String {
        let parts = value.split(separator: ";", omittingEmptySubsequences: false)
        return parts.enumerated().map { index, part -> String in
            guard index == 0 || !onlyFirst, let equals = part.firstIndex(of: "=") else { return String(part) }
            let name = part[..<equals].trimmingSpaces()
            let spelled = part[part.index(after: equals)...]
            let cookie = spelled.trimmingSpaces()
            guard !cookie.isEmpty, let text = cookieText(cookie, name: name, at: "\(place) \(name)") else {
                return String(part)
            }
            return part[...equals] + text
        }.joined(separator: ";")
    }

    private mutating func cookieText(_ value: String, name: String, at place: String) -> String? {
        guard Placeholder(value) == nil, !JSONWebToken.isPlaceholder(value) else { return nil }
        note(place)
        // Cookies also hold settings such as a language, which must not be replaced elsewhere.
        let isEverywhere =
            value.utf8.count >= 12 && value.contains { $0.isNumber } && value.contains { $0.isLetter }
        return ledger.placeholder(for: value, name: name, isEverywhere: isEverywhere).text(for: value)
    }

    /// Redacts what a server makes up for one challenge (RFC 7616 section 3.3).
    private mutating func redactChallenge(_ value: String, at place: String) -> String {
        var edits: [(range: Range<String.Index>, text: String)] = []
        for name in SecretNames.challengeParameters.sorted() {
            guard let start = value.range(of: name + "=\"", options: .caseInsensitive),
                let end = value[start.upperBound...].firstIndex(of: "\"")
            else { continue }
            let secret = String(value[start.upperBound..<end])
            if let placeholder = placeholder(for: secret, name: name, at: "\(place) \(name)") {
                edits.append((start.upperBound..<end, placeholder.text))
            }
        }
        return value.applying(edits.sorted { $0.range.lowerBound < $1.range.lowerBound })
    }
}
