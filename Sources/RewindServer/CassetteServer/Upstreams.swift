import Foundation
import Rewind

extension CassetteServer {
    /// The servers in whose place a cassette server answers.
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

        /// One upstream, to which every request goes.
        /// - Parameter url: Its address; a path in it stands before the path of every request.
        /// - Returns: The upstreams.
        public static func url(_ url: URL) -> CassetteServer.Upstreams {
            CassetteServer.Upstreams(rule: .paths([Upstream(url, prefix: "")]))
        }

        /// Several upstreams, told apart by how the path of a request begins.
        ///
        /// The prefix is taken off the path, and the longest one that fits holds. A request that none fits is answered
        /// with 404.
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

        /// Several upstreams, told apart by the `Host` field of a request.
        ///
        /// Names below `localhost` lead to this machine without being set up. A request to another host is answered with
        /// 421.
        /// - Parameter urls: The addresses by local name without a port, such as `github.localhost`.
        /// - Returns: The upstreams.
        public static func hosts(_ urls: KeyValuePairs<String, URL>) -> CassetteServer.Upstreams {
            CassetteServer.Upstreams(rule: .hosts(urls.map { Upstream($0.value, host: $0.key.lowercased()) }))
        }

        /// Every server that a client asks its proxy for, over `http` alone.
        ///
        /// Only requests that name a whole URL, as clients send them to a proxy, are forwarded.
        public static let proxy = CassetteServer.Upstreams(rule: .proxy)

        /// The hosts of a cassette that is only replayed: a recorded host selects itself, any other name selects all.
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

/// One server in whose place a cassette server answers, and how a request finds it. It is a class because it
/// goes along with every request, and its texts would each be copied.
final class Upstream: Sendable {
    /// Its address as it was given.
    let text: String
    let origin: String
    /// The host and the port, as the field `Host` names them.
    let authority: String
    /// The path before the path of every request; empty, or beginning with a slash and not ending with one.
    let base: String
    /// What replaces the base in a path of the cassette server, in the same form.
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

    /// The upstream's URL for a path and query of this server; `nil` where the prefix does not fit.
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

extension [RequestMatcher] {
    /// Matches all but the scheme and the host, and the host too where the request names one of the cassette.
    package static func served(_ cassette: Cassette) -> [RequestMatcher] {
        let authorities = Set(cassette.interactions.map { URLParts($0.request.url).authority })
        let host = RequestMatcher.custom("host") { requested, recorded in
            let asked = URLParts(requested.url).authority
            return !authorities.contains(asked) || asked == URLParts(recorded.url).authority
        }
        return [.method, .path, .query, .body] + (authorities.count > 1 ? [host] : [])
    }
}
