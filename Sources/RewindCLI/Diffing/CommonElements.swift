/// What two lists have in common in the same order, found with as few steps as can be.
///
/// The algorithm is that of Eugene Myers, "An O(ND) Difference Algorithm and Its Variations" (1986).
enum CommonElements {
    /// The positions of the elements that stay, in order.
    /// - Parameters:
    ///   - left: The elements before.
    ///   - right: The elements after.
    ///   - limit: How many elements may have come and gone; of lists that differ in more, only what they have in common
    ///     at their start and end is found. 1000 by default.
    /// - Returns: Pairs of positions, rising in both lists.
    static func pairs<Element: Hashable>(
        of left: [Element],
        and right: [Element],
        limit: Int = 1000
    ) -> [(left: Int, right: Int)] {
        let shorter = min(left.count, right.count)
        let start = zip(left, right).prefix { $0 == $1 }.count
        let shared = zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
        let end = min(shared, shorter - start)
        let middle = EditPath(
            numbers(left[start..<left.count - end], right[start..<right.count - end]),
            limit: limit
        )
        return (0..<start).map { ($0, $0) }
            + middle.pairs.map { (left: $0.left + start, right: $0.right + start) }
            + (0..<end).map { (left.count - end + $0, right.count - end + $0) }
    }

    /// Numbers for elements, which are quicker to compare.
    private static func numbers<Element: Hashable>(
        _ left: ArraySlice<Element>,
        _ right: ArraySlice<Element>
    ) -> ([Int], [Int]) {
        var known: [Element: Int] = [:]
        func number(_ element: Element) -> Int {
            if let number = known[element] { return number }
            known[element] = known.count
            return known.count - 1
        }
        return (left.map(number), right.map(number))
    }
}

/// The shortest way from one list to another.
private struct EditPath {
    private(set) var pairs: [(left: Int, right: Int)] = []

    init(_ lists: ([Int], [Int]), limit: Int) {
        let (left, right) = lists
        guard !left.isEmpty, !right.isEmpty else { return }
        let most = min(left.count + right.count, limit)
        // How far each diagonal was followed, those with negative numbers after the others.
        var ends = [Int](repeating: 0, count: 2 * most + 3)
        func slot(_ diagonal: Int) -> Int { diagonal < 0 ? diagonal + ends.count : diagonal }
        var history: [[Int]] = []
        for steps in 0...most {
            history.append(ends)
            for diagonal in stride(from: -steps, through: steps, by: 2) {
                let (above, below) = (ends[slot(diagonal + 1)], ends[slot(diagonal - 1)])
                let isDown = diagonal == -steps || diagonal != steps && below < above
                var x = isDown ? above : below + 1
                while x < left.count, x - diagonal < right.count, left[x] == right[x - diagonal] { x += 1 }
                ends[slot(diagonal)] = x
                if x >= left.count, x - diagonal >= right.count {
                    trace(history, left.count, right.count, slot)
                    return
                }
            }
        }
    }

    /// Goes the way back from its end.
    private mutating func trace(_ history: [[Int]], _ left: Int, _ right: Int, _ slot: (Int) -> Int) {
        var (x, y) = (left, right)
        for (steps, ends) in history.enumerated().reversed() {
            let diagonal = x - y
            let (above, below) = (ends[slot(diagonal + 1)], ends[slot(diagonal - 1)])
            let isDown = diagonal == -steps || diagonal != steps && below < above
            let formerX = steps == 0 ? 0 : isDown ? above : below
            let formerY = steps == 0 ? 0 : formerX - (isDown ? diagonal + 1 : diagonal - 1)
            while x > formerX, y > formerY {
                (x, y) = (x - 1, y - 1)
                pairs.append((x, y))
            }
            (x, y) = (formerX, formerY)
        }
        pairs.reverse()
    }
}
