import Foundation
import Rewind
import Testing

struct PlayOrderTests {
    private let studio: Studio

    init() throws {
        studio = try Studio()
        try studio.put(["a", "b", "a", "c"].enumerated().map { .page("https://h/\($1)", "\($0)") })
    }

    private func stubber(
        _ mode: RecordingMode = .never,
        _ configure: (inout Stubber.Configuration) -> Void = { _ in }
    ) throws -> Stubber {
        var configuration = Stubber.Configuration()
        configuration.order = .sequential
        configure(&configuration)
        return try studio.stubber(mode, configuration: configuration)
    }

    @Test("Sequential order answers requests in recorded order")
    func inOrder() throws {
        let stubber = try stubber()
        let decisions = ["a", "b", "a", "c"].map { stubber.decision(on: "https://h/\($0)") }
        #expect(decisions == (0..<4).map { .replays("\($0)") })
        #expect(stubber.decision(on: "https://h/c") == .hasPlayedAll)
        #expect(stubber.decision(on: "https://h/d") == .findsNoMatch)
    }

    @Test("A request out of order is a miss that names the next one and plays nothing")
    func outOfOrder() throws {
        let stubber = try stubber()
        #expect(stubber.decision(on: "https://h/a") == .replays("0"))
        for early in ["a", "c", "unknown"] {
            guard case .refuse(let miss) = stubber.answer(to: Interaction.Request(url: "https://h/\(early)"))
            else {
                Issue.record("\(early) was answered")
                continue
            }
            #expect(miss.reason == .outOfOrder(next: Interaction.Request(url: "https://h/b")))
        }
        #expect(stubber.decision(on: "https://h/b") == .replays("1"))
    }

    @Test("By default requests may come in any order")
    func perRequest() throws {
        let stubber = try studio.stubber(.never)
        let decisions = ["c", "a", "a", "b"].map { stubber.decision(on: "https://h/\($0)") }
        #expect(decisions == [.replays("3"), .replays("0"), .replays("2"), .replays("1")])
    }

    @Test(
        "After the last interaction in sequential order, the setting for repeats decides",
        arguments: [
            (.never, "c", .hasPlayedAll), (.last, "c", .replays("3")), (.last, "a", .hasPlayedAll),
            (.all, "a", .replays("0")), (.all, "b", .refusesOtherwise),
        ] as [(Stubber.Configuration.Repeats, String, Decision)]
    )
    func repeats(_ repeats: Stubber.Configuration.Repeats, _ page: String, _ expected: Decision) throws {
        let stubber = try stubber { $0.repeats = repeats }
        for page in ["a", "b", "a", "c"] { _ = stubber.decision(on: "https://h/\(page)") }
        #expect(stubber.decision(on: "https://h/\(page)") == expected)
    }

    @Test("Sequential order skips an interaction without an answer")
    func unknownOutcome() throws {
        let empty = Interaction(
            request: Interaction.Request(url: "https://h/x"),
            outcome: .unknown(reason: "no body")
        )
        let interactions = [.page("https://h/a", "0"), empty, .page("https://h/b", "2")]
        var playback = Playback(interactions, matchers: .default, repeats: .never, order: .sequential)
        for (page, expected) in [("a", 0), ("b", 2)] {
            guard case .found(let played) = playback.play(Interaction.Request(url: "https://h/\(page)")) else {
                Issue.record("\(page) was not played")
                continue
            }
            #expect(played.position == expected)
        }
    }

    @Test("In sequential order new episodes are recorded only after the last interaction")
    func newEpisodes() throws {
        let stubber = try stubber(.newEpisodes)
        #expect(stubber.decision(on: "https://h/new") == .refusesOtherwise)
        for page in ["a", "b", "a", "c"] { _ = stubber.decision(on: "https://h/\(page)") }
        #expect(stubber.decision(on: "https://h/new") == .records)
    }

    @Test("Sequential order also uses custom comparisons")
    func comparison() throws {
        let stubber = try stubber {
            $0.matching = [.method, .custom("not the second") { _, recorded in recorded.url != "https://h/b" }]
        }
        #expect(stubber.decision(on: "https://h/x") == .replays("0"))
        #expect(stubber.decision(on: "https://h/x") == .refusesOtherwise)
    }
}
