import Rewind

/// A part in which two interactions differ.
struct PartDifference: Hashable, Sendable {
    /// What stands in a part.
    enum Value: Hashable, Sendable {
        case text(String)
        case json(JSON)

        /// The value on one line.
        var line: String {
            switch self {
            case .text(let text): text
            case .json(let json): String(decoding: json.lineText, as: UTF8.self)
            }
        }

        /// The value as JSON.
        var json: JSON {
            switch self {
            case .text(let text): .string(text)
            case .json(let json): json
            }
        }
    }

    /// The part, such as `response header`.
    let part: String
    /// Where in the part, such as the header's name or a path in JSON; `nil` where all of it is meant.
    var place: String?
    /// What stands there on the left; `nil` where nothing does.
    var left: Value?
    /// What stands there on the right; `nil` where nothing does.
    var right: Value?
    /// The lines in which texts differ.
    var lines: [ChangedLine] = []

    /// The part and the place in it.
    var title: String { [part, place].compactMap { $0 }.joined(separator: " ") }
}

extension PartDifference {
    /// Creates a difference of texts; `nil` where there is none.
    init?(_ part: String, _ place: String? = nil, from left: String?, to right: String?) {
        guard left != right else { return nil }
        self.init(part: part, place: place, left: left.map(Value.text), right: right.map(Value.text))
    }

    /// The differences of two lists of named values, in the order of the names.
    ///
    /// Of values under one name, those that two lists share at their start and end are set aside.
    static func between<Element: Equatable>(
        _ left: [(name: String, value: Element)],
        _ right: [(name: String, value: Element)],
        part: String,
        key: (String) -> String,
        shown: (Element) -> String
    ) -> [PartDifference] {
        let groups = Dictionary(grouping: left) { key($0.name) }
        let mates = Dictionary(grouping: right) { key($0.name) }
        var seen: Set<String> = []
        return (left + right).filter { seen.insert(key($0.name)).inserted }.flatMap { first in
            let group = (groups[key(first.name)] ?? []).map(\.value)
            let other = (mates[key(first.name)] ?? []).map(\.value)
            let start = zip(group, other).prefix { $0 == $1 }.count
            let shared = zip(group.reversed(), other.reversed()).prefix { $0 == $1 }.count
            let end = min(shared, min(group.count, other.count) - start)
            let (lefts, rights) = (group[start..<group.count - end], other[start..<other.count - end])
            return (start..<max(lefts.endIndex, rights.endIndex)).map { index in
                PartDifference(
                    part: part,
                    place: first.name,
                    left: lefts.indices.contains(index) ? .text(shown(lefts[index])) : nil,
                    right: rights.indices.contains(index) ? .text(shown(rights[index])) : nil
                )
            }
        }
    }
}
