import Foundation

/// The requests that a stubber was asked about, and those who wait for some.
///
/// The header fields of a request cost more to find out than the rest, so they are found out when somebody asks.
final class RequestLog: Sendable {
    private struct Entry: Sendable {
        var request: Request
        var completed: (@Sendable () -> Request)?
        var isAnnounced = false
    }

    /// Who wants to know of requests that satisfy a condition.
    private struct Watch: Sendable {
        let condition: Condition
        let receive: @Sendable (Request) -> Void
    }

    private struct State: Sendable {
        var entries: [Entry] = []
        var watches: [UUID: Watch] = [:]
    }

    private let state = Locked(State())

    /// Adds a request, and gives its position, under which it is announced.
    func add(_ request: Request, completed: @escaping @Sendable () -> Request) -> Int {
        state.withLock { state in
            state.entries.append(Entry(request: request, completed: completed))
            return state.entries.count - 1
        }
    }

    /// Tells those who wait for a request.
    func announce(_ position: Int) {
        let told = state.withLock { state -> (Entry, [Watch])? in
            state.entries[position].isAnnounced = true
            return state.watches.isEmpty ? nil : (state.entries[position], Array(state.watches.values))
        }
        guard let (entry, watches) = told else { return }
        let request = entry.completed?() ?? entry.request
        for watch in watches where watch.condition.matches(request) { watch.receive(request) }
    }

    /// All requests so far, with their header fields.
    var requests: [Request] {
        let entries = state.withLock { $0.entries }
        return entries.map { $0.completed?() ?? $0.request }
    }

    /// Tells of every request that satisfies a condition: of those there were at once, of the others when they come.
    /// - Returns: The number under which to stop it.
    func watch(_ condition: Condition, _ receive: @escaping @Sendable (Request) -> Void) -> UUID {
        let id = UUID()
        let before = state.withLock { state in
            state.watches[id] = Watch(condition: condition, receive: receive)
            return state.entries.filter(\.isAnnounced)
        }
        for entry in before {
            let request = entry.completed?() ?? entry.request
            if condition.matches(request) { receive(request) }
        }
        return id
    }

    /// Stops telling.
    func stopWatching(_ id: UUID) {
        state.withLock { _ = $0.watches.removeValue(forKey: id) }
    }
}
