/// The names under which APIs carry credentials.
public enum SecretNames {
    /// Header fields, in lower case.
    public static let headers: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "api-key", "apikey",
        "x-auth-token", "x-access-token", "x-csrf-token", "x-xsrf-token", "x-amz-security-token",
        "x-goog-api-key", "x-session-token", "x-vault-token", "private-token", "authentication-info",
    ]

    /// Query items, in lower case.
    public static let queryItems: Set<String> = [
        "access_token", "refresh_token", "id_token", "token", "auth_token", "api_key", "apikey", "api-key",
        "client_secret", "secret", "password", "passwd", "x-amz-signature", "x-amz-security-token",
        "x-amz-credential",
    ]
}
