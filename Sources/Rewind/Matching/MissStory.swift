import Foundation

/// Tells a miss in words: what happened, what came nearest, what mends it.
struct MissStory {
    private let miss: Miss

    init(_ miss: Miss) {
        self.miss = miss
    }

    var text: String {
        let lines =
            StoryText.paragraph(headline, indentation: 0) + circumstances + nearest + MissRemedy(miss).lines
        return lines.joined(separator: "\n")
    }

    private var headline: String {
        switch miss.reason {
        case .noCassette:
            "Rewind has no cassette for this request, and mode `\(miss.mode)` forbids to record one."
        case .recordingForbidden(_, let variable):
            "Rewind has no cassette for this request, and records none where \(variable) is set."
        case .readOnly:
            "Rewind has no recorded interaction for this request, and cannot record one here, where the cassette can only"
                + " be read."
        case .noMatch: "Rewind found no recorded interaction that matches this request."
        case .alreadyPlayed(let count):
            count == 1
                ? "Rewind has one interaction that matches this request, and it was already played."
                : "Rewind has \(count) interactions that match this request, and all were already played."
        case .outOfTurn: "Rewind plays this cassette in recorded order, and another request was due."
        case .noStub: "Rewind has no stub for this request, and there is no cassette to look into."
        case .networkForbidden: "Rewind has no answer to this request, and the network is forbidden."
        case .stubExhausted(_, let calls):
            calls == 1
                ? "Rewind has a stub for this request, and its one answer was already given."
                : "Rewind has a stub for this request, and all its \(calls) answers were already given."
        case .brokenStub: "Rewind has a stub for this request that cannot answer."
        case .testOver: "Rewind refuses a request of a test that is over."
        case .paused: "Rewind is paused, and mode `\(miss.mode)` forbids the network."
        case .notRouted: "Rewind cannot tell which test this request belongs to, for several are running."
        case .unreadableBody: "Rewind could not read the body of this request."
        case .unsupported: "Rewind cannot answer this task on this platform."
        case .unsupportedTask(let kind):
            "Rewind cannot replay a \(kind), and mode `\(miss.mode)` forbids the network."
        }
    }

    private var circumstances: [String] {
        var lines = [line("request", "\(miss.request)")]
        if case .outOfTurn(let due) = miss.reason { lines.append(line("due", "\(due)")) }
        if let test = miss.testName { lines.append(line("test", test)) }
        switch miss.reason {
        case .noCassette(let path), .recordingForbidden(let path, _):
            lines.append(line("cassette", path + " (missing)"))
        case .readOnly(let path): lines.append(line("cassette", path))
        case .notRouted(let tests):
            lines += StoryText.paragraph(tests.joined(separator: ", "), label: "running")
        case .stubExhausted(let stub, _):
            lines += StoryText.paragraph(stub, label: "stub")
        case .unreadableBody(let cause), .unsupported(let cause), .brokenStub(let cause):
            lines += StoryText.paragraph(cause, label: "cause")
        case .noStub: break
        case .noMatch, .alreadyPlayed, .outOfTurn, .testOver, .paused, .networkForbidden, .unsupportedTask:
            if let path = miss.cassettePath { lines.append(line("cassette", path)) }
        }
        return lines + plays + redaction + comparison + stubs
    }

    /// The stubs that are for other requests.
    private var stubs: [String] {
        miss.passedOverStubs.flatMap { StoryText.paragraph($0, label: "stub") }
    }

    /// The placeholders that stand in the request for its secrets.
    private var redaction: [String] {
        let texts = [Data(miss.request.url.utf8), miss.request.body?.data ?? Data()]
        var seen: Set<Placeholder> = []
        let names = texts.flatMap(Placeholder.placeholders)
            .filter { $0.number != nil && seen.insert($0).inserted }
            .map(\.text)
        return names.isEmpty ? [] : StoryText.paragraph(names.joined(separator: ", "), label: "redacted")
    }

    private func line(_ label: String, _ value: String) -> String {
        StoryText.labelled(label, StoryText.shortened(value))
    }

    /// By which requests the interactions that match were played.
    private var plays: [String] {
        guard case .alreadyPlayed = miss.reason, !miss.plays.isEmpty else { return [] }
        let plays = miss.plays.sorted { $0.key < $1.key }
        let shown = plays.prefix(8).map { "#\($0.key) by request \($0.value)" }
        let rest = plays.count > shown.count ? ["and \(plays.count - shown.count) more"] : []
        return StoryText.paragraph((shown + rest).joined(separator: ", "), label: "played")
    }

    /// What was compared, and what was left out.
    private var comparison: [String] {
        guard miss.nearest != nil, !miss.matchers.isEmpty else { return [] }
        let names = miss.matchers.map(\.name).joined(separator: ", ")
        let left = miss.matchers.flatMap(\.ignored).merged.map(\.description).joined(separator: ", ")
        return StoryText.paragraph(names, label: "compared")
            + (left.isEmpty ? [] : StoryText.paragraph(left, label: "ignored"))
    }

    private var nearest: [String] {
        guard let candidates = miss.nearest?.candidates else { return [] }
        guard !candidates.isEmpty else { return ["  The cassette is empty."] }
        return candidates.flatMap { candidate in
            let play = miss.plays[candidate.number].map { " (played by request \($0))" } ?? ""
            let head = line("nearest", "#\(candidate.number) \(candidate.request)") + play
            let obstacle = candidate.obstacle.map { ["      cannot answer: \($0)"] } ?? []
            let shown = candidate.differences.prefix(Self.limit).flatMap(lines)
            return [head] + obstacle + secrets(candidate) + shown + surplus(candidate.differences.count)
        }
    }

    /// What tells a request from one that differs in its secrets alone.
    private func secrets(_ candidate: NearestInteractions.Candidate) -> [String] {
        guard !candidate.otherSecrets.isEmpty, miss.plays[candidate.number] == nil else { return [] }
        return [
            "      secrets: other values than those recorded as \(candidate.otherSecrets.map(\.text).joined(separator: ", "))"
        ]
    }

    private static let limit = 6

    private func surplus(_ count: Int) -> [String] {
        count > Self.limit ? ["      and \(count - Self.limit) more differences"] : []
    }

    private func lines(_ difference: Difference) -> [String] {
        let remark = difference.remark.map { " (\($0))" } ?? ""
        let part = ["      \(StoryText.shortened(difference.part))" + remark]
        guard difference.recorded != nil || difference.requested != nil else { return part }
        return part + [
            "        recorded:  \(StoryText.shortened(difference.recorded ?? "(none)"))",
            "        requested: \(StoryText.shortened(difference.requested ?? "(none)"))",
        ]
    }
}
