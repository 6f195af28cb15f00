import Foundation

/// How an encoder writes a copy of a secret.
struct CopySpelling: Sendable {
    let title: String
    let spelled: @Sendable (String) -> String

    init(_ title: String, _ spelled: @escaping @Sendable (String) -> String) {
        (self.title, self.spelled) = (title, spelled)
    }

    private static func alphanumerics(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: Self.plain)) ?? ""
    }

    private static let plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

    static let all = [
        CopySpelling("as it is") { $0 },
        CopySpelling("percent-encoded") { alphanumerics($0) },
        CopySpelling("as in a form") { LabelledText.Encoding.form.encoded($0) },
        CopySpelling("percent-encoded twice") { alphanumerics(alphanumerics($0)) },
        CopySpelling(#"JSON with `\u0026`"#) { LabelledText.Encoding.go.encoded($0) },
        CopySpelling(#"JSON with `\/`"#) { LabelledText.Encoding.slashes.encoded($0) },
        CopySpelling(#"JSON with only `\u`"#) { LabelledText.Encoding.uescape.encoded($0) },
        CopySpelling("HTML, XML") { LabelledText.Encoding.xml.encoded($0) },
        CopySpelling("base64") { LabelledText.Encoding.base64.encoded($0) },
        CopySpelling("base64url") { LabelledText.Encoding.base64url.encoded($0) },
        CopySpelling("base64 of `user:secret`") { LabelledText.Encoding.base64.encoded("kim:" + $0) },
    ]
}

/// Where a copy of a secret is, under a name that says nothing.
enum CopyPlace: String, CaseIterable {
    case query, path, header, form, json = "JSON", multipart, xml = "XML"
    case utf16 = "UTF-16 text"
    case answer = "response text"
    case answerHeader = "response header"

    /// A message with a copy; `nil` if the place cannot contain it.
    func message(_ copy: String, of secret: String) -> PlacedSecret? {
        var message = PlacedSecret(secret)
        // What is not allowed in the place as it is.
        let isToken = copy.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        let isInURL = isToken && !copy.contains { "<>\"\\^`{}|#?[]".contains($0) }
        switch self {
        case .query:
            guard isInURL, !copy.contains("&") else { return nil }
            message.method = "GET"
            message.path = "/?note=" + copy
        case .path:
            guard isInURL else { return nil }
            message.method = "GET"
            message.path = "/notes/\(copy)/next"
        case .header:
            guard isToken else { return nil }
            message.method = "GET"
            message.headers = [("X-Note", copy)]
        case .form:
            guard isToken, !copy.contains("&") else { return nil }
            message.headers = [("Content-Type", "application/x-www-form-urlencoded")]
            message.body = Data("note=\(copy)&n=1".utf8)
        case .json:
            // A backslash before a letter is an escape of the encoder; all else is escaped here.
            guard !copy.contains("\"") || copy.contains("\\\"") else { return nil }
            message.headers = [("Content-Type", "application/json")]
            message.body = Data(#"{"note":"\#(copy)"}"#.utf8)
        case .multipart:
            message.headers = [("Content-Type", "multipart/form-data; boundary=b")]
            let head = "--b\r\nContent-Disposition: form-data; name=\"note\""
            message.body = Data("\(head)\r\n\r\n\(copy)\r\n--b--\r\n".utf8)
        case .xml:
            guard !copy.contains("<") else { return nil }
            message.headers = [("Content-Type", "application/xml")]
            message.body = Data("<a><note>\(copy)</note></a>".utf8)
        case .utf16:
            message.charset = MessageCharset("utf-16le+bom")
            message.headers = [("Content-Type", "text/plain; charset=utf-16")]
            message.body = message.charset.encoded("see \(copy) there")
        case .answer:
            message.answerHeaders = [("Content-Type", "text/plain")]
            message.answer = Data("see \(copy) there".utf8)
        case .answerHeader:
            guard isToken else { return nil }
            message.answerHeaders = [("X-Note", copy)]
        }
        return message
    }

    /// A request in which the secret has a telling name.
    static func reveal(_ secret: String) -> PlacedSecret {
        var message = PlacedSecret(secret)
        message.headers = [("Content-Type", "application/json")]
        message.body = Data(#"{"password":"\#(LabelledText.Encoding.json.encoded(secret))"}"#.utf8)
        return message
    }
}
