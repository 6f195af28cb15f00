import Foundation
import Rewind
import Testing

struct PlaybackTests {
    @Test("Each interaction is played once")
    func once() {
        var playback = Playback([.page("https://h/a", "1")], matchers: .default, repeats: .never)
        #expect(
            playback.texts(for: "https://h/a", "https://h/a", "https://h/a") == [
                "1", "all 1 played", "all 1 played",
            ]
        )
    }

    @Test("Identical requests get their responses in recorded order, with others in between")
    func recordedOrder() {
        var playback = Playback(
            [
                .page("https://h/a", "a1"), .page("https://h/b", "b1"), .page("https://h/a", "a2"),
                .page("https://h/a", "a3"), .page("https://h/b", "b2"),
            ],
            matchers: .default,
            repeats: .never
        )
        #expect(
            playback.texts(for: "https://h/b", "https://h/a", "https://h/a", "https://h/b", "https://h/a")
                == ["b1", "a1", "a2", "b2", "a3"]
        )
        #expect(playback.texts(for: "https://h/a", "https://h/b") == ["all 3 played", "all 2 played"])
    }

    @Test(
        "After the recorded responses, the setting for repeats decides",
        arguments: [
            (.never, ["1", "2", "3", "all 3 played", "all 3 played", "all 3 played", "all 3 played"]),
            (.last, ["1", "2", "3", "3", "3", "3", "3"]),
            (.all, ["1", "2", "3", "1", "2", "3", "1"]),
        ] as [(Stubber.Configuration.Repeats, [String])]
    )
    func repeats(_ repeats: Stubber.Configuration.Repeats, _ expected: [String]) {
        let interactions = ["1", "2", "3"].map { Interaction.page("https://h/a", $0) }
        var playback = Playback(interactions, matchers: .default, repeats: repeats)
        #expect((0..<7).map { _ in playback.text(for: "https://h/a") } == expected)
    }

    @Test(
        "An unknown request has no match with any setting for repeats",
        arguments: Stubber.Configuration.Repeats.allCases
    )
    func noMatch(_ repeats: Stubber.Configuration.Repeats) {
        var playback = Playback([.page("https://h/a")], matchers: .default, repeats: repeats)
        #expect(playback.text(for: "https://h/b") == "no match")
        var empty = Playback([], matchers: .default, repeats: repeats)
        #expect(empty.text(for: "https://h/a") == "no match")
    }

    @Test("A miss plays no interaction")
    func missesAreFree() {
        var playback = Playback([.page("https://h/a", "1")], matchers: .default, repeats: .never)
        #expect(playback.texts(for: "https://h/b", "https://h/a") == ["no match", "1"])
    }

    @Test("Requests that the matchers find equal share one sequence")
    func sharedTurn() {
        var playback = Playback(
            [.page("https://h/a?page=1", "1"), .page("https://h/a?page=2", "2")],
            matchers: [.method, .path],
            repeats: .never
        )
        #expect(
            playback.texts(for: "https://h/a?page=2", "https://g/a", "https://h/a") == [
                "1", "2", "all 2 played",
            ]
        )
    }

    @Test("An interaction without an answer is never played")
    func unknown() {
        var silent = Interaction.page("https://h/a")
        silent.outcome = .unknown(reason: "the entry has no response")
        var playback = Playback([silent, .page("https://h/a", "1")], matchers: .default, repeats: .all)
        #expect(playback.texts(for: "https://h/a", "https://h/a") == ["1", "1"])
        #expect(playback.unplayed == [silent])
    }

    @Test("A recorded failure is replayed like a response")
    func failure() throws {
        let recorded = Interaction(
            request: Interaction.Request(url: "https://h/a"),
            outcome: .failure(Interaction.Failure(code: NSURLErrorTimedOut), after: nil)
        )
        var playback = Playback([recorded], matchers: .default, repeats: .never)
        guard case .found(let played) = playback.play(Interaction.Request(url: "https://h/a")) else {
            Issue.record("the failure was not played")
            return
        }
        #expect(played.made().interaction == recorded)
    }

    @Test("Unplayed interactions are listed in recorded order")
    func unplayed() {
        let interactions = ["a", "b", "a", "c"].enumerated().map {
            Interaction.page("https://h/\($1)", "\($0)")
        }
        var playback = Playback(interactions, matchers: .default, repeats: .last)
        #expect(playback.unplayed.map(\.text) == ["0", "1", "2", "3"])
        _ = playback.texts(for: "https://h/a", "https://h/c", "https://h/c")
        #expect(playback.unplayed.map(\.text) == ["1", "2"])
        _ = playback.texts(for: "https://h/b", "https://h/a")
        #expect(playback.unplayed == [])
        #expect(playback.recorded.all == interactions)
    }
}

extension Playback {
    fileprivate mutating func text(for url: String) -> String {
        switch play(Interaction.Request(url: url)) {
        case .found(let found): found.made().interaction.text
        case .noMatch: "no match"
        case .allPlayed(let positions): "all \(positions.count) played"
        case .outOfOrder(let due): "\(recorded[due].text) is due"
        }
    }

    fileprivate mutating func texts(for urls: String...) -> [String] {
        urls.map { text(for: $0) }
    }
}
