import Foundation
import Rewind

/// Passes requests to the stubber and sends its answers to the clients.
final class RequestHandler: Sendable {
    /// The port, and the settings that can change while the server runs.
    struct Settings: Sendable {
        var port: UInt16 = 0
        var unrecordedRequestHandler: (@Sendable (Miss) -> Interaction.Response?)?
        var responseTransformer:
            (@Sendable (Interaction.Request, Interaction.Response) -> Interaction.Response)?
        var rewritesBodies = false
        var hosts: AllowedHosts
        var didServe: (@Sendable (ServedRequest) -> Void)?
    }

    let settings: Locked<Settings>

    private let upstreams: CassetteServer.Upstreams
    private let stubber: Stubber
    private let requests: DirectHandler
    /// The exchanges in progress, which `finish(within:while:)` may have to cancel.
    private let inProgress = Locked<[ObjectIdentifier: DirectExchange]>([:])
    private let tunnels = RefusedTunnels()

    init(to stubber: Stubber, for upstreams: CassetteServer.Upstreams) {
        self.stubber = stubber
        requests = DirectHandler(stubber)
        self.upstreams = upstreams
        settings = Locked(Settings(hosts: AllowedHosts(upstreams)))
    }

    func answer(_ request: HTTPServerRequest, with response: HTTPResponseWriter) throws {
        let settings = settings.withLock { $0 }
        var destination = upstreams.destination(of: request, at: settings.port)
        if case .url = destination, let refusal = settings.hosts.refusal(of: request) { destination = refusal }
        switch destination {
        case .nowhere(let status, let explanation):
            let explanation = stubber.printable(explanation)
            if request.isTunnel, tunnels.isFirst(to: request.target) { tunnels.report(explanation) }
            try response.refuse(status: status, explanation: explanation + "\n")
            settings.didServe?(ServedRequest(request, status: status, source: .nowhere, isRefused: true))
        case .url(let url, let upstream):
            let client = ClientResponse(request: request, upstreams: upstreams, upstream: upstream)
            let completed = { @Sendable in Interaction.Request(client.request, url: url).completed(for: client)
            }
            var sender = ResponseSender(
                request: completed,
                client: client,
                settings: settings,
                response: response,
                stubber: stubber
            )
            func reports(_ source: @escaping () -> AnswerSource) -> ((Int?) -> Void)? {
                settings.didServe.map { didServe in
                    { didServe(ServedRequest(request, status: $0, source: source())) }
                }
            }
            defer { sender.reportEnd() }
            switch requests.ask(Interaction.Request(request, url: url), completed: completed) {
            case .given(let part, let origin):
                sender.didServe = reports { origin }
                try sender.send([part])
            case .coming(let exchange):
                response.willWait()
                inProgress.withLock { $0[ObjectIdentifier(exchange)] = exchange }
                defer { _ = inProgress.withLock { $0.removeValue(forKey: ObjectIdentifier(exchange)) } }
                sender.didServe = reports { exchange.source }
                try sender.send(exchange)
            }
        }
    }

    /// Waits for requests in progress, but not for a response without new data, such as an idle stream of events.
    func finish(within seconds: TimeInterval, while isBusy: () -> Bool) {
        let deadline = Deadline(after: seconds)
        while isBusy(), !deadline.isOver {
            for exchange in exchanges where exchange.silence ?? .zero > .seconds(1) { exchange.cancel() }
            Thread.sleep(forTimeInterval: 0.002)
        }
        // A response that began is recorded as far as it arrived; a request without any response is reported.
        for exchange in exchanges where exchange.silence != nil { exchange.cancel() }
    }

    /// Whether a client asked for a tunnel, whose requests are not recorded.
    var hasRefusedTunnel: Bool { !tunnels.isEmpty }

    private var exchanges: [DirectExchange] { inProgress.withLock { Array($0.values) } }
}

/// The tunnels that clients asked for, which a proxy can neither record nor replay.
///
/// Most clients do not show the response to `CONNECT`, so each host is also reported on standard error. A client may ask for
/// the same tunnel again and again.
private final class RefusedTunnels: Sendable {
    private let targets = Locked<Set<String>>([])

    /// A client such as a browser may ask for tunnels to any number of hosts.
    private static let limit = 1000

    var isEmpty: Bool { targets.withLock(\.isEmpty) }

    /// Adds a host and port, and returns whether it is new.
    func isFirst(to target: String) -> Bool {
        targets.withLock { targets in
            targets.count < Self.limit && targets.insert(target.lowercased()).inserted
        }
    }

    func report(_ explanation: String) {
        Note.print(explanation.replacingOccurrences(of: "\n", with: "\n  "))
    }
}

extension Interaction.Request {
    /// The request for a URL, without headers.
    fileprivate init(_ request: HTTPServerRequest, url: String) {
        self.init(
            method: request.method,
            url: url,
            body: request.body.isEmpty ? nil : Interaction.Body(request.body),
            httpVersion: request.version.rawValue
        )
    }

    /// The request for the upstream: without headers of the client's connection, and with the upstream's addresses.
    fileprivate func completed(for client: ClientResponse) -> Interaction.Request {
        var headers = client.request.headers.withoutConnectionFields
        if let upstream = client.upstream {
            headers["Host"] = upstream.authority
        } else if !client.request.hasPathAsTarget {
            headers["Host"] = URLParts(url).authority
        }
        for name in ["Origin", "Referer"] {
            guard let value = headers[name], let translated = client.addresses?.upstream(value) else {
                continue
            }
            headers[name] = translated
        }
        var request = self
        request.headers = headers
        return request
    }
}

/// A request that the server received, and how it was answered.
package struct ServedRequest: Sendable {
    package let method: String
    /// The target as the client sent it.
    package let target: String
    /// The status of the response; `nil` if the client disconnected or the response is incomplete.
    package let status: Int?
    package let source: AnswerSource
    /// Whether the server did not look for an answer, because the request is not one for an upstream.
    package let isRefused: Bool

    fileprivate init(
        _ request: HTTPServerRequest,
        status: Int?,
        source: AnswerSource,
        isRefused: Bool = false
    ) {
        (method, target) = (request.method, request.target)
        (self.status, self.source, self.isRefused) = (status, source, isRefused)
    }
}

extension Miss.Reason {
    /// The value of the header `X-Rewind-Miss`. Clients may rely on these values.
    var headerValue: String {
        switch self {
        case .noCassette: "no-cassette"
        case .recordingForbidden: "recording-forbidden"
        case .readOnly: "read-only"
        case .noMatch: "no-match"
        case .alreadyPlayed: "already-played"
        case .outOfOrder: "out-of-turn"
        case .noStub: "no-stub"
        case .networkForbidden: "network-forbidden"
        case .stubExhausted: "stub-exhausted"
        case .invalidStub: "broken-stub"
        case .testEnded: "stopped"
        case .paused: "paused"
        case .unknownTest: "not-routed"
        case .unreadableBody: "unreadable-body"
        case .unsupported, .unsupportedTask: "unsupported"
        case .activationFailed: "activation-failed"
        }
    }
}
