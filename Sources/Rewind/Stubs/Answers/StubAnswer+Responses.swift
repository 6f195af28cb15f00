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
        StubAnswer(response, at: StubPlace(fileID: fileID, filePath: filePath, line: line))
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
        let place = StubPlace(fileID: fileID, filePath: filePath, line: line)
        return StubAnswer(Response(status: code, headers: headers), at: place)
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
        let place = StubPlace(fileID: fileID, filePath: filePath, line: line)
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
        let place = StubPlace(fileID: fileID, filePath: filePath, line: line)
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
        let place = StubPlace(fileID: fileID, filePath: filePath, line: line)
        var response = Response(status: status, headers: headers)
        response.headers["Location"] = location
        guard response.redirectTarget != nil else { return StubAnswer(.redirectStatus(status, at: place)) }
        guard !location.isEmpty, URL(string: location) != nil else {
            return StubAnswer(.redirectTarget(location, at: place))
        }
        return StubAnswer(response, at: place)
    }
}

extension Response {
    /// A response with bytes, and with the header fields that tell of them unless others do.
    init(status: Int, headers: HeaderList, _ data: Data, _ contentType: String?) {
        self.init(status: status, headers: headers.adding(contentType: contentType), body: Body(data))
        if headers["Content-Length"] == nil, headers["Transfer-Encoding"] == nil, status >= 200, status != 204 {
            self.headers.append("Content-Length", String(data.count))
        }
    }
}
