import Foundation

struct MissDiagnosis {
    let miss: Miss

    var text: String {
        let lines = paragraph(headline, indentation: 0) + circumstances + nearest + recoverySuggestion
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
        case .notRouted(let tests): lines += list("running", tests)
        case .stubExhausted(let stub, _): lines += paragraph(stub, label: "stub")
        case .unreadableBody(let cause), .unsupported(let cause), .brokenStub(let cause):
            lines += paragraph(cause, label: "cause")
        case .noStub: break
        case .noMatch, .alreadyPlayed, .outOfTurn, .testOver, .paused, .networkForbidden, .unsupportedTask:
            if let path = miss.cassettePath { lines.append(line("cassette", path)) }
        }
        let stubs = miss.passedOverStubs.flatMap { paragraph($0, label: "stub") }
        return lines + plays + redaction + comparison + stubs
    }

    private var redaction: [String] {
        let texts = [Data(miss.request.url.utf8), miss.request.body?.data ?? Data()]
        var seen: Set<Placeholder> = []
        let names = texts.flatMap(Placeholder.placeholders)
            .filter { $0.number != nil && seen.insert($0).inserted }
            .map(\.text)
        return list("redacted", names)
    }

    private func line(_ label: String, _ value: String) -> String { self.label(label) + value.shortened() }

    /// A value is never wrapped, as it may be a path or a URL to copy.
    private func label(_ label: String) -> String {
        "  " + (label + ":").padding(toLength: 10, withPad: " ", startingAt: 0)
    }

    private func list(_ label: String, _ items: [String]) -> [String] {
        items.isEmpty ? [] : paragraph(items.joined(separator: ", "), label: label)
    }

    private func paragraph(_ text: String, label: String) -> [String] {
        paragraph(text, indentation: 12, first: self.label(label))
    }

    /// Wraps prose to fit a terminal of 80 columns.
    private func paragraph(_ text: String, indentation: Int, first: String? = nil) -> [String] {
        let margin = String(repeating: " ", count: indentation)
        var lines = [first ?? margin]
        var isLineEmpty = true
        for word in text.split(separator: " ") {
            let line = lines[lines.count - 1]
            if !isLineEmpty, line.count + 1 + word.count > 80 {
                lines.append(margin + word)
            } else {
                lines[lines.count - 1] = line + (isLineEmpty ? "" : " ") + word
            }
            isLineEmpty = false
        }
        return lines
    }

    private var plays: [String] {
        guard case .alreadyPlayed = miss.reason else { return [] }
        let plays = miss.plays.sorted { $0.key < $1.key }
        let shown = plays.prefix(8).map { "#\($0.key) by request \($0.value)" }
        let rest = plays.count > shown.count ? ["and \(plays.count - shown.count) more"] : []
        return list("played", shown + rest)
    }

    private var comparison: [String] {
        guard miss.nearest != nil else { return [] }
        let ignored = miss.matchers.flatMap(\.ignored).merged
        return list("compared", miss.matchers.map(\.name)) + list("ignored", ignored.map(\.description))
    }

    private var nearest: [String] {
        guard let candidates = miss.nearest?.candidates else { return [] }
        guard !candidates.isEmpty else { return ["  The cassette is empty."] }
        return candidates.flatMap { candidate in
            let play = miss.plays[candidate.number].map { " (played by request \($0))" } ?? ""
            let head = line("nearest", "#\(candidate.number) \(candidate.request)") + play
            let obstacle = candidate.obstacle.map { ["      cannot answer: \($0)"] } ?? []
            let shown = candidate.differences.prefix(6).flatMap(lines)
            let rest = candidate.differences.count - 6
            let surplus = rest > 0 ? ["      and \(rest) more differences"] : []
            return [head] + obstacle + secrets(candidate) + shown + surplus
        }
    }

    /// How a request differs from one with other secrets.
    private func secrets(_ candidate: NearestInteractions.Candidate) -> [String] {
        guard !candidate.otherSecrets.isEmpty, miss.plays[candidate.number] == nil else { return [] }
        let names = candidate.otherSecrets.map(\.text).joined(separator: ", ")
        return ["      secrets: other values than those recorded as \(names)"]
    }

    private func lines(_ difference: Difference) -> [String] {
        let remark = difference.remark.map { " (\($0))" } ?? ""
        let part = ["      \(difference.part.shortened())" + remark]
        guard difference.recorded != nil || difference.requested != nil else { return part }
        return part + [
            "        recorded:  \((difference.recorded ?? "(none)").shortened())",
            "        requested: \((difference.requested ?? "(none)").shortened())",
        ]
    }

    // MARK: Recovery

    private var recoverySuggestion: [String] {
        switch miss.reason {
        case .noCassette, .recordingForbidden:
            prose("Record it where the network can be reached, and commit the file:") + command("once")
        case .readOnly:
            prose(
                "Record it on the Mac or in the simulator, where the sources can be written, and commit the file. For a"
                    + " device, add the project's folder `Cassettes` to the resources of the test target, as a folder."
            )
        case .noMatch:
            leavingOut + prose("To add this request to the cassette, or to record all of it anew:")
                + command("newEpisodes") + command("all")
        case .alreadyPlayed:
            prose("Each interaction is played once. To let the last one answer again:")
                + code("configuration.repeats = .last")
                + prose("To record the test as it is now:") + command("all")
        case .outOfTurn:
            prose("If the order means nothing to this test:") + code("configuration.order = .perRequest")
                + prose("To record the order as it is now:") + command("all")
        case .paused:
            prose(
                "Call `stubber.resume()` before this request, or run the test in a mode that allows the network:"
            ) + command("once")
        case .noStub:
            prose("Add a stub for it:") + code(stub)
                + prose("To let it go to the network, name its host in `configuration.passthroughHosts`.")
        case .networkForbidden:
            prose("Add a stub for it:") + code(stub)
                + prose("To let the test use the network, leave out `stubber.forbidNetwork()`.")
        case .stubExhausted:
            prose("Give the sequence another answer, or let it go on with the last:")
                + code(".sequence([…], then: .last)")
        case .brokenStub: prose("Mend the stub where it is declared.")
        case .testOver:
            prose("Wait in the test for the work it starts; nothing of one test may reach the next.")
        case .notRouted:
            prose("Give the client a session of this test, `stubber.session` or one of this configuration:")
                + code("stubber.install(in: configuration)")
                + prose(
                    "Or mark the request where the client lets it be changed, as Alamofire's `requestModifier` does:"
                )
                + code("stubber.route(&request)")
                + prose(
                    "For a detached task, a timer or a block on a queue that the test itself starts,"
                        + " `stubber.run { … }` is enough. It does not help where a client makes its tasks on queues of"
                        + " its own: without a session or a mark, such a client, and Alamofire's `AF`, needs tests that"
                        + " run one after another (`swift test --no-parallel`, or one `.serialized` suite around all of"
                        + " them)."
                )
        case .unreadableBody:
            prose("Give the request its body as data, or check that the file it is read from exists.")
        case .unsupported: prose("Make the request through `stubber.session`, or with a data task.")
        case .unsupportedTask:
            prose("Use a data task in the test, or let the host through to the network:")
                + code("configuration.passthroughHosts = [\"\(URLParts(miss.request.url).host)\"]")
        }
    }

    private var stub: String {
        let url = String(miss.request.url.prefix { $0 != "?" && $0 != "#" }).shortened()
        let method = miss.request.method.lowercased()
        let isCommon = ["get", "post", "put", "patch", "delete", "head"].contains(method)
        let condition =
            isCommon ? ".\(method)(\"\(url)\")" : ".method(\"\(miss.request.method)\") && .url(\"\(url)\")"
        return "stubber.stub(\(condition)) { _ in .status(200) }"
    }

    /// The configuration under which the nearest interaction that is unplayed answers.
    private var leavingOut: [String] {
        let candidates = miss.nearest?.candidates ?? []
        guard
            let nearest = candidates.first(where: { miss.plays[$0.number] == nil && $0.obstacle == nil }),
            !nearest.differences.isEmpty, nearest.differences.count <= 4
        else { return [] }
        return prose("If what differs means nothing, leave it out, and #\(nearest.number) answers:")
            + MatchingChange(nearest.differences).statements.flatMap(code)
    }

    private func command(_ mode: String) -> [String] {
        guard let filter else { return code("REWIND_MODE=\(mode), set for a run of this test") }
        return code("REWIND_MODE=\(mode) swift test --filter \(filter)")
    }

    /// The test's name for `swift test --filter`: suite and function, or function.
    private var filter: String? {
        guard let name = miss.testName?.prefix(while: { $0 != "(" }), !name.isEmpty else { return nil }
        let dot = name.lastIndex(of: ".")
        let filter = dot.map { "\(name[..<$0])/\(name[name.index(after: $0)...])" } ?? String(name)
        return filter.allSatisfy { $0.isLetter || $0.isNumber || "_./".contains($0) } ? filter : nil
    }

    private func prose(_ text: String) -> [String] { paragraph(text, indentation: 2) }
    private func code(_ text: String) -> [String] { ["    \(text)"] }
}

struct MatchingChange {
    let ignored: [Ignored]
    /// The matchers that would have to go, where nothing less removes their difference.
    let matchers: [String]

    init(_ differences: [Difference]) {
        ignored = differences.compactMap(\.suggestion).merged
        var seen: Set<String> = []
        matchers = differences.filter { $0.suggestion == nil }.map(\.matcher).filter {
            seen.insert($0).inserted
        }
    }

    var statements: [String] {
        let removals = matchers.map { name in "configuration.matching.removeAll { $0.name == \"\(name)\" }" }
        guard !ignored.isEmpty else { return removals }
        let list = ignored.map(\.description).joined(separator: ", ")
        return removals + ["configuration.matching = configuration.matching.ignoring(\(list))"]
    }
}

extension String {
    func shortened(to limit: Int = 300) -> String {
        guard utf8.count > limit, count > limit else { return self }
        return "\(prefix(limit * 2 / 3))…\(suffix(limit / 3))"
    }
}
