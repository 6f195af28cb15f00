import Foundation

extension StubAnswer {
    /// A response with JSON that is written here.
    ///
    /// ```swift
    /// .json(["id": 42, "name": "Ada", "tags": [1, nil]])
    /// ```
    /// - Parameters:
    ///   - literal: The document.
    ///   - status: The status code; 200 by default.
    ///   - headers: The header fields; none by default, beside the `Content-Type` `application/json`.
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
        let place = StubPlace(fileID: fileID, filePath: filePath, line: line)
        return json(literal, status, headers, place)
    }

    /// A response with a JSON object of values of the test.
    ///
    /// ```swift
    /// .json(["id": id, "name": name, "tags": tags])
    /// ```
    /// - Parameters:
    ///   - members: The members, encoded here and now, in the order they are written.
    ///   - status: The status code; 200 by default.
    ///   - headers: The header fields; none by default, beside the `Content-Type` `application/json`.
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
        let place = StubPlace(fileID: fileID, filePath: filePath, line: line)
        return json(JSONLiteral(members), status, headers, place)
    }

    /// A response with a value as JSON.
    ///
    /// ```swift
    /// .json(User(id: 42, name: "Ada"), status: 201)
    /// ```
    /// - Parameters:
    ///   - value: The value, encoded here and now.
    ///   - status: The status code; 200 by default.
    ///   - headers: The header fields; none by default, beside the `Content-Type` `application/json`.
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
        let place = StubPlace(fileID: fileID, filePath: filePath, line: line)
        do {
            return json(try JSON.text(of: value, encoder: encoder), status, headers, place)
        } catch {
            return StubAnswer(.unencodable(JSON.cause(of: error), at: place))
        }
    }

    /// A response with the text of a JSON document, as it is spelled.
    /// - Parameters:
    ///   - text: The text; what is no JSON on purpose is for ``text(_:contentType:status:headers:fileID:filePath:line:)``.
    ///   - status: The status code; 200 by default.
    ///   - headers: The header fields; none by default, beside the `Content-Type` `application/json`.
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
        let place = StubPlace(fileID: fileID, filePath: filePath, line: line)
        do {
            _ = try JSON(parsing: Data(text.utf8))
            return json(Data(text.utf8), status, headers, place)
        } catch {
            return StubAnswer(.jsonText("\(error)", at: place))
        }
    }

    private static func json(
        _ literal: JSONLiteral,
        _ status: Int,
        _ headers: HeaderList,
        _ place: StubPlace
    ) -> StubAnswer {
        if let problem = literal.problem { return StubAnswer(.unencodable(problem, at: place)) }
        return json(literal.json.compactText, status, headers, place)
    }

    private static func json(_ text: Data, _ status: Int, _ headers: HeaderList, _ place: StubPlace)
        -> StubAnswer
    {
        StubAnswer(Response(status: status, headers: headers, text, "application/json"), at: place)
    }
}
