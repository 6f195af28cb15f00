import Foundation

/// Rebuilds the body of a form from its parameters, which Firefox and Charles write instead of the text.
enum HARForm {
    /// - Throws: ``BodyAbsence`` if the archive does not contain all of the body.
    static func body(_ params: [JSONField], mediaTypes: [MediaType]) throws -> Interaction.Body {
        guard let multipart = mediaTypes.first(where: { $0.essence.hasPrefix("multipart/") }) else {
            return try urlEncoded(params)
        }
        let boundaries = mediaTypes.filter { $0.essence == multipart.essence }.compactMap {
            $0.parameters["boundary"]
        }
        guard let boundary = boundaries.first else {
            throw absence("neither the header `Content-Type` nor `postData.mimeType` has a boundary")
        }
        return try Self.multipart(params, boundary: boundary)
    }

    private static func urlEncoded(_ params: [JSONField]) throws -> Interaction.Body {
        let pairs = try params.map { param in
            FormFields.Field(
                spelledName: PercentEncoding.encoded(try param["name"]?.scalar() ?? ""),
                spelledValue: try param["value"].map { PercentEncoding.encoded(try $0.scalar()) }
            ).text
        }
        return Interaction.Body(pairs.joined(separator: "&"))
    }

    /// The parts (RFC 7578 section 4).
    private static func multipart(_ params: [JSONField], boundary: String) throws -> Interaction.Body {
        var text = ""
        for (index, param) in params.enumerated() {
            let name = try param["name"]?.scalar() ?? ""
            let file = try param["fileName"]?.scalar()
            let type = try param["contentType"]?.scalar()
            let value = try param["value"]?.scalar()
            // Browsers write the name of a file, but not its content.
            guard value != nil || file == nil else {
                throw absence("`postData.params.\(index).value`, the content of a file, is missing")
            }
            text += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\""
            text += file.map { "; filename=\"\($0)\"" } ?? ""
            text += type.map { "\r\nContent-Type: \($0)" } ?? ""
            text += "\r\n\r\n\(value ?? "")\r\n"
        }
        return Interaction.Body(text + "--\(boundary)--\r\n")
    }

    private static func absence(_ cause: String) -> BodyAbsence {
        BodyAbsence(reason: "the request body cannot be put together: \(cause)")
    }
}
