import Foundation

struct MissDiagnosis {
    let miss: Miss

    var text: String {
        let lines = paragraph(headline, indentation: 0) + circumstances + nearest + fix
        return lines.joined(separator: "\n")
    }

    /// How to fix it, without the indentation that it has in the text.
    var recovery: String { fix.map { String($0.dropFirst(2)) }.joined(separator: "\n") }

    private var headline: String {
        switch miss.reason {
        case .noCassette where miss.mode == "verify":
            "No cassette exists for this request, so mode `verify` has nothing to compare."
        case .noCassette: "No cassette exists for this request, and mode `\(miss.mode)` does not record."
        case .recordingForbidden(_, let variable):
            "No cassette exists for this request, and \(variable) is set, so none is recorded."
        case .readOnly where miss.obstacle != nil:
            "No recording matches this request, and the cassette cannot be written, so it was not sent."
        case .readOnly: "No recording matches this request, and the cassette is read-only here."
        case .noMatch where miss.isHeldBack:
            "No recording matches this request, and mode `verify` does not send \(miss.request.method) requests."
        case .noMatch: "No recording matches this request."
        case .alreadyPlayed(let count):
            count == 1
                ? "The only recording that matches this request was already played."
                : "All \(count) recordings that match this request were already played."
        case .outOfOrder: "This request is out of order."
        case .noStub: "No stub matches this request, and there is no cassette."
        case .networkForbidden: "Nothing answers this request, and the network is forbidden."
        case .stubExhausted(_, let calls):
            calls == 1
                ? "The stub that matches this request already gave its only answer."
                : "The stub that matches this request already gave all its \(calls) answers."
        case .invalidStub: "The stub that matches this request is invalid."
        case .testEnded: "This request was made after its test ended."
        case .paused: "The stubber is paused, and mode `\(miss.mode)` forbids the network."
        case .unknownTest: "Several tests are running, and this request could belong to any of them."
        case .unreadableBody: "The body of this request cannot be read."
        case .unsupported: "This task cannot be answered on this platform."
        case .unsupportedTask(let kind):
            "A \(kind) cannot be replayed, and mode `\(miss.mode)` forbids the network."
        case .activationFailed: "Rewind could not be activated in this process, so the request was not sent."
        }
    }

    private var circumstances: [String] {
        var lines = [line("request", "\(miss.request)")]
        if case .outOfOrder(let next) = miss.reason { lines.append(line("next", "\(next)")) }
        if let test = miss.testName { lines.append(line("test", test)) }
        if let arguments = miss.identity?.test?.arguments { lines.append(line("case", arguments)) }
        switch miss.reason {
        case .noCassette(let path), .recordingForbidden(let path, _):
            lines.append(line("cassette", path + " (missing)"))
        case .readOnly(let path):
            lines.append(line("cassette", path))
            if let obstacle = miss.obstacle {
                lines += [line("folder", obstacle.folder)] + paragraph(obstacle.cause, label: "cause")
            }
        case .unknownTest(let tests): lines += paragraph(tests.shortList, label: "running")
        case .stubExhausted(let stub, _): lines += paragraph(stub, label: "stub")
        case .activationFailed(let cause):
            // The fix comes with the cause, on a line of its own.
            for line in cause.split(separator: "\n") {
                lines += paragraph(String(line), indentation: 12, first: lines.count > 1 ? nil : label("cause"))
            }
        case .unreadableBody(let cause), .unsupported(let cause), .invalidStub(let cause):
            lines += paragraph(cause, label: "cause")
        case .noStub: break
        case .noMatch, .alreadyPlayed, .outOfOrder, .testEnded, .paused, .networkForbidden, .unsupportedTask:
            if let path = miss.cassettePath { lines.append(line("cassette", path)) }
            if let recorder = miss.recorder { lines.append(line("recorder", "\(recorder)")) }
        }
        let stubs = miss.passedOverStubs.flatMap { paragraph($0, label: "stub") }
        return lines + plays + redaction + comparison + stubs
    }

    private var redaction: [String] {
        let texts = [Data(miss.request.url.utf8), miss.request.body?.data ?? Data()]
        var seen: Set<Placeholder> = []
        let names = texts.flatMap(Placeholder.placeholders)
            .filter { $0.number != nil && seen.insert($0).inserted }
            .map(\.readableText)
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
        return candidates.flatMap(lines)
    }

    private func lines(_ candidate: NearestInteractions.Candidate) -> [String] {
        var lines = [line("nearest", "#\(candidate.number) \(candidate.request)")]
        if let play = miss.plays[candidate.number] { lines[0] += " (played by request \(play))" }
        if let obstacle = candidate.obstacle { lines.append("      cannot be replayed: \(obstacle)") }
        lines += secrets(candidate)
        for difference in candidate.differences.prefix(6) { lines += self.lines(difference) }
        let rest = candidate.differences.count - 6
        if rest > 0 { lines.append("      and \(rest) more differences") }
        return lines
    }

    /// The secrets whose values differ.
    private func secrets(_ candidate: NearestInteractions.Candidate) -> [String] {
        guard !candidate.otherSecrets.isEmpty, miss.plays[candidate.number] == nil else { return [] }
        let names = candidate.otherSecrets.map(\.readableText).joined(separator: ", ")
        return ["      secrets: the values differ from those recorded as \(names)"]
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

    private var fix: [String] {
        switch miss.reason {
        case .unknownTest(let tests): routing(tests)
        default:
            SuggestedFix(miss).lines.flatMap { line in
                switch line {
                case .prose(let text): prose(text)
                case .code(let text): code(text)
                }
            }
        }
    }

    /// The ways to tell which test a request belongs to.
    private func routing(_ tests: [String]) -> [String] {
        // The name of a Swift Testing test is a call. Such a test has no `stubber`.
        let isFunction = tests.contains { $0.hasSuffix(")") && $0 != Miss.unnamedTest }
        let getting =
            isFunction
            ? prose("In a Swift Testing test, get the stubber before the work leaves the task of the test:")
                + code("let stubber = try #require(Stubber.current)") : []
        return getting + prose("Give the client `stubber.session`, or a session with this configuration:")
            + code("stubber.install(in: configuration)")
            + prose("Or mark the request, for example in Alamofire's `requestModifier`:")
            + code("stubber.route(&request)")
            + prose("For a detached task, a timer or a block on a queue that the test starts, wrap the work:")
            + code("stubber.run { … }")
            + prose(
                "This does not help a client that creates its tasks on its own queues, such as Alamofire's `AF`. To run"
                    + " such tests one after another, put one `.serialized` suite around all of them, or:"
            )
            + code("swift test --no-parallel")
    }

    private func prose(_ text: String) -> [String] { paragraph(text, indentation: 2) }
    private func code(_ text: String) -> [String] { ["    \(text)"] }
}

extension String {
    func shortened(to limit: Int = 300) -> String {
        guard utf8.count > limit, count > limit else { return self }
        return "\(prefix(limit * 2 / 3))…\(suffix(limit / 3))"
    }
}

extension [String] {
    /// The first five, separated by commas, and how many others there are.
    var shortList: String {
        let rest = count > 5 ? " … and \(count - 5) more" : ""
        return prefix(5).joined(separator: ", ") + rest
    }
}
