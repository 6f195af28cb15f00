import Foundation
import Rewind

/// How a client finds the end of an answer's body (RFC 9112 section 6.3).
enum ResponseFraming: Hashable {
    /// There is no body.
    case absent
    /// So many bytes are still to come.
    case length(Int)
    /// Each piece tells its size.
    case chunked
    /// The end of the connection is the end of the body.
    case untilClose

    /// Reads the framing that the fields of an answer state, or `nil` if they leave it to the server.
    init?(statedBy headers: HeaderList, to version: HTTPVersion) throws {
        let lengths = headers.values(for: "Content-Length")
        if let coding = headers["Transfer-Encoding"] {
            guard version == .http11, coding[...].equalsIgnoringCase("chunked"), lengths.isEmpty else {
                throw HTTPResponseError.unsupportedTransferEncoding(coding)
            }
            self = .chunked
        } else if let text = lengths.first {
            guard text.utf8.allSatisfy(\.isDigit), let length = Int(text), lengths.count == 1 else {
                throw HTTPResponseError.invalidContentLength(text)
            }
            self = .length(length)
        } else {
            return nil
        }
    }

    /// The bytes that carry one piece of the body.
    mutating func encode(_ piece: Data) throws -> Data {
        switch self {
        case .absent:
            return Data()
        case .untilClose:
            return piece
        case .chunked:
            // An empty chunk would be the last one.
            if piece.isEmpty { return Data() }
            return Data("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Data("\r\n".utf8)
        case .length(let spare):
            guard piece.count <= spare else {
                throw HTTPResponseError.contentTooLong(by: piece.count - spare)
            }
            self = .length(spare - piece.count)
            return piece
        }
    }

    /// The bytes after the last piece; only a chunked body has room for trailers (RFC 9112 section 7.1.2).
    func encodeEnd(trailers: HeaderList) throws -> Data {
        switch self {
        case .absent, .untilClose:
            return Data()
        case .chunked:
            try trailers.checkFields()
            return Data("0\r\n".utf8) + trailers.fieldSection
        case .length(let spare):
            guard spare == 0 else { throw HTTPResponseError.contentTooShort(by: spare) }
            return Data()
        }
    }
}
