import Foundation
import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends the requests of a cassette to a live server, or skips them with a reason.
struct LivePlan: Sendable {
    private let interactions: [Interaction]
    private let setting: LiveSetting
    private let redaction: Redaction
    private let hasOneServer: Bool

    init(_ interactions: [Interaction], _ setting: LiveSetting, _ redaction: Redaction) {
        self.interactions = interactions
        self.setting = setting
        self.redaction = redaction
        let servers = Set(interactions.map { URLParts($0.request.url).origin })
        hasOneServer = setting.base != nil || servers.count == 1
    }

    func run(jobs: Int, through client: LiveClient) async -> [VerifiedInteraction] {
        let groups = jobs == 1 ? [Array(interactions.indices)] : identical
        var results: [Int: VerifiedInteraction] = [:]
        await withTaskGroup(of: [Int: VerifiedInteraction].self) { tasks in
            var rest = groups[...]
            func start(_ group: [Int]) {
                tasks.addTask {
                    var results: [Int: VerifiedInteraction] = [:]
                    for position in group { results[position] = await verified(position, through: client) }
                    return results
                }
            }
            for _ in 0..<jobs { rest.popFirst().map(start) }
            while let done = await tasks.next() {
                results.merge(done) { $1 }
                rest.popFirst().map(start)
            }
        }
        return interactions.indices.compactMap { results[$0] }
    }

    private var identical: [[Int]] {
        var groups: [String: [Int]] = [:]
        for (position, interaction) in interactions.enumerated() {
            groups["\(interaction.request)", default: []].append(position)
        }
        return groups.values.sorted { $0[0] < $1[0] }
    }

    private func verified(_ position: Int, through client: LiveClient) async -> VerifiedInteraction {
        let interaction = interactions[position]
        var verified = VerifiedInteraction(number: position + 1, request: interaction.request)
        switch prepared(interaction) {
        case .failure(let reason): (verified.result, verified.reason) = (.skipped, reason.text)
        case .success(let request):
            let outcome = await client.outcome(of: request)
            if case .failure(let failure, _) = outcome, case .response = interaction.outcome {
                (verified.result, verified.reason) = (.failed, client.text(of: failure))
                break
            }
            let live = setting.secrets.redactor(redaction).redact(
                Interaction(request: request, outcome: outcome)
            )
            verified.drifts = Drift.between(interaction.outcome, live.outcome)
            if !verified.drifts.isEmpty { verified.result = .drifted }
        }
        return verified
    }

    // MARK: One request

    private struct Reason: Error { let text: String }

    private func prepared(_ interaction: Interaction) -> Result<Interaction.Request, Reason> {
        let method = interaction.request.method.uppercased()
        func skipped(_ text: String) -> Result<Interaction.Request, Reason> { .failure(Reason(text: text)) }
        if let methods = setting.methods, !methods.contains(method) {
            return skipped("\(method) is not in --only")
        }
        if let obstacle = interaction.obstacle { return skipped("no response to replay: \(obstacle)") }
        if let absence = interaction.request.bodyAbsence { return skipped(absence) }
        guard interaction.request.isSafe || setting.isUnsafe else {
            return skipped("\(method) may change data; to send it, use --unsafe")
        }
        var request = interaction.request
        request.url = setting.url(request.urlWithoutFragment)
        request.headers = headers(of: request)
        guard method != "GET" || request.body?.isEmpty ?? true else {
            return skipped("a GET request with a body cannot be sent")
        }
        guard ["http", "https"].contains(URLParts(request.url).scheme) else {
            return skipped("the URL is not http or https")
        }
        let (filled, missing) = setting.secrets.filling(request)
        guard let first = missing.first else { return .success(filled) }
        return skipped(
            "missing secret \(missing.map(\.text).joined(separator: ", ")); pass it with --secret \(first.secretName)=…"
        )
    }

    private func headers(of request: Interaction.Request) -> HeaderList {
        var headers = request.headers.withoutPseudoFields.withoutConnectionFields
        for field in setting.headers where hasOneServer || headers[field.name] != nil {
            headers[field.name] = field.value
        }
        return headers
    }
}

/// Sends recorded requests to live servers without following redirects.
struct LiveClient: Sendable {
    private let handler: DirectHandler
    private let timeout: Double

    init(timeout: Double) {
        self.timeout = timeout
        var configuration = Stubber.Configuration()
        configuration.passthrough = { _ in true }
        configuration.keepsRequests = false
        let session = URLSessionConfiguration.ephemeral
        session.httpCookieStorage = nil
        session.urlCredentialStorage = nil
        session.httpMaximumConnectionsPerHost = 255
        // Foundation on Linux rounds to whole seconds; the exact limit is applied in `wait(for:)`.
        session.timeoutIntervalForRequest = timeout.rounded(.up) + 1
        configuration.liveSession = session
        handler = DirectHandler(Stubber(stubsOnly: configuration))
    }

    func outcome(of request: Interaction.Request) async -> Interaction.Outcome {
        await withCheckedContinuation { continuation in
            // Waiting blocks a thread, and the concurrency pool has few of them.
            Thread.detachNewThread { continuation.resume(returning: wait(for: handler.ask(request))) }
        }
    }

    func text(of failure: Interaction.Failure) -> String {
        guard failure.domain == NSURLErrorDomain else { return "\(failure.domain) \(failure.code)" }
        return switch failure.code {
        case NSURLErrorTimedOut: "no complete response within \(String(format: "%g", timeout)) s"
        case NSURLErrorCannotFindHost, NSURLErrorDNSLookupFailed: "host not found"
        case NSURLErrorCannotConnectToHost: "could not connect to the server"
        case NSURLErrorNotConnectedToInternet: "no network connection"
        case NSURLErrorNetworkConnectionLost: "the connection was lost"
        case NSURLErrorSecureConnectionFailed, NSURLErrorServerCertificateUntrusted,
            NSURLErrorServerCertificateHasBadDate, NSURLErrorServerCertificateHasUnknownRoot,
            NSURLErrorServerCertificateNotYetValid:
            "could not establish a secure connection (\(failure.code))"
        default: "the request failed (\(failure.domain) \(failure.code))"
        }
    }

    private func wait(for answer: DirectAnswer) -> Interaction.Outcome {
        var response = Interaction.Response()
        var data = Data()
        func take(_ parts: [AnswerPart]) -> Interaction.Outcome? {
            for part in parts {
                switch part {
                case .whole(let whole): return .response(whole)
                case .head(let head): response = head
                case .piece(let piece): data += piece
                case .end:
                    response.body = Interaction.Body(data)
                    return .response(response)
                case .failure(let failure): return .failure(failure, after: nil)
                case .refusal(let miss): return .failure(Interaction.Failure(miss), after: nil)
                }
            }
            return nil
        }
        switch answer {
        case .given(let part, _):
            return take([part]) ?? .failure(Interaction.Failure(code: NSURLErrorUnknown), after: nil)
        case .coming(let exchange):
            let deadline = Deadline(after: timeout)
            while !deadline.isOver {
                let rest = max(0.001, deadline.rest / .seconds(1))
                if let outcome = take(exchange.takeParts(within: rest)) { return outcome }
            }
            exchange.cancel()
            // A stream of events may never end, so the events received so far are enough.
            guard response.headers["Content-Type"]?.hasPrefix("text/event-stream") ?? false else {
                return .failure(Interaction.Failure(code: NSURLErrorTimedOut), after: nil)
            }
            response.body = Interaction.Body(data)
            return .response(response)
        }
    }
}
