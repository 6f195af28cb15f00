import Rewind

struct CassetteDifference: Sendable {
    struct Entry: Sendable {
        /// The number on the left, counted from one; `nil` where it is new.
        let left: Int?
        /// The number on the right; `nil` where it is gone.
        let right: Int?
        let isMoved: Bool
        /// The request; that of the left where there are two.
        let request: Interaction.Request
        /// What the answer is, in a few words; that of the right where there are two.
        let answer: String
        let differences: [PartDifference]
    }

    enum Change: String, CaseIterable, Sendable { case changed, added, removed, moved }

    /// The interactions that differ, in the order of the right.
    private(set) var entries: [Entry] = []
    /// How many are the same and stand where they stood.
    private(set) var sameCount = 0

    init(_ left: any InteractionList, _ right: any InteractionList, _ compared: ComparedParts) {
        let pairing = InteractionPairing(left, right, compared)
        let mates = Dictionary(uniqueKeysWithValues: pairing.pairs.map { ($0.right, $0) })
        var gone = pairing.removed[...]
        var stays = pairing.pairs.filter { !$0.isMoved }[...]
        func append(_ old: Int?, _ new: Int?, isMoved: Bool = false) {
            let (before, after) = (old.map { left[$0] }, new.map { right[$0] })
            guard let first = before ?? after, let last = after ?? before else { return }
            var differences: [PartDifference] = []
            if let before, let after {
                differences = InteractionDifference.between(before, after, compared)
                guard isMoved || !differences.isEmpty else { return sameCount += 1 }
            }
            entries.append(
                Entry(
                    left: old.map { $0 + 1 },
                    right: new.map { $0 + 1 },
                    isMoved: isMoved,
                    request: first.request,
                    answer: last.answerLine,
                    differences: differences
                )
            )
        }
        for position in right.indices {
            // What is gone is listed where it stood between those that stay.
            while let pair = stays.first, pair.right < position { stays.removeFirst() }
            let next = stays.first?.left ?? left.count
            while let first = gone.first, first < next {
                append(first, nil)
                gone.removeFirst()
            }
            let mate = mates[position]
            append(mate?.left, position, isMoved: compared.hasOrder && mate?.isMoved ?? false)
        }
        for position in gone { append(position, nil) }
    }

    /// How many interactions changed in a way; one that was moved may be changed as well.
    func count(of change: Change) -> Int { entries.count { $0.changes.contains(change) } }

    var isEmpty: Bool { entries.isEmpty }

    var summary: String {
        let counts = Change.allCases.map { (count(of: $0), $0.rawValue) } + [(sameCount, "the same")]
        let parts = counts.filter { $0.0 > 0 }.map { "\($0) \($1)" }
        return parts.isEmpty ? "no interactions" : parts.joined(separator: ", ")
    }
}

extension CassetteDifference.Entry {
    var changes: [CassetteDifference.Change] {
        guard left != nil else { return [.added] }
        guard right != nil else { return [.removed] }
        return (differences.isEmpty ? [] : [.changed]) + (isMoved ? [.moved] : [])
    }
}

/// The interactions of two cassettes, those that belong together side by side. Requests that are the same
/// belong together first, then those that have less in common. Where a request is there several times, the
/// answers decide, so that a new one does not shift all that follow.
struct InteractionPairing: Sendable {
    struct Pair: Hashable, Sendable {
        let left: Int
        let right: Int
        /// Whether it stands before or after others than on the left.
        var isMoved = false
    }

    private(set) var pairs: [Pair] = []
    private(set) var removed: [Int]
    private(set) var added: [Int]

    private let left: any InteractionList
    private let right: any InteractionList
    private let compared: ComparedParts

    private static let effort = 1024

    init(_ left: any InteractionList, _ right: any InteractionList, _ compared: ComparedParts) {
        (self.left, self.right, self.compared) = (left, right, compared)
        removed = Array(left.indices)
        added = Array(right.indices)
        for likeness in RequestLikeness.allCases where !removed.isEmpty && !added.isEmpty {
            let mates = groups(likeness, added, in: right)
            var found: [(Int, Int)] = []
            for (key, group) in groups(likeness, removed, in: left) {
                guard let other = mates[key] else { continue }
                found += likeness == .all ? inOrder(group, other) : nearest(group, other)
            }
            let (lefts, rights) = (Set(found.map(\.0)), Set(found.map(\.1)))
            removed.removeAll { lefts.contains($0) }
            added.removeAll { rights.contains($0) }
            pairs += found.map { Pair(left: $0, right: $1) }
        }
        pairs.sort { $0.right < $1.right }
        let stays = Set(CommonElements.longestRise(in: pairs.map(\.left)))
        for index in pairs.indices { pairs[index].isMoved = !stays.contains(index) }
    }

    private func groups(_ likeness: RequestLikeness, _ positions: [Int], in interactions: any InteractionList)
        -> [[Projection]: [Int]]
    {
        positions.reduce(into: [:]) { groups, position in
            let request = interactions.request(at: position, withHeaders: true)
            if let key = likeness.key(of: request, compared) { groups[key, default: []].append(position) }
        }
    }

    /// Pairs of the same request: those with the same answers, then those between them, then what is left.
    private func inOrder(_ group: [Int], _ other: [Int]) -> [(Int, Int)] {
        guard group.count > 1 || other.count > 1 else { return Array(zip(group, other)) }
        let answers = group.map { compared.fingerprint(of: left[$0].outcome) }
        let others = other.map { compared.fingerprint(of: right[$0].outcome) }
        let anchors = CommonElements.pairs(of: answers[...], and: others[...])
        var found = anchors.map { (group[$0.left], other[$0.right]) }
        var rest: (left: [Int], right: [Int]) = ([], [])
        var start = (left: 0, right: 0)
        for anchor in anchors + [(left: group.count, right: other.count)] {
            let (gap, mates) = (group[start.left..<anchor.left], other[start.right..<anchor.right])
            found += zip(gap, mates)
            rest.left += gap.dropFirst(mates.count)
            rest.right += mates.dropFirst(gap.count)
            start = (anchor.left + 1, anchor.right + 1)
        }
        return found + zip(rest.left, rest.right)
    }

    /// Pairs of requests that are alike, those with the fewest differences first.
    private func nearest(_ group: [Int], _ other: [Int]) -> [(Int, Int)] {
        guard group.count * other.count > 1, group.count * other.count <= Self.effort else {
            return Array(zip(group, other))
        }
        let requests = group.map { left.request(at: $0, withHeaders: true) }
        let mates = other.map { right.request(at: $0, withHeaders: true) }
        var candidates: [(distance: Int, left: Int, right: Int)] = []
        for (row, request) in requests.enumerated() {
            for (column, mate) in mates.enumerated() {
                let differences = Difference.between(mate, and: request, matchers: compared.matchers)
                candidates.append((differences.count, row, column))
            }
        }
        var (rows, columns): (Set<Int>, Set<Int>) = ([], [])
        var found: [(Int, Int)] = []
        for candidate in candidates.sorted(by: <)
        where !rows.contains(candidate.left) && !columns.contains(candidate.right) {
            rows.insert(candidate.left)
            columns.insert(candidate.right)
            found.append((group[candidate.left], other[candidate.right]))
        }
        return found
    }
}
