import Foundation
import Rewind

/// Where a request goes, or why it goes nowhere.
enum Destination: Sendable {
    /// To a URL, by way of an upstream where the server has any.
    case url(String, Upstream?)
    /// Nowhere, with the status and the text of the answer.
    case nowhere(status: Int, explanation: String)

    fileprivate static let noTunnel = nowhere(
        status: 501,
        explanation: """
            CONNECT is not supported: what goes through such a tunnel is encrypted and could not be recorded.
            Give the client the address of this server in place of the https one, or ask for http URLs.
            """
    )

    fileprivate static let noProxyRequest = nowhere(
        status: 400,
        explanation: """
            This server is a proxy: name it as such to the client, for example with the variable http_proxy.
            """
    )
}

extension CassetteServer.Upstreams {
    /// Finds the upstream of a request, which never goes to a host that is none.
    func destination(of request: HTTPServerRequest, at port: UInt16) -> Destination {
        if request.method == "CONNECT" { return .noTunnel }
        if request.path == "*" { return .nowhere(status: 501, explanation: "OPTIONS * is not forwarded.") }
        if request.headers.hasListMember("websocket", in: "Upgrade") {
            return .nowhere(status: 501, explanation: "A WebSocket cannot be recorded, and is not forwarded.")
        }
        let isAbsolute = !request.hasPathAsTarget && !request.namesThisServer(at: port)
        let target = request.pathAndQuery
        switch rule {
        case .paths(let upstreams), .hosts(let upstreams):
            if isAbsolute { return absoluteDestination(of: request, among: upstreams) }
            if case .hosts = rule { return destination(of: request, byHostAmong: upstreams) }
            for upstream in upstreams {
                if let url = upstream.url(of: target) { return .url(url, upstream) }
            }
            let known = upstreams.map { "\($0.prefix)/*" }.joined(separator: ", ")
            let explanation = "No upstream has the path \(request.path); there are \(known)."
            return .nowhere(status: 404, explanation: explanation)
        case .proxy: return isAbsolute ? .url(request.target, nil) : .noProxyRequest
        case .recorded(let upstreams):
            if isAbsolute { return .url(request.target, nil) }
            let authority = (request.authority ?? "").lowercased()
            let origin = upstreams.first { $0.authority == authority }?.origin ?? "http://" + authority
            return .url(origin + target, nil)
        }
    }

    private func destination(of request: HTTPServerRequest, byHostAmong upstreams: [Upstream]) -> Destination {
        let host = URLParts("http://" + (request.authority ?? "")).host
        guard let upstream = upstreams.first(where: { $0.host == host }),
            let url = upstream.url(of: request.pathAndQuery)
        else {
            let known = upstreams.compactMap(\.host).joined(separator: ", ")
            return .nowhere(status: 421, explanation: "No upstream has the name \(host); there are \(known).")
        }
        return .url(url, upstream)
    }

    /// Where a whole URL goes, as clients send it to a proxy (RFC 9112 section 3.2.2).
    private func absoluteDestination(of request: HTTPServerRequest, among upstreams: [Upstream]) -> Destination
    {
        let origin = URLParts(request.target).origin
        guard let upstream = upstreams.first(where: { $0.origin == origin }) else {
            let explanation = "\(origin) is no upstream of this server, so nothing is sent there."
            return .nowhere(status: 403, explanation: explanation)
        }
        return .url(upstream.origin + request.pathAndQuery, upstream)
    }
}

extension HTTPServerRequest {
    fileprivate func namesThisServer(at port: UInt16) -> Bool {
        let parts = URLParts(target)
        return ["localhost", "127.0.0.1"].contains(parts.host) && parts.port == Int(port)
    }
}
