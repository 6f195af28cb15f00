import Foundation

/// The orders in which the answers of a recorded conversation can arrive.
struct AnswerOrders {
    /// The positions of interactions that were in flight together with others, in recorded order of their answers.
    let recorded: [Int]
    private var spans: [Int: (start: Double, end: Double)] = [:]
    /// A recorded date has a precision of one millisecond.
    private static let precision = 1.0

    /// - Parameters:
    ///   - positions: The positions of the interactions that are played.
    ///   - list: The interactions.
    init(of positions: [Int], in list: any InteractionList) {
        for position in positions {
            let interaction = list[position]
            let start = interaction.startedAt.timeIntervalSince1970 * 1000
            spans[position] = (start, start + interaction.timing.wait + interaction.timing.receive)
        }
        let spans = spans
        let together = positions.filter { position in
            positions.contains { $0 != position && Self.areTogether(spans[position], spans[$0]) }
        }
        recorded = together.sorted { (spans[$0]?.end ?? 0, $0) < (spans[$1]?.end ?? 0, $1) }
    }

    private static func areTogether(
        _ left: (start: Double, end: Double)?,
        _ right: (start: Double, end: Double)?
    ) -> Bool {
        guard let left, let right else { return false }
        return left.start + precision < right.end && right.start + precision < left.end
    }

    /// The recorded order, which a replay without times does not keep, and other ones, the nearest first: those with two
    /// neighbors swapped, the one that answers the latest request first, and then those with more swaps.
    /// - Parameter limit: The largest number of orders.
    /// - Returns: The orders.
    func all(limit: Int) -> [[Int]] {
        var found = [recorded]
        var known: Set<[Int]> = [recorded]
        func add(_ order: [Int]) {
            if found.count < limit, known.insert(order).inserted { found.append(order) }
        }
        for order in swapped(recorded) { add(order) }
        add(latestFirst)
        var next = 1
        while next < found.count, found.count < limit {
            for order in swapped(found[next]) { add(order) }
            next += 1
        }
        return found
    }

    /// The orders with two neighbors swapped that were in flight together.
    private func swapped(_ order: [Int]) -> [[Int]] {
        order.indices.dropLast().compactMap { index in
            guard Self.areTogether(spans[order[index]], spans[order[index + 1]]) else { return nil }
            var order = order
            order.swapAt(index, index + 1)
            return order
        }
    }

    private var latestFirst: [Int] {
        var rest = recorded
        var order: [Int] = []
        while !rest.isEmpty {
            // Its request began before every answer that is still to come.
            let next = rest.last { position in
                rest.allSatisfy { $0 == position || !isAnswered($0, before: position) }
            }
            guard let next else { return recorded }
            rest.removeAll { $0 == next }
            order.append(next)
        }
        return order
    }

    private func isAnswered(_ first: Int, before second: Int) -> Bool {
        guard let first = spans[first], let second = spans[second] else { return false }
        return first.end <= second.start + Self.precision && first.start <= second.start
    }

    /// The time between two answers of a kept order, which real time replays, in milliseconds.
    static let turn = 100.0

    /// When answers arrive after the begin of all, in milliseconds.
    static func turns(in order: [Int]) -> [Int: Double] {
        Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, Double($0 + 1) * turn) })
    }

    /// How long answers wait after their own requests, which the app makes after the answers that came before them.
    func waits(in order: [Int]) -> [Int: Double] {
        let turns = Self.turns(in: order)
        return Dictionary(
            uniqueKeysWithValues: turns.map { position, turn in
                let start =
                    order.filter { isAnswered($0, before: position) }.compactMap { turns[$0] }.max() ?? 0
                return (position, turn - start)
            }
        )
    }

    /// The name of an order: `order-3-before-2` if it differs only in one swap, otherwise the numbers that moved.
    func id(of order: [Int]) -> String {
        if order == recorded { return "order-recorded" }
        let changed = order.indices.filter { order[$0] != recorded[$0] }
        let numbers = changed.map { order[$0] + 1 }
        guard changed.count > 2 || changed.count < 2 || changed[1] != changed[0] + 1 else {
            return "order-\(numbers[0])-before-\(numbers[1])"
        }
        return "order-" + numbers.map(String.init).joined(separator: ".")
    }
}

/// A clock whose time is the number of answers that have arrived: an answer sleeps until its turn.
///
/// Each answer starts at zero, whenever its request was made, so that its delay is its place in the order.
struct ArrivalClock: Clock {
    private let clock = PlaybackClock()
    /// How long an answer's turn waits for its request, if the app makes requests in another order, in milliseconds.
    private static let longestWait = 1000

    var now: PlaybackClock.Instant { PlaybackClock.Instant() }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: PlaybackClock.Instant, tolerance: Duration?) async throws {
        try await clock.sleep(until: deadline)
    }

    /// Lets answers arrive one after the other, the next one after the app has received the last one.
    func run(turns count: Int, of stubber: Stubber) async {
        let received = Locked(0)
        stubber.watchAnswers(.any) { _ in received.withLock { $0 += 1 } }
        // Between two turns, so that rounding does not matter.
        func turn(_ number: Int) -> PlaybackClock.Instant {
            PlaybackClock.Instant(offset: .milliseconds((Double(number) + 0.5) * AnswerOrders.turn))
        }
        var number = 1
        while number <= count {
            guard await passes({ [number] in clock.hasSleeper(until: turn(number)) }) else { return }
            // The turns of requests that the app does not make are passed over together.
            guard let next = (number...count).first(where: { clock.hasSleeper(until: turn($0)) }) else {
                continue
            }
            let before = received.withLock { $0 }
            await clock.advance(to: turn(next))
            guard await passes({ received.withLock { $0 > before } }) else { return }
            number = next + 1
        }
        // What the app repeats is answered at once.
        await clock.advance(to: PlaybackClock.Instant(offset: .seconds(86_400)))
    }

    /// Waits for a condition, at most for the longest time; `false` if the task is cancelled.
    private func passes(_ condition: () -> Bool) async -> Bool {
        // Steps and no deadline: if the app's tasks wait for a thread, so does this one.
        for _ in 0..<Self.longestWait {
            if condition() { break }
            do { try await Task.sleep(for: .milliseconds(1)) } catch { return false }
        }
        return !Task.isCancelled
    }
}
