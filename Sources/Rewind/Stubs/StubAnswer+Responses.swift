import Foundation

extension StubAnswer {
    /// A whole response.
    /// - Parameter response: The response.
    /// - Returns: The answer.
    public static func response(
        _ response: Interaction.Response
    ) -> StubAnswer {
        StubAnswer(response)
    }

    /// A response without a body.
    ///
    /// ```swift
    /// .status(204)
    /// ```
    /// - Parameters:
    ///   - code: The status code, of three digits.
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

    /// A response with bytes.
    /// - Parameters:
    ///   - data: The bytes, decoded from any content coding.
    ///   - contentType: The `Content-Type`, unless the header fields have one; none by default.
    ///   - status: The status code; 200 by default.
    ///   - headers: The header fields; none by default. A `Content-Length` is added where there is none.
    /// - Returns: The answer.
    public static func data(
        _ data: Data,
        contentType: String? = nil,
        status: Int = 200,
        headers: HeaderList = [:]
    ) -> StubAnswer {
        return StubAnswer(Interaction.Response(status: status, headers: headers, data, contentType))
    }

    /// A response with text, in UTF-8.
    /// - Parameters:
    ///   - text: The text.
    ///   - contentType: The `Content-Type`, unless the header fields have one; `text/plain; charset=utf-8` by default.
    ///   - status: The status code; 200 by default.
    ///   - headers: The header fields; none by default. A `Content-Length` is added where there is none.
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

    /// A redirect (RFC 9110 section 15.4).
    /// - Parameters:
    ///   - location: Where it leads; a URL, or a reference from the one that was asked for.
    ///   - status: The status code: 301, 302, 303, 307 or 308; 302 by default.
    ///   - headers: The other header fields; none by default.
    /// - Returns: The answer.
    public static func redirect(
        to location: String,
        status: Int = 302,
        headers: HeaderList = [:]
    ) -> StubAnswer {
        var response = Interaction.Response(status: status, headers: headers)
        response.headers["Location"] = location
        guard response.redirectTarget != nil else {
            let cause = "a response of status \(status) leads nowhere"
            return StubAnswer(Problem(cause, recoverySuggestion: "Redirect with 301, 302, 303, 307 or 308."))
        }
        guard !location.isEmpty, URL(string: location) != nil else {
            let cause = "it redirects to \(location.debugDescription), which is no URL"
            let suggestion = "Name a URL, or a reference such as \"/login\"."
            return StubAnswer(Problem(cause, recoverySuggestion: suggestion))
        }
        return StubAnswer(response)
    }

    /// A response with JSON that is written here.
    ///
    /// ```swift
    /// .json(["id": 42, "name": "Ada", "tags": [1, nil]])
    /// ```
    /// - Parameters:
    ///   - literal: The document.
    ///   - status: The status code; 200 by default.
    ///   - headers: The header fields; none by default, in addition to the `Content-Type` `application/json`.
    /// - Returns: The answer.
    public static func json(
        _ literal: JSONLiteral,
        status: Int = 200,
        headers: HeaderList = [:]
    ) -> StubAnswer {
        json(literal, status, headers)
    }

    /// A response with a JSON object of values of the test.
    ///
    /// ```swift
    /// .json(["id": id, "name": name, "tags": tags])
    /// ```
    /// - Parameters:
    ///   - members: The members, encoded here and now, in the order they are written.
    ///   - status: The status code; 200 by default.
    ///   - headers: The header fields; none by default, in addition to the `Content-Type` `application/json`.
    /// - Returns: The answer.
    @_disfavoredOverload  // What is written here as a whole may nest objects in objects.
    public static func json(
        _ members: KeyValuePairs<String, (any Encodable)?>,
        status: Int = 200,
        headers: HeaderList = [:]
    ) -> StubAnswer {
        json(JSONLiteral(members), status, headers)
    }

    /// A response with a value as JSON.
    ///
    /// ```swift
    /// .json(User(id: 42, name: "Ada"), status: 201)
    /// ```
    /// - Parameters:
    ///   - value: The value, encoded here and now.
    ///   - status: The status code; 200 by default.
    ///   - headers: The header fields; none by default, in addition to the `Content-Type` `application/json`.
    ///   - encoder: Encodes the value; by default one that sorts members by name.
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

    /// A response with the text of a JSON document, as it is spelled.
    /// - Parameters:
    ///   - text: The text; use ``text(_:contentType:status:headers:)`` for invalid JSON.
    ///   - status: The status code; 200 by default.
    ///   - headers: The header fields; none by default, in addition to the `Content-Type` `application/json`.
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
            let cause = "its text is no JSON: \("\(error)".withoutFullStop)"
            let suggestion = "Mend the text, or answer with `.text` where it is to be broken."
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
        let suggestion = "Change the value, or give an encoder that can encode it."
        return StubAnswer(Problem(cause, recoverySuggestion: suggestion))
    }

    private static func json(_ text: Data, _ status: Int, _ headers: HeaderList)
        -> StubAnswer
    {
        StubAnswer(Interaction.Response(status: status, headers: headers, text, "application/json"))
    }

    /// A part of a body that arrives by itself.
    public struct Chunk: Hashable, Sendable {
        /// The bytes. A chunk without bytes is a pause.
        public var data: Data
        /// The time since the previous chunk, or since the head of the response.
        public var pause: Duration

        /// Creates a chunk.
        /// - Parameters:
        ///   - data: The bytes.
        ///   - pause: The time since the previous chunk, or since the head of the response; zero by default.
        public init(_ data: Data, after pause: Duration = .zero) {
            self.data = data
            self.pause = pause
        }

        /// Creates a chunk from text, as UTF-8.
        /// - Parameters:
        ///   - text: The text.
        ///   - pause: The time since the previous chunk, or since the head of the response; zero by default.
        public init(_ text: String, after pause: Duration = .zero) { self.init(Data(text.utf8), after: pause) }
    }

    /// Answers with a body that arrives in chunks at a fixed interval, the first with the head.
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
