import Foundation
import Rewind

/// Takes the requests of a server to a stubber, and its answers to the clients.
final class Door: Sendable {
    let settings = Locked(DoorSettings())

    private let upstreams: Upstreams
    private let stubber: DirectDoor
    private let underWay = Locked(UnderWay())

    /// What is being answered.
    private struct UnderWay: Sendable {
        var requests = 0
        var exchanges: [ObjectIdentifier: DirectExchange] = [:]
    }

    init(to stubber: Stubber, for upstreams: Upstreams) {
        self.stubber = DirectDoor(stubber)
        self.upstreams = upstreams
    }

    /// Learns the port by which clients name the server.
    func open(at port: UInt16) {
        settings.withLock { $0.port = port }
    }

    // MARK: Requests

    /// Answers one request, and returns when that is done.
    func answer(_ request: HTTPServerRequest, with response: HTTPResponseWriter) throws {
        underWay.withLock { $0.requests += 1 }
        defer { underWay.withLock { $0.requests -= 1 } }
        let settings = settings.withLock { $0 }
        switch upstreams.destination(of: request, at: settings.port) {
        case .nowhere(let status, let explanation):
            try response.refuse(status: status, explanation: explanation + "\n")
            settings.didServe?(ServedRequest(request, status: status, source: .nowhere))
        case .url(let url, let upstream):
            let addresses = LocalAddresses(upstreams.rule, request: request, answeredBy: upstream)
            let asked = Request(request, to: url, upstream, addresses)
            let client = ClientResponse(request: request, addresses: addresses)
            var sender = AnswerSender(asked, to: client, settings, on: response)
            let exchange = stubber.ask(asked)
            // Most answers are played at once, and then there is nothing that the end could have to wait for.
            let isSlow = !exchange.isComplete
            if isSlow { underWay.withLock { $0.exchanges[ObjectIdentifier(exchange)] = exchange } }
            defer {
                if isSlow {
                    _ = underWay.withLock { $0.exchanges.removeValue(forKey: ObjectIdentifier(exchange)) }
                }
                settings.didServe?(ServedRequest(request, status: sender.status, source: exchange.source))
            }
            try sender.send(exchange)
        }
    }

    // MARK: The end

    /// Waits for what is being answered, but not for a response that has fallen silent, as a stream of events may.
    func finish(within seconds: TimeInterval) {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < deadline {
            let (requests, exchanges) = underWay.withLock { ($0.requests, $0.exchanges.values) }
            if requests == 0 { return }
            for exchange in exchanges where exchange.silence ?? .zero > .seconds(1) { exchange.cancel() }
            Thread.sleep(forTimeInterval: 0.002)
        }
        // A response that has begun is kept as far as it came; a request without any answer is reported as such.
        for exchange in underWay.withLock({ $0.exchanges.values }) where exchange.silence != nil {
            exchange.cancel()
        }
    }
}

extension ServedRequest {
    fileprivate init(_ request: HTTPServerRequest, status: Int?, source: AnswerSource) {
        self.init(method: request.method, target: request.target, status: status, source: source)
    }
}

extension Request {
    /// The request as the upstream is to get it: without the fields of the client's connection, and with the upstream's
    /// own addresses in the place of the local ones.
    fileprivate init(
        _ request: HTTPServerRequest,
        to url: String,
        _ upstream: Upstream?,
        _ addresses: LocalAddresses?
    ) {
        var headers = request.headers.withoutConnectionFields
        if let upstream {
            headers["Host"] = upstream.authority
        } else if !request.target.hasPrefix("/") {
            headers["Host"] = URLParts(url).authority
        }
        for name in ["Origin", "Referer"] {
            guard let addresses, let value = headers[name] else { continue }
            headers[name] = addresses.upstream(value) ?? value
        }
        self.init(
            method: request.method,
            url: url,
            headers: headers,
            body: request.body.isEmpty ? nil : Body(request.body),
            httpVersion: request.version.rawValue
        )
    }
}
