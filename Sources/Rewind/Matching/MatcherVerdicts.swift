/// What the closures of matchers say about one request.
///
/// A playback is searched while its stubber is locked, where the code of a test must not run: it may use the stubber, or
/// wait for a request of it. So a search that needs a closure notes what it needs and ends without a result. The closures
/// are then called without a lock, and the search is repeated.
package final class MatcherVerdicts: Sendable {
    private struct Entry: Sendable {
        let index: InteractionIndex
        let place: InteractionIndex.Place?
        var accepted: [Int: Bool] = [:]
        var needed: [Int] = []
        /// How many comparisons to make before the next search. It doubles, so that the number of searches stays small.
        var batch = 1
    }

    private struct State: Sendable {
        var entries: [ObjectIdentifier: Entry] = [:]
        /// The index in which the place of the request is still to be found.
        var unplaced: InteractionIndex?
        var isIncomplete = false
    }

    private let request: Interaction.Request
    private let state = Locked(State())

    package init(_ request: Interaction.Request) { self.request = request }

    /// Begins a search of an index. Returns `false` if the place of the request is still to be found.
    func begin(in index: InteractionIndex) -> Bool {
        state.withLock { state in
            state.isIncomplete = state.entries[index.id] == nil
            if state.isIncomplete { state.unplaced = index }
            return !state.isIncomplete
        }
    }

    func place(in index: InteractionIndex) -> InteractionIndex.Place? {
        state.withLock { $0.entries[index.id]?.place }
    }

    /// Whether the comparisons accept an interaction. The result means nothing if the search turns out to be incomplete.
    func accept(_ position: Int, in index: InteractionIndex) -> Bool {
        guard index.hasComparisons else { return true }
        return state.withLock { state in
            guard var entry = state.entries[index.id] else { return false }
            if let known = entry.accepted[position] { return known }
            state.isIncomplete = true
            // Enough to go on with, so the search may end here.
            guard entry.needed.count < entry.batch else { return true }
            entry.needed.append(position)
            state.entries[index.id] = entry
            return entry.needed.count >= entry.batch
        }
    }

    /// Whether the last search needed a closure that was not called yet.
    var isIncomplete: Bool { state.withLock { $0.isIncomplete } }

    /// Calls the closures that the last search needed. Nothing may be locked.
    package func callBack() {
        let (unplaced, entries) = state.withLock { ($0.unplaced, $0.entries) }
        if let unplaced {
            let entry = Entry(index: unplaced, place: unplaced.place(of: request))
            state.withLock { state in
                state.entries[unplaced.id] = entry
                state.unplaced = nil
            }
        }
        for (id, entry) in entries where !entry.needed.isEmpty {
            let verdicts = entry.needed.map { ($0, entry.index.agrees(request, at: $0)) }
            state.withLock { state in
                state.entries[id]?.accepted.merge(verdicts) { $1 }
                state.entries[id]?.needed = []
                state.entries[id]?.batch *= 2
            }
        }
    }
}
