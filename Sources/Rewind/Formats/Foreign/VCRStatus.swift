/// How the family tells the status of a response: an object, a line, or a number.
enum VCRStatus {
    /// A response with the status and nothing else.
    static func response(_ field: CassetteField<some FieldValue>) throws -> Response {
        let status = try field["status"] ?? field["status_code"] ?? field.required("status")
        if status.value.isObject {
            let code = try status.required("code")
            return try response(code, code.integer(), status["message"]?.string())
        }
        // go-vcr has the line as it came and, beside it, the code.
        if let code = try field["code"]?.integer(), status.value.integerValue == nil {
            let phrase = try status.string().drop { $0.isNumber }.trimmingSpaces()
            return try response(status, code, phrase)
        }
        return try response(status, status.integer(), nil)
    }

    private static func response(
        _ field: CassetteField<some FieldValue>,
        _ code: Int,
        _ message: String?
    ) throws -> Response {
        guard 100...999 ~= code else { throw field.problem("expected a status code of three digits") }
        return Response(status: code, statusText: message ?? "")
    }
}
