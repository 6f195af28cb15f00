import Foundation

extension StubAnswer {
    /// Answers with a response that you create.
    /// - Parameter response: The response.
    /// - Returns: The answer.
    public static func response(_ response: Interaction.Response) -> StubAnswer {
        StubAnswer(response)
    }

    /// Answers with a status code and no body.
    ///
    /// ```swift
    /// .status(204)
    /// ```
    /// - Parameters:
    ///   - code: The status code, from 100 to 999.
    ///   - headers: The header fields; none by default.
    /// - Returns: The answer.
    public static func status(
        _ code: Int,
        headers: HeaderList = [:]
    ) -> StubAnswer {
        StubAnswer(
            Interaction.Response(status: code, headers: headers)
        )
    }

    /// Answers with bytes.
    /// - Parameters:
    ///   - data: The body, without any content coding such as gzip.
    ///   - contentType: The `Content-Type`, unless `headers` has one; none by default.
    ///   - status: The status code; 200 by default.
    ///   - headers: The header fields; none by default. A `Content-Length` is added if there is none.
    /// - Returns: The answer.
    public static func data(
        _ data: Data,
        contentType: String? = nil,
        status: Int = 200,
        headers: HeaderList = [:]
    ) -> StubAnswer {
        return StubAnswer(Interaction.Response(status: status, headers: headers, data, contentType))
    }

    /// Answers with text in UTF-8.
    /// - Parameters:
    ///   - text: The text.
    ///   - contentType: The `Content-Type`, unless `headers` has one; `text/plain; charset=utf-8` by default.
    ///   - status: The status code; 200 by default.
    ///   - headers: The header fields; none by default. A `Content-Length` is added if there is none.
    /// - Returns: The answer.
    public static func text(
        _ text: String,
        contentType: String = "text/plain; charset=utf-8",
        status: Int = 200,
        headers: HeaderList = [:]
    ) -> StubAnswer {
        StubAnswer(
            Interaction.Response(status: status, headers: headers, Data(text.utf8), contentType)
        )
    }

    /// Answers with a redirect (RFC 9110 section 15.4).
    /// - Parameters:
    ///   - location: The target: a URL, or a reference relative to the request's URL, such as `/login`.
    ///   - status: The status code: 301, 302, 303, 307 or 308; 302 by default.
    ///   - headers: The header fields besides `Location`; none by default.
    /// - Returns: The answer.
    public static func redirect(
        to location: String,
        status: Int = 302,
        headers: HeaderList = [:]
    ) -> StubAnswer {
        var response = Interaction.Response(status: status, headers: headers)
        response.headers["Location"] = location
        guard response.redirectTarget != nil else {
            let cause = "the status code \(status) is not a redirect"
            return StubAnswer(Problem(cause, recoverySuggestion: "Use 301, 302, 303, 307 or 308."))
        }
        guard !location.isEmpty, URL(string: location) != nil else {
            let cause = "the redirect target \(location.debugDescription) is not a valid URL"
            let suggestion = "Use a URL, or a relative reference such as \"/login\"."
            return StubAnswer(Problem(cause, recoverySuggestion: suggestion))
        }
        return StubAnswer(response)
    }

    /// Answers with a JSON literal.
    ///
    /// ```swift
    /// .json(["id": 42, "name": "Ada", "tags": [1, nil]])
    /// ```
    /// - Parameters:
    ///   - literal: The JSON: a literal of dictionaries, arrays, strings, numbers, Booleans and `nil`.
    ///   - status: The status code; 200 by default.
    ///   - headers: The header fields; none by default. `Content-Type: application/json; charset=utf-8` is added if
    ///     there is none.
    /// - Returns: The answer.
    public static func json(
        _ literal: JSONLiteral,
        status: Int = 200,
        headers: HeaderList = [:]
    ) -> StubAnswer {
        json(literal, status, headers)
    }

    /// Answers with a JSON object whose values are variables of your test.
    ///
    /// ```swift
    /// .json(["id": id, "name": name, "tags": tags])
    /// ```
    /// - Parameters:
    ///   - members: The members in the order of the JSON. They are encoded at once with `JSONEncoder`.
    ///   - status: The status code; 200 by default.
    ///   - headers: The header fields; none by default. `Content-Type: application/json; charset=utf-8` is added if
    ///     there is none.
    /// - Returns: The answer.
    @_disfavoredOverload  // A literal can nest objects in objects.
    public static func json(
        _ members: KeyValuePairs<String, (any Encodable)?>,
        status: Int = 200,
        headers: HeaderList = [:]
    ) -> StubAnswer {
        json(JSONLiteral(members), status, headers)
    }

    /// Answers with a value encoded as JSON.
    ///
    /// ```swift
    /// .json(User(id: 42, name: "Ada"), status: 201)
    /// ```
    /// - Parameters:
    ///   - value: The value. It is encoded at once.
    ///   - status: The status code; 200 by default.
    ///   - headers: The header fields; none by default. `Content-Type: application/json; charset=utf-8` is added if
    ///     there is none.
    ///   - encoder: The encoder; by default one that sorts the keys.
    /// - Returns: The answer.
    @_disfavoredOverload  // A literal keeps the order of its members.
    public static func json(
        _ value: some Encodable,
        status: Int = 200,
        headers: HeaderList = [:],
        encoder: JSONEncoder? = nil
    ) -> StubAnswer {
        do {
            return json(try JSON.text(of: value, encoder: encoder), status, headers)
        } catch { return unencodable(JSON.cause(of: error)) }
    }

    /// Answers with the text of a JSON document, unchanged.
    /// - Parameters:
    ///   - text: The JSON. For invalid JSON use ``text(_:contentType:status:headers:)``.
    ///   - status: The status code; 200 by default.
    ///   - headers: The header fields; none by default. `Content-Type: application/json; charset=utf-8` is added if
    ///     there is none.
    /// - Returns: The answer.
    public static func json(
        text: String,
        status: Int = 200,
        headers: HeaderList = [:]
    ) -> StubAnswer {
        do {
            _ = try JSON(parsing: Data(text.utf8))
            return json(Data(text.utf8), status, headers)
        } catch {
            let cause = "its text is not valid JSON: \("\(error)".withoutFullStop)"
            let suggestion = "Fix the JSON, or answer with `.text` to send invalid JSON."
            return StubAnswer(Problem(cause, recoverySuggestion: suggestion))
        }
    }

    private static func json(
        _ literal: JSONLiteral,
        _ status: Int,
        _ headers: HeaderList
    )
        -> StubAnswer
    {
        if let problem = literal.problem { return unencodable(problem) }
        return json(literal.json.compactText, status, headers)
    }

    private static func unencodable(_ cause: String) -> StubAnswer {
        let cause = "its value cannot be encoded as JSON: \(cause.withoutFullStop)"
        let suggestion = "Change the value, or pass an `encoder` that can encode it."
        return StubAnswer(Problem(cause, recoverySuggestion: suggestion))
    }

    private static func json(_ text: Data, _ status: Int, _ headers: HeaderList)
        -> StubAnswer
    {
        StubAnswer(
            Interaction.Response(status: status, headers: headers, text, "application/json; charset=utf-8")
        )
    }

    /// A part of a body that arrives by itself.
    public struct Chunk: Hashable, Sendable {
        /// The bytes. A chunk without bytes is a pause.
        public var data: Data
        /// The time since the previous chunk, or since the header fields.
        public var pause: Duration

        /// Creates a chunk.
        /// - Parameters:
        ///   - data: The bytes.
        ///   - pause: The time since the previous chunk, or since the header fields; zero by default.
        public init(_ data: Data, after pause: Duration = .zero) {
            self.data = data
            self.pause = pause
        }

        /// Creates a chunk from text, as UTF-8.
        /// - Parameters:
        ///   - text: The text.
        ///   - pause: The time since the previous chunk, or since the header fields; zero by default.
        public init(_ text: String, after pause: Duration = .zero) { self.init(Data(text.utf8), after: pause) }
    }

    /// Answers with a body that arrives in chunks at a fixed interval, the first with the header fields.
    /// - Parameters:
    ///   - chunks: The bytes of each chunk.
    ///   - pause: The time between two chunks.
    ///   - contentType: The `Content-Type`, unless `headers` has one; none by default.
    ///   - status: The status code; 200 by default.
    ///   - headers: The header fields; none by default.
    /// - Returns: The answer.
    public static func chunks(
        _ chunks: [Data],
        every pause: Duration,
        contentType: String? = nil,
        status: Int = 200,
        headers: HeaderList = [:]
    ) -> StubAnswer {
        let chunks = chunks.enumerated().map { Chunk($1, after: $0 == 0 ? .zero : pause) }
        return Self.chunks(chunks, contentType: contentType, status: status, headers: headers)
    }

    /// Answers with a body that arrives in chunks, each after its own pause.
    ///
    /// ```swift
    /// .chunks(
    ///     [.init("data: 1\n\n"), .init("data: 2\n\n", after: .seconds(1)), .init("", after: .seconds(5))],
    ///     contentType: "text/event-stream"
    /// )
    /// ```
    /// - Parameters:
    ///   - chunks: The chunks.
    ///   - contentType: The `Content-Type`, unless `headers` has one; none by default.
    ///   - status: The status code; 200 by default.
    ///   - headers: The header fields; none by default.
    /// - Returns: The answer.
    public static func chunks(
        _ chunks: [Chunk],
        contentType: String? = nil,
        status: Int = 200,
        headers: HeaderList = [:]
    ) -> StubAnswer {
        if let problem = chunks.lazy.compactMap({ Problem.negativeTime($0.pause) }).first {
            return StubAnswer(problem)
        }
        var data = Data()
        var arrivals: [Interaction.Body.Chunk] = []
        var time = 0.0
        for chunk in chunks {
            time = min(time + StubTime.milliseconds(chunk.pause), StubTime.endless)
            guard !chunk.data.isEmpty else { continue }
            data += chunk.data
            arrivals.append(Interaction.Body.Chunk(offset: time, count: chunk.data.count))
        }
        let response = Interaction.Response(
            status: status,
            headers: headers.adding(contentType: contentType),
            body: Interaction.Body(data, chunks: arrivals)
        )
        return StubAnswer(response, timing: Interaction.Timing(receive: time))
    }
}

extension Interaction.Response {
    /// Adds the header fields that describe the bytes, unless given.
    init(status: Int, headers: HeaderList, _ data: Data, _ contentType: String?) {
        self.init(
            status: status,
            headers: headers.adding(contentType: contentType),
            body: Interaction.Body(data)
        )
        if headers["Content-Length"] == nil, headers["Transfer-Encoding"] == nil, status >= 200, status != 204 {
            self.headers.append("Content-Length", String(data.count))
        }
    }
}
