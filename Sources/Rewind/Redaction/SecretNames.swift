/// What the name of a value says about it.
enum NameRole: Sendable {
    /// A rule of the user: every value is secret.
    case always
    /// A secret, such as a password; only text for people under such a name is not.
    case certain
    /// Secret if the value looks generated, because other values have such a name too.
    case likely
    /// Secret if the value is random.
    case possible
    /// Secret together with other names, such as the `code` beside a `grant_type`.
    case contextual
    /// The value is the name of another value, as in `{"name": "password", "value": …}`.
    case label
    /// The value that a label, or the name of the surrounding object, names.
    case value
    /// Values inside describe fields, as in validation errors and translations.
    case description
    /// Not secret, although the end of the name is.
    case harmless
}

/// The names of header fields and fields that are secret by default.
///
/// Letter case, the separators `-`, `_`, `.` and space, and digits at the end do not matter: `access_token` includes
/// `accessToken` and `Access-Token-2`. In a form field such as `user[password]`, the innermost name counts. An asterisk
/// represents any characters.
package enum SecretNames {
    /// Header fields with a secret value. The scheme of a credential, and the names and attributes of cookies, stay.
    package static let headers: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "api-key", "apikey",
        "x-auth-token", "x-access-token", "x-csrf-token", "x-xsrf-token", "x-amz-security-token",
        "x-goog-api-key", "x-session-token", "x-vault-token", "private-token", "authentication-info",
        "proxy-authentication-info", "x-functions-key", "ocp-apim-subscription-key", "dd-api-key",
        "dd-application-key", "x-shopify-access-token", "x-figma-token", "x-hub-signature",
        "x-hub-signature-256", "stripe-signature", "x-slack-signature", "job-token", "x-auth-key",
        "x-secret-key", "x-client-secret", "*authorization", "*jwt", "*passphrase", "*password", "*secret",
        "x-session-id", "fastly-key", "x-license-key", "aeg-sas-key", "aeg-sas-token", "x-rapidapi-key",
        "x-algolia-api-key", "x-parse-rest-api-key", "x-parse-master-key", "x-parse-session-token",
        "x-access-key", "x-apikey", "*-api-key", "x-mashape-key", "x-ably-key", "x-wsse", "x-honeycomb-team",
        "jenkins-crumb", "*-otp", "*-mfa-code", "x-plex-token", "x-emby-token",
    ]

    /// Header fields whose value is secret if it looks generated.
    package static let likelyHeaders: Set<String> = [
        "*token", "*key", "*auth", "*signature", "*sign", "*session", "*sessionid", "*credential",
        "*credentials", "*accesskeyid", "*hmac", "*sid", "*crumb", "*csrf", "*xsrf", "*apikeyid", "*ticket",
        "*assertion", "*authentication",
    ]

    /// Header fields that are not secret, although their names resemble those that are.
    package static let harmlessHeaders: Set<String> = [
        "sec-websocket-key", "idempotency-key", "*idempotency-key", "surrogate-key", "*cache-key",
        "*page-token", "*next-token", "*continuation-token", "*sync-token", "*public-key", "*partition-key",
        "*partitionkey", "*trace-key", "*routing-key", "*request-key", "*cursor-token", "*publishable-key",
        "*confirmation-token",
    ]

    /// Secret parameters of `WWW-Authenticate` and `Proxy-Authenticate` (RFC 7616 section 3.3).
    package static let challengeParameters: Set<String> = ["nonce", "opaque"]

    /// Secret query items, form fields, parts of multipart forms, members of JSON objects and elements and attributes of
    /// XML.
    package static let fields: Set<String> = [
        "*password", "*passwd", "*pwd", "*passphrase", "*passcode", "password_confirmation",
        "password_confirm", "confirm_password", "password_again", "password_repeat", "password_new",
        "password_old", "*password_hash", "*password_digest", "passwort", "kennwort", "contrasena",
        "mot_de_passe", "*_secret", "client_secret", "*app_secret", "*secret_key", "*secret_access_key",
        "*secret_string", "*secret_hash", "*secret_answer", "*security_answer", "*access_token",
        "*refresh_token", "*id_token", "*id_token_hint", "*auth_token", "*api_token", "*session_token",
        "*security_token", "*bearer_token", "*csrf_token", "*xsrf_token", "csrfmiddlewaretoken", "*csrf",
        "*authenticity_token", "*verification_token", "*request_token", "*bot_token", "*device_token",
        "*registration_token", "*oauth_token", "*oauth_token_secret", "*oauth_signature", "*oauth_verifier",
        "*github_token", "*gitlab_token", "*slack_token", "*reset_token", "*client_token", "*user_token",
        "*login_token", "*remember_token", "*verify_token", "*app_token", "*deploy_token", "*api_key",
        "*private_key", "*signing_key", "*encryption_key", "*master_key", "*account_key", "*subscription_key",
        "*shared_access_key", "*shared_key", "*consumer_key", "*instrumentation_key", "*aws_access_key_id",
        "*connection_string", "client_assertion", "code_verifier", "device_code", "user_code", "*auth_code",
        "*authorization_code", "phpsessid", "jsessionid", "aspsessionid", "*session_cookie", "x-amz-signature",
        "x-amz-security-token", "x-amz-credential", "x-goog-signature", "x-goog-credential", "saml_response",
        "saml_request", "saml_art", "wresult", "*otp", "*otp_code", "*totp", "*mfa_code", "*tfa_code",
        "*two_factor_code", "*sms_code", "*recovery_code", "*backup_code", "cvc", "cvv", "*card_cvc",
        "*card_cvv", "*verification_code", "*new_pin", "*old_pin", "*card_pin", "*current_pin", "*confirm_pin",
        "mnemonic", "*seed_phrase", "*recovery_phrase", "*smtp_pass", "*db_pass", "*user_pass", "*mail_pass",
        "*mysql_pass", "*ftp_pass", "*admin_pass", "*root_pass", "*login_pass", "contraseña", "senha",
        "wachtwoord", "lösenord", "passord", "adgangskode", "salasana", "hasło", "heslo", "пароль", "密码",
        "パスワード", "*psk", "*hmac_key", "*client_key_data", "*secret_proof", "*one_time_password",
        "*session_code", "*oob_code", "*secret_key_base", "security_code", "*card_number", "cc_number",
        "*ccnum", "jwt", "basic_auth", "auth_key", "*webhook_secret",
    ]

    /// Fields that are secret only if the value looks generated, because values that are not secret have these names
    /// too.
    package static let likelyFields: Set<String> = [
        "*token", "secret", "*session", "*session_id", "sessid", "*session_key", "sid", "connect.sid", "sig",
        "api_sig", "*_pass", "*signature", "*hmac", "*credential", "*credentials", "*authorization", "*auth",
        "*assertion", "*access_key", "*access_key_id", "*license_key", "*licence_key", "*service_key",
        "*admin_key", "*write_key", "*app_key", "*application_key", "*integration_key", "*deploy_key",
        "*user_key", "*product_key", "*activation_key", "*server_key", "*webhook_key", "*host_key",
        "*client_key", "*storage_key", "*secure_key", "*security_key", "*sas", "appid", "app_id", "bearer",
        "*ticket", "viewstate", "*salt", "se_cookie", "*cookie", "*jwt", "*nonce", "*pat", "*passkey", "passw",
        "*webhook_url",
    ]

    /// Fields that are secret only if the value is random.
    package static let possibleFields: Set<String> = [
        "keys", "api", "serial", "pass", "pw", "psw", "clave", "mdp",
    ]

    /// Fields that are not secret, although the end of their name is.
    package static let harmlessFields: Set<String> = [
        "*page_token", "*next_token", "*previous_token", "*prev_token", "*continuation_token", "*sync_token",
        "*cursor_token", "*cancel_token", "*pagination_token", "*resume_token", "*skip_token", "*after_token",
        "*before_token", "*scroll_token", "*delta_token", "*start_token", "*end_token", "*pad_token",
        "*eos_token", "*bos_token", "*unk_token", "*mask_token", "*design_token", "*publishable_key",
        "*public_key", "*primary_key", "*idempotency_key", "*cache_key", "*public_client_key",
        "*forgot_password", "*has_password", "*requires_password", "*show_password", "*need_password",
        "*hide_password", "*change_password", "*is_secret", "*has_token", "*code_signature", "*type_signature",
        "*method_signature", "*function_signature", "*time_signature", "*key_signature", "*email_signature",
        "*upload_session",
    ]

    /// Form fields that are passwords, while elsewhere they may be counts.
    static let formPasswords: Set<String> = ["pass", "pw", "psw", "passw", "clave", "mdp"]

    /// Names whose value names another value.
    static let labels: Set<String> = [
        "name", "key", "*field_name", "*parameter_name", "parameter_key", "*variable_name", "*header_name",
        "field", "param", "parameter", "header", "variable", "setting", "property", "attribute_name",
        "option_name", "option_key", "attribute", "env_name", "k", "field_id",
    ]

    /// Names of values that are named by a label or by the surrounding object.
    static let values: Set<String> = [
        "value", "val", "*parameter_value", "*field_value", "option_value", "content", "data", "text", "raw",
        "plain", "plaintext", "cleartext", "string", "string_value", "secret_value", "current", "new", "old",
        "previous", "confirm", "confirmation", "v", "$", "#text", "_text", "_", "default_value",
        "attribute_value", "encoded", "first", "second", "repeat", "again", "actual",
    ]

    /// Names of objects whose members describe fields.
    static let descriptions: Set<String> = [
        "errors", "error", "messages", "message", "validation", "validations", "validation_errors", "hints",
        "hint", "labels", "translations", "i18n", "locale", "locales", "strings", "placeholders", "help",
        "help_text", "descriptions", "field_errors", "detail", "details", "violations", "warnings",
        "model_state", "invalid_params", "titles", "captions", "tooltips", "texts", "copy", "schema",
        "properties", "fields", "types", "glossary", "features", "flags", "permissions", "rules", "docs",
        "columns", "scopes", "required",
    ]

    /// Names that are secret beside other names.
    static let contextual: [String: Context] = {
        var contexts: [String: Context] = [:]
        for name in ["d", "p", "q", "dp", "dq", "qi", "k", "oth"] { contexts[name] = Context(beside: ["kty"]) }
        contexts["code"] = Context(
            beside: ["granttype", "clientsecret", "clientid", "codeverifier", "redirecturi"],
            ifGeneratedBeside: ["state", "scope", "sessionstate", "iss", "authuser"]
        )
        for name in ["pass", "pw", "psw", "passw"] {
            contexts[name] = Context(
                beside: [
                    "user", "username", "login", "email", "account", "userid", "uname", "uid", "mail", "usr",
                    "log", "loginname", "host", "server", "name",
                ]
            )
        }
        contexts["number"] = Context(
            beside: ["cvc", "cvv", "expmonth", "expiry", "expirymonth", "expirationmonth", "expyear", "exp"]
        )
        contexts["pan"] = Context(beside: [
            "cardnumber", "securitycode", "cvv", "cvc", "expiry", "expirydate", "exp",
        ])
        for name in ["pin", "pincode"] {
            contexts[name] = Context(
                beside: [
                    "newpin", "oldpin", "currentpin", "confirmpin", "cardid", "cardnumber", "pan", "username",
                    "user", "email",
                    "phone", "login", "password", "passcode",
                ]
            )
        }
        contexts["key"] = Context(
            beside: ["kid", "secret", "apikeyid", "expiresat", "subscriber"],
            ifGenerated: true
        )
        contexts["token"] = Context(beside: ["tokentypehint", "tokentype", "expiresin", "refreshtoken"])
        contexts["secret"] = Context(beside: ["clientid", "appid", "accesskey", "apikey", "secretid"])
        contexts["assertion"] = Context(beside: ["granttype", "clientassertiontype"])
        return contexts
    }()

    /// The names beside which a name is secret.
    final class Context: Sendable {
        let names: Set<String>
        let namesForGenerated: Set<String>

        init(beside names: Set<String>, ifGenerated: Bool = false) {
            self.names = ifGenerated ? [] : names
            namesForGenerated = ifGenerated ? names : []
        }

        init(beside names: Set<String>, ifGeneratedBeside others: Set<String>) {
            self.names = names
            namesForGenerated = others
        }
    }

    /// The names of cookies whose value is secret in any case.
    package static let cookies: Set<String> = [
        "*session", "*sessionid", "*sess", "*sessid", "*sid", "*token", "*auth", "*jwt", "*csrf", "*xsrf",
        "*remember", "*rememberme", "*secret", "*credential", "*login", "*ticket", "*sso", "*aspnetcore",
        "*identity",
    ]

    /// The words for a password that forms in other languages show.
    static let passwordWords: Set<String> = [
        "passwort", "kennwort", "contraseña", "senha", "wachtwoord", "lösenord", "adgangskode", "passord",
        "salasana", "hasło", "heslo", "jelszó", "parolă", "parola", "şifre", "lozinka", "geslo", "mật",
        "sandi", "mot-de-passe", "parole", "slaptažodis", "parool", "contrasenya", "pasahitza", "clave",
        "passwords", "wagwoord", "пароль", "palavra-passe", "nenosiri", "focalfaire", "cyfrinair", "lykilorð",
        "geheim", "heimlich", "secreto", "jeton", "zugangsdaten", "sitzung", "sesión", "sessione", "sessão",
        "anmeldung", "unterschrift", "firma",
    ]

    /// Whether a field contains a header field with cookies.
    static func isCookieField(_ name: String) -> Bool { ["cookie", "setcookie"].contains(normalized(name)) }

    static func isScheme(_ word: some Collection<UInt8>) -> Bool {
        schemes.contains(String(decoding: word, as: UTF8.self).lowercased())
    }

    private static let schemes: Set<String> = [
        "bearer", "basic", "token", "digest", "apikey", "jwt", "hmac", "negotiate", "key", "signature", "dpop",
        "aws4-hmac-sha256", "sharedkey", "sharedaccesssignature", "oauth", "bot", "splunk", "genie", "snyk",
        "ghapp",
    ]

    /// The name in lower case, without separators.
    package static func normalized(_ name: String) -> String {
        name.withBytes { bytes in
            withNormalized(UnsafeRawBufferPointer(bytes), droppingDigits: false) {
                String(decoding: $0, as: UTF8.self)
            }
        } ?? name
    }

    /// The longest name that is looked at.
    static let longestName = 96

    /// Passes the normalized name; returns `nil` if it is too long.
    static func withNormalized<Result>(
        _ name: UnsafeRawBufferPointer,
        droppingDigits: Bool = true,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result? {
        guard name.count <= longestName else { return nil }
        let name = name.last == UInt8(ascii: "]") ? innermost(name) : name
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: longestName) { buffer in
            guard let text = name.baseAddress?.assumingMemoryBound(to: UInt8.self),
                let output = buffer.baseAddress
            else { return body(UnsafeRawBufferPointer(start: nil, count: 0)) }
            var (index, count) = (0, 0)
            while index < name.count {
                let byte = text[index]
                index &+= 1
                if separators.contains(byte) { continue }
                output[count] = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
                count &+= 1
            }
            var end = count
            while droppingDigits, end > 0, output[end &- 1] >= 0x30, output[end &- 1] <= 0x39 { end &-= 1 }
            return body(UnsafeRawBufferPointer(start: output, count: end == 0 ? count : end))
        }
    }

    private static let separators = ByteSet("-_. \\")

    /// The innermost name of `user[password]` and `user[tokens][]`.
    private static func innermost(_ spelled: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var name = spelled[...]
        while name.last == UInt8(ascii: "]"), let open = name.lastIndex(of: UInt8(ascii: "[")) {
            let inner = name[(open + 1)..<(name.endIndex - 1)]
            let isIndex = inner.allSatisfy(ByteSet.digits.contains)
            if open == name.startIndex, inner.isEmpty { break }
            if open == name.startIndex || !isIndex {
                name = inner
                break
            }
            name = name[..<open]
        }
        return UnsafeRawBufferPointer(rebasing: name)
    }
}
