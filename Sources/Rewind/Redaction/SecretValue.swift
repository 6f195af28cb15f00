/// Judges the values of secrets.
package enum SecretValue {
    /// Whether a value that was found secret under its name may be replaced wherever else it stands.
    ///
    /// A value that everybody uses would be replaced where it means something else.
    package static func isDistinctive(_ value: String) -> Bool {
        let bytes = value.utf8
        guard value.unicodeScalars.count >= 6, let first = bytes.first, !bytes.allSatisfy({ $0 == first })
        else {
            return false
        }
        let hasOnlyDigits = bytes.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
        if hasOnlyDigits, bytes.count < 10 { return false }
        return !isCommonWord(value) && Placeholder(value) == nil && !JSONWebToken.isPlaceholder(value)
            && !Placeholder.placeholders(in: value).contains { $0.number != nil }
    }

    /// Whether a text is a word that everybody uses, whatever its case.
    static func isCommonWord(_ value: String) -> Bool {
        value.utf8.count <= 20 && commonWords.contains(value.lowercased())
    }

    private static let commonWords: Set<String> = [
        "access", "access_token", "admin", "administrator", "anonymous", "api_key", "apikey", "application",
        "authorization",
        "basic", "bearer", "changeme", "client", "client_secret", "cookie", "credentials", "default", "deleted",
        "digest",
        "disabled", "enabled", "example", "expired", "false", "foobar", "guest", "hidden", "id_token",
        "invalid", "letmein",
        "localhost", "login", "masked", "none", "null", "number", "object", "optional", "pass", "passwd",
        "password",
        "private", "public", "pwd", "qwerty", "redacted", "refresh_token", "removed", "required", "sample",
        "secret",
        "secrets", "session", "string", "test", "testing", "token", "true", "undefined", "unknown", "user",
        "username",
        "value", "welcome", "your_token", "your-token",
    ]
}
