/// What mends a miss: the line of configuration, or the command that records the test anew.
struct MissRemedy {
    private let miss: Miss

    init(_ miss: Miss) {
        self.miss = miss
    }

    var lines: [String] {
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
            )
                + command("once")
        case .noStub:
            prose("Add a stub for it:") + code(stub)
                + prose("To let it go to the network, name its host in `configuration.passthroughHosts`.")
        case .networkForbidden:
            prose("Add a stub for it:") + code(stub)
                + prose("To let the test use the network, leave out `stubber.forbidNetwork()`.")
        case .stubExhausted:
            prose("Give the sequence another answer, or let it go on with the last:")
                + code(".sequence([…], then: .last)")
        case .brokenStub:
            prose("Mend the stub where it is declared.")
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
        case .unsupported:
            prose("Make the request through `stubber.session`, or with a data task.")
        case .unsupportedTask:
            prose("Use a data task in the test, or let the host through to the network:")
                + code("configuration.passthroughHosts = [\"\(URLParts(miss.request.url).host)\"]")
        }
    }

    /// A stub for the request as it was made.
    private var stub: String {
        let url = StoryText.shortened(miss.request.url.prefix { $0 != "?" && $0 != "#" }.description)
        let method = miss.request.method.lowercased()
        let isCommon = ["get", "post", "put", "patch", "delete", "head"].contains(method)
        let condition =
            isCommon ? ".\(method)(\"\(url)\")" : ".method(\"\(miss.request.method)\") && .url(\"\(url)\")"
        return "stubber.stub(\(condition)) { _ in .status(200) }"
    }

    /// The configuration under which the nearest interaction that was not played yet answers.
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

    /// What `swift test --filter` finds the test by: the suite and the function, or the function alone.
    private var filter: String? {
        guard let name = miss.testName?.prefix(while: { $0 != "(" }), !name.isEmpty else { return nil }
        let dot = name.lastIndex(of: ".")
        let filter = dot.map { "\(name[..<$0])/\(name[name.index(after: $0)...])" } ?? String(name)
        return filter.allSatisfy { $0.isLetter || $0.isNumber || "_./".contains($0) } ? filter : nil
    }

    private func prose(_ text: String) -> [String] {
        StoryText.paragraph(text, indentation: 2)
    }

    private func code(_ text: String) -> [String] {
        ["    \(text)"]
    }
}
