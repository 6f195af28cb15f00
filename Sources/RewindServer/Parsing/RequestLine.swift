/// The first line of a request (RFC 9112 section 3).
struct RequestLine: Hashable, Sendable {
    let method: String
    let target: RequestTarget
    let version: HTTPVersion
}

extension RequestLine {
    init(parsing line: ArraySlice<UInt8>) throws(HTTPRefusal) {
        guard let first = line.firstIndex(of: .space),
            let second = line[(first + 1)...].firstIndex(of: .space),
            !line[(second + 1)...].contains(.space), line[..<first].isToken
        else { throw .malformedRequestLine }
        method = String(decoding: line[..<first], as: UTF8.self)
        version = try HTTPVersion(parsing: line[(second + 1)...])
        target = try RequestTarget(String(decoding: line[(first + 1)..<second], as: UTF8.self), method: method)
    }
}

extension HTTPVersion {
    /// Reads a version; its name is case-sensitive and its numbers are single digits (RFC 9112 section 2.3).
    init(parsing word: ArraySlice<UInt8>) throws(HTTPRefusal) {
        if word.elementsEqual(Self.http11.rawValue.utf8) {
            self = .http11
            return
        }
        let numbers = word.dropFirst(5).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard
            word.starts(with: "HTTP/".utf8),
            numbers.count == 2,
            numbers.allSatisfy({ $0.count == 1 && $0.allSatisfy(\.isDigit) })
        else { throw .malformedRequestLine }

        let text = String(decoding: word, as: UTF8.self)
        guard let version = HTTPVersion(rawValue: text) else { throw .unsupportedVersion(text) }
        self = version
    }
}
