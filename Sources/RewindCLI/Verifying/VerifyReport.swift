import Rewind

/// The result for one interaction.
struct VerifiedInteraction: Hashable, Sendable {
    enum Result: String, Hashable, Sendable, CaseIterable {
        case same, drifted, failed, skipped

        var emphasis: TextStyle.Emphasis {
            switch self {
            case .same: .green
            case .drifted: .yellow
            case .failed: .red
            case .skipped: .dim
            }
        }
    }

    let number: Int
    var request: Interaction.Request
    var result = Result.same
    var drifts: [Drift] = []
    /// Why there was no response, or why the request was skipped.
    var reason: String?

    var details: [String] {
        if let reason { return [reason] }
        return DriftReport.Entry(number: number, request: request, drifts: drifts).lines
    }

    var json: JSON {
        var object: JSONObject = [
            "number": JSON(number), "method": .string(request.method), "url": .string(request.url),
            "result": .string(result.rawValue),
        ]
        if result == .drifted { object.append("drift", .array(drifts.map(\.json))) }
        if let reason { object.append("reason", .string(reason)) }
        return .object(object)
    }
}

extension Drift {
    fileprivate var json: JSON {
        [
            "kind": .string("\(kind)"), "place": .string(place),
            "recorded": recorded.map(JSON.string) ?? .null, "live": live.map(JSON.string) ?? .null,
        ]
    }
}

struct VerifiedCassette: Hashable, Sendable {
    let path: String
    let interactions: [VerifiedInteraction]

    var hasProblem: Bool { interactions.contains { $0.result == .drifted || $0.result == .failed } }

    func lines(_ style: TextStyle) -> [String] {
        var table = TextTable([.right, .left, .left])
        for interaction in interactions {
            let request = VisibleText.line("\(interaction.request)")
            table.add(["  #\(interaction.number)", interaction.result.rawValue, request])
        }
        let rows = table.lines { text, row, column in
            column == 1 ? style(interactions[row].result.emphasis, text) : text
        }
        let margin = String(repeating: " ", count: "  #\(interactions.count)".count + 5)
        let body = zip(rows, interactions).flatMap { row, interaction in
            [row] + interaction.details.map { margin + VisibleText.line($0) }
        }
        return [style(.bold, VisibleText.line(path))] + body
    }

    var json: JSON { ["path": .string(path), "interactions": .array(interactions.map(\.json))] }
}

struct VerifyReport: Hashable, Sendable {
    let cassettes: [VerifiedCassette]

    var summary: String {
        let total = Counted.text(cassettes.map(\.interactions.count).reduce(0, +), "interaction")
        let parts = counts.filter { $0.count > 0 }.map { "\($0.count) \($0.word)" }
        return parts.isEmpty ? total : total + ": " + parts.joined(separator: ", ")
    }

    var json: JSON {
        let numbers = counts.map { JSONObject.Member(name: $0.word, value: JSON($0.count)) }
        return ["cassettes": .array(cassettes.map(\.json)), "summary": .object(JSONObject(numbers))]
    }

    private var counts: [(word: String, count: Int)] {
        VerifiedInteraction.Result.allCases.map { result in
            (result.rawValue, cassettes.flatMap(\.interactions).count { $0.result == result })
        }
    }
}
