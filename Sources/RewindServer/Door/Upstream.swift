import Foundation
import Rewind

/// One server that a cassette server stands for, and the place at which it does.
///
/// It is a class because it goes along with every request, and its texts would each be copied.
final class Upstream: Sendable {
    /// Its address as it was given.
    let text: String
    /// The scheme, the host and the port.
    let origin: String
    /// The host and the port, as the field `Host` names them.
    let authority: String
    /// The path before the path of every request; empty, or beginning with a slash and not ending with one.
    let base: String
    /// What stands for the base in a path of the cassette server, in the same form.
    let prefix: String
    /// The local name it is found by; `nil` where it is found by its path.
    let host: String?

    init(_ url: URL, prefix: String = "", host: String? = nil) {
        let parts = URLParts(url.absoluteString)
        text = url.absoluteString
        origin = parts.origin
        authority = parts.authority
        base = parts.path.withoutTrailingSlashes
        self.prefix = prefix
        self.host = host
    }

    /// Whether its address is that of an HTTP server.
    var isValid: Bool {
        let parts = URLParts(text)
        return ["http", "https"].contains(parts.scheme) && !parts.host.isEmpty && parts.userInformation == nil
            && parts.query == nil && parts.fragment == nil
    }

    /// The prefix that a pattern such as `/github/*` names.
    static func prefix(named pattern: String) -> String {
        let path = pattern.hasSuffix("*") ? String(pattern.dropLast()) : pattern
        return (path.hasPrefix("/") ? path : "/" + path).withoutTrailingSlashes
    }

    /// The URL that a path and query of the cassette server stand for; `nil` where the prefix does not fit.
    func url(of target: String) -> String? {
        guard let rest = target.dropping(path: prefix) else { return nil }
        var url = origin
        url.reserveCapacity(origin.utf8.count + base.utf8.count + rest.utf8.count + 1)
        url += base
        if rest.utf8.first != UInt8(ascii: "/") { url += "/" }
        url += rest
        return url
    }
}

extension StringProtocol {
    /// The rest of a URL reference after a path it begins with, where that ends at the end of a segment.
    func dropping(path: String) -> String? {
        if path.isEmpty { return String(self) }
        guard hasPrefix(path) else { return nil }
        let rest = dropFirst(path.count)
        guard let next = rest.utf8.first else { return "" }
        return "/?#".utf8.contains(next) ? String(rest) : nil
    }

    fileprivate var withoutTrailingSlashes: String {
        var path = String(self)
        while path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
        return path
    }
}
