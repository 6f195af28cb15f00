import Foundation
import Rewind

/// The hosts by which clients may reach the server, and whose pages may send requests to it.
///
/// A web page can give its own name the address of this machine (DNS rebinding), and could then read everything that the
/// upstream answers. But its requests carry its name in `Host`, and requests to other names carry it in `Origin`.
struct AllowedHosts: Sendable {
    /// Allowed by the user; `*` allows all hosts.
    var names: [String] = [] {
        didSet { allowed = Set(names.map(Self.normal)) }
    }
    /// The address that the server listens on.
    var address = "127.0.0.1"

    private var allowed: Set<String> = []
    private let upstreams: Set<String>

    init(_ upstreams: CassetteServer.Upstreams) {
        switch upstreams.rule {
        case .paths(let all), .hosts(let all), .recorded(let all):
            let hosts = all.map { URLParts($0.origin).host } + all.compactMap(\.host)
            self.upstreams = Set(hosts.map(Self.normal))
        case .proxy: self.upstreams = []
        }
    }

    /// The response to a request that is not allowed.
    func refusal(of request: HTTPServerRequest) -> Destination? {
        // A web page cannot make a browser send a proxy request.
        guard request.hasPathAsTarget else { return nil }
        if let authority = request.headers["Host"], !authority.isEmpty, !Self.isUsual(authority) {
            let host = Self.normal(URLParts("http://" + authority).host)
            if !allows(host) { return .unknownHost(host) }
        }
        for origin in request.headers.values(for: "Origin") {
            let host = Self.normal(URLParts(origin).host)
            if !allows(host.isEmpty ? origin : host) { return .unknownOrigin(origin, host) }
        }
        return nil
    }

    /// Whether a `Host` field is what most clients send. This saves most requests the rest of the check.
    private static func isUsual(_ authority: String) -> Bool {
        ["127.0.0.1", "localhost"].contains { name in
            authority.hasPrefix(name)
                && (authority.utf8.count == name.utf8.count
                    || authority.utf8.dropFirst(name.utf8.count).first == UInt8(ascii: ":"))
        }
    }

    private func allows(_ host: String) -> Bool {
        if host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" || host == address {
            return true
        }
        if allowed.contains(host) || upstreams.contains(host) || allowed.contains("*") { return true }
        // A page has a name, and not the address of this machine, unless this server sent it.
        return Self.isAddress(host) && (host.hasPrefix("127.") || address == "0.0.0.0")
    }

    private static func isAddress(_ host: String) -> Bool {
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers.allSatisfy { UInt8($0) != nil && $0.utf8.allSatisfy(\.isDigit) }
    }

    /// In lower case and without the full stop that may end a name.
    private static func normal(_ host: String) -> String {
        let host = host.lowercased()
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }
}

extension Destination {
    fileprivate static func unknownHost(_ host: String) -> Destination {
        nowhere(
            status: 421,
            explanation: """
                This server does not answer requests to the host '\(host)', because any web page could then use it.
                Use localhost or an address of this machine, or allow the host with `CassetteServer.allowedHosts` or the \
                option `--allow-host \(host)`.
                """
        )
    }

    fileprivate static func unknownOrigin(_ origin: String, _ host: String) -> Destination {
        nowhere(
            status: 403,
            explanation: """
                This server does not answer requests of web pages of '\(origin)'.
                To allow them, use `CassetteServer.allowedHosts` or the option `--allow-host \(host.isEmpty ? origin : host)`.
                """
        )
    }
}
