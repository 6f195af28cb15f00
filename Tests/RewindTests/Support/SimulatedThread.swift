import Foundation
import Rewind

@testable import Rewind

/// A thread that runs blocks one after the other, as the run loop does on which Apple's loading system starts protocols.
final class SimulatedThread: Sendable {
    private struct State: Sendable {
        var blocks: [@Sendable () -> Void] = []
        var isOver = false
    }

    private let state = Locked(State())
    private let arrival = DispatchSemaphore(value: 0)
    private let thread = Locked<ObjectIdentifier?>(nil)

    init() {
        Thread.detachNewThread { [self] in
            thread.withLock { $0 = ObjectIdentifier(Thread.current) }
            while !state.withLock({ $0.isOver && $0.blocks.isEmpty }) {
                arrival.wait()
                let block = state.withLock { $0.blocks.isEmpty ? nil : $0.blocks.removeFirst() }
                block?()
            }
        }
    }

    /// Whether the running code is on the thread.
    var isCurrent: Bool { thread.withLock { $0 } == ObjectIdentifier(Thread.current) }

    /// Runs a block on the thread.
    func perform(_ block: @escaping @Sendable () -> Void) {
        state.withLock { $0.blocks.append(block) }
        arrival.signal()
    }

    /// Ends the thread when it has run what it was given.
    func end() {
        state.withLock { $0.isOver = true }
        arrival.signal()
    }

    /// Where a load is used that was started on the thread.
    var queue: ClientQueue {
        ClientQueue { [self] seconds, block in
            guard seconds > 0 else { return perform(block) }
            DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [self] in perform(block) }
        }
    }
}
