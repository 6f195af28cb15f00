import Foundation

/// Work that the end of a test waits for.
///
/// A token represents each piece of work. It ends the work exactly once: in `end()`, or when it is released.
package final class PendingWork: Sendable {
    package enum Kind: Sendable {
        /// A request that has no decision yet, or is being recorded.
        case request
        case callback
    }

    package final class Token: @unchecked Sendable {
        // Sound as @unchecked Sendable: `hasEnded` is read and written only while the lock of `work` is held.
        fileprivate let work: PendingWork
        fileprivate let kind: Kind
        fileprivate var hasEnded = false

        fileprivate init(_ kind: Kind, of work: PendingWork) {
            self.kind = kind
            self.work = work
        }

        deinit { end() }

        /// Ends the work; only the first call counts.
        package func end() { work.end(self) }
    }

    private struct Waiter: Sendable {
        /// `nil` for all kinds.
        let kind: Kind?
        let resume: @Sendable () -> Void
    }

    private struct State: Sendable {
        var requests = 0
        /// The number of requests without a token.
        var announced = 0
        var callbacks = 0
        var waiters: [Int: Waiter] = [:]
        var lastWaiter = 0

        mutating func add(_ change: Int, to kind: Kind) {
            switch kind {
            case .request: requests += change
            case .callback: callbacks += change
            }
        }

        func isDone(_ kind: Kind?) -> Bool { callbacks == 0 && (kind == .callback || requests == 0) }

        /// Removes the waiters whose work has ended.
        mutating func takeDue() -> [Waiter] {
            guard !waiters.isEmpty else { return [] }
            let due = waiters.filter { isDone($0.value.kind) }
            for number in due.keys { waiters[number] = nil }
            return Array(due.values)
        }
    }

    private let state = Locked(State())

    package func begin(_ kind: Kind = .request) -> Token {
        state.withLock { $0.add(1, to: kind) }
        return Token(kind, of: self)
    }

    /// Counts a request before its token exists. ``beginAnnounced()`` creates the token; without it, a wait forgets the request
    /// after ``announcementLimit``.
    ///
    /// On Linux, Foundation accepts a task on the thread that resumes it. It creates the protocol, which holds the token,
    /// only after it has searched the session's cache on another queue. A test may end in between.
    package func announce() {
        let isAwaited = state.withLock { state in
            state.requests += 1
            state.announced += 1
            return !state.waiters.isEmpty
        }
        // Those that wait already looked for announced requests when they began.
        if isAwaited { expireAnnouncements() }
    }

    /// How long a wait includes an announced request that does not begin, as Foundation may only ask and not load.
    private static let announcementLimit = DispatchTimeInterval.seconds(1)

    /// Forgets announced requests that do not begin in time.
    private func expireAnnouncements() {
        guard state.withLock({ $0.announced > 0 }) else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.announcementLimit) { [self] in
            let due = state.withLock { state -> [Waiter] in
                state.requests -= state.announced
                state.announced = 0
                return state.takeDue()
            }
            for waiter in due { waiter.resume() }
        }
    }

    /// Begins an announced request, or a new one if none was announced.
    package func beginAnnounced() -> Token {
        state.withLock { state in
            if state.announced > 0 { state.announced -= 1 } else { state.requests += 1 }
        }
        return Token(.request, of: self)
    }

    private func end(_ token: Token) {
        let due = state.withLock { state -> [Waiter] in
            guard !token.hasEnded else { return [] }
            token.hasEnded = true
            state.add(-1, to: token.kind)
            return state.takeDue()
        }
        for waiter in due { waiter.resume() }
    }

    package var isDone: Bool { state.withLock { $0.isDone(nil) } }

    /// Calls back once when no work of a kind is pending.
    private func whenDone(_ kind: Kind?, _ resume: @escaping @Sendable () -> Void) -> Int? {
        let number = state.withLock { state -> Int? in
            guard !state.isDone(kind) else { return nil }
            state.lastWaiter += 1
            state.waiters[state.lastWaiter] = Waiter(kind: kind, resume: resume)
            return state.lastWaiter
        }
        if number == nil { resume() } else { expireAnnouncements() }
        return number
    }

    /// Calls a waiter back while work is pending, unless it was called before.
    private func stopWaiting(_ number: Int) {
        state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
    }

    // MARK: Waiting

    /// Waits until nothing is pending, or until a deadline.
    package func wait(before deadline: Deadline) async {
        await withCheckedContinuation { continuation in
            guard let number = whenDone(nil, { continuation.resume() }) else { return }
            DispatchQueue.global().asyncAfter(deadline: .now() + deadline.rest / .seconds(1)) {
                self.stopWaiting(number)
            }
        }
    }

    /// Waits on the calling thread until no work of a kind is pending, or until a deadline.
    package func wait(
        for kind: Kind? = nil,
        before deadline: Deadline,
        spending pass: (_ rest: TimeInterval) -> Bool = { _ in false }
    ) {
        let done = DispatchSemaphore(value: 0)
        let isMain = Thread.isMainThread
        func register() -> Int? {
            whenDone(kind) {
                done.signal()
                // A block on the main queue wakes the main run loop.
                if isMain { DispatchQueue.main.async {} }
            }
        }
        var number = register()
        while let waiter = number, case let rest = deadline.rest / .seconds(1), rest > 0 {
            if !pass(rest) { _ = done.wait(timeout: .now() + rest) }
            // Called back, it no longer waits. Other work may have begun since then, and only a new waiter hears of its end.
            if state.withLock({ $0.waiters[waiter] == nil }) { number = register() }
        }
        if let number { stopWaiting(number) }
    }
}
