import Foundation

/// A kind of text in which a secret has a telling name.
struct NamedSecretText: Sendable {
    let title: String
    let mediaType: String
    /// Whether the secret is a token instead of a password.
    let isToken: Bool
    /// Returns the text with a user's name and a secret.
    let text: @Sendable (_ user: String, _ secret: String) -> String

    init(
        _ title: String,
        _ mediaType: String,
        isToken: Bool = false,
        _ text: @escaping @Sendable (_ user: String, _ secret: String) -> String
    ) {
        (self.title, self.mediaType, self.isToken, self.text) = (title, mediaType, isToken, text)
    }

    static let all = [
        NamedSecretText("form", "application/x-www-form-urlencoded") { "user=\($0)&password=\($1)" },
        NamedSecretText("JSON", "application/json") { #"{"user":"\#($0)","password":"\#($1)"}"# },
        NamedSecretText("JSON, object or list under the name", "application/json") {
            #"{"user":"\#($0)","password":{"value":["\#($1)"]}}"#
        },
        NamedSecretText("JSON, pairs of name and value", "application/json") {
            #"[{"name":"user","value":"\#($0)"},{"name":"password","value":"\#($1)"}]"#
        },
        NamedSecretText("XML element", "application/xml") {
            "<l><user>\($0)</user><password>\($1)</password></l>"
        },
        NamedSecretText("XML attribute", "application/xml") { #"<login user="\#($0)" password="\#($1)"/>"# },
        NamedSecretText("XML, CDATA and comments", "application/xml") {
            "<l><user>\($0)</user><password><!-- a --><![CDATA[\($1)]]></password></l>"
        },
        NamedSecretText("property list", "application/xml") {
            "<plist><dict><key>user</key><string>\($0)</string><key>password</key><string>\($1)</string></dict></plist>"
        },
        NamedSecretText("XML-RPC", "text/xml") {
            "<struct><member><name>user</name><value>\($0)</value></member>"
                + "<member><name>password</name><value><string>\($1)</string></value></member></struct>"
        },
        NamedSecretText("HTML input", "text/html", isToken: true) {
            #"<p>\#($0)</p><input type="hidden" name="csrf_token" value="\#($1)">"#
        },
        NamedSecretText("HTML meta", "text/html", isToken: true) {
            #"<title>\#($0)</title><meta name="csrf-token" content="\#($1)">"#
        },
        NamedSecretText("JavaScript", "text/javascript") { #"var user = "\#($0)", password = "\#($1)";"# },
        NamedSecretText("YAML", "application/yaml") { "user: \($0)\npassword: \($1)\nport: 80" },
        NamedSecretText("TOML", "application/toml") { "user = \"\($0)\"\npassword = \"\($1)\"\nport = 80" },
        NamedSecretText("`.env`, shell", "text/plain") { "export DB_USER=\($0)\nexport DB_PASSWORD=\($1)\n" },
        NamedSecretText("GraphQL argument", "application/graphql") {
            #"mutation { login(user: "\#($0)", password: "\#($1)") { id } }"#
        },
        NamedSecretText("header fields in text", "text/plain", isToken: true) {
            "X-User: \($0)\r\nAuthorization: Bearer \($1)\r\n"
        },
        NamedSecretText("URL with a query", "text/plain", isToken: true) {
            "https://example.com/?user=\($0)&access_token=\($1)"
        },
        NamedSecretText("URL with a user", "text/plain") { "https://\($0):\($1)@example.com/x" },
    ]
}

/// Where in a message the text is.
enum SecretContainer: String, CaseIterable {
    case request = "request body"
    case response = "response body"
    case latin1, utf16 = "UTF-16"
    case query = "query item"
    case form = "form field"
    case multipart = "multipart"
    case header = "header field"
    case json = "JSON string"
    case base64 = "base64 in JSON"

    /// A message with the text; `nil` if the place cannot contain it.
    func message(_ kind: NamedSecretText, secret: String) -> PlacedSecret? {
        var message = PlacedSecret(secret)
        let user = [.latin1, .utf16].contains(self) ? "Jörg" : "Joerg"
        let text = kind.text(user, secret)
        func body(_ text: String, _ mediaType: String) {
            message.headers.append(("Content-Type", mediaType))
            message.body = message.charset.encoded(text)
        }
        switch self {
        case .request: body(text, kind.mediaType)
        case .response:
            message.answerHeaders = [("Content-Type", kind.mediaType)]
            message.answer = Data(text.utf8)
        case .latin1:
            message.charset = MessageCharset("iso-8859-1")
            body(text, kind.mediaType + "; charset=iso-8859-1")
        case .utf16:
            message.charset = MessageCharset("utf-16le+bom")
            body(text, kind.mediaType)
        case .query:
            message.method = "GET"
            message.path = "/?data=" + LabelledText.Encoding.percent.encoded(text)
        case .form:
            body(
                "data=" + LabelledText.Encoding.form.encoded(text) + "&n=1",
                "application/x-www-form-urlencoded"
            )
        case .multipart:
            let head = "--b\r\nContent-Disposition: form-data; name=\"data\"\r\nContent-Type: \(kind.mediaType)"
            body(head + "\r\n\r\n\(text)\r\n--b--\r\n", "multipart/form-data; boundary=b")
        case .header:
            guard !text.contains(where: \.isNewline) else { return nil }
            message.method = "GET"
            message.headers = [("X-Data", text)]
        case .json: body(#"{"data":"\#(LabelledText.Encoding.json.encoded(text))"}"#, "application/json")
        case .base64: body(#"{"data":"\#(LabelledText.Encoding.base64.encoded(text))"}"#, "application/json")
        }
        return message
    }
}
