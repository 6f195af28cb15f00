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
