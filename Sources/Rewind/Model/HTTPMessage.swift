import Foundation

extension Interaction {
    /// A request as the app made it, with the headers its session adds.
    public struct Request: Hashable, Sendable, CustomStringConvertible {
        /// The method, in the letter case it was given.
        public var method: String
        /// The absolute URL, spelled as it was given.
        public var url: String
        /// The header fields.
        public var headers: HeaderList
        /// The body; `nil` where the request has none, which is not the same as an empty one.
        public var body: Interaction.Body?
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
            body: Interaction.Body? = nil,
            httpVersion: String = "HTTP/1.1"
        ) {
            self.method = method
            self.url = url
            self.headers = headers
            self.body = body
            self.httpVersion = httpVersion
        }

        /// Whether the method asks for no change (RFC 9110 section 9.2.1).
        package var isSafe: Bool { ["GET", "HEAD", "OPTIONS", "TRACE"].contains(method.uppercased()) }

        /// The URL as it is sent.
        package var urlWithoutFragment: String {
            url.firstIndex(ofByte: UInt8(ascii: "#")).map { String(url[..<$0]) } ?? url
        }

        /// The method and the URL.
        public var description: String { "\(method) \(url)" }
    }
}

extension Interaction {
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
        public var body: Interaction.Body

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
            body: Interaction.Body = Interaction.Body(),
            httpVersion: String = "HTTP/1.1"
        ) {
            self.status = status
            self.statusText = statusText ?? ReasonPhrase.of(status)
            self.headers = headers
            self.body = body
            self.httpVersion = httpVersion
        }

        /// The URL reference of a redirect that can be followed (RFC 9110 section 15.4).
        package var redirectTarget: String? {
            switch status {
            case 301, 302, 303, 307, 308: headers["Location"]
            default: nil
            }
        }
    }
}

extension Interaction {
    /// The bytes of a message, with the pieces they arrived in.
    public struct Body: Hashable, Sendable {
        /// All the bytes.
        public var data: Data {
            didSet {
                if data.count != oldValue.count { chunks = [] }
                if data.startIndex != 0 { data = Data(data) }
            }
        }

        /// The pieces the bytes arrived in, where there was more than one; together they make the whole.
        public private(set) var chunks: [Chunk]

        /// One piece of a body as it arrived.
        public struct Chunk: Hashable, Sendable {
            /// How long after the head of the response the piece arrived, in milliseconds.
            public var offset: Double
            /// The number of its bytes.
            public var count: Int

            /// Creates a piece from milliseconds, to the microsecond, and a number of bytes.
            public init(offset: Double, count: Int) {
                self.offset = offset.roundedToThousandths
                self.count = count
            }
        }

        /// Creates a body that arrived in one piece.
        /// - Parameter data: The bytes; none by default.
        public init(_ data: Data = Data()) {
            // Apps and stubs receive these bytes, and most code expects indices that begin at 0.
            self.data = data.startIndex == 0 ? data : Data(data)
            self.chunks = []
        }

        /// Creates a body from text, as UTF-8.
        public init(_ text: String) { self.init(Data(text.utf8)) }

        /// Creates a body that arrived in pieces.
        /// - Parameters:
        ///   - data: All the bytes.
        ///   - chunks: The pieces; they are ignored where there are fewer than two or they do not add up to the bytes.
        public init(_ data: Data, chunks: [Chunk]) {
            self.init(data)
            if chunks.count > 1, chunks.allSatisfy({ $0.count > 0 && $0.count <= data.count }),
                chunks.reduce(0, { $0 + $1.count }) == data.count
            {
                self.chunks = chunks
            }
        }

        /// Whether there are no bytes.
        public var isEmpty: Bool { data.isEmpty }

        /// The number of bytes.
        public var count: Int { data.count }

        /// The bytes, piece by piece, each with indices that begin at 0; none for an empty body.
        package var pieces: [Data] {
            guard chunks.count > 1 else { return data.isEmpty ? [] : [data] }
            var position = data.startIndex
            return chunks.map { chunk in
                defer { position += chunk.count }
                return Data(data[position..<position + chunk.count])
            }
        }
    }
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
