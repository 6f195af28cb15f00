import Foundation
import Rewind

/// The URL to which a request is forwarded, or the response if it is not.
enum Destination: Sendable {
    /// The URL, with the upstream it belongs to if there is one.
    case url(String, Upstream?)
    /// The request is not forwarded; the response has this status and text.
    case nowhere(status: Int, explanation: String)

    /// The response to `CONNECT`, by which clients ask a proxy for a tunnel: all for `https`, and some also for `http`.
    fileprivate static func tunnel(to authority: String, throughProxy isProxy: Bool) -> Destination {
        let parts = URLParts("http://" + authority)
        let isPlain = parts.port == 80
        let origin = URLParts((isPlain ? "http://" : "https://") + authority).origin
        let remedy =
            if isPlain {
                "Let the client request \(origin) from the proxy without a tunnel."
            } else if isProxy {
                """
                To record \(origin), run: rewind record \(origin) --cassette FILE -- COMMAND
                COMMAND must use the URL in REWIND_BASE_URL in place of \(origin). In Swift, use `CassetteServer(upstream:)`.
                """
            } else {
                "Use the address of this server in place of \(origin)."
            }
        return nowhere(
            status: 501,
            explanation: """
                CONNECT \(authority) was refused: as a proxy, this server handles http only and cannot read a tunnel.
                \(remedy)
                """
        )
    }

    fileprivate static func outside(_ upstream: Upstream, _ target: String) -> Destination {
        let path = target.prefix { $0 != "?" }
        return nowhere(
            status: 403,
            explanation: """
                The path \(path) may lead out of \(upstream.origin)\(upstream.base). The request was not forwarded.
                Use the address of the server without a path as the upstream if clients need all its paths.
                """
        )
    }

    fileprivate static let noProxyRequest = nowhere(
        status: 400,
        explanation: """
            This server is a proxy, and the request does not contain a full URL.
            Configure the server as the client's proxy, for example with the environment variable http_proxy.
            A proxy handles http only. For https, use the URL of the upstream in place of `proxy`.
            """
    )
}

extension CassetteServer.Upstreams {
    /// The destination of a request. Only upstreams receive requests, except from a proxy.
    func destination(of request: HTTPServerRequest, at port: UInt16) -> Destination {
        if request.isTunnel { return .tunnel(to: request.target, throughProxy: isProxy) }
        if request.path == "*" {
            return .nowhere(status: 501, explanation: "OPTIONS * is not supported and was not forwarded.")
        }
        if request.headers.hasListMember("websocket", in: "Upgrade") {
            return .nowhere(status: 501, explanation: "WebSockets are not supported: they cannot be recorded.")
        }
        let isAbsolute = !request.hasPathAsTarget && !request.namesThisServer(at: port)
        let target = request.pathAndQuery
        switch rule {
        case .paths(let upstreams), .hosts(let upstreams):
            let target = RequestPath.resolved(target)
            if isAbsolute { return absoluteDestination(of: request, target, among: upstreams) }
            if case .hosts = rule { return destination(of: request, target, byHostAmong: upstreams) }
            for upstream in upstreams {
                if let rest = upstream.rest(of: target) { return upstream.destination(rest) }
            }
            let known = upstreams.map { "\($0.prefix)/*" }.joined(separator: ", ")
            let explanation = "No upstream matches the path \(request.path). Known paths: \(known)."
            return .nowhere(status: 404, explanation: explanation)
        case .proxy: return isAbsolute ? .url(request.target, nil) : .noProxyRequest
        case .recorded(let upstreams):
            if isAbsolute { return .url(request.target, nil) }
            let authority = (request.authority ?? "").lowercased()
            let origin = upstreams.first { $0.authority == authority }?.origin ?? "http://" + authority
            return .url(origin + target, nil)
        }
    }

    private var isProxy: Bool { if case .proxy = rule { true } else { false } }

    private func destination(
        of request: HTTPServerRequest,
        _ target: String,
        byHostAmong upstreams: [Upstream]
    ) -> Destination {
        let host = URLParts("http://" + (request.authority ?? "")).host
        guard let upstream = upstreams.first(where: { $0.host == host }), let rest = upstream.rest(of: target)
        else {
            let known = upstreams.compactMap(\.host).joined(separator: ", ")
            return .nowhere(
                status: 421,
                explanation: "No upstream matches the host \(host). Known hosts: \(known)."
            )
        }
        return upstream.destination(rest)
    }

    /// The destination of a request with an absolute URL, as clients send it to a proxy (RFC 9112 section 3.2.2).
    private func absoluteDestination(
        of request: HTTPServerRequest,
        _ target: String,
        among upstreams: [Upstream]
    ) -> Destination {
        let origin = URLParts(request.target).origin
        let upstreams = upstreams.filter { $0.origin == origin }
        for upstream in upstreams {
            if let rest = target.dropping(path: upstream.base) { return upstream.destination(rest) }
        }
        guard let upstream = upstreams.first else {
            let explanation = "\(origin) is not an upstream of this server. The request was not forwarded."
            return .nowhere(status: 403, explanation: explanation)
        }
        return .outside(upstream, target)
    }
}

extension Upstream {
    /// The destination for what follows the prefix of this server, or the path of the upstream in an absolute URL.
    fileprivate func destination(_ rest: String) -> Destination {
        // Nothing is above the root.
        if !base.isEmpty, RequestPath.mayLeave(rest) { return .outside(self, rest) }
        return .url(url(of: rest), self)
    }
}

extension HTTPServerRequest {
    /// Whether a client asks for a tunnel to its target.
    var isTunnel: Bool { method == "CONNECT" }

    fileprivate func namesThisServer(at port: UInt16) -> Bool {
        let parts = URLParts(target)
        return ["localhost", "127.0.0.1"].contains(parts.host) && parts.port == Int(port)
    }
}
