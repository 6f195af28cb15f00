import Rewind

/// What became of the interactions of one cassette.
struct VerifiedCassette: Hashable, Sendable {
    let path: String
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

    var json: JSON {
        ["path": .string(path), "interactions": .array(interactions.map(\.json))]
    }
}

/// What became of all interactions.
struct VerifyReport: Hashable, Sendable {
    let cassettes: [VerifiedCassette]

    var summary: String {
        let count = cassettes.map(\.interactions.count).reduce(0, +)
        let parts = counts.filter { $0.count > 0 }.map { "\($0.count) \($0.word)" }
        let text = Counted.text(count, "interaction")
        return parts.isEmpty ? text : text + ": " + parts.joined(separator: ", ")
    }

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

/// What became of one recorded interaction that was to be repeated.
struct VerifiedInteraction: Hashable, Sendable {
    /// What was found.
    enum Finding: Hashable, Sendable {
        case same
        case drifted([Drift])
        case failed(String)
        /// The request was not repeated, for the reason given.
        case skipped(String)
    }

    let number: Int
    let request: Request
    var finding: Finding
}

extension VerifiedInteraction {
    var word: String {
        switch finding {
        case .same: "same"
        case .drifted: "drifted"
        case .failed: "failed"
        case .skipped: "skipped"
        }
    }

    /// What more is to be told, a line each.
    var details: [String] {
        switch finding {
        case .same: []
        case .drifted(let drifts): DriftReport.Entry(number: number, request: request, drifts: drifts).lines
        case .failed(let reason), .skipped(let reason): [reason]
        }
    }

    var emphasis: TextStyle.Emphasis {
        switch finding {
        case .same: .green
        case .drifted: .yellow
        case .failed: .red
        case .skipped: .dim
        }
    }

    var json: JSON {
        var members: [(String, JSON)] = [
            ("number", JSON(number)), ("method", .string(request.method)), ("url", .string(request.url)),
            ("result", .string(word)),
        ]
        switch finding {
        case .same: break
        case .drifted(let drifts): members.append(("drift", .array(drifts.map(\.json))))
        case .failed(let reason), .skipped(let reason): members.append(("reason", .string(reason)))
        }
        return .object(JSONObject(members.map(JSONObject.Member.init)))
    }
}

extension Drift {
    fileprivate var json: JSON {
        [
            "kind": .string(kind.rawValue), "place": .string(place),
            "recorded": recorded.map(JSON.string) ?? .null, "live": live.map(JSON.string) ?? .null,
        ]
    }
}
