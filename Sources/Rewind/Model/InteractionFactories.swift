import Foundation

/// Interactions written by hand. Each one is a `GET` request and its outcome.
///
/// ```swift
/// let cassette = Cassette(interactions: [
///     try .succeeded(url: "https://example.com/users/42", json: User(id: 42)),
///     try .rejected(url: "https://example.com/users/43", status: 404),
///     try .failed(url: "https://example.com/users/44", error: URLError(.timedOut)),
/// ])
/// ```
extension Interaction {
    /// Creates an interaction with a response of status 200 and a body.
    /// - Parameters:
    ///   - url: The absolute URL.
    ///   - body: The bytes of the body; none by default.
    ///   - headers: The header fields of the response; none by default.
    /// - Returns: The interaction.
    /// - Throws: ``Interaction/InputError`` if the URL is not an absolute `http` or `https` URL.
    public static func succeeded(url: String, body: Data = Data(), headers: HeaderList = [:]) throws
        -> Interaction
    {
        try answered(url, Interaction.Response(headers: headers, body: Interaction.Body(body)))
    }

    /// Creates an interaction with a response of status 200 and a text in UTF-8.
    /// - Parameters:
    ///   - url: The absolute URL.
    ///   - text: The text.
    ///   - headers: The header fields of the response. `Content-Type: text/plain; charset=utf-8` is added if they have no
    ///     `Content-Type`.
    /// - Returns: The interaction.
    /// - Throws: ``Interaction/InputError`` if the URL is not an absolute `http` or `https` URL.
    public static func succeeded(url: String, text: String, headers: HeaderList = [:]) throws -> Interaction {
        let headers = headers.adding(contentType: "text/plain; charset=utf-8")
        return try answered(url, Interaction.Response(headers: headers, body: Interaction.Body(text)))
    }

    /// Creates an interaction with a response of status 200 and an encoded value as JSON, with members sorted by name.
    /// - Parameters:
    ///   - url: The absolute URL.
    ///   - json: The value to encode.
    ///   - headers: The header fields of the response. `Content-Type: application/json` is added if they have no
    ///     `Content-Type`.
    /// - Returns: The interaction.
    /// - Throws: ``Interaction/InputError`` if the URL is not an absolute `http` or `https` URL, or if the value cannot be
    ///   encoded.
    @_disfavoredOverload  // A literal becomes a `JSONLiteral`, which preserves the order of members.
    public static func succeeded(url: String, json: some Encodable, headers: HeaderList = [:]) throws
        -> Interaction
    {
        let text: Data
        do {
            text = try JSON.text(of: json)
        } catch {
            throw Interaction.InputError.json(cause: JSON.cause(of: error))
        }
        return try self.json(url, text, headers)
    }

    /// Creates an interaction with a response of status 200 and JSON written as a Swift literal.
    /// - Parameters:
    ///   - url: The absolute URL.
    ///   - json: The JSON value.
    ///   - headers: The header fields of the response. `Content-Type: application/json` is added if they have no
    ///     `Content-Type`.
    /// - Returns: The interaction.
    /// - Throws: ``Interaction/InputError`` if the URL is not an absolute `http` or `https` URL, or if a value in the literal
    ///   cannot be encoded.
    public static func succeeded(url: String, json: JSONLiteral, headers: HeaderList = [:]) throws
        -> Interaction
    {
        if let cause = json.problem { throw Interaction.InputError.json(cause: cause) }
        return try self.json(url, json.json.compactText, headers)
    }

    /// Creates an interaction with a response of any status, such as 404.
    /// - Parameters:
    ///   - url: The absolute URL.
    ///   - status: The status code, from 100 to 999.
    ///   - body: The bytes of the body; none by default.
    ///   - headers: The header fields of the response; none by default.
    /// - Returns: The interaction.
    /// - Throws: ``Interaction/InputError`` if the URL is not an absolute `http` or `https` URL, or if the status code is out
    ///   of range.
    public static func rejected(
        url: String,
        status: Int,
        body: Data = Data(),
        headers: HeaderList = [:]
    ) throws -> Interaction {
        guard 100...999 ~= status else { throw Interaction.InputError.status(status) }
        return try answered(
            url,
            Interaction.Response(status: status, headers: headers, body: Interaction.Body(body))
        )
    }

    /// Creates an interaction that fails with an error.
    /// - Parameters:
    ///   - url: The absolute URL.
    ///   - error: The error; its domain, code and localized description are copied.
    /// - Returns: The interaction.
    /// - Throws: ``Interaction/InputError`` if the URL is not an absolute `http` or `https` URL.
    public static func failed(url: String, error: any Error) throws -> Interaction {
        Interaction(request: try request(url), outcome: .failure(Interaction.Failure(error), after: nil))
    }

    private static func json(_ url: String, _ text: Data, _ headers: HeaderList) throws -> Interaction {
        try answered(
            url,
            Interaction.Response(
                headers: headers.adding(contentType: "application/json"),
                body: Interaction.Body(text)
            )
        )
    }

    private static func answered(_ url: String, _ response: Interaction.Response) throws -> Interaction {
        Interaction(request: try request(url), outcome: .response(response))
    }

    private static func request(_ url: String) throws -> Interaction.Request {
        let parts = URLParts(url)
        guard ["http", "https"].contains(parts.scheme), !parts.host.isEmpty, URL(string: url) != nil else {
            throw Interaction.InputError.url(url)
        }
        return Interaction.Request(url: url)
    }
}

extension Interaction {
    /// An invalid argument of an interaction that is written by hand.
    public enum InputError: Error, Hashable, Sendable {
        /// The URL is not an absolute `http` or `https` URL.
        case url(String)
        /// The status code is not between 100 and 999.
        case status(Int)
        /// The value cannot be encoded as JSON.
        case json(cause: String)
    }
}

extension Interaction.InputError: LocalizedError, CustomStringConvertible {
    /// What is invalid and how to fix it.
    public var description: String { message }

    /// What is invalid.
    public var errorDescription: String? {
        switch self {
        case .url(let url): "Invalid URL '\(url)'."
        case .status(let status): "Invalid status code \(status)."
        case .json(let cause): "The body cannot be encoded as JSON: \(cause.withoutFullStop)."
        }
    }

    /// How to fix it.
    public var recoverySuggestion: String? {
        switch self {
        case .url: "Use an absolute http or https URL, such as https://example.com/users."
        case .status: "Use a status code from 100 to 999."
        case .json: "Change the value so that JSONEncoder can encode it."
        }
    }
}
