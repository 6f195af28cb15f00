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
