import Foundation
import Rewind

/// The threads that serve a connection at the moment, of all lanes.
final class ServingThreads: Sendable {
    private struct State: Sendable {
        var count = 0
        /// The number of those whose connection ends to make room.
        var leavingCount = 0
        /// The lanes that wait for room.
        var waiting: [ObjectIdentifier: ConnectionLane] = [:]
    }

    private let state = Locked(State())
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Called before a connection is served. If there are too many, wakes the lane when there is room.
    ///
    /// Those that leave are counted in the same step. If one left between two steps, it would be counted in neither, and one
    /// more client would be disconnected.
    /// - Parameters:
    ///   - lane: The lane of the connection.
    ///   - count: The number of connections that wait to be served, with this one.
    /// - Returns: `nil`, or how many more connections must end to make room for these. From now on, they are expected to.
    func enter(for lane: ConnectionLane, oneOf count: Int) -> Int? {
        state.withLock { state in
            guard state.count < limit else {
                state.waiting[ObjectIdentifier(lane)] = lane
                let missing = max(0, count - state.leavingCount)
                state.leavingCount += missing
                return missing
            }
            state.count += 1
            return nil
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

    /// Notes that more threads than expected will leave because their connections end, or fewer.
    func expect(more count: Int) { state.withLock { $0.leavingCount += count } }

    var count: Int { state.withLock(\.count) }
}
