import Foundation
import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Asks servers what was asked of them before, and follows no redirect.
struct LiveClient: Sendable {
    private let door: DirectDoor
    private let timeout: Double

    /// Creates a client.
    /// - Parameter timeout: How many seconds an answer may take.
    init(timeout: Double) {
        self.timeout = timeout
        var configuration = Configuration()
        configuration.passthrough = { _ in true }
        configuration.keepsRequests = false
        let session = URLSessionConfiguration.ephemeral
        session.httpCookieStorage = nil
        session.urlCredentialStorage = nil
        session.httpMaximumConnectionsPerHost = 255
        // Foundation on Linux counts whole seconds, and the end of an answer is waited for here anyway.
        session.timeoutIntervalForRequest = timeout.rounded(.up) + 1
        configuration.liveSession = session
        door = DirectDoor(Stubber(stubsOnly: configuration))
    }

    /// Asks, and waits for the whole answer.
    func outcome(of request: Request) async -> Interaction.Outcome {
        await withCheckedContinuation { continuation in
            // The parts of an answer are waited for on a thread, of which the concurrency pool has few.
            Thread.detachNewThread { continuation.resume(returning: wait(for: door.ask(request))) }
        }
    }

    /// A failure in words that are the same on every platform.
    func text(of failure: Failure) -> String {
        guard failure.domain == NSURLErrorDomain else { return "\(failure.domain) \(failure.code)" }
        return switch failure.code {
        case NSURLErrorTimedOut: "no whole answer within \(String(format: "%g", timeout)) s"
        case NSURLErrorCannotFindHost, NSURLErrorDNSLookupFailed: "the host cannot be found"
        case NSURLErrorCannotConnectToHost: "the server cannot be reached"
        case NSURLErrorNotConnectedToInternet: "there is no network"
        case NSURLErrorNetworkConnectionLost: "the connection was lost"
        case NSURLErrorSecureConnectionFailed, NSURLErrorServerCertificateUntrusted,
            NSURLErrorServerCertificateHasBadDate, NSURLErrorServerCertificateHasUnknownRoot,
            NSURLErrorServerCertificateNotYetValid:
            "no secure connection can be made (\(failure.code))"
        default: "the request failed (\(failure.domain) \(failure.code))"
        }
    }

    private func wait(for answer: DirectAnswer) -> Interaction.Outcome {
        var response = Response()
        var data = Data()
        func take(_ parts: [AnswerPart]) -> Interaction.Outcome? {
            for part in parts {
                switch part {
                case .whole(let whole): return .response(whole)
                case .head(let head): response = head
                case .piece(let piece): data += piece
                case .end:
                    response.body = Body(data)
                    return .response(response)
                case .failure(let failure): return .failure(failure, after: nil)
                case .refusal(let miss): return .failure(Failure(miss), after: nil)
                }
            }
            return nil
        }
        switch answer {
        case .given(let part, _): return take([part]) ?? .failure(Failure(code: NSURLErrorUnknown), after: nil)
        case .coming(let exchange):
            let deadline = Deadline(after: timeout)
            while !deadline.isOver {
                let rest = max(0.001, deadline.rest / .seconds(1))
                if let outcome = take(exchange.takeParts(within: rest)) { return outcome }
            }
            exchange.cancel()
            // A stream of events has no end, and what came of it is as good as all.
            guard response.headers["Content-Type"]?.hasPrefix("text/event-stream") ?? false else {
                return .failure(Failure(code: NSURLErrorTimedOut), after: nil)
            }
            response.body = Body(data)
            return .response(response)
        }
    }
}
