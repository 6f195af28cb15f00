import Foundation

/// One change of a recorded conversation, and its place in the report.
struct PlannedVariation: Sendable {
    var variation: Stubber.Variation
    let place: SweepResults.Place
    /// Whether answers arrive by a clock.
    var takesTime = false
    /// The number of answers that arrive in an order.
    var turns = 0
    /// Whether it is the recorded order, or that with one swap.
    var isNearOrder = false
    /// The changed interaction at a position; `nil` if it is not changed.
    var change: Change
    /// The same for a cassette of its own, if that is played in another way.
    var kept: Change?

    typealias Change = @Sendable (Int, Interaction) -> Interaction?
}

/// The variations of a sweep.
struct SweepPlan {
    private(set) var variations: [PlannedVariation] = []
    private let played: [Int]
    private let list: any InteractionList
    private let stubber: Stubber
    /// The host, if requests go to several.
    private let namesHosts: Bool
    private var ids: Set<String> = []

    /// - Parameters:
    ///   - sweep: What varies.
    ///   - played: The positions of the interactions that the unchanged conversation plays.
    ///   - list: The interactions of the cassette.
    ///   - stubber: The stubber of the test, which knows what must not be printed.
    init(_ sweep: Stubber.Sweep, of played: [Int], in list: any InteractionList, _ stubber: Stubber) {
        (self.played, self.list, self.stubber) = (played, list, stubber)
        namesHosts = Set(played.map { URLParts(list.line(at: $0).url).host }).count > 1
        switch sweep.kind {
        case .fault: addFaults(sweep.faultKinds)
        case .field: addFields()
        case .order: addOrders()
        }
    }

    /// Why there are no variations.
    static func lack(of kind: Stubber.Sweep.Kind) -> String {
        switch kind {
        case .fault: "no recorded answer is changed by the chosen faults"
        case .field: "no answer contains JSON"
        case .order: "no two requests were in flight together"
        }
    }

    // MARK: Faults

    private mutating func addFaults(_ faults: [Stubber.Sweep.Fault]) {
        for position in distinctPositions {
            let recorded = list[position]
            var outcomes: Set<Interaction> = [recorded]
            for fault in faults {
                guard outcomes.insert(fault.applied(to: recorded)).inserted else { continue }
                let name = fault.rawValue.replacingOccurrences(of: "-", with: " ")
                var variation = variation(
                    "fault-\(position + 1)-\(fault.rawValue)",
                    "\(numbered(position)): \(name)"
                )
                variation.fault = fault
                variations.append(
                    PlannedVariation(
                        variation: variation,
                        place: .init(table: "Faults", row: numbered(position), column: name),
                        takesTime: fault == .slow
                    ) { $0 == position ? fault.applied(to: $1) : nil }
                )
            }
        }
    }

    /// The positions without those whose request and answer are the same as at an earlier one.
    private var distinctPositions: [Int] {
        // Hash values, because the bodies of all interactions may be too large for the memory.
        var known: Set<Int> = []
        return played.filter { position in
            let interaction = list[position]
            var hasher = Hasher()
            hasher.combine(interaction.request)
            hasher.combine(interaction.outcome)
            return known.insert(hasher.finalize()).inserted
        }
    }

    // MARK: Fields

    private mutating func addFields() {
        let reader = AnswerReader()
        for position in distinctPositions {
            guard let json = reader.json(of: list[position]) else { continue }
            let table = request(position)
            for (path, value) in JSONFields(json).fields {
                let row = stubber.printable("\(path)")
                for change in FieldChange.allCases where change.applies(to: value, isRoot: path.isRoot) {
                    let name = "field-\(position + 1)-\(change.rawValue)-\(stubber.printable(path.fileName))"
                    variations.append(
                        PlannedVariation(
                            variation: variation(name, "\(numbered(position)): \(row) \(change.title)"),
                            place: .init(table: table, row: row, column: change.title)
                        ) { $0 == position ? reader.changed($1, change, at: path) : nil }
                    )
                }
            }
        }
    }

    // MARK: Orders

    /// The largest number of orders without a limit.
    private static let orderLimit = 500

    private mutating func addOrders() {
        let orders = AnswerOrders(of: played, in: list)
        guard !orders.recorded.isEmpty else { return }
        for order in orders.all(limit: Self.orderLimit) {
            let text = "answers arrive as " + order.map { "#\($0 + 1)" }.joined(separator: ", ")
            let id = orders.id(of: order)
            variations.append(
                PlannedVariation(
                    variation: variation(id, text),
                    place: .init(table: "Orders", row: id, column: "result"),
                    takesTime: true,
                    turns: order.count,
                    isNearOrder: order == orders.recorded || id.contains("-before-"),
                    change: Self.arrival(after: AnswerOrders.turns(in: order)),
                    kept: Self.arrival(after: orders.waits(in: order))
                )
            )
        }
    }

    /// Gives the answers at some positions other times, in milliseconds.
    private static func arrival(after waits: [Int: Double]) -> PlannedVariation.Change {
        { position, interaction in
            guard let wait = waits[position] else { return nil }
            var changed = interaction
            changed.scaleTimes(by: 0)
            changed.timing.wait = wait
            return changed
        }
    }

    /// The unchanged conversation. Before other orders, it has the recorded one, since a race may show in any other.
    static func unchanged(for kind: Stubber.Sweep.Kind, in list: any InteractionList) -> PlannedVariation {
        var planned = PlannedVariation(
            variation: .unchanged,
            place: SweepResults.Place(table: "", row: "", column: "")
        ) { _, _ in nil }
        guard kind == .order else { return planned }
        let order = AnswerOrders(of: list.indices.filter(list.isReplayable), in: list).recorded
        planned.turns = order.count
        planned.takesTime = !order.isEmpty
        planned.change = arrival(after: AnswerOrders.turns(in: order))
        return planned
    }

    // MARK: Names

    private func request(_ position: Int) -> String {
        let request = stubber.printable(list.request(at: position, withHeaders: false))
        let parts = URLParts(request.url)
        let host = namesHosts ? parts.host : ""
        let text = "\(request.method) \(host)\(parts.path)\(parts.query.map { "?\($0)" } ?? "")"
        return String(text.map { "`|".contains($0) || $0.isNewline ? "'" : $0 })
    }

    private func numbered(_ position: Int) -> String { "#\(position + 1) \(request(position))" }

    /// A variation with a name that no other one has, and that can be a part of a file's name.
    private mutating func variation(_ name: String, _ text: String) -> Stubber.Variation {
        func isPlain(_ character: Character) -> Bool {
            character.isASCII && (character.isLetter || character.isNumber || "-._".contains(character))
        }
        var id = String(name.map { isPlain($0) ? $0 : "_" }.prefix(80))
        if id != name || ids.contains(id) {
            var checksum = Checksum()
            checksum.add(Data(text.utf8))
            id += "-\(checksum.shortText)"
        }
        ids.insert(id)
        return Stubber.Variation(id: id, description: text)
    }

    // MARK: Choosing

    /// Chooses some variations at random, in their order. Orders that are near the recorded one come first.
    func sample(_ limit: Int?, seed: UInt64) -> [PlannedVariation] {
        guard let limit, limit < variations.count else { return variations }
        var generator = SeededGenerator(seed: seed)
        let ranks = variations.enumerated().map { index, planned in
            (isFirst: planned.isNearOrder, number: generator.next(), index: index)
        }
        let chosen = ranks.sorted { left, right in
            left.isFirst == right.isFirst ? left.number < right.number : left.isFirst
        }
        return chosen.prefix(limit).map(\.index).sorted().map { variations[$0] }
    }
}

/// The interactions of a cassette, some of them changed when they are played.
struct VariedInteractions: InteractionList {
    let recorded: any InteractionList
    let change: @Sendable (Int, Interaction) -> Interaction

    var count: Int { recorded.count }
    subscript(position: Int) -> Interaction { change(position, recorded[position]) }

    func request(at position: Int, withHeaders: Bool) -> Interaction.Request {
        recorded.request(at: position, withHeaders: withHeaders)
    }
    func line(at position: Int) -> (method: String, url: String) { recorded.line(at: position) }
    func beginning(at position: Int) -> (url: String, startedAt: Date) { recorded.beginning(at: position) }
    func isReplayable(at position: Int) -> Bool { recorded.isReplayable(at: position) }
    var listsRedactedPlaces: Bool { recorded.listsRedactedPlaces }
}
