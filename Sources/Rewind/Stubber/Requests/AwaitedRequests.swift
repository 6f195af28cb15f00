import Foundation

/// The requests somebody waits for: collects them until there are enough or the time is over.
final class AwaitedRequests: Sendable {
    private struct State: Sendable {
        var requests: [Request] = []
        var isOver = false
        var continuation: CheckedContinuation<Void, Never>?
    }

    private let count: Int
    private let state = Locked(State())

    init(count: Int) {
        self.count = count
    }

    /// Takes one that came.
    func add(_ request: Request) {
        resume { state in
            state.requests.append(request)
            return state.requests.count >= count
        }
    }

    /// Waits for no more.
    func end() {
        resume { _ in true }
    }

    /// Returns those that came, when there are enough or the waiting is ended.
    func all() async -> [Request] {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.isOver { return true }
                    state.continuation = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            end()
        }
        return state.withLock { $0.requests }
    }

    private func resume(_ isEnough: (inout State) -> Bool) {
        let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.isOver, isEnough(&state) else { return nil }
            state.isOver = true
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume()
    }
}
