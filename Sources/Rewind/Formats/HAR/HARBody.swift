import Foundation

/// How the bytes of a body stand in an archive: as text where they are UTF-8 text, in base64 otherwise.
enum HARBody {
    /// Why an entry has no body that could be played.
    struct Absence: Error {
        let reason: String
    }

    /// The bytes as text, if JSON can hold them as such and a person can read them.
    static func text(_ data: Data) -> String? {
        let isReadable = data.withUnsafeBytes { bytes in
            !bytes.contains { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D || $0 == 0x7F }
        }
        return isReadable ? String(wellFormed: data) : nil
    }

    static func postData(_ body: Body, mediaType: String?) -> JSON {
        let text = text(body.data)
        var field: JSONObject = ["mimeType": .string(mediaType ?? "application/octet-stream"), "params": []]
        field.append("text", .string(text ?? body.data.base64EncodedString()))
        // HAR 1.2 has no field for the encoding of a request body, and names of its own must begin with `_`.
        if text == nil { field.append("_encoding", "base64") }
        return .object(field)
    }

    static func content(_ body: Body, mediaType: String?) -> JSON {
        let text = text(body.data)
        var field: JSONObject = [
            "size": JSON(body.count), "mimeType": .string(mediaType ?? "application/octet-stream"),
        ]
        if text == nil { field.append("encoding", "base64") }
        field.append("text", .string(text ?? body.data.base64EncodedString()))
        return .object(field)
    }

    static func requestBody(_ field: HARField) throws -> Body? {
        if let text = try field["text"]?.string() {
            let encoding = try field["_encoding"]?.string() ?? field["encoding"]?.string()
            guard let data = decode(text, encoding: encoding) else { throw field.problem("invalid base64") }
            return Body(data)
        }
        let params = try field["params"]?.elements() ?? []
        guard !params.isEmpty else { return nil }
        let pairs = try params.map { param in
            let name = try param["name"]?.string() ?? ""
            return try param["value"].map {
                "\(PercentEncoding.encoded(name))=\(PercentEncoding.encoded(try $0.string()))"
            }
                ?? PercentEncoding.encoded(name)
        }
        return Body(pairs.joined(separator: "&"))
    }

    static func responseBody(_ content: HARField?, chunks: [Body.Chunk]) throws -> Body {
        guard let text = try content?["text"]?.string() else {
            guard try content?["size"]?.integer() ?? 0 <= 0 else {
                throw Absence(reason: "no body was recorded")
            }
            return Body()
        }
        guard let data = decode(text, encoding: try content?["encoding"]?.string()) else {
            throw Absence(reason: "the body is not valid base64")
        }
        return Body(data, chunks: chunks)
    }

    private static func decode(_ text: String, encoding: String?) -> Data? {
        guard encoding?.lowercased() == "base64" else { return Data(text.utf8) }
        return Data(base64Encoded: text) ?? Data(base64Encoded: text.filter { !$0.isWhitespace })
    }
}
