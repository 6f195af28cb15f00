import Foundation

extension StubAnswer {
    /// A whole response.
    /// - Parameters:
    ///   - response: The response.
    ///   - fileID: The file to name in a problem; the caller's by default.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in a problem; the caller's by default.
    /// - Returns: The answer.
    public static func response(
        _ response: Response,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> StubAnswer {
        StubAnswer(response, at: StubPlace(fileID, filePath, line))
    }

    /// A response without a body.
    ///
    /// ```swift
    /// .status(204)
    /// ```
    /// - Parameters:
    ///   - code: The status code, of three digits.
    ///   - headers: The header fields; none by default.
    ///   - fileID: The file to name in a problem; the caller's by default.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in a problem; the caller's by default.
    /// - Returns: The answer.
    public static func status(
        _ code: Int,
        headers: HeaderList = [:],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> StubAnswer {
        StubAnswer(Response(status: code, headers: headers), at: StubPlace(fileID, filePath, line))
    }

    /// A response with bytes.
    /// - Parameters:
    ///   - data: The bytes, decoded from any content coding.
    ///   - contentType: The `Content-Type`, unless the header fields have one; none by default.
    ///   - status: The status code; 200 by default.
    ///   - headers: The header fields; none by default. A `Content-Length` is added where there is none.
    ///   - fileID: The file to name in a problem; the caller's by default.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in a problem; the caller's by default.
    /// - Returns: The answer.
    public static func data(
        _ data: Data,
        contentType: String? = nil,
        status: Int = 200,
        headers: HeaderList = [:],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> StubAnswer {
        let place = StubPlace(fileID, filePath, line)
        return StubAnswer(Response(status: status, headers: headers, data, contentType), at: place)
    }

    /// A response with text, in UTF-8.
    /// - Parameters:
    ///   - text: The text.
    ///   - contentType: The `Content-Type`, unless the header fields have one; `text/plain; charset=utf-8` by default.
    ///   - status: The status code; 200 by default.
    ///   - headers: The header fields; none by default. A `Content-Length` is added where there is none.
    ///   - fileID: The file to name in a problem; the caller's by default.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in a problem; the caller's by default.
    /// - Returns: The answer.
    public static func text(
        _ text: String,
        contentType: String = "text/plain; charset=utf-8",
        status: Int = 200,
        headers: HeaderList = [:],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> StubAnswer {
        let place = StubPlace(fileID, filePath, line)
        return StubAnswer(Response(status: status, headers: headers, Data(text.utf8), contentType), at: place)
    }

    /// A redirect (RFC 9110 section 15.4).
    /// - Parameters:
    ///   - location: Where it leads; a URL, or a reference from the one that was asked for.
    ///   - status: The status code: 301, 302, 303, 307 or 308; 302 by default.
    ///   - headers: The other header fields; none by default.
    ///   - fileID: The file to name in a problem; the caller's by default.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in a problem; the caller's by default.
    /// - Returns: The answer.
    public static func redirect(
        to location: String,
        status: Int = 302,
        headers: HeaderList = [:],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> StubAnswer {
        let place = StubPlace(fileID, filePath, line)
        var response = Response(status: status, headers: headers)
        response.headers["Location"] = location
        guard response.redirectTarget != nil else {
            let cause = "a response of status \(status) leads nowhere"
            return StubAnswer(StubProblem(cause, mend: "Redirect with 301, 302, 303, 307 or 308.", at: place))
        }
        guard !location.isEmpty, URL(string: location) != nil else {
            let cause = "it redirects to \(location.debugDescription), which is no URL"
            let mend = "Name a URL, or a reference such as \"/login\"."
            return StubAnswer(StubProblem(cause, mend: mend, at: place))
        }
        return StubAnswer(response, at: place)
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
    ///   - fileID: The file to name in a problem; the caller's by default.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in a problem; the caller's by default.
    /// - Returns: The answer.
    public static func json(
        _ literal: JSONLiteral,
        status: Int = 200,
        headers: HeaderList = [:],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> StubAnswer {
        json(literal, status, headers, StubPlace(fileID, filePath, line))
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
    ///   - fileID: The file to name in a problem; the caller's by default.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in a problem; the caller's by default.
    /// - Returns: The answer.
    @_disfavoredOverload  // What is written here as a whole may nest objects in objects.
    public static func json(
        _ members: KeyValuePairs<String, (any Encodable)?>,
        status: Int = 200,
        headers: HeaderList = [:],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> StubAnswer {
        json(JSONLiteral(members), status, headers, StubPlace(fileID, filePath, line))
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
    ///   - fileID: The file to name in a problem; the caller's by default.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in a problem; the caller's by default.
    /// - Returns: The answer.
    @_disfavoredOverload  // A literal keeps the order of its members.
    public static func json(
        _ value: some Encodable,
        status: Int = 200,
        headers: HeaderList = [:],
        encoder: JSONEncoder? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> StubAnswer {
        let place = StubPlace(fileID, filePath, line)
        do {
            return json(try JSON.text(of: value, encoder: encoder), status, headers, place)
        } catch { return unencodable(JSON.cause(of: error), place) }
    }

    /// A response with the text of a JSON document, as it is spelled.
    /// - Parameters:
    ///   - text: The text; use ``text(_:contentType:status:headers:fileID:filePath:line:)`` for invalid JSON.
    ///   - status: The status code; 200 by default.
    ///   - headers: The header fields; none by default, in addition to the `Content-Type` `application/json`.
    ///   - fileID: The file to name in a problem; the caller's by default.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in a problem; the caller's by default.
    /// - Returns: The answer.
    public static func json(
        text: String,
        status: Int = 200,
        headers: HeaderList = [:],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> StubAnswer {
        let place = StubPlace(fileID, filePath, line)
        do {
            _ = try JSON(parsing: Data(text.utf8))
            return json(Data(text.utf8), status, headers, place)
        } catch {
            let cause = "its text is no JSON: \("\(error)".withoutFullStop)"
            let mend = "Mend the text, or answer with `.text` where it is to be broken."
            return StubAnswer(StubProblem(cause, mend: mend, at: place))
        }
    }

    private static func json(_ literal: JSONLiteral, _ status: Int, _ headers: HeaderList, _ place: StubPlace)
        -> StubAnswer
    {
        if let problem = literal.problem { return unencodable(problem, place) }
        return json(literal.json.compactText, status, headers, place)
    }

    private static func unencodable(_ cause: String, _ place: StubPlace) -> StubAnswer {
        let cause = "its value cannot be encoded as JSON: \(cause.withoutFullStop)"
        let mend = "Change the value, or give an encoder that can encode it."
        return StubAnswer(StubProblem(cause, mend: mend, at: place))
    }

    private static func json(_ text: Data, _ status: Int, _ headers: HeaderList, _ place: StubPlace)
        -> StubAnswer
    {
        StubAnswer(Response(status: status, headers: headers, text, "application/json"), at: place)
    }

    /// A piece of a body that comes in pieces.
    public struct Piece: Hashable, Sendable {
        /// The bytes; a piece without any is a pause.
        public var data: Data
        /// How long after the piece before it, or after the head, it comes.
        public var pause: Duration

        /// Creates a piece.
        /// - Parameters:
        ///   - data: The bytes.
        ///   - pause: How long after the piece before it, or after the head, it comes; at once by default.
        public init(_ data: Data, after pause: Duration = .zero) {
            self.data = data
            self.pause = pause
        }

        /// Creates a piece from text, as UTF-8.
        /// - Parameters:
        ///   - text: The text.
        ///   - pause: How long after the piece before it, or after the head, it comes; at once by default.
        public init(_ text: String, after pause: Duration = .zero) { self.init(Data(text.utf8), after: pause) }
    }

    /// A response whose body comes in pieces, the first with the head and each other after the same pause.
    /// - Parameters:
    ///   - pieces: The bytes of each piece.
    ///   - pause: The time between one piece and the next.
    ///   - contentType: The `Content-Type`, unless the header fields have one; none by default.
    ///   - status: The status code; 200 by default.
    ///   - headers: The header fields; none by default.
    ///   - fileID: The file to name in a problem; the caller's by default.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in a problem; the caller's by default.
    /// - Returns: The answer.
    public static func chunks(
        _ pieces: [Data],
        every pause: Duration,
        contentType: String? = nil,
        status: Int = 200,
        headers: HeaderList = [:],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> StubAnswer {
        chunks(
            pieces.enumerated().map { Piece($1, after: $0 == 0 ? .zero : pause) },
            contentType: contentType,
            status: status,
            headers: headers,
            fileID: fileID,
            filePath: filePath,
            line: line
        )
    }

    /// A response whose body comes in pieces, each after a pause of its own.
    ///
    /// ```swift
    /// .chunks(
    ///     [.init("data: 1\n\n"), .init("data: 2\n\n", after: .seconds(1)), .init("", after: .seconds(5))],
    ///     contentType: "text/event-stream"
    /// )
    /// ```
    /// - Parameters:
    ///   - pieces: The pieces.
    ///   - contentType: The `Content-Type`, unless the header fields have one; none by default.
    ///   - status: The status code; 200 by default.
    ///   - headers: The header fields; none by default.
    ///   - fileID: The file to name in a problem; the caller's by default.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in a problem; the caller's by default.
    /// - Returns: The answer.
    public static func chunks(
        _ pieces: [Piece],
        contentType: String? = nil,
        status: Int = 200,
        headers: HeaderList = [:],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> StubAnswer {
        let place = StubPlace(fileID, filePath, line)
        if let problem = pieces.lazy.compactMap({ StubProblem.negativeTime($0.pause, at: place) }).first {
            return StubAnswer(problem)
        }
        var data = Data()
        var chunks: [Body.Chunk] = []
        var time = 0.0
        for piece in pieces {
            time = min(time + StubTime.milliseconds(piece.pause), StubTime.endless)
            guard !piece.data.isEmpty else { continue }
            data += piece.data
            chunks.append(Body.Chunk(offset: time, count: piece.data.count))
        }
        let response = Response(
            status: status,
            headers: headers.adding(contentType: contentType),
            body: Body(data, chunks: chunks)
        )
        return StubAnswer(response, timing: Interaction.Timing(receive: time), at: place)
    }
}

extension Response {
    /// Adds the header fields that describe the bytes, unless given.
    init(status: Int, headers: HeaderList, _ data: Data, _ contentType: String?) {
        self.init(status: status, headers: headers.adding(contentType: contentType), body: Body(data))
        if headers["Content-Length"] == nil, headers["Transfer-Encoding"] == nil, status >= 200, status != 204 {
            self.headers.append("Content-Length", String(data.count))
        }
    }
}
