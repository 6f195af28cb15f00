import Foundation

/// Rebuilds the body of a form from its parameters, as Firefox and Charles list them in place of the text.
enum HARForm {
    /// The bytes, or `nil` where the archive does not hold all that was sent.
    static func body(_ params: [JSONField], mediaType: MediaType?) throws -> Body? {
        guard !params.isEmpty else { return nil }
        guard mediaType?.essence == "multipart/form-data" else { return try urlEncoded(params) }
        return try multipart(params, boundary: mediaType?.parameters["boundary"])
    }

    private static func urlEncoded(_ params: [JSONField]) throws -> Body {
        let pairs = try params.map { param in
            FormFields.Field(
                spelledName: PercentEncoding.encoded(try param["name"]?.string() ?? ""),
                spelledValue: try param["value"].map { PercentEncoding.encoded(try $0.string()) }
            ).text
        }
        return Body(pairs.joined(separator: "&"))
    }

    /// The parts by RFC 7578 section 4; the content of a file is mostly not in the archive.
    private static func multipart(_ params: [JSONField], boundary: String?) throws -> Body? {
        var text = ""
        for param in params {
            let name = try param["name"]?.string() ?? ""
            let file = try param["fileName"]?.string()
            let type = try param["contentType"]?.string()
            let value = try param["value"]?.string()
            guard let boundary, value != nil || file == nil else { return nil }
            text += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\""
            text += file.map { "; filename=\"\($0)\"" } ?? ""
            text += type.map { "\r\nContent-Type: \($0)" } ?? ""
            text += "\r\n\r\n\(value ?? "")\r\n"
        }
        return boundary.map { Body(text + "--\($0)--\r\n") }
    }
}
