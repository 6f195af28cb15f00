import Foundation
import Rewind

/// Translates between addresses of upstreams and the addresses of this server that replace them.
struct LocalAddresses: Sendable {
    private let upstreams: [Upstream]
    /// The host and port by which the client reached the server.
    private let authority: String
    private let current: Upstream?

    /// Creates the addresses for one request; `nil` if addresses do not change, as for a proxy.
    init?(_ rule: CassetteServer.Upstreams.Rule, request: HTTPServerRequest, answeredBy upstream: Upstream?) {
        guard request.hasPathAsTarget, let authority = request.headers["Host"], !authority.isEmpty else {
            return nil
        }
        switch rule {
        case .paths(let all), .hosts(let all), .recorded(let all): upstreams = all
        case .proxy: return nil
        }
        self.authority = authority
        current = upstream
    }

    /// The local form of a URL reference; `nil` if it does not refer to an upstream or does not change.
    func local(_ reference: String) -> String? {
        if reference.hasPrefix("//") {
            return local((current?.origin ?? "http:").prefix { $0 != "/" } + reference)
        }
        if reference.hasPrefix("/") {
            guard let current, current.base != current.prefix else { return nil }
            return reference.dropping(path: current.base).map { current.prefix + $0 }
        }
        guard let (origin, rest) = Self.split(reference) else { return nil }
        for upstream in upstreams where upstream.origin == origin {
            if let rest = rest.dropping(path: upstream.base) { return address(of: upstream) + rest }
        }
        return nil
    }

    /// The upstream's form of a URL that a client derived from the local address.
    func upstream(_ reference: String) -> String? {
        guard let current else { return nil }
        let local = address(of: current)
        // An origin has no path, even if the upstream has one.
        if reference == "http://" + authority { return current.origin }
        return reference.dropping(path: local).map { current.origin + current.base + $0 }
    }

    /// The local form of a cookie: only for this host, and without `Secure` (RFC 6265 section 5.2).
    func local(cookie: String) -> String {
        let parts = cookie.split(separator: ";", omittingEmptySubsequences: false)
        let isSecure = parts.dropFirst().contains { Substring($0).attribute.name == "secure" }
        return parts.enumerated().compactMap { position, part -> String? in
            if position == 0 { return String(part) }
            let (name, value) = Substring(part).attribute
            switch name {
            case "domain", "secure": return nil
            // Browsers accept `None` only with `Secure`.
            case "samesite" where isSecure && value.lowercased() == "none": return nil
            case "path": return local(path: value).map { " Path=" + $0 } ?? String(part)
            default: return String(part)
            }
        }.joined(separator: ";")
    }

    /// A text with local addresses for those of upstreams, including ones with escaped slashes as in JSON.
    func local(text: Data) -> Data {
        var text = text
        for upstream in upstreams {
            let (remote, local) = (upstream.origin + upstream.base, address(of: upstream))
            text = text.replacing(remote, by: local)
            text = text.replacing(remote.withEscapedSlashes, by: local.withEscapedSlashes)
        }
        return text
    }

    /// The local address of an upstream, without a trailing slash.
    private func address(of upstream: Upstream) -> String {
        guard let host = upstream.host else { return "http://" + authority + upstream.prefix }
        let port = authority.firstIndex(of: ":").map { authority[$0...] } ?? ""
        return "http://" + host + port
    }

    private func local(path: String) -> String? {
        guard let current, current.base != current.prefix, path.hasPrefix("/") else { return nil }
        if path == "/" { return current.prefix.isEmpty ? nil : current.prefix }
        guard let rest = path.dropping(path: current.base) else { return nil }
        let local = current.prefix + rest
        return local.isEmpty ? "/" : local
    }

    /// The origin of an absolute URL and the unchanged rest.
    private static func split(_ url: String) -> (origin: String, rest: Substring)? {
        let parts = URLParts(url)
        guard parts.scheme == "http" || parts.scheme == "https", !parts.host.isEmpty,
            parts.userInformation == nil
        else { return nil }
        let afterScheme = url.dropFirst(parts.scheme.count + 3)
        let rest = afterScheme.firstIndex { "/?#".contains($0) } ?? url.endIndex
        return (parts.origin, url[rest...])
    }
}

extension Substring {
    /// The name of an attribute in lower case, and its value.
    fileprivate var attribute: (name: String, value: String) {
        let parts = split(separator: "=", maxSplits: 1)
        let name = (parts.first ?? "").withoutOuterWhitespace.lowercased()
        return (name, parts.count > 1 ? String(parts[1].withoutOuterWhitespace) : "")
    }
}

extension String {
    fileprivate var withEscapedSlashes: String {
        split(separator: "/", omittingEmptySubsequences: false).joined(separator: "\\/")
    }
}

extension Data {
    /// Replaces an address, except where it is a prefix of another host, port or path segment.
    fileprivate func replacing(_ address: String, by other: String) -> Data {
        let (address, other) = (Data(address.utf8), Data(other.utf8))
        var result = Data(capacity: count)
        var position = startIndex
        while let found = range(of: address, in: position..<endIndex) {
            let isWhole = found.upperBound == endIndex || !self[found.upperBound].continuesAddress
            result += self[position..<found.lowerBound]
            result += isWhole ? other : address
            position = found.upperBound
        }
        return result + self[position...]
    }
}

extension UInt8 {
    /// Whether the byte would continue a host, port or path segment.
    fileprivate var continuesAddress: Bool { isLetter || isDigit || ".-:_".utf8.contains(self) }
}
