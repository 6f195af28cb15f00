import Foundation

extension RequestCondition {
    /// Holds for a body of exactly these bytes; no body and an empty one are the same, as they are on the wire.
    /// - Parameter data: The bytes.
    /// - Returns: The condition.
    public static func body(_ data: Data) -> RequestCondition {
        body("body(\(data.excerpt()))", data, as: .bytes)
    }

    /// Holds for a body that is the same JSON, whatever its media type: the order of members, white space and the
    /// spelling of numbers are free, the order of elements is not.
    /// - Parameter text: The JSON as text, as in `{"name": "Anna"}`.
    /// - Returns: The condition.
    public static func body(json text: String) -> RequestCondition {
        let title = "body(json: \(text.shown()))"
        do throws(JSONError) {
            _ = try JSON(parsing: Data(text.utf8))
        } catch {
            return RequestCondition(
                .all([]),
                title: title,
                problem: "The text of \(title) is no JSON, \(error). Mend it, or compare bytes with body(_:)."
            )
        }
        return body(title, Data(text.utf8), as: .json)
    }

    /// Holds for a body that is the JSON of a value, as `JSONEncoder` encodes it by default.
    ///
    /// ```swift
    /// .post("/users") && .body(json: ["name": "Anna"])
    /// ```
    /// - Parameter value: The value.
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
                    "The value of \(title) cannot be encoded: \(JSON.cause(of: error)) Give one that `JSONEncoder` encodes, or JSON as"
                    + " text."
            )
        }
    }

    /// Holds for a body that is a form of these fields and no others, in any order and whatever its media type.
    /// - Parameter fields: The names and values without percent-encoding; `nil` for a field without an equals sign.
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
            "The text of \(title) \($0), so that its meaning is open. Mend it, or compare bytes with body(_:)."
        }
        return RequestCondition(title, of: .body, problem: problem) {
            $0.projection(ofBodyAs: reading) == expected
        } mismatch: {
            let sent = $0.request.body?.data ?? Data()
            return mismatch(of: BodyContent(sent, as: reading), sent, with: content, data)
        }
    }

    /// Shows at most 80 characters of the request's body.
    private static func mismatch(of body: BodyContent, _ sent: Data, with expected: BodyContent, _ data: Data)
        -> String
    {
        if case .none = body { return "there is no body" }
        if let reason = body.reason { return "body \(reason): " + sent.excerpt().shown() }
        let sent = SentBodies(requested: sent, recorded: data)
        guard let difference = Difference.betweenBodies(body, expected, sent: sent).first
        else { return "body is another" }
        let (requested, recorded) = (difference.requested ?? "", difference.recorded ?? "")
        return "\(difference.part.shown(upTo: 30)) is \(requested.shown(upTo: 50)), not \(recorded.shown())"
    }

    /// Holds where a header field is there, whatever its value.
    /// - Parameter name: The name, whatever its letter case.
    /// - Returns: The condition.
    public static func header(_ name: String) -> RequestCondition {
        RequestCondition("header(\(name))", of: .headers, problem: headerProblem(name)) {
            !$0.request.headers.values(for: name).isEmpty
        } mismatch: { _ in
            "header \(name) is missing"
        }
    }

    /// Holds where a header field has a value: one of several fields, or all joined by commas (RFC 9110 section 5.3).
    /// - Parameters:
    ///   - name: The name, whatever its letter case.
    ///   - value: The whole value, letter case included.
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
            : "\(name.debugDescription) is no name of a header field. Write it alone and its value as the second"
                + " argument: header(\"Accept\", \"text/plain\")."
    }

    /// Holds for a GraphQL operation of a name, in a JSON body, in a batch of them or in the query of a `GET`.
    ///
    /// ```swift
    /// .post("https://api.example.com/graphql") && .graphQL(operation: "Viewer")
    /// ```
    /// - Parameter name: The name of the operation, letter case included.
    /// - Returns: The condition.
    public static func graphQL(operation name: String) -> RequestCondition {
        RequestCondition(
            "graphQL(operation: \(name))",
            of: [.url, .body],
            problem: GraphQLLexer.isName(name)
                ? nil
                : "\(name.debugDescription) is no name of a GraphQL operation. Write the name alone, such as `Viewer` of"
                    + " `query Viewer { … }`."
        ) {
            $0.operations.contains { $0.name?.hasSameBytes(as: name) ?? false }
        } mismatch: {
            let names = $0.operations.map { $0.name ?? "(unnamed)" }.joined(separator: ", ")
            return "GraphQL operation is \(names.shown()), not \(name)"
        }
    }
}
