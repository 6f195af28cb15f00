import Rewind

/// What became of the interactions of one cassette.
struct VerifiedCassette: Hashable, Sendable {
    /// The path as it is told.
    let path: String
    /// The interactions in recorded order.
    let interactions: [VerifiedInteraction]

    /// Whether an answer has drifted or did not come.
    var hasProblem: Bool {
        interactions.contains { ["drifted", "failed"].contains($0.word) }
    }

    /// The cassette for people: a line for each interaction, and below it what is to be told.
    func lines(_ style: TextStyle) -> [String] {
        var table = TextTable([.right, .left, .left])
        for interaction in interactions {
            table.add([
                "  #\(interaction.number)", interaction.word, VisibleText.line("\(interaction.request)"),
            ])
        }
        let rows = table.lines { text, row, column in
            column == 1 ? style(interactions[row].emphasis, text) : text
        }
        let margin = String(repeating: " ", count: "  #\(interactions.count)".count + 5)
        let body = zip(rows, interactions).flatMap { row, interaction in
            [row] + interaction.details.map { margin + VisibleText.line($0) }
        }
        return [style(.bold, VisibleText.line(path))] + body
    }

    /// The cassette for other programs.
    var json: JSON {
        ["path": .string(path), "interactions": .array(interactions.map(\.json))]
    }
}

/// What became of all interactions.
struct VerifyReport: Hashable, Sendable {
    /// The cassettes that could be read.
    let cassettes: [VerifiedCassette]

    /// The numbers in a line.
    var summary: String {
        let count = cassettes.map(\.interactions.count).reduce(0, +)
        let parts = counts.filter { $0.count > 0 }.map { "\($0.count) \($0.word)" }
        let text = Counted.text(count, "interaction")
        return parts.isEmpty ? text : text + ": " + parts.joined(separator: ", ")
    }

    /// The report for other programs.
    var json: JSON {
        let numbers = counts.map { JSONObject.Member(name: $0.word, value: JSON($0.count)) }
        return ["cassettes": .array(cassettes.map(\.json)), "summary": .object(JSONObject(numbers))]
    }

    private var counts: [(word: String, count: Int)] {
        ["same", "drifted", "failed", "skipped"].map { word in
            (word, cassettes.flatMap(\.interactions).count { $0.word == word })
        }
    }
}
