import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One live request, which can be cancelled.
final class LiveExchange: Sendable {
    private let url: URL?
    private let body: LiveBody
    private let queue: DispatchQueue
    private let receive: @Sendable (LiveEvent) -> Void
    private let state = Locked(State())

    private struct State: Sendable {
        var task: URLSessionTask?
        var isCancelled = false
        var isChallenged = false
        var hasHead = false
    }

    init(
        of url: URL?,
        sending body: LiveBody,
        queue: DispatchQueue,
        receive: @escaping @Sendable (LiveEvent) -> Void
    ) {
        self.url = url
        self.body = body
        self.queue = queue
        self.receive = receive
    }

    func start(_ task: URLSessionTask) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        task.resume()
        if isCancelled { task.cancel() }
    }

    /// Ends the request; its last event is then the cancellation.
    func cancel() {
        queue.async { [state] in
            let task = state.withLock { state in
                state.isCancelled = true
                return state.task
            }
            task?.cancel()
        }
    }

    /// Sends a response that the platform did not announce: on Linux, one like a redirect that leads nowhere.
    func sendHeadIfMissing(_ response: Response) {
        guard !state.withLock({ $0.hasHead }) else { return }
        // Its body is lost in Foundation, and a length would promise one.
        var response = response
        response.headers.removeAll(named: "Content-Length")
        send(.head(response))
    }

    func send(_ event: LiveEvent) {
        if case .head = event { state.withLock { $0.hasHead = true } }
        receive(event)
    }

    /// Says that the request has ended.
    func end(_ error: (any Error)?) {
        let (isCancelled, isChallenged) = state.withLock { ($0.isCancelled, $0.isChallenged) }
        // The inner session gives up a challenge by cancelling; what had come by then is the whole answer.
        if isChallenged, !isCancelled { return receive(.end(nil)) }
        receive(.end(error.map { isCancelled ? .cancellation : Failure($0, ofRequestTo: url) }))
    }

    /// A stream of the body that is sent.
    var newBodyStream: InputStream? {
        switch body {
        case .inRequest: nil
        case .stream(let data), .upload(let data), .streamedUpload(let data): InputStream(data: data)
        }
    }

    func giveUpChallenge() {
        state.withLock { $0.isChallenged = true }
    }
}
