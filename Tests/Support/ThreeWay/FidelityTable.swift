import Foundation

/// The article of the documentation that lists what `ThreeWayTests` compare.
package struct FidelityTable {
    private var counts: [String: [SessionCall.Kind: Int]] = [:]
    private var differences: [(place: String, reason: String)] = []

    /// Creates an empty table.
    package init() {}

    /// Adds a comparison whose runs are equal or differ deliberately.
    package mutating func add(_ three: ThreeWay) {
        counts[three.conversation.name, default: [:]][three.call.kind, default: 0] += 1
        if !three.differences.isEmpty, let reason = three.conversation.deliberateDifference(of: three.call) {
            differences.append(("\(three.conversation.name) (\(three.call))", reason))
        }
    }

    /// The article.
    package var article: String {
        let kinds = SessionCall.Kind.allCases
        let total = counts.values.reduce(0) { $0 + $1.values.reduce(0, +) }
        var lines = [
            "# What was compared", "",
            "Each task was run three times on Linux: without Rewind, while Rewind recorded it, and from the cassette with "
                + "the server stopped.", "",
            "This page is generated. To update it, run `Tests/Integration/fidelity.sh --write`.", "",
            "## Compared properties", "",
            "Every delegate callback with its arguments and order, the values that completion handlers and async callers "
                + "receive, the indices of each `Data`, types and descriptions, errors with their user info, and at the "
                + "end `task.error`, `response`, `state`, the byte counts, `originalRequest` and `currentRequest`. While "
                + "recording, the request that reaches the server is compared byte for byte.", "",
            "## Outcomes", "",
            "Each number counts the forms that were compared: completion handler (without a delegate, with a delegate, "
                + "by URL), session delegate, `task.delegate`, and async (without a delegate, with a delegate, by URL). "
                + "The total is \(total).", "",
            "| outcome | " + kinds.map(\.rawValue).joined(separator: " | ") + " |",
            "|---|" + kinds.map { _ in "---|" }.joined(),
        ]
        for conversation in Conversation.all {
            let cells = kinds.map { counts[conversation.name]?[$0].map { "\($0)" } ?? "" }
            lines.append("| \(conversation.name) | " + cells.joined(separator: " | ") + " |")
        }
        lines += ["", "## Deliberate differences", "", "- \(Conversation.ignored.reason)"]
        for (reason, places) in Dictionary(grouping: differences, by: \.reason).sorted(by: { $0.key < $1.key })
        {
            let names = places.map(\.place).sorted()
            let shown = names.count > 4 ? names.prefix(3) + ["\(names.count - 3) more"] : names[...]
            lines.append("- \(reason) Seen in: \(shown.joined(separator: "; ")).")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
