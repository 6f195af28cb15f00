/// The names of header fields and fields that are secret by default.
///
/// Letter case and the separators `-`, `_`, `.` and space do not matter: `access_token` includes `accessToken` and
/// `Access-Token`. In a form field such as `user[password]`, the innermost name counts.
package enum SecretNames {
    /// Header fields with a secret value. The scheme of a credential, and the names and attributes of cookies, stay.
    package static let headers: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "api-key", "apikey",
        "x-auth-token", "x-access-token", "x-csrf-token", "x-xsrf-token", "x-amz-security-token",
        "x-goog-api-key", "x-session-token", "x-vault-token", "private-token", "authentication-info",
        "proxy-authentication-info", "x-functions-key", "ocp-apim-subscription-key", "dd-api-key",
        "dd-application-key", "x-shopify-access-token", "x-figma-token", "x-hub-signature",
        "x-hub-signature-256", "stripe-signature", "x-slack-signature", "job-token", "x-auth-key",
        "x-secret-key", "x-client-secret",
    ]

    /// Secret parameters of `WWW-Authenticate` and `Proxy-Authenticate` (RFC 7616 section 3.3).
    package static let challengeParameters: Set<String> = ["nonce", "opaque"]

    /// Secret query items, form fields, parts of multipart forms, members of JSON objects and XML elements.
    package static let fields: Set<String> = [
        "password", "passwd", "pwd", "passphrase", "passcode", "new_password", "old_password",
        "current_password", "password_confirmation", "user_password", "db_password", "secret",
        "client_secret",
        "app_secret", "consumer_secret", "shared_secret", "webhook_secret", "api_secret", "secret_key",
        "secret_access_key", "aws_secret_access_key", "aws_access_key_id", "token", "access_token",
        "refresh_token", "id_token", "auth_token", "api_token", "session_token", "security_token",
        "bearer_token", "csrf_token", "xsrf_token", "authenticity_token", "personal_access_token",
        "github_token", "gitlab_token", "slack_token", "bot_token", "device_token", "registration_token",
        "oauth_token", "oauth_token_secret", "oauth_signature", "oauth_verifier", "jwt", "bearer",
        "api_key",
        "x_api_key", "private_key", "signing_key", "encryption_key", "master_key", "account_key",
        "access_key",
        "subscription_key", "license_key", "session_key", "session", "session_id", "sid", "phpsessid",
        "jsessionid", "authorization", "credential", "credentials", "connection_string", "client_assertion",
        "assertion", "code_verifier", "device_code", "sig", "signature", "x-amz-signature",
        "x-amz-security-token", "x-amz-credential", "x-goog-signature", "x-goog-credential",
    ]

    /// Names whose values are secret only if they look generated, because values that are not secret have these names too.
    package static let ambiguousFields: Set<String> = [
        "token", "session", "secret", "sid", "sig", "signature", "credential", "credentials",
        "authorization",
    ]

    /// The name in lower case, without separators.
    package static func normalized(_ name: String) -> String {
        // Most names are normalized already.
        if name.utf8.allSatisfy({ $0 | 0x20 == $0 && $0 >= 0x61 && $0 <= 0x7A }) { return name }
        var bytes = Array(name.utf8)
        // `user[password]` and `user[tokens][]`: the innermost name.
        if bytes.last == UInt8(ascii: "]") {
            let parts = bytes.split { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }
            bytes = parts.last.map(Array.init) ?? bytes
        }
        let kept = bytes.compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: " "): nil
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
            default: byte
            }
        }
        return String(decoding: kept, as: UTF8.self)
    }
}

package enum SecretValue {
    /// Whether a secret can be replaced everywhere. A common value would also be replaced where it is not the secret.
    package static func isDistinctive(_ value: String) -> Bool {
        let bytes = value.utf8
        guard value.unicodeScalars.count >= 6, let first = bytes.first, !bytes.allSatisfy({ $0 == first })
        else { return false }
        let hasOnlyDigits = bytes.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
        if hasOnlyDigits, bytes.count < 10 { return false }
        return !isCommonWord(value) && Placeholder(value) == nil && !JSONWebToken.isPlaceholder(value)
            && !Placeholder.placeholders(in: value).contains { $0.number != nil }
    }

    static func isCommonWord(_ value: String) -> Bool {
        value.utf8.count <= 20 && commonWords.contains(value.lowercased())
    }

    private static let commonWords: Set<String> = [
        "access", "access_token", "admin", "administrator", "anonymous", "api_key", "apikey", "application",
        "authorization", "basic", "bearer", "changeme", "client", "client_secret", "cookie", "credentials",
        "default", "deleted", "digest", "disabled", "enabled", "example", "expired", "false", "foobar", "guest",
        "hidden", "id_token", "invalid", "letmein", "localhost", "login", "masked", "none", "null", "number",
        "object", "optional", "pass", "passwd", "password", "private", "public", "pwd", "qwerty", "redacted",
        "refresh_token", "removed", "required", "sample", "secret", "secrets", "session", "string", "test",
        "testing", "token", "true", "undefined", "unknown", "user", "username", "value", "welcome",
        "your_token", "your-token",
    ]
}
