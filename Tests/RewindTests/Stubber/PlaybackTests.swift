import Foundation
import Rewind
import Testing

struct PlaybackTests {
    @Test("Each interaction is played once")
    func once() {
        var playhead = Playback([.page("https://h/a", "1")], matchers: .default, repeats: .never)
        #expect(
            playhead.texts(for: "https://h/a", "https://h/a", "https://h/a") == [
                "1", "all 1 played", "all 1 played",
            ]
        )
    }

    @Test("The same request gets its answers in recorded order, whatever is asked in between")
    func recordedOrder() {
        var playhead = Playback(
            [
                .page("https://h/a", "a1"), .page("https://h/b", "b1"), .page("https://h/a", "a2"),
                .page("https://h/a", "a3"), .page("https://h/b", "b2"),
            ],
            matchers: .default,
            repeats: .never
        )
        #expect(
            playhead.texts(for: "https://h/b", "https://h/a", "https://h/a", "https://h/b", "https://h/a")
                == ["b1", "a1", "a2", "b2", "a3"]
        )
        #expect(playhead.texts(for: "https://h/a", "https://h/b") == ["all 3 played", "all 2 played"])
    }

    @Test(
        "Beyond what was recorded, the setting for repeats answers",
        arguments: [
            (.never, ["1", "2", "3", "all 3 played", "all 3 played", "all 3 played", "all 3 played"]),
            (.last, ["1", "2", "3", "3", "3", "3", "3"]),
            (.all, ["1", "2", "3", "1", "2", "3", "1"]),
        ] as [(Stubber.Configuration.Repeats, [String])]
    )
    func repeats(_ repeats: Stubber.Configuration.Repeats, _ expected: [String]) {
        let interactions = ["1", "2", "3"].map { Interaction.page("https://h/a", $0) }
        var playhead = Playback(interactions, matchers: .default, repeats: repeats)
        #expect((0..<7).map { _ in playhead.text(for: "https://h/a") } == expected)
    }

    @Test(
        "What was never recorded has no match, however repeats are set",
        arguments: Stubber.Configuration.Repeats.allCases
    )
    func noMatch(_ repeats: Stubber.Configuration.Repeats) {
        var playhead = Playback([.page("https://h/a")], matchers: .default, repeats: repeats)
        #expect(playhead.text(for: "https://h/b") == "no match")
        var empty = Playback([], matchers: .default, repeats: repeats)
        #expect(empty.text(for: "https://h/a") == "no match")
    }

    @Test("A miss uses up nothing")
    func missesAreFree() {
        var playhead = Playback([.page("https://h/a", "1")], matchers: .default, repeats: .never)
        #expect(playhead.texts(for: "https://h/b", "https://h/a") == ["no match", "1"])
    }

    @Test("Requests that the matchers cannot tell apart share one turn")
    func sharedTurn() {
        var playhead = Playback(
            [.page("https://h/a?page=1", "1"), .page("https://h/a?page=2", "2")],
            matchers: [.method, .path],
            repeats: .never
        )
        #expect(
            playhead.texts(for: "https://h/a?page=2", "https://g/a", "https://h/a") == [
                "1", "2", "all 2 played",
            ]
        )
    }

    @Test("An entry without an answer is never played and does not take a turn")
    func unknown() {
        var silent = Interaction.page("https://h/a")
        silent.outcome = .unknown(reason: "the entry has no response")
        var playhead = Playback([silent, .page("https://h/a", "1")], matchers: .default, repeats: .all)
        #expect(playhead.texts(for: "https://h/a", "https://h/a") == ["1", "1"])
        #expect(playhead.unplayed == [silent])
    }

    @Test("A recorded failure is played like a response")
    func failure() throws {
        let recorded = Interaction(
            request: Interaction.Request(url: "https://h/a"),
            outcome: .failure(Interaction.Failure(code: NSURLErrorTimedOut), after: nil)
        )
        var playhead = Playback([recorded], matchers: .default, repeats: .never)
        guard case .found(let played) = playhead.play(Interaction.Request(url: "https://h/a")) else {
            Issue.record("the failure was not played")
            return
        }
        #expect(played.made().interaction == recorded)
    }

    @Test("What was not played is told in recorded order")
    func unplayed() {
        let interactions = ["a", "b", "a", "c"].enumerated().map {
            Interaction.page("https://h/\($1)", "\($0)")
        }
        var playhead = Playback(interactions, matchers: .default, repeats: .last)
        #expect(playhead.unplayed.map(\.text) == ["0", "1", "2", "3"])
        _ = playhead.texts(for: "https://h/a", "https://h/c", "https://h/c")
        #expect(playhead.unplayed.map(\.text) == ["1", "2"])
        _ = playhead.texts(for: "https://h/b", "https://h/a")
        #expect(playhead.unplayed == [])
        #expect(playhead.recorded.all == interactions)
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
