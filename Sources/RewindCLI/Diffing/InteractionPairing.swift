import Rewind

/// The interactions of two cassettes, those that belong together side by side.
///
/// Requests that are the same belong together first, then those that have less in common. Where a request is there
/// several times, the answers tell which is which, so that one that came does not shift all that follow.
struct InteractionPairing: Sendable {
    /// Two interactions that belong together.
    struct Pair: Hashable, Sendable {
        /// The position of the one on the left.
        let left: Int
        /// The position of the one on the right.
        let right: Int
        /// Whether it stands before or after others than on the left.
        var isMoved = false
    }

    /// The pairs, in the order of the right.
    private(set) var pairs: [Pair] = []
    /// The positions on the left that have no counterpart.
    private(set) var removed: [Int]
    /// The positions on the right that have no counterpart.
    private(set) var added: [Int]

    private let left: any InteractionList
    private let right: any InteractionList
    private let compared: ComparedParts

    /// How many pairs of a group are compared part by part.
    private static let effort = 1024

    /// Finds what belongs together.
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
        let stays = Set(Self.longestRise(in: pairs.map(\.left)))
        for index in pairs.indices { pairs[index].isMoved = !stays.contains(index) }
    }

    private func groups(_ likeness: RequestLikeness, _ positions: [Int], in reel: any InteractionList)
        -> [[Projection]: [Int]]
    {
        positions.reduce(into: [:]) { groups, position in
            let request = reel.request(at: position, withHeaders: true)
            if let key = likeness.key(of: request, compared) { groups[key, default: []].append(position) }
        }
    }

    /// Pairs of the same request: those with the same answers, then those between them, then what is left.
    private func inOrder(_ group: [Int], _ other: [Int]) -> [(Int, Int)] {
        guard group.count > 1 || other.count > 1 else { return Array(zip(group, other)) }
        let anchors = CommonElements.pairs(
            of: group.map { compared.fingerprint(of: left[$0].outcome) },
            and: other.map { compared.fingerprint(of: right[$0].outcome) }
        )
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

    /// The indices of the longest run of numbers that rise, not necessarily side by side.
    static func longestRise(in numbers: [Int]) -> [Int] {
        // The last index of the best run of each length, and what stands before each index in its run.
        var ends: [Int] = []
        var before = [Int?](repeating: nil, count: numbers.count)
        for (index, number) in numbers.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            before[index] = low > 0 ? ends[low - 1] : nil
            if low < ends.count { ends[low] = index } else { ends.append(index) }
        }
        var run: [Int] = []
        var next = ends.last
        while let index = next {
            run.append(index)
            next = before[index]
        }
        return run.reversed()
    }
}
