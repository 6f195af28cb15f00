import Foundation
import Rewind

/// Decides which thread waits for the idle connections.
///
/// That thread, the leader, answers requests itself, so that no request waits until another thread wakes up. If a handler
/// is about to wait, or its response takes long, another thread becomes the leader, and the former leader keeps only the
/// connection that it serves.
final class Leadership: Sendable {
    /// A response that takes longer than this, or twice this, does not delay other connections further.
    private static let patience = DispatchTimeInterval.milliseconds(5)
    /// After so many looks without a request, the next leader sleeps until one arrives.
    private static let looks = 20

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
        /// The number of threads that serve connections.
        var threads = 0
        /// The number of those whose connection is ended to make room.
        var leavingThreads = 0
    }

    private let state = Locked(State())
    private let threadLimit: Int
    /// Wakes the thread that leads next.
    private let signal = DispatchSemaphore(value: 0)

    init(threadLimit: Int) { self.threadLimit = threadLimit }

    // MARK: Leader

    enum Permission { case granted, full, ended }

    /// Called before the leader serves a connection.
    func begin(_ connection: Connection) -> Permission {
        let (permission, wakes) = state.withLock { state -> (Permission, Bool) in
            if state.isEnded { return (.ended, false) }
            if state.threads >= threadLimit { return (.full, false) }
            state.threads += 1
            state.turns &+= 1
            state.served = connection
            defer { state.isWatched = true }
            return (.granted, !state.isWatched)
        }
        if wakes { signal.signal() }
        return permission
    }

    /// Called when the leader has served a connection. Returns `false` if another thread is the leader by now.
    func end(_ connection: Connection) -> Bool {
        state.withLock { state in
            guard state.served === connection else { return false }
            state.served = nil
            state.threads -= 1
            return true
        }
    }

    /// Lets another thread lead if the leader serves this connection, which it keeps.
    func handOver(_ connection: Connection) {
        let isLeader = state.withLock { state in
            guard state.served === connection else { return false }
            (state.served, state.kept) = (nil, connection)
            state.isVacant = true
            return true
        }
        if isLeader { signal.signal() }
    }

    // MARK: Next leader

    /// Waits until the calling thread has to lead, and returns the connection that the last leader keeps; `nil` at the end.
    func waitForTurn() -> Connection? {
        var lastTurn = -1
        var quietLooks = 0
        while true {
            let isWatched = state.withLock(\.isWatched)
            _ = signal.wait(timeout: isWatched ? .now() + Self.patience : .distantFuture)
            let (kept, isEnded) = state.withLock { state -> (Connection?, Bool) in
                let isLate = state.served != nil && (state.turns == lastTurn || state.isEnded)
                if isLate { (state.served, state.kept, state.isVacant) = (nil, state.served, true) }
                quietLooks = state.turns == lastTurn ? quietLooks + 1 : 0
                lastTurn = state.turns
                if state.isVacant {
                    state.isVacant = false
                    defer { state.kept = nil }
                    return (state.kept, false)
                }
                if quietLooks > Self.looks { state.isWatched = false }
                return (nil, state.isEnded)
            }
            if kept != nil || isEnded { return kept }
        }
    }

    // MARK: Threads

    /// Called when a former leader has served the connection that it kept. Returns whether there was no room for others.
    /// - Parameter isGivenUp: Whether the connection was ended to make room.
    func leave(isGivenUp: Bool) -> Bool {
        state.withLock { state in
            state.threads -= 1
            if isGivenUp { state.leavingThreads -= 1 }
            return state.threads == threadLimit - 1
        }
    }

    /// Ends the connection of a slow client, and returns whether its thread will leave for that reason.
    func giveUp(_ activity: ConnectionActivity) -> Bool {
        guard activity.giveUp() else { return false }
        state.withLock { $0.leavingThreads += 1 }
        return true
    }

    var threads: Int { state.withLock(\.threads) }
    var leavingThreads: Int { state.withLock(\.leavingThreads) }

    func end() {
        state.withLock { $0.isEnded = true }
        signal.signal()
    }
}
