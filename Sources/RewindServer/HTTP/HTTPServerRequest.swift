import Foundation
import Rewind

package struct HTTPServerRequest: Hashable, Sendable {
    /// The method, which is case-sensitive (RFC 9110 section 9.1).
    package let method: String
    package let version: HTTPVersion
    /// The request target as sent, in one of its four forms (RFC 9112 section 3.2).
    package let target: String
    /// The path of the target, still percent-encoded; empty for `CONNECT`, `*` for the asterisk form.
    package let path: String
    package let query: String?
    /// The header fields as sent, with their order, case and duplicates.
    package internal(set) var headers: HeaderList
    /// The body without chunk framing.
    package internal(set) var body: Data
    /// The fields that followed a chunked body (RFC 9112 section 7.1.2).
    package internal(set) var trailers: HeaderList

    private let targetAuthority: String?

    /// Creates a request, or throws if the server would reject its target. Only `CONNECT` allows the authority form, and only
    /// `OPTIONS` the asterisk form.
    package init(
        method: String,
        target: String,
        version: HTTPVersion = .http11,
        headers: HeaderList = [:],
        body: Data = Data(),
        trailers: HeaderList = [:]
    ) throws(HTTPRefusal) {
        let isSpelledWell = target.withBytes { $0.allSatisfy { $0.isVisible && $0 != UInt8(ascii: "#") } }
        guard isSpelledWell else { throw .malformedTarget }
        var (authority, rest) = (String?.none, target[...])
        if method == "CONNECT" {
            guard target.isAuthority else { throw .malformedTarget }
            (authority, rest) = (target, "")
        } else if target.utf8.first != UInt8(ascii: "/"), target != "*" || method != "OPTIONS" {
            let hierarchy = try Self.dropScheme(target)
            let end = hierarchy.firstIndex { $0 == "/" || $0 == "?" } ?? hierarchy.endIndex
            guard hierarchy[..<end].isAuthority else { throw .malformedTarget }
            (authority, rest) = (String(hierarchy[..<end]), hierarchy[end...])
        }
        let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?"))
        let path = String(rest[..<(mark ?? rest.endIndex)])
        self.path = path.isEmpty && method != "CONNECT" ? "/" : path
        query = mark.map { String(rest[rest.utf8.index(after: $0)...]) }
        targetAuthority = authority
        self.method = method
        self.target = target
        self.version = version
        self.headers = headers
        self.body = body
        self.trailers = trailers
    }

    private static func dropScheme(_ text: String) throws(HTTPRefusal) -> Substring {
        for prefix in ["http://", "https://"] where text.lowercased().hasPrefix(prefix) {
            return text.dropFirst(prefix.count)
        }
        throw .malformedTarget
    }

    /// The host and port of the target, or else of the `Host` header (RFC 9112 section 3.2.2).
    package var authority: String? { targetAuthority ?? headers["Host"] }

    var pathAndQuery: String { hasPathAsTarget ? target : query.map { "\(path)?\($0)" } ?? path }

    /// Whether the target is a path and not an absolute URL.
    var hasPathAsTarget: Bool { target.utf8.first == UInt8(ascii: "/") }

    /// RFC 9112 section 9.3. HTTP/1.0 connections always close, because `keep-alive` is not reliable in that version.
    package var allowsAnotherRequest: Bool {
        version == .http11 && !headers.hasListMember("close", in: "Connection")
    }
}

package enum HTTPVersion: String, Hashable, Sendable {
    /// HTTP/1.0, which has no chunks and no interim responses, and closes the connection after each response.
    case http10 = "HTTP/1.0"
    case http11 = "HTTP/1.1"
}
