import Foundation
import Rewind

/// What a connection is doing, by which the server finds one to close if there is no room for another.
final class ConnectionActivity: Sendable {
    private enum State: Sendable {
        /// Waits for a request, or answers one.
        case other
        case receiving(since: ContinuousClock.Instant, count: Int)
        case sending(since: ContinuousClock.Instant)
        /// The server has disconnected the client.
        case over
    }

    private let state = Locked(State.other)

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

    func endReceiving() { change(to: .other) }

    func send(_ body: () throws -> Void) rethrows {
        change(to: .sending(since: .now))
        defer { change(to: .other) }
        try body()
    }

    /// Ends the connection because another client needs its thread; `false` if it is no longer slow.
    func giveUp() -> Bool {
        state.withLock { state in
            switch state {
            case .receiving, .sending:
                state = .over
                return true
            case .other, .over: return false
            }
        }
    }

    var isOver: Bool { state.withLock { if case .over = $0 { true } else { false } } }

    /// Ends the work of a thread, and returns whether the server has disconnected the client. It cannot do so later.
    func end() -> Bool {
        state.withLock { state in
            defer { state = .other }
            if case .over = state { return true }
            return false
        }
    }

    private func change(to next: State) {
        state.withLock { state in
            if case .over = state { return }
            state = next
        }
    }

    /// How much the connection deserves to stay; `nil` if it must stay. The lowest value is that of the slowest client.
    func worth(at now: ContinuousClock.Instant) -> Worth? {
        switch state.withLock({ $0 }) {
        case .other, .over: return nil
        case .receiving(let start, let count):
            let seconds = max((now - start) / .seconds(1), 0.1)
            return Worth(isReading: false, amount: Double(count) / seconds)
        case .sending(let start):
            let seconds = (now - start) / .seconds(1)
            return seconds < Self.patience ? nil : Worth(isReading: true, amount: -seconds)
        }
    }

    /// The seconds that a client may leave a response unread before it counts as slow.
    private static let patience = 0.5

    struct Worth: Comparable {
        /// Whether the client has sent its request, and reads the response.
        let isReading: Bool
        let amount: Double

        static func < (left: Self, right: Self) -> Bool {
            left.isReading == right.isReading ? left.amount < right.amount : right.isReading
        }
    }
}
