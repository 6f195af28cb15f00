import Foundation

extension Interaction {
    /// An HTTP request as the app made it, with the header fields that its URL session adds.
    public struct Request: Hashable, Sendable, CustomStringConvertible {
        /// The method, such as `GET`. Its letter case is preserved.
        public var method: String
        /// The absolute URL. Its spelling is preserved.
        public var url: String
        /// The header fields, in order.
        public var headers: HeaderList
        /// The body; `nil` if the request has no body, which differs from an empty body, or if the cassette does not contain
        /// the bytes that were sent.
        public var body: Interaction.Body? {
            didSet { if body != nil { bodyAbsence = nil } }
        }
        /// The protocol version, such as `HTTP/1.1`.
        public var httpVersion: String

        /// Why the body that was sent is not known, worded like "the request body is not valid base64"; `nil` if it is known.
        /// Such a request still has an answer, but a matcher that compares bodies never accepts it.
        package var bodyAbsence: String?

        /// Creates a request.
        /// - Parameters:
        ///   - method: The method; `GET` by default.
        ///   - url: The absolute URL.
        ///   - headers: The header fields; none by default.
        ///   - body: The body; none by default.
        ///   - httpVersion: The protocol version; `HTTP/1.1` by default.
        public init(
            method: String = "GET",
            url: String,
            headers: HeaderList = HeaderList(),
            body: Interaction.Body? = nil,
            httpVersion: String = "HTTP/1.1"
        ) {
            self.method = method
            self.url = url
            self.headers = headers
            self.body = body
            self.httpVersion = httpVersion
        }

        /// Whether the method is safe (RFC 9110 section 9.2.1).
        package var isSafe: Bool { ["GET", "HEAD", "OPTIONS", "TRACE"].contains(method.uppercased()) }

        /// The URL without its fragment, which is never sent.
        package var urlWithoutFragment: String {
            url.firstIndex(ofByte: UInt8(ascii: "#")).map { String(url[..<$0]) } ?? url
        }

        /// The method and the URL, such as `GET https://example.com/`. A placeholder in it is readable, as `<accessToken:1>`.
        public var description: String { "\(method) \(readableURL)" }
    }
}

extension Interaction {
    /// An HTTP response as the server sent it, with a decoded body.
    public struct Response: Hashable, Sendable {
        /// The status code, such as 200.
        public var status: Int
        /// The reason phrase, such as `OK`; empty if the server sent none or the platform hides it.
        public var statusText: String
        /// The protocol version, such as `HTTP/1.1`.
        public var httpVersion: String
        /// The header fields, in order.
        public var headers: HeaderList
        /// The body after decompression (RFC 9110 section 8.4.1).
        public var body: Interaction.Body
        /// The URL from which the response came, if it differs from the request's URL; `nil` if it is the same, the default.
        ///
        /// Some recorders, such as DVR, follow redirects and store only the last response. Rewind itself records each
        /// redirect as an interaction of its own, so its recordings have no such URL. An absolute URL becomes the `url` of the
        /// `URLResponse` that the app gets; any other text is preserved but not delivered.
        public var url: String?

        /// Creates a response.
        /// - Parameters:
        ///   - status: The status code; 200 by default.
        ///   - statusText: The reason phrase; by default the one that RFC 9110 or RFC 6585 assigns to the status.
        ///   - headers: The header fields; none by default.
        ///   - body: The body; empty by default.
        ///   - httpVersion: The protocol version; `HTTP/1.1` by default.
        public init(
            status: Int = 200,
            statusText: String? = nil,
            headers: HeaderList = HeaderList(),
            body: Interaction.Body = Interaction.Body(),
            httpVersion: String = "HTTP/1.1"
        ) {
            self.status = status
            self.statusText = statusText ?? ReasonPhrase.of(status)
            self.headers = headers
            self.body = body
            self.httpVersion = httpVersion
        }

        /// Sets the URL that a recorder stored with the response, unless it is the request's URL in another spelling.
        mutating func setURL(_ recorded: String?, of request: Interaction.Request) {
            func normalized(_ url: String) -> URLParts {
                var parts = URLParts(url)
                parts.fragment = nil
                return parts
            }
            guard let recorded, !recorded.isEmpty, recorded != request.url,
                normalized(recorded) != normalized(request.url)
            else { return }
            url = recorded
        }

        /// The `Location` of a redirect that can be followed (RFC 9110 section 15.4).
        package var redirectTarget: String? {
            switch status {
            case 301, 302, 303, 307, 308: headers["Location"]
            default: nil
            }
        }
    }
}

extension Interaction {
    /// The bytes of a request or response body, and the chunks in which they arrived.
    public struct Body: Hashable, Sendable {
        /// The bytes of the body. Setting a different number of bytes removes the ``chunks``.
        public var data: Data {
            didSet {
                if data.count != oldValue.count { chunks = [] }
                if data.startIndex != 0 { data = Data(data) }
            }
        }

        /// The chunks in which the bytes arrived, in order; empty if there was only one. Their sizes add up to ``count``.
        public private(set) var chunks: [Chunk]

        /// One chunk of a body.
        public struct Chunk: Hashable, Sendable {
            /// The time between the head of the response and the chunk, in milliseconds.
            public var offset: Double
            /// The number of bytes in the chunk.
            public var count: Int

            /// Creates a chunk.
            /// - Parameters:
            ///   - offset: The time after the head of the response in milliseconds, rounded to microseconds.
            ///   - count: The number of bytes in the chunk.
            public init(offset: Double, count: Int) {
                self.offset = offset.roundedToThousandths
                self.count = count
            }
        }

        /// Creates a body that arrived at once.
        /// - Parameter data: The bytes; none by default.
        public init(_ data: Data = Data()) {
            // Apps and stubs receive these bytes, and most code expects indices that begin at 0.
            self.data = data.startIndex == 0 ? data : Data(data)
            self.chunks = []
        }

        /// Creates a body from the UTF-8 bytes of a string.
        public init(_ text: String) { self.init(Data(text.utf8)) }

        /// Creates a body that arrived in chunks.
        /// - Parameters:
        ///   - data: The bytes of all chunks.
        ///   - chunks: The chunks. They are ignored if there are fewer than two, or if their sizes are not positive or do not
        ///     add up to the number of bytes.
        public init(_ data: Data, chunks: [Chunk]) {
            self.init(data)
            if chunks.count > 1, chunks.allSatisfy({ $0.count > 0 && $0.count <= data.count }),
                chunks.reduce(0, { $0 + $1.count }) == data.count
            {
                self.chunks = chunks
            }
        }

        /// Whether the body has no bytes.
        public var isEmpty: Bool { data.isEmpty }

        /// The number of bytes in the body.
        public var count: Int { data.count }

        /// The bytes of each chunk, with indices that begin at 0; empty for an empty body.
        package var pieces: [Data] { slices.map(\.fromZero) }

        /// The bytes of each chunk, which share the memory of the body.
        var slices: [Data] {
            guard chunks.count > 1 else { return data.isEmpty ? [] : [data] }
            var position = data.startIndex
            return chunks.map { chunk in
                defer { position += chunk.count }
                return data[position..<position + chunk.count]
            }
        }
    }
}

extension Data {
    /// The same bytes with indices that begin at 0, as most code expects.
    var fromZero: Data { startIndex == 0 ? self : Data(self) }
}

/// The reason phrases of RFC 9110 section 15 and RFC 6585.
package enum ReasonPhrase {
    package static func of(_ status: Int) -> String { phrases[status] ?? "" }

    private static let phrases: [Int: String] = [
        100: "Continue", 101: "Switching Protocols", 103: "Early Hints",
        200: "OK", 201: "Created", 202: "Accepted", 203: "Non-Authoritative Information", 204: "No Content",
        205: "Reset Content", 206: "Partial Content", 207: "Multi-Status",
        300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
        305: "Use Proxy", 307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required",
        408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required",
        412: "Precondition Failed", 413: "Content Too Large", 414: "URI Too Long",
        415: "Unsupported Media Type", 416: "Range Not Satisfiable", 417: "Expectation Failed",
        421: "Misdirected Request", 422: "Unprocessable Content", 425: "Too Early", 426: "Upgrade Required",
        428: "Precondition Required", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
        451: "Unavailable For Legal Reasons",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported", 511: "Network Authentication Required",
    ]
}
