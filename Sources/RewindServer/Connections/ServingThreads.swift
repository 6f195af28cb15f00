import Foundation
import Rewind

/// The threads that serve a connection at the moment, of all lanes.
final class ServingThreads: Sendable {
    private struct State: Sendable {
        var count = 0
        /// The number of those whose connection was ended to make room.
        var leavingCount = 0
        /// The lanes that wait for room.
        var waiting: [ObjectIdentifier: ConnectionLane] = [:]
    }

    private let state = Locked(State())
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Called before a connection is served. If there are too many, returns `false`, and wakes the lane when there is room.
    func enter(for lane: ConnectionLane) -> Bool {
        state.withLock { state in
            guard state.count < limit else {
                state.waiting[ObjectIdentifier(lane)] = lane
                return false
            }
            state.count += 1
            return true
        }
    }

    /// Called when a connection was served.
    /// - Parameter isGivenUp: Whether the connection was ended to make room.
    func leave(isGivenUp: Bool = false) {
        let waiting = state.withLock { state in
            state.count -= 1
            if isGivenUp { state.leavingCount -= 1 }
            guard !state.waiting.isEmpty else { return [ConnectionLane]() }
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for lane in waiting { lane.wake() }
    }

    /// Notes that a thread will leave because its connection was ended.
    func expectOneToLeave() { state.withLock { $0.leavingCount += 1 } }

    var count: Int { state.withLock(\.count) }
    var leavingCount: Int { state.withLock(\.leavingCount) }
}
