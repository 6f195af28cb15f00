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
        let (missing, surplus) = asked.queryItems.subtractingEachOther(had.queryItems, areEqual: ==)
        return Pairing(missing, surplus, sameName: { $0.prefix { $0 != "=" } == $1.prefix { $0 != "=" } })
            .pairs.map { item, recorded in
                let name = FormFields(spelled: item ?? recorded ?? "").fields.first?.name ?? ""
                return Difference(
                    part: "query item",
                    recorded: recorded,
                    requested: item,
                    ignoring: Ignored(.queryItems, [name])
                )
            }
    }
}

/// What two lists lack of each other, those that have the same name side by side.
struct Pairing<Element> {
    private(set) var pairs: [(Element?, Element?)] = []

    init(_ left: [Element], _ right: [Element], sameName: (Element, Element) -> Bool) {
        var rest = right
        for element in left {
            let position = rest.firstIndex { sameName(element, $0) }
            pairs.append((element, position.map { rest.remove(at: $0) }))
        }
        pairs += rest.map { (nil, $0) }
    }
}

extension Array {
    /// The elements of each list that the other lacks, equal ones counted.
    func subtractingEachOther(
        _ other: [Element],
        areEqual: (Element, Element) -> Bool
    ) -> ([Element], [Element]) {
        var rest = other
        let own = filter { element in
            guard let position = rest.firstIndex(where: { areEqual(element, $0) }) else { return true }
            rest.remove(at: position)
            return false
        }
        return (own, rest)
    }
}
