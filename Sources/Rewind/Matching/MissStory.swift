/// Tells a miss in words: what happened, what came nearest, what mends it.
struct MissStory {
    private let miss: Miss

    init(_ miss: Miss) {
        self.miss = miss
    }

    var text: String {
        ([headline, "  request:  \(miss.request)"] + circumstances + nearest + ["  \(remedy)"])
            .joined(separator: "\n")
    }

    private var headline: String {
        switch miss.reason {
        case .noCassette:
            "Rewind has no cassette for this request, and mode `\(miss.mode)` forbids to record one."
        case .noMatch: "Rewind found no recorded interaction that matches this request."
        case .alreadyPlayed(let count):
            count == 1
                ? "Rewind has one interaction that matches this request, and it was already played."
                : "Rewind has \(count) interactions that match this request, and all were already played."
        case .testOver: "Rewind refuses a request of a test that is over."
        case .notRouted: "Rewind cannot tell which test this request belongs to, for several are running."
        case .unreadableBody: "Rewind could not read the body of this request."
        case .unsupported: "Rewind cannot answer this task on this platform."
        }
    }

    private var circumstances: [String] {
        var lines: [String] = []
        if let test = miss.testName { lines.append("  test:     \(test)") }
        switch miss.reason {
        case .noCassette(let path): lines.append("  cassette: \(path) (missing)")
        case .notRouted(let tests): lines.append("  running:  \(tests.joined(separator: ", "))")
        case .unreadableBody(let cause), .unsupported(let cause): lines.append("  cause:    \(cause)")
        case .noMatch, .alreadyPlayed, .testOver:
            if let path = miss.cassettePath { lines.append("  cassette: \(path)") }
        }
        return lines
    }

    private var nearest: [String] {
        guard let candidates = miss.nearest?.candidates else { return [] }
        guard !candidates.isEmpty else { return ["  The cassette is empty."] }
        return candidates.flatMap { candidate in
            ["  nearest:  #\(candidate.number) \(candidate.request)"]
                + (candidate.obstacle.map { ["      cannot answer: \($0)"] } ?? [])
                + candidate.differences.flatMap { difference in
                    [
                        "      \(difference.part)",
                        "        recorded:  \(difference.recorded ?? "(none)")",
                        "        requested: \(difference.requested ?? "(none)")",
                    ]
                }
        }
    }

    private var remedy: String {
        switch miss.reason {
        case .noCassette:
            "Record it: run this test with REWIND_MODE=once where the network can be reached, and commit the file."
        case .noMatch:
            "Re-record this test with `isRecording = true` or REWIND_MODE=all, add the request with"
                + " REWIND_MODE=newEpisodes, or compare less: `configuration.matching`."
        case .alreadyPlayed:
            "Each interaction is played once. Allow more with `configuration.repeats = .last`, or re-record this"
                + " test with REWIND_MODE=all."
        case .testOver:
            "Wait in the test for the work it starts; nothing of one test may reach the next."
        case .notRouted:
            "Make it through `stubber.session`, or carry the test to it: `stubber.run { … }`. Work that a task of the"
                + " test starts with `Task { … }` needs neither; a detached task, a timer or a block on a queue does."
        case .unreadableBody:
            "Give the request its body as data, or check that the file it is read from exists."
        case .unsupported:
            "Make the request through `stubber.session`, or with a data task."
        }
    }
}
