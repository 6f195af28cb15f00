import Rewind

/// A line for each interaction of a cassette, and the totals.
struct Timeline {
    private let cassette: ShownCassette

    /// Takes a cassette.
    init(_ cassette: ShownCassette) {
        self.cassette = cassette
    }

    /// The lines, under the path and a head.
    func text(_ style: TextStyle) -> String {
        var table = TextTable([.right, .left, .left, .left, .right, .right, .left])
        table.add(["#", "METHOD", "STATUS", "TYPE", "SIZE", "TIME", "URL"])
        let outcomes = cassette.interactions.map { Outcome(of: $0.interaction) }
        for ((number, interaction), outcome) in zip(cassette.interactions, outcomes) {
            let size = interaction.response.map { ByteCount($0.body.count).description } ?? ""
            table.add([
                "\(number)", VisibleText.line(interaction.request.method), outcome.status,
                Self.short(outcome.type),
                size, TimeText.duration(milliseconds: interaction.timing.wait + interaction.timing.receive),
                Self.story(of: interaction.request, outcome),
            ])
        }
        let lines = table.lines { text, row, column in
            guard row > 0 else { return style(.dim, text) }
            guard column == 2, let emphasis = outcomes[row - 1].emphasis else { return text }
            return style(emphasis, text)
        }
        let title = style(.bold, cassette.path) + (cassette.foreignFormat.map { " (\($0))" } ?? "")
        return ([title, ""] + (outcomes.isEmpty ? [] : lines + [""]) + [cassette.totals]).joined(
            separator: "\n"
        )
    }

    /// The URL, last in the line so that it needs no cutting, with where it leads to and what it asks for.
    private static func story(of request: Request, _ outcome: Outcome) -> String {
        let operations = GraphQLOperations(of: request)?.operations ?? []
        let parts = [
            request.url, outcome.redirect.map { "→ \($0)" },
            operations.isEmpty ? nil : "(\(operations.map(\.title).joined(separator: ", ")))",
        ]
        return parts.compactMap { $0 }.map(VisibleText.line).joined(separator: " ")
    }

    private static func short(_ type: String) -> String {
        type.count > 32 ? type.prefix(31) + "…" : type
    }
}
