import Foundation
import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A delegate that records all callbacks of a session.
package final class TaskObserver: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
    /// The decisions of the delegate.
    package struct Answers: Sendable {
        /// The request to follow a redirect with; the one proposed by default.
        package var redirect: @Sendable (URLRequest) -> URLRequest? = { $0 }
        /// The credential to answer a challenge with; none by default.
        package var credential: URLCredential?
        /// How many times the credential is used before the default handling.
        package var attempts = 1
        /// The stream of a streamed upload.
        package var stream: (@Sendable () -> InputStream)?

        /// Creates the default decisions.
        package init() {}
    }

    private struct State: Sendable {
        var events: [String] = []
        var body = Data()
        var response: URLResponse?
        var file: Data?
        var continuation: CheckedContinuation<Void, Never>?
        var error: (any Error)?
        var isComplete = false
    }

    private let answers: Answers
    private let state = Locked(State())
    private let onData: (@Sendable (URLSessionTask) -> Void)?

    /// Creates an observer.
    package init(_ answers: Answers = Answers(), onData: (@Sendable (URLSessionTask) -> Void)? = nil) {
        self.answers = answers
        self.onData = onData
    }

    /// The callbacks, in order.
    package var events: [String] { state.withLock { $0.events } }

    /// Starts a task and waits for its end.
    package func outcome(of task: URLSessionTask) async -> Outcome {
        await withCheckedContinuation { continuation in
            let isComplete = state.withLock { state in
                state.continuation = continuation
                return state.isComplete
            }
            if isComplete { continuation.resume() } else { task.resume() }
        }
        return state.withLock { Outcome($0.file ?? $0.body, $0.response ?? task.response, $0.error) }
    }

    private func note(_ event: String) {
        state.withLock { $0.events.append(event) }
    }

    package func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        state.withLock { $0.response = response }
        note("response \((response as? HTTPURLResponse)?.statusCode ?? 0)")
        completionHandler(.allow)
    }

    package func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        state.withLock { $0.body += data }
        note("data \(data.count)")
        onData?(dataTask)
    }

    package func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        note("redirect \(response.statusCode) \(request.httpMethod ?? "") \(request.url?.path ?? "")")
        completionHandler(answers.redirect(request))
    }

    package func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let space = challenge.protectionSpace
        note("challenge \(space.realm ?? "") after \(challenge.previousFailureCount)")
        if let credential = answers.credential, challenge.previousFailureCount < answers.attempts {
            completionHandler(.useCredential, credential)
        } else {
            completionHandler(.performDefaultHandling, nil)
        }
    }

    package func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        note("stream")
        completionHandler(answers.stream?())
    }

    package func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        note("sent \(bytesSent) \(totalBytesSent)/\(totalBytesExpectedToSend)")
    }

    package func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        note("wrote \(bytesWritten) \(totalBytesWritten)/\(totalBytesExpectedToWrite)")
    }

    package func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        let file = try? Data(contentsOf: location)
        state.withLock { $0.file = file }
        note("file \(file?.count ?? -1)")
    }

    package func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        note(error.map { "failed \(($0 as NSError).code)" } ?? "complete")
        let continuation = state.withLock { state in
            state.error = error
            state.isComplete = true
            return state.continuation
        }
        continuation?.resume()
    }
}
