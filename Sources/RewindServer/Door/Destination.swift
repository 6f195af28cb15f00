import Foundation
import Rewind

/// Where a request goes, or why it goes nowhere.
enum Destination: Sendable {
    /// To a URL, by way of an upstream where the server has any.
    case url(String, Upstream?)
    /// Nowhere, with the status and the text of the answer.
    case nowhere(status: Int, explanation: String)
}

extension Upstreams {
    /// Finds the upstream of a request.
    /// - Parameters:
    ///   - request: The request as it arrived.
    ///   - port: The port on which the server listens.
    /// - Returns: Where it goes. It never goes to a host that is no upstream.
    func destination(of request: HTTPServerRequest, at port: UInt16) -> Destination {
        if request.method == "CONNECT" { return .noTunnel }
        if request.path == "*" { return .noAsterisk }
        if request.headers.hasListMember("websocket", in: "Upgrade") { return .noUpgrade }
        let target = AbsoluteTarget(request, port: port)
        switch rule {
        case .paths(let upstreams):
            if let target { return destination(of: target, among: upstreams) }
            return destination(of: request, among: upstreams)
        case .hosts(let upstreams):
            if let target { return destination(of: target, among: upstreams) }
            let host = URLParts("http://" + (request.authority ?? "")).host
            guard let upstream = upstreams.first(where: { $0.host == host }),
                let url = upstream.url(of: request.pathAndQuery)
            else { return .unknownHost(host, upstreams.compactMap(\.host)) }
            return .url(url, upstream)
        case .proxy:
            return target.map { .url($0.text, nil) } ?? .noProxyRequest
        case .recorded(let upstreams):
            if let target { return .url(target.text, nil) }
            let authority = (request.authority ?? "").lowercased()
            let origin = upstreams.first { $0.authority == authority }?.origin ?? "http://" + authority
            return .url(origin + request.pathAndQuery, nil)
        }
    }

    private func destination(of request: HTTPServerRequest, among upstreams: [Upstream]) -> Destination {
        let target = request.pathAndQuery
        for upstream in upstreams {
            if let url = upstream.url(of: target) { return .url(url, upstream) }
        }
        return .unknownPath(request.path, upstreams.map(\.prefix))
    }

    private func destination(of target: AbsoluteTarget, among upstreams: [Upstream]) -> Destination {
        guard let upstream = upstreams.first(where: { $0.origin == target.origin }) else {
            return .foreignHost(target.origin)
        }
        return .url(upstream.origin + target.rest, upstream)
    }
}

/// A request target that is a whole URL, as clients send it to a proxy (RFC 9112 section 3.2.2).
private struct AbsoluteTarget {
    let text: String
    let origin: String
    let rest: String

    /// Reads it; `nil` where the target is a path, or names this very server.
    init?(_ request: HTTPServerRequest, port: UInt16) {
        guard !request.hasPathAsTarget else { return nil }
        let parts = URLParts(request.target)
        let isLocal = ["localhost", "127.0.0.1"].contains(parts.host) && parts.port == Int(port)
        guard !isLocal else { return nil }
        text = request.target
        origin = parts.origin
        rest = request.pathAndQuery
    }
}

extension HTTPServerRequest {
    /// The path and the query of the target, as they were sent.
    var pathAndQuery: String { hasPathAsTarget ? target : query.map { "\(path)?\($0)" } ?? path }

    /// Whether the target is a path, and no whole URL.
    var hasPathAsTarget: Bool { target.utf8.first == UInt8(ascii: "/") }
}

extension Destination {
    fileprivate static let noTunnel = nowhere(
        status: 501,
        explanation: """
            CONNECT is not supported: what goes through such a tunnel is encrypted and could not be recorded.
            Give the client the address of this server in place of the https one, or ask for http URLs.
            """
    )

    fileprivate static let noAsterisk = nowhere(status: 501, explanation: "OPTIONS * is not forwarded.")

    fileprivate static let noUpgrade = nowhere(
        status: 501,
        explanation: "A WebSocket cannot be recorded, and is not forwarded."
    )

    fileprivate static let noProxyRequest = nowhere(
        status: 400,
        explanation: """
            This server is a proxy: name it as such to the client, for example with the variable http_proxy.
            """
    )

    fileprivate static func unknownPath(_ path: String, _ prefixes: [String]) -> Destination {
        let known = prefixes.map { "\($0)/*" }.joined(separator: ", ")
        return nowhere(status: 404, explanation: "No upstream has the path \(path); there are \(known).")
    }

    fileprivate static func unknownHost(_ host: String, _ hosts: [String]) -> Destination {
        let known = hosts.joined(separator: ", ")
        return nowhere(status: 421, explanation: "No upstream has the name \(host); there are \(known).")
    }

    fileprivate static func foreignHost(_ origin: String) -> Destination {
        nowhere(status: 403, explanation: "\(origin) is no upstream of this server, so nothing is sent there.")
    }
}
