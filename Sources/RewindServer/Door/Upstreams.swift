import Foundation
import Rewind

/// The servers that a cassette server stands for.
///
/// ```swift
/// let one: Upstreams = .url(URL(string: "https://api.example.com/v2")!)
/// let several: Upstreams = .paths(["/github/*": githubURL, "/*": apiURL])
/// ```
public struct Upstreams: Sendable {
    /// How a request finds its upstream.
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
    public static func url(_ url: URL) -> Upstreams {
        Upstreams(rule: .paths([Upstream(url, prefix: "")]))
    }

    /// Several upstreams, told apart by how the path of a request begins.
    ///
    /// The prefix is taken off the path, and the longest one that fits holds. A request that none fits is answered
    /// with 404.
    /// - Parameter urls: The addresses by prefix, such as `/github` or `/github/*`.
    /// - Returns: The upstreams.
    public static func paths(_ urls: KeyValuePairs<String, URL>) -> Upstreams {
        paths(urls.map { ($0.key, $0.value) })
    }

    /// Several upstreams, told apart by how the path of a request begins.
    package static func paths(_ urls: [(prefix: String, url: URL)]) -> Upstreams {
        let upstreams = urls.map { Upstream($0.url, prefix: Upstream.prefix(named: $0.prefix)) }
        return Upstreams(rule: .paths(upstreams.sorted { $0.prefix.utf8.count > $1.prefix.utf8.count }))
    }

    /// Several upstreams, told apart by the `Host` field of a request.
    ///
    /// Names below `localhost` lead to this machine without being set up. A request to another host is answered with
    /// 421.
    /// - Parameter urls: The addresses by local name without a port, such as `github.localhost`.
    /// - Returns: The upstreams.
    public static func hosts(_ urls: KeyValuePairs<String, URL>) -> Upstreams {
        Upstreams(rule: .hosts(urls.map { Upstream($0.value, host: $0.key.lowercased()) }))
    }

    /// Every server that a client asks its proxy for, over `http` alone.
    ///
    /// Only requests that name a whole URL, as clients send them to a proxy, are forwarded.
    public static let proxy = Upstreams(rule: .proxy)

    /// The hosts of a cassette that is only played: one that a request names has to be the recorded one, any other
    /// name stands for all of them.
    package static func recorded(in cassette: Cassette) -> Upstreams {
        let origins = Set(cassette.interactions.map { URLParts($0.request.url).origin })
        return Upstreams(rule: .recorded(origins.sorted().compactMap { URL(string: $0).map { Upstream($0) } }))
    }

    /// Checks the addresses.
    /// - Throws: ``CassetteServerError`` when one is no address of an HTTP server.
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
