import Foundation

/// How the bytes of a body stand in an archive: as text where they are UTF-8 text, in base64 otherwise.
enum HARBody {
    /// The bytes as text, if JSON can hold them as such and a person can read them.
    static func text(_ data: Data) -> String? {
        let isReadable = data.withUnsafeBytes { bytes in
            !bytes.contains { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D || $0 == 0x7F }
        }
        return isReadable ? String(wellFormed: data) : nil
    }

    /// Whether a body is small enough to stand in an archive whose large bodies stand in files beside it.
    static func isSmall(_ data: Data) -> Bool {
        data.count <= 1024 || data.count <= 16 * 1024 && text(data) != nil
    }

    /// The body of a request, or the path of the file that holds it.
    static func postData(_ body: Body, mediaType: String?, path: String? = nil) -> JSON {
        var field: JSONObject = ["mimeType": .string(mediaType ?? "application/octet-stream"), "params": []]
        if let path {
            field.append("_file", .string(path))
            return .object(field)
        }
        let text = text(body.data)
        field.append("text", .string(text ?? body.data.base64EncodedString()))
        // HAR 1.2 has no field for the encoding of a request body, and names of its own must begin with `_`.
        if text == nil { field.append("_encoding", "base64") }
        return .object(field)
    }

    /// The body of a response, or the path of the file that holds it.
    static func content(_ body: Body, mediaType: String?, path: String? = nil) -> JSON {
        var field: JSONObject = [
            "size": JSON(body.count), "mimeType": .string(mediaType ?? "application/octet-stream"),
        ]
        if let path {
            field.append("_file", .string(path))
            return .object(field)
        }
        // Text is read back in the character set that the header tells of.
        var text = text(body.data)
        if TextEncoding.ofContent(mediaType) != nil, text != nil,
            TextEncoding.data(body.data, sentAs: mediaType) != body.data
        {
            text = nil
        }
        if text == nil { field.append("encoding", "base64") }
        field.append("text", .string(text ?? body.data.base64EncodedString()))
        return .object(field)
    }

    /// The body of a request, from its text, a file beside the archive, or the parameters of a form.
    static func request(_ field: JSONField?, _ headers: HeaderList, _ attachments: Attachments?) throws -> Body?
    {
        guard let field else { return nil }
        let params = try field["params"]?.elements() ?? []
        let text = try field["text"]?.string()
        // Insomnia writes an empty text beside the parameters that are the body.
        if let text, !text.isEmpty || params.isEmpty {
            let encoding = try field["_encoding"]?.string() ?? field["encoding"]?.string()
            guard let data = decode(text, encoding: encoding) else { throw BodyAbsence.invalidRequestBase64 }
            return Body(data)
        }
        if let path = try field["_file"]?.string() { return Body(try attached(path, attachments)) }
        let mediaType = try MediaType(headers["Content-Type"]) ?? MediaType(field["mimeType"]?.string())
        return try HARForm.body(params, mediaType: mediaType)
    }

    /// The bytes of a response's body, from its text or a file beside the archive.
    static func response(
        _ content: JSONField?,
        to request: Request,
        head: Response,
        _ attachments: Attachments?
    ) throws -> Data {
        if let text = try content?["text"]?.string() {
            let encoding = try content?["encoding"]?.string()
            guard let data = decode(text, encoding: encoding) else { throw BodyAbsence.invalidBase64 }
            return encoding?.lowercased() == "base64"
                ? data : TextEncoding.data(data, sentAs: head.headers["Content-Type"])
        }
        if let path = try content?["_file"]?.string() { return try attached(path, attachments) }
        let size = try content?["size"]?.integer() ?? 0
        // The size is told of a body that was not sent, or that is never seen where a redirect is followed.
        let isBodiless =
            request.method == "HEAD" || [204, 304].contains(head.status) || head.redirectTarget != nil
        guard size <= 0 || isBodiless else { throw BodyAbsence(reason: "no body was recorded") }
        return Data()
    }

    private static func attached(_ path: String, _ attachments: Attachments?) throws -> Data {
        guard let data = attachments?.data(at: path) else {
            throw BodyAbsence(reason: "the file of the body, \(path), cannot be read beside the cassette")
        }
        return data
    }

    private static func decode(_ text: String, encoding: String?) -> Data? {
        guard encoding?.lowercased() == "base64" else { return Data(text.utf8) }
        return WrappedBase64.data(text)
    }
}
