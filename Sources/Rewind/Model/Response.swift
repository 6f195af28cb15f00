import Foundation

/// A response as it came from the server, its body decoded.
public struct Response: Hashable, Sendable {
    /// The status code.
    public var status: Int
    /// The reason phrase; empty where the server sent none or the platform hides it.
    public var statusText: String
    /// The version of the protocol, such as `HTTP/1.1`.
    public var httpVersion: String
    /// The header fields.
    public var headers: HeaderList
    /// The body, after any content coding was undone.
    public var body: Body

    /// Creates a response.
    /// - Parameters:
    ///   - status: The status code; 200 by default.
    ///   - statusText: The reason phrase; the one of RFC 9110 by default.
    ///   - headers: The header fields; none by default.
    ///   - body: The body; empty by default.
    ///   - httpVersion: The version of the protocol.
    public init(
        status: Int = 200,
        statusText: String? = nil,
        headers: HeaderList = HeaderList(),
        body: Body = Body(),
        httpVersion: String = "HTTP/1.1"
    ) {
        self.status = status
        self.statusText = statusText ?? ReasonPhrase.of(status)
        self.headers = headers
        self.body = body
        self.httpVersion = httpVersion
    }
}

extension Response {
    /// The URL reference a redirect points to, if this is a redirect that can be followed (RFC 9110 section 15.4).
    package var redirectTarget: String? {
        switch status {
        case 301, 302, 303, 307, 308: headers["Location"]
        default: nil
        }
    }
}
