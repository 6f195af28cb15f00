import Foundation

extension RequestCondition {
    /// Matches requests whose body consists of exactly these bytes.
    /// - Parameter data: The bytes. Empty data matches an empty body and no body, which look the same to a server.
    /// - Returns: The condition.
    public static func body(_ data: Data) -> RequestCondition {
        body("body(\(data.excerpt()))", data, as: .bytes)
    }

    /// Matches requests whose body is equivalent JSON, with any media type.
    ///
    /// The order of members, white space and the notation of numbers (`1`, `1.0`) are ignored. The order of array elements is
    /// compared.
    /// - Parameter text: The JSON, such as `{"name": "Anna"}`.
    /// - Returns: The condition.
    public static func body(json text: String) -> RequestCondition {
        let title = "body(json: \(text.shown()))"
        do throws(JSONError) {
            _ = try JSON(parsing: Data(text.utf8))
        } catch {
            return RequestCondition(
                .all([]),
                title: title,
                problem:
                    "Invalid JSON in \(title): \("\(error)".withoutFullStop). Fix it, or compare bytes with `body(_:)`."
            )
        }
        return body(title, Data(text.utf8), as: .json)
    }

    /// Matches requests whose body is the JSON of a value, as `JSONEncoder` encodes it by default.
    ///
    /// ```swift
    /// .post("/users") && .body(json: ["name": "Anna"])
    /// ```
    /// - Parameter value: The value. It is encoded at once.
    /// - Returns: The condition.
    public static func body(json value: some Encodable & Sendable) -> RequestCondition {
        do {
            return body(json: String(decoding: try JSON.text(of: value), as: UTF8.self))
        } catch {
            let title = "body(json: \(type(of: value)))"
            return RequestCondition(
                .all([]),
                title: title,
                problem:
                    "Cannot encode the value of \(title): \(JSON.cause(of: error).withoutFullStop). Use a value that"
                    + " `JSONEncoder` can encode, or JSON text."
            )
        }
    }

    /// Matches requests whose body is a form with exactly these fields, in any order and with any media type.
    /// - Parameter fields: Names and values without percent-encoding. `nil` means a field without `=`.
    /// - Returns: The condition.
    public static func body(form fields: KeyValuePairs<String, String?>) -> RequestCondition {
        let text = fields.map { name, value in
            PercentEncoding.encoded(name) + (value.map { "=" + PercentEncoding.encoded($0) } ?? "")
        }.joined(separator: "&")
        let title = fields.map { name, value in name + (value.map { "=" + $0 } ?? "") }.joined(separator: ", ")
        return body("body(form: \(title.shown()))", Data(text.utf8), as: .form)
    }

    private static func body(_ title: String, _ data: Data, as reading: BodyContent.Reading) -> RequestCondition
    {
        let content = BodyContent(data, as: reading)
        let expected = content.projection()
        let problem = content.reason.map {
            "Ambiguous body in \(title): it \($0). Fix it, or compare bytes with `body(_:)`."
        }
        return RequestCondition(title, of: .body, problem: problem) {
            $0.projection(ofBodyAs: reading) == expected
        } mismatch: {
            let sent = $0.request.body?.data ?? Data()
            return mismatch(of: BodyContent(sent, as: reading), sent, with: content, data)
        }
    }

    /// Contains at most 80 characters of the request's body.
    private static func mismatch(of body: BodyContent, _ sent: Data, with expected: BodyContent, _ data: Data)
        -> String
    {
        if case .none = body { return "request has no body" }
        if let reason = body.reason { return "body \(reason): " + sent.excerpt().shown() }
        let sent = SentBodies(requested: sent, recorded: data)
        guard let difference = Difference.betweenBodies(body, expected, sent: sent).first
        else { return "body differs" }
        let (requested, recorded) = (difference.requested ?? "", difference.recorded ?? "")
        return "\(difference.part.shown(upTo: 30)) is \(requested.shown(upTo: 50)), not \(recorded.shown())"
    }

    /// Matches requests that contain a header field, with any value.
    /// - Parameter name: The name, ignoring letter case.
    /// - Returns: The condition.
    public static func header(_ name: String) -> RequestCondition {
        RequestCondition("header(\(name))", of: .headers, problem: headerProblem(name)) {
            !$0.request.headers.values(for: name).isEmpty
        } mismatch: { _ in
            "header \(name) is missing"
        }
    }

    /// Matches requests in which a header field has a value.
    ///
    /// If the field occurs several times, the value may be that of one field, or of all joined by `, ` (RFC 9110 section
    /// 5.3).
    /// - Parameters:
    ///   - name: The name, ignoring letter case.
    ///   - value: The whole value. Letter case matters.
    /// - Returns: The condition.
    public static func header(_ name: String, _ value: String) -> RequestCondition {
        let value = value.trimmingSpaces()
        return RequestCondition("header(\(name): \(value))", of: .headers, problem: headerProblem(name)) {
            let values = $0.request.headers.values(for: name)
            return !values.isEmpty
                && (values + [values.joined(separator: ", ")]).contains { $0.hasSameBytes(as: value) }
        } mismatch: {
            let values = $0.request.headers.values(for: name)
            return values.isEmpty
                ? "header \(name) is missing"
                : "header \(name) is \(values.joined(separator: ", ").shown()), not \(value.shown())"
        }
    }

    private static func headerProblem(_ name: String) -> String? {
        name.isToken
            ? nil
            : "Invalid header name \(name.debugDescription). Write the value as the second"
                + " argument: header(\"Accept\", \"text/plain\")."
    }

    /// Matches requests that contain a named GraphQL operation: in a JSON body, in a batch, or in the query of a `GET`.
    ///
    /// ```swift
    /// .post("https://api.example.com/graphql") && .graphQL(operation: "Viewer")
    /// ```
    /// - Parameter name: The name of the operation. Letter case matters.
    /// - Returns: The condition.
    public static func graphQL(operation name: String) -> RequestCondition {
        RequestCondition(
            "graphQL(operation: \(name))",
            of: [.url, .body],
            problem: GraphQLLexer.isName(name)
                ? nil
                : "Invalid GraphQL operation name \(name.debugDescription). Write only the name, such as `Viewer` of"
                    + " `query Viewer { … }`."
        ) {
            $0.operations.contains { $0.name?.hasSameBytes(as: name) ?? false }
        } mismatch: {
            let names = $0.operations.map { $0.name ?? "(unnamed)" }.joined(separator: ", ")
            return "GraphQL operation is \(names.shown()), not \(name)"
        }
    }
}
