import Foundation

package struct Difference: Hashable, Sendable {
    /// The part, such as `query item page` or `body $.user.name`.
    package var part: String
    package var recorded: String?
    package var requested: String?
    /// Leaving this out of the comparison removes the difference.
    package var suggestion: RequestMatcher.Ignored?
    package var matcher = ""
    /// Anything else to know, such as why a body was compared byte for byte.
    package var remark: String?

    init(
        _ part: String,
        recorded: String?,
        requested: String?,
        ignoring suggestion: RequestMatcher.Ignored? = nil,
        remark: String? = nil
    ) {
        self.part = part
        self.recorded = recorded
        self.requested = requested
        self.suggestion = suggestion
        self.remark = remark
    }

    /// Shows two projections around the first place at which they differ.
    init(of part: String, between requested: Projection, and recorded: Projection) {
        let place = requested.bytes.commonLength(with: recorded.bytes)
        let component = RequestMatcher.URLComponent.allCases.first { "\($0)" == part }
        self.init(
            part,
            recorded: recorded.excerpt(around: place),
            requested: requested.excerpt(around: place),
            ignoring: component.map(RequestMatcher.Ignored.component)
        )
    }

    package static func between(
        _ request: Interaction.Request,
        and recorded: Interaction.Request,
        matchers: [RequestMatcher]
    )
        -> [Difference]
    {
        matchers.flatMap { $0.differences(request, from: recorded) }
    }

    var line: String { "\(part): recorded \(recorded ?? "(none)"), requested \(requested ?? "(none)")" }

    static func betweenURLs(_ requested: Interaction.Request, _ recorded: Interaction.Request, _: SentBodies)
        -> [Difference]
    {
        let (asked, had) = (URLParts(requested.url), URLParts(recorded.url))
        let components: [RequestMatcher.URLComponent] = [.scheme, .user, .host, .port]
        return components.compactMap { between(asked, had, $0) } + betweenPaths(asked, had)
            + betweenQueries(asked, had)
    }

    static func betweenQueries(_ requested: Interaction.Request, _ recorded: Interaction.Request, _: SentBodies)
        -> [Difference]
    {
        betweenQueries(URLParts(requested.url), URLParts(recorded.url))
    }

    private static func between(_ asked: URLParts, _ had: URLParts, _ component: RequestMatcher.URLComponent)
        -> Difference?
    {
        let (asked, had) = (component.value(of: asked), component.value(of: had))
        guard asked != had else { return nil }
        return Difference("\(component)", recorded: had, requested: asked, ignoring: .component(component))
    }

    /// Paths that differ only in some segments: the suggestion leaves these free.
    private static func betweenPaths(_ asked: URLParts, _ had: URLParts) -> [Difference] {
        guard asked.path != had.path else { return [] }
        let (left, right) = (asked.path.split(separator: "/"), had.path.split(separator: "/"))
        var suggestion: RequestMatcher.Ignored?
        if left.count == right.count, asked.path.hasSuffix("/") == had.path.hasSuffix("/") {
            let pattern = zip(left, right).map { $0 == $1 ? String($0) : "*" }
            let end = asked.path.hasSuffix("/") ? "/" : ""
            if pattern.contains(where: { $0 != "*" }) {
                suggestion = .segments("/" + pattern.joined(separator: "/") + end)
            }
        }
        return [Difference("path", recorded: had.path, requested: asked.path, ignoring: suggestion)]
    }

    private static func betweenQueries(_ asked: URLParts, _ had: URLParts) -> [Difference] {
        guard asked.query != nil, had.query != nil
        else { return [between(asked, had, .query)].compactMap { $0 } }
        func name(_ item: String) -> String { FormFields(spelled: item).fields.first?.name ?? "" }
        let items = ListDifference(of: asked.queryItems, and: had.queryItems, by: { $0 })
        return items.pairs(by: name).map { item, recorded in
            let ignored = RequestMatcher.Ignored(.queryItems, [name(item ?? recorded ?? "")])
            return Difference("query item", recorded: recorded, requested: item, ignoring: ignored)
        }
    }
}

/// The elements that two lists lack of each other, regardless of order, equal elements counted.
///
/// The standard `difference(from:)` respects order and is quadratic where all elements differ.
struct ListDifference<Element> {
    let left: [Element]
    let right: [Element]

    init<Key: Hashable>(of left: [Element], and right: [Element], by key: (Element) -> Key) {
        self.left = Self.elements(of: left, lackedBy: right, key)
        self.right = Self.elements(of: right, lackedBy: left, key)
    }

    private static func elements<Key: Hashable>(
        of elements: [Element],
        lackedBy others: [Element],
        _ key: (Element) -> Key
    ) -> [Element] {
        var counts: [Key: Int] = [:]
        for other in others { counts[key(other), default: 0] += 1 }
        return elements.filter { element in
            counts[key(element), default: 0] -= 1
            return counts[key(element), default: 0] < 0
        }
    }

    /// Pairs elements of the same name in order; leftovers of the right list come last.
    func pairs<Name: Hashable>(by name: (Element) -> Name) -> [(Element?, Element?)] {
        var places = Dictionary(grouping: right.indices) { name(right[$0]) }.mapValues { $0[...] }
        var rest = Set(right.indices)
        let pairs = left.map { element -> (Element?, Element?) in
            let place = places[name(element)]?.popFirst()
            if let place { rest.remove(place) }
            return (element, place.map { right[$0] })
        }
        return pairs + rest.sorted().map { (nil, right[$0]) }
    }
}
