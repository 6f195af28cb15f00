import Rewind

/// What became of one recorded interaction that was to be repeated.
struct VerifiedInteraction: Hashable, Sendable {
    /// What was found.
    enum Finding: Hashable, Sendable {
        /// The live answer is of the same make.
        case same
        /// It is of another.
        case drifted([Drift])
        /// No answer came, for the reason given.
        case failed(String)
        /// The request was not repeated, for the reason given.
        case skipped(String)
    }

    /// The place on the cassette, counted from one.
    let number: Int
    /// The request as it was recorded.
    let request: Request
    /// What was found.
    var finding: Finding
}

extension VerifiedInteraction {
    /// The finding in a word.
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

    /// How the word is set off.
    var emphasis: TextStyle.Emphasis {
        switch finding {
        case .same: .green
        case .drifted: .yellow
        case .failed: .red
        case .skipped: .dim
        }
    }

    /// The interaction for other programs.
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
