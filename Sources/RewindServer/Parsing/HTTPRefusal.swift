/// Why the server refuses a request; the connection closes after the answer.
package enum HTTPRefusal: Error, Hashable, Sendable {
    /// The first octet is that of a TLS handshake record, as of a client that was told `https` (RFC 8446 section 5.1).
    case encrypted
    /// The request line is not a method, a target and a version with one space between them.
    case malformedRequestLine
    /// The request target has none of the four forms, or one its method cannot have.
    case malformedTarget
    /// A line ends without its carriage return.
    case bareLineFeed
    /// A carriage return stands somewhere else than at the end of a line.
    case bareCarriageReturn
    /// A line begins with white space, which once continued the field before it (RFC 9112 section 5.2).
    case foldedField
    /// White space stands between a field's name and its colon (RFC 9112 section 5.1).
    case whitespaceBeforeColon
    /// A field name is empty or has a character no token has, or its colon is missing.
    case malformedFieldName
    /// A field value has a control character.
    case malformedFieldValue(name: String)
    /// A request of HTTP/1.1 has no `Host` field (RFC 9112 section 3.2).
    case missingHost
    /// A request has more than one `Host` field.
    case repeatedHost
    /// The `Host` field is no host with an optional port.
    case malformedHost
    /// A `Content-Length` is not a decimal number.
    case malformedContentLength
    /// A request states two lengths that differ.
    case conflictingContentLengths
    /// A request has both framings, the mark of request smuggling (RFC 9112 section 6.3).
    case contentLengthWithTransferEncoding
    /// `Transfer-Encoding` is empty, names `chunked` twice or comes with HTTP/1.0 (RFC 9112 section 6.1).
    case malformedTransferEncoding
    /// A transfer coding other than `chunked` was applied.
    case unsupportedTransferCoding(String)
    /// A chunk does not begin with a hexadecimal size and well-formed extensions (RFC 9112 section 7.1).
    case malformedChunkSize
    /// The data of a chunk does not end where its size says.
    case malformedChunkEnd
    /// The connection ended in the middle of a request.
    case incompleteRequest
    /// The client was silent for too long in the middle of a request.
    case timedOut
    /// The body is over `HTTPLimits.contentBytes`.
    case contentTooLarge(limit: Int)
    /// The chunk extensions are over `HTTPLimits.chunkExtensionBytes`.
    case chunkExtensionsTooLarge(limit: Int)
    /// The request line is over `HTTPLimits.requestLineBytes`.
    case requestLineTooLong(limit: Int)
    /// The header or trailer section is over `HTTPLimits.fieldSectionBytes`.
    case fieldSectionTooLarge(limit: Int)
    /// The header or trailer section is over `HTTPLimits.fieldCount`.
    case tooManyFields(limit: Int)
    /// The version is neither 1.0 nor 1.1.
    case unsupportedVersion(String)

    /// The status code of the answer (RFC 9110 section 15).
    package var status: Int {
        switch self {
        case .timedOut: 408
        case .contentTooLarge, .chunkExtensionsTooLarge: 413
        case .requestLineTooLong: 414
        case .fieldSectionTooLarge, .tooManyFields: 431
        case .unsupportedTransferCoding: 501
        case .unsupportedVersion: 505
        default: 400
        }
    }
}

extension HTTPRefusal: CustomStringConvertible {
    /// The sentence the client reads.
    package var description: String {
        switch self {
        case .encrypted: "This server speaks HTTP without TLS; its address begins with http, not https."
        case .malformedRequestLine: "The request line must be a method, a target and a version."
        case .malformedTarget: "The request target is malformed or does not fit the method."
        case .bareLineFeed: "A line must end with a carriage return and a line feed."
        case .bareCarriageReturn: "A carriage return must be followed by a line feed."
        case .foldedField: "A field must not be folded over several lines."
        case .whitespaceBeforeColon: "White space must not stand before the colon of a field."
        case .malformedFieldName: "A field must have a name of token characters and a colon."
        case .malformedFieldValue(let name): "The value of the field \(name) has a control character."
        case .missingHost: "A request of HTTP/1.1 must have a Host field."
        case .repeatedHost: "A request must not have more than one Host field."
        case .malformedHost: "The Host field must be a host with an optional port."
        case .malformedContentLength: "Content-Length must be a decimal number."
        case .conflictingContentLengths: "The request states different content lengths."
        case .contentLengthWithTransferEncoding:
            "The request has both Content-Length and Transfer-Encoding."
        case .malformedTransferEncoding: "Transfer-Encoding must be chunked, once, and in HTTP/1.1 only."
        case .unsupportedTransferCoding(let coding): "The transfer coding \(coding) is not supported."
        case .malformedChunkSize: "A chunk must begin with a hexadecimal size."
        case .malformedChunkEnd: "A chunk is longer than its size."
        case .incompleteRequest: "The connection ended in the middle of the request."
        case .timedOut: "The rest of the request did not arrive in time."
        case .contentTooLarge(let limit): "The body is larger than \(limit) bytes."
        case .chunkExtensionsTooLarge(let limit): "The chunk extensions are larger than \(limit) bytes."
        case .requestLineTooLong(let limit): "The request line is longer than \(limit) bytes."
        case .fieldSectionTooLarge(let limit): "The header or trailer fields are larger than \(limit) bytes."
        case .tooManyFields(let limit): "There are more than \(limit) header or trailer fields."
        case .unsupportedVersion(let version): "\(version) is not supported, only HTTP/1.0 and HTTP/1.1."
        }
    }
}
