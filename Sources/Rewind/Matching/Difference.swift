import Foundation

/// One part in which a request differs from a recorded one.
package struct Difference: Hashable, Sendable {
    /// The part, such as `query item` or `body`.
    package var part: String
    /// What the recording has; `nil` where it lacks the part.
    package var recorded: String?
    /// What the request has; `nil` where it lacks the part.
    package var requested: String?

    /// Compares two requests by the parts that matchers name.
    package static func between(
        _ request: Request,
        and recorded: Request,
        matchers: [Matcher]
    ) -> [Difference] {
        matchers.flatMap { matcher -> [Difference] in
            let (asked, had) = (matcher.projection(request), matcher.projection(recorded))
            guard asked != had else { return [] }
            switch matcher.name {
            case Matcher.url.name: return ofURL(request.url, recorded.url)
            case Matcher.query.name: return ofQuery(URLParts(request.url), URLParts(recorded.url))
            case Matcher.body.name: return [ofBody(request.body, recorded.body)]
            default:
                let place = asked.commonLength(with: had)
                let (recorded, requested) = (had.excerpt(around: place), asked.excerpt(around: place))
                return [Difference(part: matcher.name, recorded: recorded, requested: requested)]
            }
        }
    }

    private static func ofURL(_ requested: String, _ recorded: String) -> [Difference] {
        let (asked, had) = (URLParts(requested), URLParts(recorded))
        var differences: [Difference] = []
        func compare(_ part: String, _ value: (URLParts) -> String?) {
            guard value(asked) != value(had) else { return }
            differences.append(Difference(part: part, recorded: value(had), requested: value(asked)))
        }
        compare("scheme") { $0.scheme }
        compare("user") { $0.userInformation }
        compare("host") { $0.host }
        compare("port") { $0.port.map(String.init) }
        compare("path") { $0.path }
        return differences + ofQuery(asked, had)
    }

    private static func ofQuery(_ requested: URLParts, _ recorded: URLParts) -> [Difference] {
        guard requested.query != nil, recorded.query != nil else {
            guard requested.query != recorded.query else { return [] }
            return [Difference(part: "query", recorded: recorded.query, requested: requested.query)]
        }
        var missing = requested.queryItems
        var surplus = recorded.queryItems
        for item in missing {
            guard let position = surplus.firstIndex(of: item), let own = missing.firstIndex(of: item) else {
                continue
            }
            surplus.remove(at: position)
            missing.remove(at: own)
        }
        var differences: [Difference] = []
        for item in missing {
            let name = item.prefix { $0 != "=" }
            let position = surplus.firstIndex { $0.prefix { $0 != "=" } == name }
            differences.append(
                Difference(
                    part: "query item",
                    recorded: position.map { surplus.remove(at: $0) },
                    requested: item
                )
            )
        }
        return differences + surplus.map { Difference(part: "query item", recorded: $0, requested: nil) }
    }

    private static func ofBody(_ requested: Body?, _ recorded: Body?) -> Difference {
        let (asked, had) = (requested?.data ?? Data(), recorded?.data ?? Data())
        let common = zip(asked, had).prefix { $0 == $1 }.count
        return Difference(
            part: "body",
            recorded: BodyExcerpt(had, around: common).description,
            requested: BodyExcerpt(asked, around: common).description
        )
    }
}
