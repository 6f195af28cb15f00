import Foundation

/// One part in which a request differs from a recorded one.
package struct Difference: Hashable, Sendable {
    /// The part, such as `query item page` or `body $.user.name`.
    package var part: String
    /// What the recording has; `nil` where it lacks the part.
    package var recorded: String?
    /// What the request has; `nil` where it lacks the part.
    package var requested: String?
    /// What would make the difference go, if it were left out of the comparison.
    package var remedy: Ignored?
    /// The name of the matcher that says so.
    package var matcher = ""
    /// What else a reader has to know, such as why a body was compared byte for byte.
    package var remark: String?

    package init(
        part: String,
        recorded: String?,
        requested: String?,
        ignoring remedy: Ignored? = nil,
        remark: String? = nil
    ) {
        self.part = part
        self.recorded = recorded
        self.requested = requested
        self.remedy = remedy
        self.remark = remark
    }

    /// Shows two projections around the place where they part.
    init(of part: String, between requested: Projection, and recorded: Projection) {
        let place = requested.commonLength(with: recorded)
        let component = URLComponent(rawValue: part)
        self.init(
            part: part,
            recorded: recorded.excerpt(around: place),
            requested: requested.excerpt(around: place),
            ignoring: component.map(Ignored.component)
        )
    }

    /// Compares two requests by the parts that matchers name.
    package static func between(
        _ request: Request,
        and recorded: Request,
        matchers: [Matcher]
    ) -> [Difference] {
        matchers.flatMap { $0.differences(request, from: recorded) }
    }
}

extension Difference {
    /// The difference in one line, for a log.
    var line: String {
        "\(part): recorded \(recorded ?? "(none)"), requested \(requested ?? "(none)")"
    }
}

/// The differences of two URLs, component by component and item by item.
enum URLDifferences {
    static func between(_ requested: Request, _ recorded: Request) -> [Difference] {
        let (asked, had) = (URLParts(requested.url), URLParts(recorded.url))
        let components: [URLComponent] = [.scheme, .user, .host, .port]
        return components.compactMap { component in
            difference(component, component.value(of: requested.url), component.value(of: recorded.url))
        } + path(asked, had) + queries(asked, had)
    }

    static func betweenQueries(_ requested: Request, _ recorded: Request) -> [Difference] {
        queries(URLParts(requested.url), URLParts(recorded.url))
    }

    private static func difference(
        _ component: URLComponent,
        _ asked: String?,
        _ had: String?
    ) -> Difference? {
        guard asked != had else { return nil }
        return Difference(
            part: component.rawValue,
            recorded: had,
            requested: asked,
            ignoring: .component(component)
        )
    }

    /// A path that differs in some of its segments only can be mended by leaving these free.
    private static func path(_ asked: URLParts, _ had: URLParts) -> [Difference] {
        guard asked.path != had.path else { return [] }
        let (left, right) = (asked.path.split(separator: "/"), had.path.split(separator: "/"))
        var remedy: Ignored?
        if left.count == right.count, asked.path.hasSuffix("/") == had.path.hasSuffix("/") {
            let pattern = zip(left, right).map { $0 == $1 ? String($0) : "*" }
            let keepsSome = pattern.contains { $0 != "*" }
            let end = asked.path.hasSuffix("/") ? "/" : ""
            if keepsSome { remedy = .segments("/" + pattern.joined(separator: "/") + end) }
        }
        return [Difference(part: "path", recorded: had.path, requested: asked.path, ignoring: remedy)]
    }

    private static func queries(_ asked: URLParts, _ had: URLParts) -> [Difference] {
        guard asked.query != nil, had.query != nil else {
            return difference(.query, asked.query, had.query).map { [$0] } ?? []
        }
        func name(_ item: String) -> String { FormFields(spelled: item).fields.first?.name ?? "" }
        return ListDifference(of: asked.queryItems, and: had.queryItems, by: { $0 }).pairs(by: name).map {
            item,
            recorded in
            Difference(
                part: "query item",
                recorded: recorded,
                requested: item,
                ignoring: Ignored(.queryItems, [name(item ?? recorded ?? "")])
            )
        }
    }
}

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
