import Foundation
import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The events of one task, in the order in which the delegate and the caller received them.
///
/// A delegate and an async caller use different queues, so each has its own list.
package final class Transcript: Sendable {
    private struct State: Sendable {
        var delegate: [String] = []
        var caller: [String] = []
        var end: CheckedContinuation<Void, Never>?
        var isOver = false
    }

    private let state = Locked(State())

    /// Creates an empty transcript.
    package init() {}

    /// Notes a callback of the delegate. `merging` may combine it with the last one, for example for chunks of a body.
    package func note(_ event: String, merging: ((String) -> String?)? = nil) {
        state.withLock { state in
            if let last = state.delegate.last, let merged = merging?(last) {
                state.delegate[state.delegate.count - 1] = merged
            } else {
                state.delegate.append(event)
            }
        }
    }

    /// Notes what the caller received or can read.
    package func noteCaller(_ event: String) {
        state.withLock { $0.caller.append(event) }
    }

    /// The callbacks of the delegate.
    package var delegateEvents: [String] { state.withLock { $0.delegate } }

    /// All lines.
    package var lines: [String] {
        state.withLock { state in
            state.delegate.map { "delegate: \($0)" } + state.caller.map { "caller: \($0)" }
        }
    }

    /// Notes that the task has ended.
    package func end() {
        let waiting = state.withLock { state in
            state.isOver = true
            defer { state.end = nil }
            return state.end
        }
        waiting?.resume()
    }

    /// Waits for the end, at most the given number of seconds.
    /// - Returns: Whether the task ended.
    package func waitForEnd(atMost seconds: Double = 10) async -> Bool {
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [self] in
            let waiting = state.withLock { state in
                defer { state.end = nil }
                return state.end
            }
            waiting?.resume()
        }
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.end = continuation }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
        return state.withLock { $0.isOver }
    }

    /// Notes the properties of a finished task.
    package func note(_ task: URLSessionTask) async {
        for _ in 0..<150 where task.state != .completed { try? await Task.sleep(nanoseconds: 2_000_000) }
        let counts = [
            task.countOfBytesSent, task.countOfBytesExpectedToSend, task.countOfBytesReceived,
            task.countOfBytesExpectedToReceive,
        ]
        noteCaller("state \(task.state.rawValue)")
        noteCaller("error \(Description.of(task.error))")
        noteCaller("response \(Description.of(task.response))")
        noteCaller("counts \(counts)")
        noteCaller("original \(Description.of(task.originalRequest))")
        noteCaller("current \(Description.of(task.currentRequest))")
    }
}

/// A delegate that notes every callback with its arguments.
package final class TranscribingDelegate: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
    /// The decisions and actions of the delegate.
    package struct Behavior: Sendable {
        /// The request to follow a redirect with; the one proposed by default.
        package var redirect: @Sendable (URLRequest) -> URLRequest? = { $0 }
        /// The answers to challenges, in order; the last is repeated.
        package var challenges: [@Sendable (URLAuthenticationChallenge) -> ChallengeAnswer] = []
        /// The stream of a streamed upload.
        package var stream: (@Sendable () -> InputStream?)?
        /// Called for each response.
        package var onResponse: (@Sendable (URLSessionTask) -> Void)?
        /// Called for each chunk of the body.
        package var onData: (@Sendable (URLSessionTask) -> Void)?

        /// Creates the behavior of a delegate that accepts everything.
        package init() {}
    }

    /// The answer to a challenge.
    package typealias ChallengeAnswer = (URLSession.AuthChallengeDisposition, URLCredential?)

    private let behavior: Behavior
    private let transcript: Transcript
    private let total = Locked(0)
    private let challengeCount = Locked(0)

    /// Creates a delegate that notes into a transcript.
    package init(_ transcript: Transcript, _ behavior: Behavior = Behavior()) {
        self.transcript = transcript
        self.behavior = behavior
    }

    package func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        transcript.note("response \(Description.of(response))")
        completionHandler(.allow)
        behavior.onResponse?(dataTask)
    }

    package func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isSmall = data.count < 4096 && total.withLock { $0 < 4096 }
        total.withLock { $0 += data.count }
        if isSmall {
            transcript.note("data \(Description.of(data))")
        } else {
            // The network determines how a large body is divided.
            let event = "data from \(data.startIndex), in pieces"
            transcript.note(event) { $0 == event ? event : nil }
        }
        behavior.onData?(dataTask)
    }

    package func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        transcript.note("redirect \(Description.of(response)) to \(Description.of(request))")
        completionHandler(behavior.redirect(request))
    }

    package func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let space = challenge.protectionSpace
        transcript.note(
            "challenge \(space.authenticationMethod) \(space.protocol ?? "nil")://\(space.host) "
                + "realm \(space.realm ?? "nil") after \(challenge.previousFailureCount), "
                + "proposed \(challenge.proposedCredential?.user ?? "nil"), error \(Description.of(challenge.error)), "
                + "response \(Description.of(challenge.failureResponse))"
        )
        let position = challengeCount.withLock { count in
            defer { count += 1 }
            return count
        }
        guard let last = behavior.challenges.indices.last else {
            return completionHandler(.performDefaultHandling, nil)
        }
        let (disposition, credential) = behavior.challenges[min(position, last)](challenge)
        completionHandler(disposition, credential)
    }

    package func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        transcript.note("stream wanted")
        completionHandler(behavior.stream?())
    }

    package func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        if totalBytesExpectedToSend < 4096 {
            transcript.note("sent \(bytesSent), \(totalBytesSent) of \(totalBytesExpectedToSend)")
        } else {
            // The platform determines how a large upload is divided.
            let event = "sent in pieces, \(totalBytesSent == totalBytesExpectedToSend ? "all" : "not all")"
            transcript.note(event) { $0.hasPrefix("sent in pieces") ? event : nil }
        }
    }

    package func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        if totalBytesWritten < 4096 {
            transcript.note("wrote \(bytesWritten), \(totalBytesWritten) of \(totalBytesExpectedToWrite)")
        } else {
            transcript.note("wrote in pieces") { $0.hasPrefix("wrote") ? "wrote in pieces" : nil }
        }
        behavior.onData?(downloadTask)
    }

    package func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        transcript.note("file \(Description.of(try? Data(contentsOf: location)))")
    }

    package func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        transcript.note("complete \(Description.of(error)), state \(task.state.rawValue)")
        transcript.end()
    }
}
