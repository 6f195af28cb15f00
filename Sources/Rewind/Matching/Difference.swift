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
            default: return [Difference(part: matcher.name, recorded: had.excerpt, requested: asked.excerpt)]
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
        guard let query = requested.query, let had = recorded.query else {
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
        if missing.isEmpty, surplus.isEmpty, query != had, query.isEmpty || had.isEmpty {
            return [Difference(part: "query", recorded: had, requested: query)]
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

extension Projection {
    /// The projection in a few words; `nil` where the request has no such part.
    fileprivate var excerpt: String? {
        switch self {
        case .absent: nil
        case .text(let text): text
        case .bytes(let body): BodyExcerpt(body.data, around: 0).description
        }
    }
}

/// A few characters of a body around the place where it differs from another.
struct BodyExcerpt: CustomStringConvertible {
    private static let reach = 24
    private let data: Data
    private let position: Int

    init(_ data: Data, around position: Int) {
        self.data = data
        self.position = min(position, data.count)
    }

    var description: String {
        guard !data.isEmpty else { return "no bytes" }
        let lower = max(0, position - Self.reach)
        let upper = min(data.count, position + Self.reach)
        let slice = data[data.startIndex + lower..<data.startIndex + upper]
        let text = String(decoding: slice, as: UTF8.self)
        let isReadable = text.unicodeScalars.allSatisfy {
            $0.value >= 0x20 && $0 != "\u{FFFD}" || "\t\r\n".unicodeScalars.contains($0)
        }
        let shown =
            isReadable ? text.debugDescription : slice.map { String(format: "%02x", $0) }.joined(separator: " ")
        return "\(lower > 0 ? "…" : "")\(shown)\(upper < data.count ? "…" : "") (\(data.count) bytes)"
    }
}
