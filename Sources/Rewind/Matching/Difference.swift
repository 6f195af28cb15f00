import Foundation

package struct Difference: Hashable, Sendable {
    /// The part, such as `query item page` or `body $.user.name`.
    package var part: String
    package var recorded: String?
    package var requested: String?
    /// The part to ignore so that the difference disappears.
    package var suggestion: RequestMatcher.Ignored?
    package var matcher = ""
    /// An explanation, such as why a body was compared byte for byte.
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

    /// Contains an excerpt of each projection around the first difference.
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
        let (requested, recorded) = (URLParts(requested.url), URLParts(recorded.url))
        let components: [RequestMatcher.URLComponent] = [.scheme, .user, .host, .port]
        return components.compactMap { between(requested, recorded, $0) } + betweenPaths(requested, recorded)
            + betweenQueries(requested, recorded)
    }

    static func betweenQueries(_ requested: Interaction.Request, _ recorded: Interaction.Request, _: SentBodies)
        -> [Difference]
    {
        betweenQueries(URLParts(requested.url), URLParts(recorded.url))
    }

    private static func between(
        _ requested: URLParts,
        _ recorded: URLParts,
        _ component: RequestMatcher.URLComponent
    )
        -> Difference?
    {
        let (requested, recorded) = (component.value(of: requested), component.value(of: recorded))
        guard requested != recorded else { return nil }
        return Difference(
            "\(component)",
            recorded: recorded,
            requested: requested,
            ignoring: .component(component)
        )
    }

    /// If the paths have the same number of segments, the suggestion ignores those that differ.
    private static func betweenPaths(_ requested: URLParts, _ recorded: URLParts) -> [Difference] {
        guard requested.path != recorded.path else { return [] }
        let (left, right) = (requested.path.split(separator: "/"), recorded.path.split(separator: "/"))
        var suggestion: RequestMatcher.Ignored?
        if left.count == right.count, requested.path.hasSuffix("/") == recorded.path.hasSuffix("/") {
            let pattern = zip(left, right).map { $0 == $1 ? String($0) : "*" }
            let end = requested.path.hasSuffix("/") ? "/" : ""
            if pattern.contains(where: { $0 != "*" }) {
                suggestion = .segments("/" + pattern.joined(separator: "/") + end)
            }
        }
        return [Difference("path", recorded: recorded.path, requested: requested.path, ignoring: suggestion)]
    }

    private static func betweenQueries(_ requested: URLParts, _ recorded: URLParts) -> [Difference] {
        guard requested.query != nil, recorded.query != nil
        else { return [between(requested, recorded, .query)].compactMap { $0 } }
        func name(_ item: String) -> String { FormFields(spelled: item).fields.first?.name ?? "" }
        let items = ListDifference(of: requested.queryItems, and: recorded.queryItems, by: { $0 })
        return items.pairs(by: name).map { item, recorded in
            let ignored = RequestMatcher.Ignored(.queryItems, [name(item ?? recorded ?? "")])
            return Difference("query item", recorded: recorded, requested: item, ignoring: ignored)
        }
    }
}

/// The elements that only one of two lists contains, regardless of order; equal elements are counted.
///
/// The standard `difference(from:)` respects the order, and takes quadratic time if all elements differ.
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

    /// Pairs elements with the same name in order; unpaired elements of the right list come last.
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
