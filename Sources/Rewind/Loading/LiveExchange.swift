import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One live request, which can be cancelled.
final class LiveExchange: Sendable {
    private let queue: DispatchQueue
    private let receive: @Sendable (LiveEvent) -> Void
    private let state = Locked(State())

    private struct State: Sendable {
        var task: URLSessionTask?
        var isCancelled = false
        var isChallenged = false
        var hasHead = false
    }

    init(queue: DispatchQueue, receive: @escaping @Sendable (LiveEvent) -> Void) {
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
        // The inner session gives up a challenge by cancelling; what had come by then is the whole answer.
        if case .end = event, state.withLock({ $0.isChallenged && !$0.isCancelled }) {
            return receive(.end(nil))
        }
        receive(event)
    }

    func giveUpChallenge() {
        state.withLock { $0.isChallenged = true }
    }
}
