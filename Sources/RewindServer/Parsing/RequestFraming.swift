import Rewind

/// How the end of a request's body is found (RFC 9112 section 6.3).
enum RequestFraming: Hashable, Sendable {
    case length(Int)
    case chunked

    init(headers: HeaderList, version: HTTPVersion, limits: HTTPLimits) throws(HTTPRefusal) {
        let lengths = headers.listMembers(of: "Content-Length")
        if headers["Transfer-Encoding"] != nil {
            let codings = headers.listMembers(of: "Transfer-Encoding")
            guard lengths.isEmpty else { throw .contentLengthWithTransferEncoding }
            try Self.checkCodings(codings, version: version)
            self = .chunked
        } else {
            self = .length(try Self.length(statedBy: lengths, limit: limits.contentBytes))
        }
    }

    private static func checkCodings(_ codings: [Substring], version: HTTPVersion) throws(HTTPRefusal) {
        guard version == .http11, !codings.contains("") else { throw .malformedTransferEncoding }
        if let other = codings.first(where: { !$0.equalsIgnoringCase("chunked") }) {
            throw .unsupportedTransferCoding(String(other))
        }
        guard codings.count == 1 else { throw .malformedTransferEncoding }
    }

    /// The length all members agree on, since RFC 9112 section 6.3 lets a length be repeated but not contradicted.
    private static func length(statedBy members: [Substring], limit: Int) throws(HTTPRefusal) -> Int {
        guard let first = members.first else { return 0 }
        guard members.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }) else {
            throw .malformedContentLength
        }
        guard members.allSatisfy({ $0 == first }) else { throw .conflictingContentLengths }
        guard let length = Int(first), length <= limit else { throw .contentTooLarge(limit: limit) }
        return length
    }
}
