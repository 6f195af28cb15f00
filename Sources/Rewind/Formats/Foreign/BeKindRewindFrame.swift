/// One event of a task.
struct BeKindRewindFrame {
    /// What the event is; unknown ones are left out.
    enum Kind: String {
        case originalRequest = "BKROriginalRequestFrame"
        case currentRequest = "BKRCurrentRequestFrame"
        case request = "BKRRequestFrame"
        case response = "BKRResponseFrame"
        case data = "BKRDataFrame"
        case redirect = "BKRRedirectFrame"
        case error = "BKRErrorFrame"
    }

    let kind: Kind
    let seconds: Double
    let url: String?
    let field: PropertyListField

    init?(_ field: PropertyListField) throws {
        guard let kind = Kind(rawValue: try field.required("class").string()) else { return nil }
        self.kind = kind
        self.field = field
        seconds = try field["creationDate"]?.seconds() ?? 0
        url = try field["URL"]?.string()
    }

    var isRequest: Bool {
        [.originalRequest, .currentRequest, .request].contains(kind)
    }

    /// The request of a frame, or of one inside a redirect.
    static func request(_ field: PropertyListField) throws -> Request {
        Request(
            method: try field["HTTPMethod"]?.string() ?? "GET",
            url: try field.required("URL").string(),
            headers: try field["allHTTPHeaderFields"]?.headerFields() ?? HeaderList(),
            body: try field["HTTPBody"].map { Body(try $0.data()) }
        )
    }

    /// The head of the response of a frame, or of one inside a redirect.
    static func response(_ field: PropertyListField) throws -> Response {
        Response(
            status: max(0, try field["statusCode"]?.integer() ?? 0),
            headers: try field["allHeaderFields"]?.headerFields() ?? HeaderList()
        )
    }
}
