import Foundation

/// A request to the stubber, whose expensive parts are computed on demand.
///
/// Header fields cost more than the rest of a request, and redaction costs even more. Each is computed at most once.
package final class IncomingRequest: Sendable {
    fileprivate struct State: Sendable {
        /// Adds the header fields; `nil` after it was called.
        var complete: (@Sendable () -> Interaction.Request)?
        var full: Interaction.Request?
        var redacted: Interaction.Request?
        var redactedFull: Interaction.Request?
        var stage = Stage.unlogged
        var delivery: Delivery?
    }

    /// The end of an answer. It counts after the app's callbacks, which run on a queue.
    fileprivate struct Delivery: Sendable {
        let callbackQueue: @Sendable () -> OperationQueue?
    }

    fileprivate enum Stage: Sendable {
        case unlogged
        case logged
        /// Waiters are notified.
        case announced
    }

    /// The parts of the request that are available without cost.
    package let light: Interaction.Request
    private let state: Locked<State>

    /// Whether the platform would refuse the scheme of its URL. Other clients have schemes of their own, such as `http+unix`.
    let hasUnsupportedScheme: Bool

    package init(
        _ light: Interaction.Request,
        inAnyScheme: Bool = false,
        complete: (@Sendable () -> Interaction.Request)? = nil
    ) {
        self.light = light
        hasUnsupportedScheme = !inAnyScheme && AppScheme.isUsed(by: light.url)
        state = Locked(State(complete: complete, full: complete == nil ? light : nil))
    }

    var full: Interaction.Request { state.withLock { $0.completed(light) } }

    /// Nothing is locked while it is redacted, as a closure of the test may find secrets.
    func redacted(by redactor: Redactor, full isFull: Bool) -> Interaction.Request {
        let known = state.withLock { isFull ? $0.redactedFull : $0.redacted }
        if let known { return known }
        let request = redactor.redact(isFull ? full : light)
        state.withLock { state in
            // Nobody needs it after the announcement, and its body may be large.
            guard state.stage != .announced else { return }
            if isFull { state.redactedFull = request } else { state.redacted = request }
        }
        return request
    }

    fileprivate var stage: Stage { state.withLock { $0.stage } }
    fileprivate var delivery: Delivery? { state.withLock { $0.delivery } }
    fileprivate func note(_ delivery: Delivery) { state.withLock { $0.delivery = delivery } }

    fileprivate func note(_ stage: Stage) {
        state.withLock { state in
            state.stage = stage
            if stage == .announced { (state.redacted, state.redactedFull) = (nil, nil) }
        }
    }
}

extension IncomingRequest.State {
    fileprivate mutating func completed(_ light: Interaction.Request) -> Interaction.Request {
        if let full { return full }
        let request = complete?() ?? light
        full = request
        complete = nil
        return request
    }
}

final class RequestLog: Sendable {
    /// What a watch waits for.
    enum Event: Sendable {
        case request
        /// The app received the answer, or the error.
        case answer
    }

    private struct Watch: Sendable {
        let event: Event
        let condition: RequestCondition
        /// Runs the closure of a condition, one request after the other; `nil` if it has none.
        let callBack: (@Sendable (@escaping @Sendable () -> Void) -> Void)?
        let receive: @Sendable (Interaction.Request) -> Void

        /// A request with an answer counts after the app's callbacks for it have returned.
        func take(_ request: IncomingRequest) {
            let full = request.full
            let match: @Sendable () -> Void = { if condition.matches(full) { receive(full) } }
            let take: @Sendable () -> Void = { if let callBack { callBack(match) } else { match() } }
            guard event == .answer, let queue = request.delivery?.callbackQueue() else { return take() }
            queue.addBarrierBlock(take)
        }
    }

    private struct State: Sendable {
        var requests: [IncomingRequest] = []
        var watches: [UUID: Watch] = [:]
    }

    private let state = Locked(State())

    /// ``announce(_:)`` notifies the waiters.
    func add(_ request: IncomingRequest) {
        state.withLock { state in
            request.note(.logged)
            state.requests.append(request)
        }
    }

    /// Notifies the waiters if the request is in the log.
    func announce(_ request: IncomingRequest) {
        guard request.stage == .logged else { return }
        let watches = state.withLock { state in
            // While the log is locked, so that a new watcher is notified exactly once.
            request.note(.announced)
            let isAnswered = request.delivery != nil
            return state.watches.values.filter { $0.event == .request || isAnswered }
        }
        for watch in watches { watch.take(request) }
    }

    /// Notifies those that wait for the answer of a request, once the request is announced.
    /// - Parameters:
    ///   - request: The request.
    ///   - callbackQueue: Returns the queue of the app's callbacks; `nil` if there are none, or they have returned.
    func noteAnswer(
        to request: IncomingRequest,
        callbackQueue: @escaping @Sendable () -> OperationQueue? = { nil }
    ) {
        let watches = state.withLock { state -> [Watch] in
            guard request.stage != .unlogged, request.delivery == nil else { return [] }
            request.note(IncomingRequest.Delivery(callbackQueue: callbackQueue))
            return request.stage == .announced ? state.watches.values.filter { $0.event == .answer } : []
        }
        for watch in watches { watch.take(request) }
    }

    var requests: [Interaction.Request] { state.withLock { $0.requests }.map(\.full) }

    /// Reports each request that matches a condition: those so far at once, the others when they are made or answered.
    func watch(
        _ event: Event,
        _ condition: RequestCondition,
        callingBack callBack: (@Sendable (@escaping @Sendable () -> Void) -> Void)? = nil,
        _ receive: @escaping @Sendable (Interaction.Request) -> Void
    ) -> UUID {
        let id = UUID()
        let watch = Watch(event: event, condition: condition, callBack: callBack, receive: receive)
        let before = state.withLock { state in
            state.watches[id] = watch
            return state.requests.filter {
                $0.stage == .announced && (event == .request || $0.delivery != nil)
            }
        }
        for request in before { watch.take(request) }
        return id
    }

    /// The requests that match a condition and have no answer yet.
    func unanswered(_ condition: RequestCondition) -> [Interaction.Request] {
        let open = state.withLock { $0.requests }.filter { $0.delivery == nil }
        return open.map(\.full).filter(condition.matches)
    }

    func stopWatching(_ id: UUID) { state.withLock { _ = $0.watches.removeValue(forKey: id) } }
}

extension Stubber {
    /// The requests in order, as the app made them, with the header fields of their session and with secrets.
    ///
    /// It contains every request, however it was answered, and each hop of a redirect.
    public var requests: [Interaction.Request] { requestLog.requests }

    /// Waits until the app has made requests that match a condition. Requests before the call count.
    ///
    /// ```swift
    /// viewModel.refresh()
    /// let request = try await stubber.waitForRequests(.get("https://api.example.com/users"))[0]
    /// ```
    /// - Parameters:
    ///   - condition: The condition.
    ///   - count: The number of requests; 1 by default.
    ///   - limit: The longest time to wait; one minute by default, as a task may have to wait long when many tests run.
    /// - Returns: The first `count` matching requests.
    /// - Throws: ``MissingRequestsError`` if there are fewer requests after that time, or the waiting task is cancelled.
    @discardableResult
    public func waitForRequests(
        _ condition: RequestCondition,
        count: Int = 1,
        within limit: Duration = .seconds(60)
    ) async throws -> [Interaction.Request] {
        try await wait(for: .request, condition, count, limit)
    }

    /// Waits until the app has received the answers to requests that match a condition. Answers before the call count.
    ///
    /// An error is an answer too; the cancellation of a request is not. A redirect is answered when the app follows it.
    ///
    /// ```swift
    /// viewModel.refresh()
    /// try await stubber.waitForAnswers(.get("https://api.example.com/users"))
    /// ```
    ///
    /// On Linux, the completion handler or the last callback of the delegate has returned by then. On Apple platforms, it
    /// may still run. An async call has its answer, and the code after it is about to run.
    /// - Parameters:
    ///   - condition: The condition that the requests must satisfy.
    ///   - count: The number of answers; 1 by default.
    ///   - limit: The longest time to wait; one minute by default, as a task may have to wait long when many tests run.
    /// - Returns: The first `count` requests whose answers were reported.
    /// - Throws: ``MissingRequestsError`` if there are fewer answers after that time, or the waiting task is cancelled.
    @discardableResult
    public func waitForAnswers(
        _ condition: RequestCondition,
        count: Int = 1,
        within limit: Duration = .seconds(60)
    ) async throws -> [Interaction.Request] {
        try await wait(for: .answer, condition, count, limit)
    }

    private func wait(
        for event: RequestLog.Event,
        _ condition: RequestCondition,
        _ count: Int,
        _ limit: Duration
    ) async throws -> [Interaction.Request] {
        guard count > 0 else { return [] }
        let (stream, awaited) = AsyncStream.makeStream(of: Interaction.Request.self)
        let watch = watch(event, condition) { awaited.yield($0) }
        let timer = Task {
            try await Task.sleep(for: limit)
            awaited.finish()
        }
        defer {
            timer.cancel()
            requestLog.stopWatching(watch)
        }
        var requests: [Interaction.Request] = []
        for await request in stream {
            requests.append(request)
            if requests.count == count { return requests }
        }
        throw missing(event, condition, count, requests)
    }

    package func watchRequests(
        _ condition: RequestCondition,
        _ receive: @escaping @Sendable (Interaction.Request) -> Void
    ) {
        _ = watch(.request, condition, receive)
    }

    /// A closure of the condition runs on a queue of its own, in the order of the requests.
    private func watch(
        _ event: RequestLog.Event,
        _ condition: RequestCondition,
        _ receive: @escaping @Sendable (Interaction.Request) -> Void
    ) -> UUID {
        guard condition.hasCallbacks else { return requestLog.watch(event, condition, receive) }
        let queue = DispatchQueue(label: "rewind.condition")
        let callBack = { @Sendable [weak self] (take: @escaping @Sendable () -> Void) in
            if let self { notify(on: queue, take) }
        }
        return requestLog.watch(event, condition, callingBack: callBack, receive)
    }

    package func watchAnswers(
        _ condition: RequestCondition,
        _ receive: @escaping @Sendable (Interaction.Request) -> Void
    ) {
        _ = watch(.answer, condition, receive)
    }

    private func missing(
        _ event: RequestLog.Event,
        _ condition: RequestCondition,
        _ count: Int,
        _ requests: [Interaction.Request]
    ) -> MissingRequestsError {
        let redactor = redactor
        func shown(_ request: Interaction.Request) -> Interaction.Request {
            printable(redactor.redact(request))
        }
        return MissingRequestsError(
            condition: condition,
            expectedCount: count,
            requests: requests.map(shown),
            unanswered: event == .answer ? requestLog.unanswered(condition).map(shown) : nil,
            others: self.requests.compactMap { request in
                condition.mismatch(with: ConditionSubject(request)).map { (shown(request), printable($0)) }
            }
        )
    }
}

/// Expected requests that were not made in time.
public struct MissingRequestsError: Error, Sendable {
    /// The condition that the requests must satisfy.
    package let condition: RequestCondition
    /// The number of expected requests.
    package let expectedCount: Int
    /// The requests that satisfy the condition, redacted.
    public let requests: [Interaction.Request]
    /// The requests that satisfy the condition and have no answer yet; `nil` if only the requests were expected.
    package var unanswered: [Interaction.Request]?
    /// The other requests of the test, redacted, each with what does not satisfy the condition.
    package let others: [(request: Interaction.Request, mismatch: String)]
}

extension MissingRequestsError: LocalizedError, CustomStringConvertible {
    /// The expected requests, and the requests that were made instead.
    public var description: String { message }

    /// The expected requests, and the requests that were made instead.
    public var errorDescription: String? {
        let thing = unanswered == nil ? "request" : "answer"
        let expected = expectedCount == 1 ? "1 \(thing)" : "\(expectedCount) \(thing)s"
        let lines = others.suffix(8).map { "\n  \("\($0.request)".shortened()) (\($0.mismatch))" }
        let rest = others.isEmpty ? " No other request was made." : " Other requests:" + lines.joined()
        guard let unanswered else {
            return "Expected \(expected) matching \(condition), but received \(requests.count).\(rest)"
        }
        let open = unanswered.suffix(8).map { "\n  \("\($0)".shortened())" }.joined()
        let waiting = open.isEmpty ? "" : " These requests have no answer yet:" + open
        let received = "but the app received \(requests.count)."
        return "Expected \(expected) to requests matching \(condition), \(received)\(waiting)"
            + (open.isEmpty ? rest : "")
    }

    /// How to fix it.
    public var recoverySuggestion: String? {
        if unanswered?.isEmpty == false {
            return "Wait longer with `within:`. A request that the app cancels never has an answer."
        }
        return others.isEmpty
            ? "Check that the code makes the request, or wait longer with `within:`."
            : "Change the condition so that it matches one of these requests, or wait longer with `within:`."
    }
}
