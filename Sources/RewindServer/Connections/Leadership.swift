import Foundation
import Rewind

/// Decides which thread of a lane waits for its idle connections.
///
/// That thread, the leader, answers requests itself, so that no request waits until another thread wakes up. If a handler
/// is about to wait, or its response takes long, another thread becomes the leader, and the former leader keeps only the
/// connection that it serves.
final class Leadership: Sendable {
    /// A response that takes between once and twice this time lets another thread lead.
    private static let patience = DispatchTimeInterval.milliseconds(5)
    /// After so many looks without a request, the next leader sleeps until one arrives.
    private static let quietLooks = 20

    private struct State: Sendable {
        /// The connection that the leader serves; `nil` while it waits.
        var served: Connection?
        /// The connection that the last leader keeps.
        var kept: Connection?
        var isVacant = false
        var isWatched = false
        var isEnded = false
        /// The number of times that a leader began to serve a connection.
        var turns = 0
    }

    private let state = Locked(State())
    /// Wakes the thread that leads next.
    private let signal = DispatchSemaphore(value: 0)

    // MARK: Leader

    /// Called before the leader serves a connection. Returns `false` at the end.
    func begin(_ connection: Connection) -> Bool {
        let (isEnded, wakes) = state.withLock { state in
            guard !state.isEnded else { return (true, false) }
            state.turns &+= 1
            state.served = connection
            defer { state.isWatched = true }
            return (false, !state.isWatched)
        }
        if wakes { signal.signal() }
        return !isEnded
    }

    /// Called when the leader has served a connection. Returns `false` if another thread leads by now.
    func end(_ connection: Connection) -> Bool {
        state.withLock { state in
            guard state.served === connection else { return false }
            state.served = nil
            return true
        }
    }

    /// Lets another thread lead if the leader serves this connection, which it keeps.
    func handOver(_ connection: Connection) {
        let isLeader = state.withLock { state in
            guard state.served === connection else { return false }
            (state.served, state.kept, state.isVacant) = (nil, connection, true)
            return true
        }
        if isLeader { signal.signal() }
    }

    // MARK: Next leader

    /// Waits until the calling thread has to lead, and returns the connection that the last leader keeps; `nil` at the end.
    func waitForTurn() -> Connection? {
        var lastTurn = -1
        var looks = 0
        while true {
            let isWatched = state.withLock(\.isWatched)
            _ = signal.wait(timeout: isWatched ? .now() + Self.patience : .distantFuture)
            let (kept, isEnded) = state.withLock { state -> (Connection?, Bool) in
                let isQuiet = state.turns == lastTurn
                if state.served != nil, isQuiet || state.isEnded {
                    (state.served, state.kept, state.isVacant) = (nil, state.served, true)
                }
                guard !state.isVacant else {
                    defer { (state.kept, state.isVacant) = (nil, false) }
                    return (state.kept, false)
                }
                looks = isQuiet ? looks + 1 : 0
                lastTurn = state.turns
                if looks > Self.quietLooks { state.isWatched = false }
                return (nil, state.isEnded)
            }
            if kept != nil || isEnded { return kept }
        }
    }

    func end() {
        state.withLock { $0.isEnded = true }
        signal.signal()
    }
}
