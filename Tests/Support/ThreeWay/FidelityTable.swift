import Foundation

/// What was compared three ways, as the article of the documentation shows it.
package struct FidelityTable {
    private var counts: [String: [SessionCall.Kind: Int]] = [:]
    private var differences: [(place: String, reason: String)] = []

    /// Creates an empty table.
    package init() {}

    /// Adds a comparison whose runs are the same, or differ on purpose.
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
            "Each conversation below was held three ways on Linux: natively, while Rewind recorded it, and from its "
                + "cassette with the server stopped.", "",
            "This page is generated: `Tests/Integration/fidelity.sh --write`.", "",
            "## What is compared", "",
            "Every delegate callback with its arguments and order, what completion handlers and callers get, the "
                + "indices of each `Data`, types and descriptions, errors with their user info, and after the end "
                + "`task.error`, `response`, `state`, the counts of bytes and both requests. While recording, the "
                + "request that reaches the server is compared byte for byte.", "",
            "## Conversations", "",
            "The number is that of the forms compared: completion handler (alone, beside a delegate, by URL), session "
                + "delegate, `task.delegate`, async (alone, with a delegate, by URL). \(total) in all.", "",
            "| outcome | " + kinds.map(\.rawValue).joined(separator: " | ") + " |",
            "|---|" + kinds.map { _ in "---|" }.joined(),
        ]
        for conversation in Conversation.all {
            let cells = kinds.map { counts[conversation.name]?[$0].map { "\($0)" } ?? "" }
            lines.append("| \(conversation.name) | " + cells.joined(separator: " | ") + " |")
        }
        lines += ["", "## Differences on purpose", "", "- \(Conversation.leftOut.reason)"]
        for (reason, places) in Dictionary(grouping: differences, by: \.reason).sorted(by: { $0.key < $1.key })
        {
            let names = places.map(\.place).sorted()
            let shown = names.count > 4 ? names.prefix(3) + ["\(names.count - 3) more"] : names[...]
            lines.append("- \(reason) Seen in: \(shown.joined(separator: "; ")).")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
