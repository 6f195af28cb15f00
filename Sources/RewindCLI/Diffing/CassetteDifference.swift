import Rewind

/// The interactions that differ between two cassettes.
struct CassetteDifference: Sendable {
    struct Entry: Sendable {
        /// The number on the left, counted from 1; `nil` if the interaction was added.
        let left: Int?
        /// The number on the right; `nil` if the interaction was removed.
        let right: Int?
        let isMoved: Bool
        /// The request, from the left if there are two.
        let request: Interaction.Request
        /// A summary of the outcome, from the right if there are two.
        let answer: String
        let differences: [PartDifference]
    }

    enum Change: String, CaseIterable, Sendable { case changed, added, removed, moved }

    /// The interactions that differ, in the order of the right cassette.
    private(set) var entries: [Entry] = []
    /// The number of interactions that are equal and not moved.
    private(set) var sameCount = 0

    init(_ left: any InteractionList, _ right: any InteractionList, _ compared: ComparedParts) {
        let pairing = InteractionPairing(left, right, compared)
        let partners = Dictionary(uniqueKeysWithValues: pairing.pairs.map { ($0.right, $0) })
        var removed = pairing.removed[...]
        var unmoved = pairing.pairs.filter { !$0.isMoved }[...]
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
            // A removed interaction is listed between its former neighbors.
            while let pair = unmoved.first, pair.right < position { unmoved.removeFirst() }
            let next = unmoved.first?.left ?? left.count
            while let first = removed.first, first < next {
                append(first, nil)
                removed.removeFirst()
            }
            let partner = partners[position]
            append(partner?.left, position, isMoved: compared.hasOrder && partner?.isMoved ?? false)
        }
        for position in removed { append(position, nil) }
    }

    /// The number of interactions with a change; a moved one may be changed as well.
    func count(of change: Change) -> Int { entries.count { $0.changes.contains(change) } }

    var isEmpty: Bool { entries.isEmpty }

    var summary: String {
        let counts = Change.allCases.map { (count(of: $0), $0.rawValue) } + [(sameCount, "unchanged")]
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

/// Pairs the interactions of two cassettes.
///
/// Equal requests are paired first, then requests that share fewer parts. If a request occurs several times, the outcomes
/// decide, so that an added interaction does not shift all later pairs.
struct InteractionPairing: Sendable {
    struct Pair: Hashable, Sendable {
        let left: Int
        let right: Int
        /// Whether its order relative to the other pairs changed.
        var isMoved = false
    }

    private(set) var pairs: [Pair] = []
    private(set) var removed: [Int]
    private(set) var added: [Int]

    private let left: any InteractionList
    private let right: any InteractionList
    private let compared: ComparedParts

    /// The largest number of combinations that is compared part by part.
    private static let effort = 1024

    init(_ left: any InteractionList, _ right: any InteractionList, _ compared: ComparedParts) {
        (self.left, self.right, self.compared) = (left, right, compared)
        removed = Array(left.indices)
        added = Array(right.indices)
        for similarity in RequestSimilarity.allCases where !removed.isEmpty && !added.isEmpty {
            let partners = groups(similarity, added, in: right)
            var found: [(Int, Int)] = []
            for (key, group) in groups(similarity, removed, in: left) {
                guard let other = partners[key] else { continue }
                found += similarity == .all ? inOrder(group, other) : nearest(group, other)
            }
            let (lefts, rights) = (Set(found.map(\.0)), Set(found.map(\.1)))
            removed.removeAll { lefts.contains($0) }
            added.removeAll { rights.contains($0) }
            pairs += found.map { Pair(left: $0, right: $1) }
        }
        pairs.sort { $0.right < $1.right }
        let unmoved = Set(CommonElements.longestIncreasingSubsequence(in: pairs.map(\.left)))
        for index in pairs.indices { pairs[index].isMoved = !unmoved.contains(index) }
    }

    private func groups(
        _ similarity: RequestSimilarity,
        _ positions: [Int],
        in interactions: any InteractionList
    ) -> [[Projection]: [Int]] {
        positions.reduce(into: [:]) { groups, position in
            let request = interactions.request(at: position, withHeaders: true)
            if let key = similarity.key(of: request, compared) { groups[key, default: []].append(position) }
        }
    }

    /// Pairs equal requests: first those with equal outcomes, then those between them, then the rest.
    private func inOrder(_ group: [Int], _ other: [Int]) -> [(Int, Int)] {
        guard group.count > 1 || other.count > 1 else { return Array(zip(group, other)) }
        let outcomes = group.map { compared.fingerprint(of: left[$0].outcome) }
        let otherOutcomes = other.map { compared.fingerprint(of: right[$0].outcome) }
        let anchors = CommonElements.pairs(of: outcomes[...], and: otherOutcomes[...])
        var found = anchors.map { (group[$0.left], other[$0.right]) }
        var rest: (left: [Int], right: [Int]) = ([], [])
        var start = (left: 0, right: 0)
        for anchor in anchors + [(left: group.count, right: other.count)] {
            let (gap, others) = (group[start.left..<anchor.left], other[start.right..<anchor.right])
            found += zip(gap, others)
            rest.left += gap.dropFirst(others.count)
            rest.right += others.dropFirst(gap.count)
            start = (anchor.left + 1, anchor.right + 1)
        }
        return found + zip(rest.left, rest.right)
    }

    /// Pairs similar requests, those with the fewest differences first.
    private func nearest(_ group: [Int], _ other: [Int]) -> [(Int, Int)] {
        guard group.count * other.count > 1, group.count * other.count <= Self.effort else {
            return Array(zip(group, other))
        }
        let requests = group.map { left.request(at: $0, withHeaders: true) }
        let otherRequests = other.map { right.request(at: $0, withHeaders: true) }
        var candidates: [(distance: Int, left: Int, right: Int)] = []
        for (row, request) in requests.enumerated() {
            for (column, otherRequest) in otherRequests.enumerated() {
                let differences = Difference.between(otherRequest, and: request, matchers: compared.matchers)
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
