/// Why the server refuses a request; the connection closes after the answer.
package struct HTTPRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The status code of the answer (RFC 9110 section 15).
    package let status: Int
    package let description: String

    private init(_ description: String, status: Int = 400) {
        self.status = status
        self.description = description
    }

    /// The first octet is that of a TLS handshake record (RFC 8446 section 5.1).
    package static let encrypted = Self(
        "This server speaks HTTP without TLS; its address begins with http, not https."
    )
    package static let malformedRequestLine = Self("The request line must be a method, a target and a version.")
    package static let malformedTarget = Self("The request target is malformed or does not fit the method.")
    package static let bareLineFeed = Self("A line must end with a carriage return and a line feed.")
    package static let bareCarriageReturn = Self("A carriage return must be followed by a line feed.")
    /// A line begins with white space, which once continued the field before it (RFC 9112 section 5.2).
    package static let foldedField = Self("A field must not be folded over several lines.")
    /// RFC 9112 section 5.1.
    package static let whitespaceBeforeColon = Self("White space must not stand before the colon of a field.")
    package static let malformedFieldName = Self("A field must have a name of token characters and a colon.")
    package static func malformedFieldValue(name: String) -> Self {
        Self("The value of the field \(name) has a control character.")
    }
    /// RFC 9112 section 3.2.
    package static let missingHost = Self("A request of HTTP/1.1 must have a Host field.")
    package static let repeatedHost = Self("A request must not have more than one Host field.")
    package static let malformedHost = Self("The Host field must be a host with an optional port.")
    package static let malformedContentLength = Self("Content-Length must be a decimal number.")
    package static let conflictingContentLengths = Self("The request states different content lengths.")
    /// The mark of request smuggling (RFC 9112 section 6.3).
    package static let contentLengthWithTransferEncoding = Self(
        "The request has both Content-Length and Transfer-Encoding."
    )
    /// `Transfer-Encoding` is empty, names `chunked` twice or comes with HTTP/1.0 (RFC 9112 section 6.1).
    package static let malformedTransferEncoding = Self(
        "Transfer-Encoding must be chunked, once, and in HTTP/1.1 only."
    )
    package static func unsupportedTransferCoding(_ coding: String) -> Self {
        Self("The transfer coding \(coding) is not supported.", status: 501)
    }
    /// RFC 9112 section 7.1.
    package static let malformedChunkSize = Self("A chunk must begin with a hexadecimal size.")
    package static let malformedChunkEnd = Self("A chunk is longer than its size.")
    package static let incompleteRequest = Self("The connection ended in the middle of the request.")
    package static let timedOut = Self("The rest of the request did not arrive in time.", status: 408)
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
        Self("There are more than \(limit) header or trailer fields.", status: 431)
    }
    package static func unsupportedVersion(_ version: String) -> Self {
        Self("\(version) is not supported, only HTTP/1.0 and HTTP/1.1.", status: 505)
    }
}

/// The sizes and waiting times beyond which the server refuses a request or drops a connection.
package struct HTTPLimits: Hashable, Sendable {
    /// The longest request line, twice what RFC 9112 section 3 asks for, else 414.
    package var requestLineBytes = 16 * 1024
    /// The longest header section or trailer section, line ends included, else 431.
    package var fieldSectionBytes = 64 * 1024
    /// The greatest number of fields in a header section or trailer section, else 431.
    package var fieldCount = 256
    /// The longest request body, without its chunk framing, else 413.
    package var contentBytes = 64 * 1024 * 1024
    /// The greatest sum of all chunk extensions of one body (RFC 9112 section 7.1.1), else 413.
    package var chunkExtensionBytes = 16 * 1024
    /// The longest silence of a client within a request, else 408.
    package var receiveTimeout = Duration.seconds(10)
    /// The longest time a client may take to send a head, however often it sends a byte of it, else 408.
    package var headTimeout = Duration.seconds(30)
    /// The longest silence of a client between requests, after which the connection closes.
    package var idleTimeout = Duration.seconds(60)
    /// How long a thread waits for a next request before the thread that watches idle connections takes over.
    package var threadIdleTimeout = Duration.milliseconds(500)
    /// The greatest number of connections that are answered at a time, each by a thread; others wait.
    package var busyConnections = 1024
    /// The longest time a client may leave an answer unread before it loses the connection.
    package var sendTimeout = Duration.seconds(30)
    /// The longest time `HTTPServer.stop()` waits for handlers that still run.
    package var stopTimeout = Duration.seconds(5)

    package init() {}
}
