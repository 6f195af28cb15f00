import Foundation
import Rewind

/// What a connection is doing, by which the server finds one to end if there is no room for another.
final class ConnectionActivity: Sendable {
    private enum State: Sendable {
        /// Waits for the client, which has sent nothing since this time.
        case idle(since: ContinuousClock.Instant)
        /// A request is being read or answered.
        case other
        case receiving(since: ContinuousClock.Instant, count: Int)
        case sending(since: ContinuousClock.Instant)
        /// The server has disconnected the client.
        case over(Worth.Kind)
    }

    private let state = Locked(State.other)

    /// No request is being read or answered.
    func idle(since start: ContinuousClock.Instant) { change(to: .idle(since: start)) }

    /// Something arrived, or it was read.
    func endWait() { change(to: .other) }

    /// A part of a request has arrived, and the rest has not.
    func received(_ count: Int) {
        state.withLock { state in
            if case .over = state { return }
            if case .receiving(let start, let former) = state {
                state = .receiving(since: start, count: former + count)
            } else {
                state = .receiving(since: .now, count: count)
            }
        }
    }

    func send(_ body: () throws -> Void) rethrows {
        change(to: .sending(since: .now))
        defer { change(to: .other) }
        try body()
    }

    /// Ends the connection because another client needs its place; `false` if it does something else by now.
    func giveUp(as kind: Worth.Kind) -> Bool {
        state.withLock { state in
            switch (state, kind) {
            case (.receiving, .sending), (.sending, .reading), (.idle, .idle):
                state = .over(kind)
                return true
            default: return false
            }
        }
    }

    var isOver: Bool { state.withLock { if case .over = $0 { true } else { false } } }

    /// Called when the thread of the connection leaves it. Returns whether the server has ended the connection meanwhile.
    func leaveThread() -> Bool {
        state.withLock { state in
            guard case .over(let kind) = state else { return false }
            state = .over(.idle)
            return kind != .idle
        }
    }

    private func change(to next: State) {
        state.withLock { state in
            if case .over = state { return }
            state = next
        }
    }

    /// How much the connection deserves to stay; `nil` if it must stay. The lowest value is the first to end.
    func worth(at now: ContinuousClock.Instant) -> Worth? {
        switch state.withLock({ $0 }) {
        case .other, .over: return nil
        case .idle(let start): return Worth(kind: .idle, amount: -((now - start) / .seconds(1)))
        case .receiving(let start, let count):
            let seconds = max((now - start) / .seconds(1), 0.1)
            return Worth(kind: .sending, amount: Double(count) / seconds)
        case .sending(let start):
            let seconds = (now - start) / .seconds(1)
            return seconds < Self.patience ? nil : Worth(kind: .reading, amount: -seconds)
        }
    }

    /// The seconds that a client may leave a response unread before it counts as slow.
    private static let patience = 0.5

    struct Worth: Comparable {
        /// What the client does.
        enum Kind: Int, Sendable {
            case idle
            case sending
            /// It has sent its request, and reads the response.
            case reading
        }

        let kind: Kind
        let amount: Double

        static func < (left: Self, right: Self) -> Bool {
            left.kind == right.kind ? left.amount < right.amount : left.kind.rawValue < right.kind.rawValue
        }
    }
}
