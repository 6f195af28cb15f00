import Foundation

/// Reads what stands before the bodies of a message in an archive.
enum HARMessage {
    /// The request without its body.
    static func request(_ field: JSONField) throws -> Request {
        Request(
            method: try field["method"]?.string() ?? "",
            url: try field["url"]?.string() ?? "",
            headers: try headers(field),
            httpVersion: try field["httpVersion"]?.string() ?? ""
        )
    }

    /// The response without its body; `nil` where no response came, which browsers write as status 0.
    static func response(_ field: JSONField) throws -> Response? {
        guard let status = try field["status"]?.integer(), status > 0 else { return nil }
        return Response(
            status: status,
            statusText: try field["statusText"]?.string() ?? "",
            headers: try headers(field),
            httpVersion: try field["httpVersion"]?.string() ?? ""
        )
    }

    private static func headers(_ message: JSONField) throws -> HeaderList {
        if let plain = plainHeaders(message.value["headers"]) { return plain }
        let fields = try message["headers"]?.elements() ?? []
        return HeaderList(
            try fields.map { field in
                // Slack exports pairs where the specification has objects.
                if field.value.arrayValue != nil {
                    let pair = try field.elements()
                    guard pair.count == 2 else { throw field.problem("expected a name and a value") }
                    return HeaderList.Field(name: try pair[0].string(), value: try pair[1].string())
                }
                let field = try field.object()
                return HeaderList.Field(
                    name: try field["name"]?.string() ?? "",
                    value: try field["value"]?.string() ?? ""
                )
            }
        )
    }

    /// The header fields where they are as the specification has them, which needs no place for an error.
    private static func plainHeaders(_ value: JSON?) -> HeaderList? {
        guard let elements = value?.arrayValue else { return nil }
        var fields: [HeaderList.Field] = []
        fields.reserveCapacity(elements.count)
        for element in elements {
            guard let name = element["name"]?.stringValue, let value = element["value"]?.stringValue else {
                return nil
            }
            fields.append(HeaderList.Field(name: name, value: value))
        }
        return HeaderList(fields)
    }
}
