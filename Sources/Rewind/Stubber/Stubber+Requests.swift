import Foundation

extension Stubber {
    /// The requests it was asked about, in order, as the app made them with the header fields of their session.
    ///
    /// Whatever the answer was; each hop of a redirect is one.
    public var requests: [Request] { requestLog.requests }

    /// Waits until so many requests that satisfy a condition were made, those before the call included.
    ///
    /// ```swift
    /// viewModel.refresh()
    /// let request = try await stubber.waitForRequests(.get("https://api.example.com/users"))[0]
    /// ```
    /// - Parameters:
    ///   - condition: What the requests have to satisfy.
    ///   - count: Their number; one by default.
    ///   - limit: How long to wait at most; a minute by default, as a task may wait long for its turn where many
    ///     tests run at once.
    /// - Returns: The requests that were waited for.
    /// - Throws: ``MissingRequests`` when the time is over or the waiting task is cancelled.
    @discardableResult
    public func waitForRequests(
        _ condition: Condition,
        count: Int = 1,
        within limit: Duration = .seconds(60)
    ) async throws -> [Request] {
        guard count > 0 else { return [] }
        let awaited = AwaitedRequests(count: count)
        let watch = requestLog.watch(condition, awaited.add)
        let timer = Task {
            try await Task.sleep(for: limit)
            awaited.end()
        }
        defer {
            timer.cancel()
            requestLog.stopWatching(watch)
        }
        let requests = await awaited.all()
        guard requests.count < count else { return requests }
        throw missing(condition, count, requests)
    }

    /// Calls back for each request that satisfies a condition, for those before the call at once.
    package func watchRequests(_ condition: Condition, _ receive: @escaping @Sendable (Request) -> Void) {
        _ = requestLog.watch(condition, receive)
    }

    private func missing(_ condition: Condition, _ count: Int, _ requests: [Request]) -> MissingRequests {
        let redactor = redactor
        return MissingRequests(
            condition: condition,
            expectedCount: count,
            requests: requests.map(redactor.redact),
            others: self.requests.compactMap { request in
                condition.mismatch(with: ConditionSubject(request)).map { (redactor.redact(request), $0) }
            }
        )
    }
}
