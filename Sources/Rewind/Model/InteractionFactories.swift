import Foundation

/// Interactions written by hand, after Vinyl's `TrackFactory`: each is a `GET` of a URL and what comes back.
///
/// ```swift
/// let cassette = Cassette(interactions: [
///     try .valid(url: "https://example.com/users/42", json: User(id: 42)),
///     try .rejected(url: "https://example.com/users/43", status: 404),
///     try .failed(url: "https://example.com/users/44", error: URLError(.timedOut)),
/// ])
/// ```
extension Interaction {
    /// A response of status 200 with bytes.
    /// - Parameters:
    ///   - url: The absolute URL.
    ///   - body: The bytes; none by default.
    ///   - headers: The header fields; none by default.
    /// - Returns: The interaction.
    /// - Throws: ``InteractionInputError`` when the URL is none.
    public static func valid(url: String, body: Data = Data(), headers: HeaderList = [:]) throws -> Interaction
    {
        try answered(url, Response(headers: headers, body: Body(body)))
    }

    /// A response of status 200 with text, in UTF-8.
    /// - Parameters:
    ///   - url: The absolute URL.
    ///   - text: The text.
    ///   - headers: The header fields; none by default, in addition to the `Content-Type` `text/plain; charset=utf-8`.
    /// - Returns: The interaction.
    /// - Throws: ``InteractionInputError`` when the URL is none.
    public static func valid(url: String, text: String, headers: HeaderList = [:]) throws -> Interaction {
        let headers = headers.adding(contentType: "text/plain; charset=utf-8")
        return try answered(url, Response(headers: headers, body: Body(text)))
    }

    /// A response of status 200 with a value as JSON, its members sorted by name.
    /// - Parameters:
    ///   - url: The absolute URL.
    ///   - json: The value.
    ///   - headers: The header fields; none by default, in addition to the `Content-Type` `application/json`.
    /// - Returns: The interaction.
    /// - Throws: ``InteractionInputError`` when the URL is none or the value cannot be encoded.
    @_disfavoredOverload  // A literal keeps the order of its members.
    public static func valid(url: String, json: some Encodable, headers: HeaderList = [:]) throws -> Interaction
    {
        let text: Data
        do {
            text = try JSON.text(of: json)
        } catch {
            throw InteractionInputError.json(cause: JSON.cause(of: error))
        }
        return try self.json(url, text, headers)
    }

    /// A response of status 200 with JSON that is written here.
    /// - Parameters:
    ///   - url: The absolute URL.
    ///   - json: The document.
    ///   - headers: The header fields; none by default, in addition to the `Content-Type` `application/json`.
    /// - Returns: The interaction.
    /// - Throws: ``InteractionInputError`` when the URL is none or a value within cannot be encoded.
    public static func valid(url: String, json: JSONLiteral, headers: HeaderList = [:]) throws -> Interaction {
        if let cause = json.problem { throw InteractionInputError.json(cause: cause) }
        return try self.json(url, json.json.compactText, headers)
    }

    /// A response of status 200 with the bytes of a text in base64.
    /// - Parameters:
    ///   - url: The absolute URL.
    ///   - base64: The text, which may be broken into lines.
    ///   - headers: The header fields; none by default.
    /// - Returns: The interaction.
    /// - Throws: ``InteractionInputError`` when the URL is none or the text is not base64.
    public static func valid(url: String, base64: String, headers: HeaderList = [:]) throws -> Interaction {
        let plain = base64.filter { !$0.isWhitespace }
        // Foundation on Linux takes padding that pads nothing for a byte.
        guard !plain.hasSuffix("==="), let body = Data(base64Encoded: plain) else {
            throw InteractionInputError.base64(base64)
        }
        return try answered(url, Response(headers: headers, body: Body(body)))
    }

    /// A response of a status that says what went wrong, which Vinyl calls a bad track.
    /// - Parameters:
    ///   - url: The absolute URL.
    ///   - status: The status code.
    ///   - body: The bytes; none by default.
    ///   - headers: The header fields; none by default.
    /// - Returns: The interaction.
    /// - Throws: ``InteractionInputError`` when the URL or the status code is none.
    public static func rejected(
        url: String,
        status: Int,
        body: Data = Data(),
        headers: HeaderList = [:]
    ) throws -> Interaction {
        guard 100...999 ~= status else { throw InteractionInputError.status(status) }
        return try answered(url, Response(status: status, headers: headers, body: Body(body)))
    }

    /// A failure to get a response, which Vinyl calls an error track.
    /// - Parameters:
    ///   - url: The absolute URL.
    ///   - error: The error; its domain, code and description are kept.
    /// - Returns: The interaction.
    /// - Throws: ``InteractionInputError`` when the URL is none.
    public static func failed(url: String, error: any Error) throws -> Interaction {
        Interaction(request: try request(url), outcome: .failure(Failure(error), after: nil))
    }

    private static func json(_ url: String, _ text: Data, _ headers: HeaderList) throws -> Interaction {
        try answered(url, Response(headers: headers.adding(contentType: "application/json"), body: Body(text)))
    }

    private static func answered(_ url: String, _ response: Response) throws -> Interaction {
        Interaction(request: try request(url), outcome: .response(response))
    }

    private static func request(_ url: String) throws -> Request {
        let parts = URLParts(url)
        guard ["http", "https"].contains(parts.scheme), !parts.host.isEmpty, URL(string: url) != nil else {
            throw InteractionInputError.url(url)
        }
        return Request(url: url)
    }
}

/// A part of an interaction, written by hand, that no server would send.
public enum InteractionInputError: Error, Hashable, Sendable, LocalizedError, CustomStringConvertible {
    /// A URL that is not absolute, or not of HTTP.
    case url(String)
    /// A number that is no status code.
    case status(Int)
    /// A text that is not base64.
    case base64(String)
    /// A value that cannot be encoded as JSON.
    case json(cause: String)

    /// What is wrong and how to fix it.
    public var description: String {
        switch self {
        case .url(let url):
            "\(url.debugDescription) is no URL that can be asked for. Write a whole one, such as"
                + " \"https://example.com/users\"."
        case .status(let status): "\(status) is no status code. A status code has three digits: 100 to 999."
        case .base64(let text):
            "The body is not base64: \(text.prefix(40).debugDescription). Its letters are those of RFC 4648"
                + " section 4, and their number is a multiple of four."
        case .json(let cause): "The body cannot be encoded as JSON: \(cause)"
        }
    }

    /// What is wrong and how to fix it.
    public var errorDescription: String? { description }
}
