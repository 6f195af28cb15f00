import Foundation

/// How the bytes of a body stand in an archive: as text where they are UTF-8 text, in base64 otherwise.
package enum HARBody {
    /// Whether bytes are text that JSON can hold as such and a person can read.
    package static func isText(_ data: Data) -> Bool {
        data.withUnsafeBytes { bytes in
            var index = 0
            // What is known to be ASCII needs no second look.
            var end = 0
            while index < bytes.count {
                let isWhole = index &+ 8 <= bytes.count
                if isWhole, end == index, JSONPlainRun.isASCII(in: bytes, at: index) { end &+= 8 }
                let isPlain = isWhole && JSONPlainRun.isReadable(in: bytes, at: index)
                if !isPlain, bytes[index..<min(index &+ 8, bytes.count)].contains(where: isUnreadable) {
                    return false
                }
                index &+= 8
            }
            return WellFormedUTF8.firstIllFormedByte(in: bytes, from: end, to: bytes.count) == nil
        }
    }

    /// Whether a byte is a control character that no text has.
    private static func isUnreadable(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D || byte == 0x7F
    }

    /// The bytes as text, if they are such.
    static func text(_ data: Data) -> String? {
        isText(data) ? String(decoding: data, as: UTF8.self) : nil
    }

    /// Whether a body is small enough to stand in an archive whose large bodies stand in files beside it.
    static func isSmall(_ data: Data) -> Bool {
        data.count <= 1024 || data.count <= 16 * 1024 && isText(data)
    }

    /// Writes the body of a request, or the path of the file that holds it.
    static func writePostData(_ body: Body, mediaType: String?, path: String?, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("mimeType", text: mediaType ?? "application/octet-stream")
            writer.member("params", [])
            if let path { return writer.member("_file", text: path) }
            if isText(body.data) { return writer.member("text", utf8: body.data) }
            writer.member("text", utf8: body.data.base64EncodedData())
            // HAR 1.2 has no field for the encoding of a request body, and names of its own must begin with `_`.
            writer.member("_encoding", text: "base64")
        }
    }

    /// Writes the body of a response, or the path of the file that holds it.
    static func writeContent(_ body: Body, mediaType: String?, path: String?, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("size", JSON(body.count))
            writer.member("mimeType", text: mediaType ?? "application/octet-stream")
            if let path { return writer.member("_file", text: path) }
            // Text is read back in the character set that the header tells of.
            if isText(body.data), TextEncoding.data(body.data, sentAs: mediaType) == body.data {
                return writer.member("text", utf8: body.data)
            }
            writer.member("encoding", text: "base64")
            writer.member("text", utf8: body.data.base64EncodedData())
        }
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
