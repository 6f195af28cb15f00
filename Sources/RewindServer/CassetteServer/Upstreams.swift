import Foundation
import Rewind

extension CassetteServer {
    /// The servers that a cassette server records and replays.
    ///
    /// ```swift
    /// let one: Upstreams = .url(URL(string: "https://api.example.com/v2")!)
    /// let several: Upstreams = .paths(["/github/*": githubURL, "/*": apiURL])
    /// ```
    public struct Upstreams: Sendable {
        enum Rule: Sendable {
            case paths([Upstream])
            case hosts([Upstream])
            case proxy
            case recorded([Upstream])
        }

        let rule: Rule

        /// One upstream, which receives every request.
        /// - Parameter url: The address of the server. Its path is prepended to the path of every request.
        /// - Returns: The upstreams.
        public static func url(_ url: URL) -> CassetteServer.Upstreams {
            CassetteServer.Upstreams(rule: .paths([Upstream(url, prefix: "")]))
        }

        /// Several upstreams, selected by a prefix of the request's path.
        ///
        /// The longest matching prefix wins and is removed from the path. A request without a matching prefix gets a 404
        /// response.
        /// - Parameter urls: The addresses by prefix, such as `/github` or `/github/*`.
        /// - Returns: The upstreams.
        public static func paths(_ urls: KeyValuePairs<String, URL>) -> CassetteServer.Upstreams {
            paths(urls.map { ($0.key, $0.value) })
        }

        package static func paths(_ urls: [(prefix: String, url: URL)]) -> CassetteServer.Upstreams {
            let upstreams = urls.map { Upstream($0.url, prefix: Upstream.prefix(named: $0.prefix)) }
            return CassetteServer.Upstreams(
                rule: .paths(upstreams.sorted { $0.prefix.utf8.count > $1.prefix.utf8.count })
            )
        }

        /// Several upstreams, selected by the `Host` header of the request.
        ///
        /// Names that end with `.localhost` resolve to this machine without configuration. A request for another host gets
        /// a 421 response.
        /// - Parameter urls: The addresses by local name without a port, such as `github.localhost`.
        /// - Returns: The upstreams.
        public static func hosts(_ urls: KeyValuePairs<String, URL>) -> CassetteServer.Upstreams {
            CassetteServer.Upstreams(rule: .hosts(urls.map { Upstream($0.value, host: $0.key.lowercased()) }))
        }

        /// Any server, for clients that use this server as their HTTP proxy. Only `http` URLs are supported.
        ///
        /// Only requests with an absolute URL, as clients send them to a proxy, are forwarded. `CONNECT`, which clients send
        /// for `https` URLs, gets a 501 response, and is reported on standard error once for each host.
        public static let proxy = CassetteServer.Upstreams(rule: .proxy)

        /// The hosts of a cassette that is only replayed. A recorded host selects its recordings; any other name, all.
        package static func recorded(in cassette: Cassette) -> CassetteServer.Upstreams {
            let origins = Set(cassette.interactions.map { URLParts($0.request.url).origin })
            return CassetteServer.Upstreams(
                rule: .recorded(origins.sorted().compactMap { URL(string: $0).map { Upstream($0) } })
            )
        }

        func validate() throws {
            switch rule {
            case .paths(let upstreams), .hosts(let upstreams):
                guard !upstreams.isEmpty else { throw CassetteServerError.noUpstream }
                for upstream in upstreams where !upstream.isValid {
                    throw CassetteServerError.invalidUpstream(upstream.text)
                }
            case .proxy, .recorded: break
            }
        }
    }
}

/// One upstream and how requests select it.
///
/// It is a class because it is passed along with every request, and copying it would copy many strings.
final class Upstream: Sendable {
    /// The address as given.
    let text: String
    let origin: String
    /// The host and port in the format of the `Host` header.
    let authority: String
    /// The path that is prepended to the path of every request: empty, or with a leading and without a trailing slash.
    let base: String
    /// The prefix that replaces `base` in paths of the cassette server, in the same format.
    let prefix: String
    /// The local host name that selects the upstream; `nil` if its path does.
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

    var isValid: Bool {
        let parts = URLParts(text)
        return ["http", "https"].contains(parts.scheme) && !parts.host.isEmpty && parts.userInformation == nil
            && parts.query == nil && parts.fragment == nil
    }

    /// The prefix in a pattern such as `/github/*`.
    static func prefix(named pattern: String) -> String {
        let path = pattern.hasSuffix("*") ? String(pattern.dropLast()) : pattern
        return (path.hasPrefix("/") ? path : "/" + path).withoutTrailingSlashes
    }

    /// What follows the prefix in a path and query of this server; `nil` if the prefix does not match.
    func rest(of target: String) -> String? { target.dropping(path: prefix) }

    /// The upstream's URL for what follows the prefix or the base.
    func url(of rest: String) -> String {
        var url = origin
        url.reserveCapacity(origin.utf8.count + base.utf8.count + rest.utf8.count + 1)
        url += base
        if rest.utf8.first != UInt8(ascii: "/") { url += "/" }
        url += rest
        return url
    }
}

extension StringProtocol {
    /// The rest of a URL reference after a path prefix; `nil` if it does not begin with these path segments.
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

extension [RequestMatcher] {
    /// Ignores the scheme, and the host unless the request names one of the cassette.
    package static func served(_ cassette: Cassette) -> [RequestMatcher] {
        let authorities = Set(cassette.interactions.map { URLParts($0.request.url).authority })
        let host = RequestMatcher.custom("host") { requested, recorded in
            let authority = URLParts(requested.url).authority
            return !authorities.contains(authority) || authority == URLParts(recorded.url).authority
        }
        return [.method, .path, .query, .body] + (authorities.count > 1 ? [host] : [])
    }
}
