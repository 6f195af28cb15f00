/// The reason why the server rejects a request. The connection closes after the response.
package struct HTTPRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The status code of the response (RFC 9110 section 15).
    package let status: Int
    package let description: String

    private init(_ description: String, status: Int = 400) {
        self.status = status
        self.description = description
    }

    /// The first octet is that of a TLS handshake record (RFC 8446 section 5.1).
    package static let encrypted = Self(
        "This server does not support TLS. Use http instead of https in its address."
    )
    package static let malformedRequestLine = Self(
        "The request line must consist of a method, a target and a version."
    )
    package static let malformedTarget = Self("The request target is malformed or not allowed for the method.")
    package static let bareLineFeed = Self("A line must end with a carriage return and a line feed.")
    package static let bareCarriageReturn = Self("A carriage return must be followed by a line feed.")
    /// A line begins with whitespace, which used to continue the previous field (RFC 9112 section 5.2).
    package static let foldedField = Self("A header field must not continue on another line.")
    /// RFC 9112 section 5.1.
    package static let whitespaceBeforeColon = Self(
        "Whitespace is not allowed before the colon of a header field."
    )
    package static let malformedFieldName = Self(
        "A header field must begin with a name of token characters and a colon."
    )
    package static func malformedFieldValue(name: String) -> Self {
        Self("The value of the header field \(name) contains a control character.")
    }
    /// RFC 9112 section 3.2.
    package static let missingHost = Self("An HTTP/1.1 request must have a Host header field.")
    package static let repeatedHost = Self("A request must not have more than one Host header field.")
    package static let malformedHost = Self("The Host header field must be a host with an optional port.")
    package static let malformedContentLength = Self("Content-Length must be a decimal number.")
    package static let conflictingContentLengths = Self("The request has different values for Content-Length.")
    /// Typical of request smuggling (RFC 9112 section 6.3).
    package static let contentLengthWithTransferEncoding = Self(
        "The request has both Content-Length and Transfer-Encoding."
    )
    /// `Transfer-Encoding` is empty, names `chunked` twice or comes with HTTP/1.0 (RFC 9112 section 6.1).
    package static let malformedTransferEncoding = Self(
        "Transfer-Encoding must be chunked exactly once, and requires HTTP/1.1."
    )
    package static func unsupportedTransferCoding(_ coding: String) -> Self {
        Self("The transfer coding \(coding) is not supported.", status: 501)
    }
    /// RFC 9112 section 7.1.
    package static let malformedChunkSize = Self("A chunk must begin with its size as a hexadecimal number.")
    package static let malformedChunkEnd = Self("A chunk must end with CR LF after the stated number of bytes.")
    package static let incompleteRequest = Self("The connection ended before the request was complete.")
    package static let timedOut = Self("The rest of the request did not arrive in time.", status: 408)
    package static func tooSlow(rate: Int) -> Self {
        Self("The body arrives too slowly: at least \(rate) bytes per second are required.", status: 408)
    }
    package static let slowest = Self(
        "The server has no more room, and this request arrived more slowly than all others.",
        status: 408
    )
    package static let noRoomForContent = Self(
        "The server has too many large request bodies at the moment. Send the request again.",
        status: 503
    )
    package static func contentNotStored(cause: String) -> Self {
        Self("The server could not store the request body: \(cause)", status: 503)
    }
    package static func contentTooLarge(limit: Int) -> Self {
        Self("The body is larger than \(limit) bytes.", status: 413)
    }
    package static func chunkExtensionsTooLarge(limit: Int) -> Self {
        Self("The chunk extensions are larger than \(limit) bytes.", status: 413)
    }
    package static func requestLineTooLong(limit: Int) -> Self {
        Self("The request line is longer than \(limit) bytes.", status: 414)
    }
    package static func fieldSectionTooLarge(limit: Int) -> Self {
        Self("The header or trailer fields are larger than \(limit) bytes.", status: 431)
    }
    package static func tooManyFields(limit: Int) -> Self {
        Self("The request has more than \(limit) header or trailer fields.", status: 431)
    }
    package static func unsupportedVersion(_ version: String) -> Self {
        Self("\(version) is not supported. Use HTTP/1.0 or HTTP/1.1.", status: 505)
    }
}

/// The sizes and times beyond which the server rejects a request or closes a connection.
package struct HTTPLimits: Hashable, Sendable {
    /// The maximum length of the request line, twice the minimum of RFC 9112 section 3; else 414.
    package var requestLineBytes = 16 * 1024
    /// The maximum size of the header or trailer section, including line ends; else 431.
    package var fieldSectionBytes = 64 * 1024
    /// The maximum number of fields in the header or trailer section; else 431.
    package var fieldCount = 256
    /// The maximum size of the request body, without chunk framing; else 413.
    package var contentBytes = 64 * 1024 * 1024
    /// The maximum total size of the chunk extensions in a body (RFC 9112 section 7.1.1); else 413.
    package var chunkExtensionBytes = 16 * 1024
    /// The maximum time without data within a request; else 408.
    package var receiveTimeout = Duration.seconds(10)
    /// The maximum time for the whole head of a request; else 408.
    package var headTimeout = Duration.seconds(30)
    /// The time after which a body must have arrived at `contentRate`; else 408.
    package var contentGrace = Duration.seconds(20)
    /// The minimum rate of a body in bytes per second; else 408.
    package var contentRate = 500
    /// The memory for the request bodies of all connections. Others are stored in temporary files.
    package var contentMemory = 32 * 1024 * 1024
    /// The disk space for the request bodies of all connections; else 503.
    package var contentDisk = 4 * 1024 * 1024 * 1024
    /// The maximum time between requests, after which the connection closes.
    package var idleTimeout = Duration.seconds(60)
    /// The time a thread waits for the next request before the connection counts as idle, if handlers of the connection wait.
    package var threadIdleTimeout = Duration.milliseconds(500)
    /// The maximum number of connections served at the same time, each by a thread. If another client sends a request, the
    /// slowest client is disconnected; if none is slow, others wait.
    package var busyConnections = 1024
    /// The maximum number of open connections, at most three quarters of the file descriptors that the process may open.
    /// If another client connects, the connection that is idle for longest is closed, or else that of the slowest client.
    package var openConnections = 16 * 1024
    /// The maximum time a client may leave a response unread before the connection closes.
    package var sendTimeout = Duration.seconds(30)
    /// The maximum time a client may leave a connection open after the last response.
    package var closeTimeout = Duration.seconds(2)
    /// The maximum time `HTTPServer.stop()` waits for running handlers.
    package var stopTimeout = Duration.seconds(5)
    /// The maximum time `CassetteServer.stop()` waits for the last requests to be added to the cassette.
    package var recordTimeout = Duration.seconds(5)

    package init() {}
}
