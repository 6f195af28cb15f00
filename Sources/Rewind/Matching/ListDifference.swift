/// What two lists lack of each other, whatever their order, equal elements counted.
struct ListDifference<Element> {
    /// The elements of the left list that the right one lacks, in order.
    let left: [Element]
    /// The elements of the right list that the left one lacks, in order.
    let right: [Element]

    /// Compares two lists by what makes elements equal.
    init<Key: Hashable>(of left: [Element], and right: [Element], by key: (Element) -> Key) {
        let (leftKeys, rightKeys) = (left.map(key), right.map(key))
        self.left = Self.lacking(left, leftKeys, rightKeys)
        self.right = Self.lacking(right, rightKeys, leftKeys)
    }

    /// The elements whose keys others do not have as often.
    private static func lacking<Key: Hashable>(_ elements: [Element], _ keys: [Key], _ others: [Key])
        -> [Element]
    {
        var counts: [Key: Int] = [:]
        for key in others { counts[key, default: 0] += 1 }
        return zip(elements, keys).filter { _, key in
            guard let count = counts[key], count > 0 else { return true }
            counts[key] = count - 1
            return false
        }.map(\.0)
    }

    /// The elements side by side that have the same name, the first with the first; those of the right list that are left
    /// over stand at the end.
    func pairs<Name: Hashable>(by name: (Element) -> Name) -> [(Element?, Element?)] {
        var places: [Name: ArraySlice<Int>] = [:]
        for (place, element) in right.enumerated() { places[name(element), default: []].append(place) }
        var isTaken = Array(repeating: false, count: right.count)
        let pairs = left.map { element -> (Element?, Element?) in
            guard let place = places[name(element)]?.popFirst() else { return (element, nil) }
            isTaken[place] = true
            return (element, right[place])
        }
        return pairs + zip(right, isTaken).filter { !$1 }.map { (nil, $0.0) }
    }
}
