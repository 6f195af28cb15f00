/// A place at which two JSON values differ.
package struct JSONDifference: Hashable, Sendable {
    /// The place, which exists in at least one of the two.
    package let place: JSONPlace
    package let left: JSON?
    package let right: JSON?

    /// Finds the places where two values differ, by the rules of ``JSON/canonicalText(unorderedArrays:)``. Equal
    /// elements at the start and the end of two arrays are skipped, and the elements between them are compared by index.
    /// An object with duplicate names is compared as a whole.
    package static func between(_ left: JSON, _ right: JSON, limit: Int = 20) -> [JSONDifference] {
        var search = JSONDifferenceSearch(limit: limit)
        search.compare(left, right)
        return search.differences
    }
}

/// Compares two values member by member. Recursion is as deep as the values.
private struct JSONDifferenceSearch {
    let limit: Int
    private(set) var differences: [JSONDifference] = []
    private var place = JSONPlace()

    init(limit: Int) { self.limit = limit }

    mutating func compare(_ left: JSON?, _ right: JSON?) {
        guard differences.count < limit else { return }
        switch (left, right) {
        case (.array(let left), .array(let right)): compareElements(left, right)
        case (.object(let left), .object(let right)) where !left.hasDuplicateNames && !right.hasDuplicateNames:
            compareMembers(left, right)
        case (let left?, let right?) where left.isSame(as: right): break
        default: differences.append(JSONDifference(place: place, left: left, right: right))
        }
    }

    private mutating func compare(_ left: JSON?, _ right: JSON?, after step: JSONStep) {
        place.steps.append(step)
        compare(left, right)
        place.steps.removeLast()
    }

    private mutating func compareElements(_ left: [JSON], _ right: [JSON]) {
        let shorter = min(left.count, right.count)
        let start = zip(left, right).prefix { $0.isSame(as: $1) }.count
        let shared = zip(left.reversed(), right.reversed()).prefix { $0.isSame(as: $1) }.count
        let end = min(shared, shorter - start)
        let (leftMiddle, rightMiddle) = (left[start..<left.count - end], right[start..<right.count - end])
        for index in start..<max(leftMiddle.endIndex, rightMiddle.endIndex) {
            guard differences.count < limit else { return }
            compare(
                leftMiddle.dropFirst(index - start).first,
                rightMiddle.dropFirst(index - start).first,
                after: .index(index)
            )
        }
    }

    private mutating func compareMembers(_ left: JSONObject, _ right: JSONObject) {
        let leftValues = left.valuesByName
        let rightValues = right.valuesByName
        for member in left.members {
            compare(member.value, rightValues[.name(member.name)], after: .name(member.name))
        }
        for member in right.members where leftValues[.name(member.name)] == nil {
            compare(nil, member.value, after: .name(member.name))
        }
    }
}

extension JSONObject {
    /// The values by step, because steps compare names scalar by scalar.
    fileprivate var valuesByName: [JSONStep: JSON] {
        Dictionary(members.map { (.name($0.name), $0.value) }, uniquingKeysWith: { $1 })
    }

    fileprivate func isSame(as other: JSONObject) -> Bool {
        guard members.count == other.members.count else { return false }
        let isSameOrder = zip(members, other.members).allSatisfy { left, right in
            left.name.utf8.elementsEqual(right.name.utf8)
        }
        if isSameOrder {
            return zip(members, other.members).allSatisfy { $0.value.isSame(as: $1.value) }
        }
        guard !hasDuplicateNames, !other.hasDuplicateNames else { return false }
        let values = other.valuesByName
        return members.allSatisfy { values[.name($0.name)]?.isSame(as: $0.value) == true }
    }
}

extension JSON {
    /// Whether two values have the same canonical text, or the same duplicates in the same order.
    fileprivate func isSame(as other: JSON) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)):
            left == right || left.canonicalSpelling == right.canonicalSpelling
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1) }
        case (.object(let left), .object(let right)): left.isSame(as: right)
        default: false
        }
    }
}
