import Foundation

/// A request as the app made it, with the headers its session adds.
public struct Request: Hashable, Sendable {
    /// The method, in the letter case it was given.
    public var method: String
    /// The absolute URL, spelled as it was given.
    public var url: String
    /// The header fields.
    public var headers: HeaderList
    /// The body; `nil` where the request has none, which is not the same as an empty one.
    public var body: Body?
    /// The version of the protocol, such as `HTTP/1.1`.
    public var httpVersion: String

    /// Creates a request.
    /// - Parameters:
    ///   - method: The method; `GET` by default.
    ///   - url: The absolute URL.
    ///   - headers: The header fields; none by default.
    ///   - body: The body; none by default.
    ///   - httpVersion: The version of the protocol.
    public init(
        method: String = "GET",
        url: String,
        headers: HeaderList = HeaderList(),
        body: Body? = nil,
        httpVersion: String = "HTTP/1.1"
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.httpVersion = httpVersion
    }
}

extension Request {
    /// Whether the method asks for nothing to be changed (RFC 9110 section 9.2.1).
    package var isSafe: Bool {
        ["GET", "HEAD", "OPTIONS", "TRACE"].contains(method.uppercased())
    }

    /// The URL as it is sent: without the fragment, which no server sees.
    package var urlWithoutFragment: String {
        url.firstIndex(ofByte: UInt8(ascii: "#")).map { String(url[..<$0]) } ?? url
    }
}

extension Request: CustomStringConvertible {
    /// The method and the URL.
    public var description: String { "\(method) \(url)" }
}
