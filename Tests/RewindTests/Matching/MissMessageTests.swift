import Foundation
import Testing

@testable import Rewind

struct MissMessageTests {
    @Test("Every kind of miss has its golden message", arguments: MissCase.all)
    func golden(_ missCase: MissCase) throws {
        let text = try missCase.message()
        let golden = MissCase.folder.appendingPathComponent(missCase.name + ".txt")
        if ProcessInfo.processInfo.environment["WRITE_GOLDEN"] != nil {
            try Data((text + "\n").utf8).write(to: golden)
        }
        #expect(try text + "\n" == String(contentsOf: golden, encoding: .utf8))
    }

    @Test(
        "Sentences fit into 80 columns; only text to copy may be longer",
        arguments: MissCase.all
    )
    func width(_ missCase: MissCase) throws {
        for line in try missCase.message().split(separator: "\n") where line.count > 80 {
            let isCopied = [
                "configuration.", "http://", "https://", "recorded:", "requested:", "/Cassettes/",
                "REWIND_MODE=",
            ]
            .contains { line.contains($0) }
            #expect(isCopied, "\(line)")
        }
    }

    @Test("Each case has its own error code, and its NSError contains the whole diagnosis")
    func bridging() {
        let reasons: [Miss.Reason] = [
            .noCassette(path: "/c"), .noMatch, .alreadyPlayed(count: 1), .testEnded,
            .unknownTest(running: ["a"]),
            .unreadableBody("no file"), .unsupported("no queue"),
            .recordingForbidden(path: "/c", variable: "CI"),
            .outOfOrder(next: Interaction.Request(url: "https://h/")), .paused, .noStub, .networkForbidden,
            .stubExhausted("a stub", calls: 1), .invalidStub("no file"), .readOnly(path: "/c"),
        ]
        let misses = reasons.map { Miss($0, request: Interaction.Request(url: "https://h/")) }
        for miss in misses {
            let error = miss as any Error as NSError
            #expect(error.domain == "Rewind")
            #expect(error.localizedDescription == miss.description)
            #expect((miss as any Error).localizedDescription == miss.description)
        }
        #expect(misses.map { ($0 as any Error as NSError).code } == Array(1...15))
    }

    @Test("A request of an unknown test lists the running tests and the remedies")
    func unknownTest() {
        let text = Miss(
            .unknownTest(running: ["A.one", "B.other"]),
            request: Interaction.Request(url: "https://h/")
        )
        .description
        for part in [
            "A.one, B.other", "stubber.session", "stubber.install(in: configuration)", "--no-parallel",
        ] {
            #expect(text.contains(part), "\(text)")
        }
        #expect(text.contains("\n    stubber.route(&request)\n"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test("Unknown facts are omitted from the diagnosis")
    func unknownCircumstances() {
        for reason in [Miss.Reason.noMatch, .alreadyPlayed(count: 1), .testEnded, .paused] {
            let text = Miss(reason, request: Interaction.Request(url: "https://h/")).description
            for word in [
                "test:  ", "cassette:  ", "nearest:", "played:", "compared:", "nil", "Optional", "--filter",
            ] {
                #expect(!text.contains(word))
            }
        }
    }

    @Test(
        "The re-record command selects the test by its name",
        arguments: [
            ("UserTests.testPage", "'[.]UserTests/testPage$'"),
            ("UserTests.page(number:)", #"'[.]UserTests/page\(number:\)/'"#),
            ("Outer.Inner.page()", #"'[.]Outer/Inner/page\(\)/'"#),
            // It is not known in which class or suite.
            ("page()", nil), ("testPage()", nil), ("talk", nil), ("v1.users", nil), ("a test", nil), ("", nil),
        ]
    )
    func filter(test: String, expected: String?) {
        let miss = Miss(
            .noCassette(path: "/c"),
            request: Interaction.Request(url: "https://h/"),
            testName: test
        )
        let shown = miss.description.components(separatedBy: "--filter ").dropFirst().first
        #expect(shown?.prefix { !$0.isWhitespace }.description == expected)
    }

    @Test("The diagnosis shows at most three interactions")
    func limit() {
        let interactions = (1...50).map { Interaction.page("https://h/users?page=\($0)") }
        let text = miss(for: Interaction.Request(url: "https://h/users?page=0"), among: interactions)
            .description
        #expect(text.components(separatedBy: "nearest:").count == 4)
    }

    @Test("The diagnosis says that the cassette is empty")
    func emptyCassette() {
        #expect(
            miss(for: Interaction.Request(url: "https://h/"), among: []).description.contains(
                "The cassette is empty."
            )
        )
    }

    @Test("The diagnosis fits a screen for bodies of any length", arguments: [0x41, 0xE4, 0x00] as [UInt8])
    func longBodies(_ byte: UInt8) {
        let filling = Data(repeating: byte, count: 50_000)
        let request = Interaction.Request(
            method: "POST",
            url: "https://h/",
            body: Interaction.Body(filling + [1] + filling)
        )
        let interactions = (2...5 as ClosedRange<UInt8>).map { number in
            var interaction = Interaction.page("https://h/")
            interaction.request.method = "POST"
            interaction.request.body = Interaction.Body(filling + [number] + filling)
            return interaction
        }
        let text = miss(for: request, among: interactions).description
        #expect(text.count < 2500)
        #expect(text.contains("(100001 bytes)"))
    }

    @Test("The diagnosis fits a screen for a long text of a custom matcher")
    func longProjections() {
        let whole = RequestMatcher.custom("text") { String(decoding: $0.body?.data ?? Data(), as: UTF8.self) }
        let request = Interaction.Request(
            url: "https://h/",
            body: Interaction.Body(String(repeating: "a", count: 50_000))
        )
        let text = miss(for: request, among: [.page("https://h/")], matchers: [whole]).description
        #expect(text.contains("      text\n"))
        #expect(text.count < 2500)
    }

    @Test(
        "The suggested configuration makes the nearest recording answer",
        arguments: Change.all
    )
    func remedy(_ change: Change) throws {
        let nearest = try #require(
            NearestInteractions(to: change.requested, among: [change.recorded], matchers: .default).candidates
                .first
        )
        #expect(!nearest.differences.isEmpty)
        let remedy = MatchingChange(nearest.differences)
        var matching: [RequestMatcher] = .default
        matching.removeAll { remedy.matchers.contains($0.name) }
        matching = remedy.ignored.reduce(matching) { $0.ignoring($1) }
        var playback = Playback([change.recorded], matchers: matching, repeats: .never)
        guard case .found = playback.play(change.requested) else {
            Issue.record("\(remedy.statements) does not help")
            return
        }
    }

    private func miss(
        for request: Interaction.Request,
        among interactions: [Interaction],
        matchers: [RequestMatcher] = .default
    ) -> Miss {
        let nearest = NearestInteractions(to: request, among: interactions, matchers: matchers)
        return Miss(.noMatch, request: request, mode: "once", nearest: nearest)
    }
}
