import Foundation
import Testing

@testable import Rewind

struct MatcherVerdictsTests {
    private func playback(
        of count: Int,
        repeats: Stubber.Configuration.Repeats = .never,
        order: Stubber.Configuration.PlaybackOrder = .perRequest,
        calls: Locked<Int>,
        accepting isAccepted: @escaping @Sendable (_ recorded: String) -> Bool
    ) -> Playback {
        let interactions = (0..<count).map { number in
            var page = Interaction.page("https://h/a", "\(number)")
            page.request.headers["X-Number"] = "\(number)"
            return page
        }
        let comparison = RequestMatcher.custom("own") { _, recorded in
            calls.withLock { $0 += 1 }
            return isAccepted(recorded.headers["X-Number"] ?? "")
        }
        return Playback(interactions, matchers: .default + [comparison], repeats: repeats, order: order)
    }

    /// Plays a request as a stubber does: closures are called between searches.
    private func play(_ playback: inout Playback) -> Playback.Find {
        let request = Interaction.Request(url: "https://h/a")
        var verdicts: MatcherVerdicts?
        while true {
            if let find = playback.play(request, using: verdicts) { return find }
            verdicts?.callBack()
            verdicts = verdicts ?? MatcherVerdicts(request)
        }
    }

    private func position(_ find: Playback.Find) -> Int? {
        if case .found(let found) = find { found.position } else { nil }
    }

    @Test(
        "A search between calls finds what a search that calls finds",
        arguments: Stubber.Configuration.Repeats.allCases,
        Stubber.Configuration.PlaybackOrder.allCases
    )
    func findsTheSame(
        repeats: Stubber.Configuration.Repeats,
        order: Stubber.Configuration.PlaybackOrder
    ) {
        let accepted: Set<String> = order == .sequential ? ["0", "1", "2", "3", "4", "5"] : ["1", "2", "5"]
        var plain = playback(
            of: 6,
            repeats: repeats,
            order: order,
            calls: Locked(0),
            accepting: accepted.contains
        )
        var apart = plain
        for _ in 0..<9 {
            let expected = plain.play(Interaction.Request(url: "https://h/a"))
            #expect(position(play(&apart)) == position(expected))
        }
        #expect(apart.playedPositions == plain.playedPositions)
        #expect(apart.requestNumber(ofPlayAt: 2) == plain.requestNumber(ofPlayAt: 2))
    }

    @Test(
        "A comparison is called once for each interaction that is tried, as long as the first one is accepted"
    )
    func callsOnce() {
        let calls = Locked(0)
        var playback = playback(of: 100, calls: calls) { _ in true }
        for number in 0..<100 { #expect(position(play(&playback)) == number) }
        #expect(calls.withLock { $0 } == 100)
    }

    @Test("A comparison that rejects many interactions is called at most twice as often as needed")
    func callsFewMore() {
        let calls = Locked(0)
        var playback = playback(of: 1000, calls: calls) { $0 == "700" }
        #expect(position(play(&playback)) == 700)
        #expect(701...1402 ~= calls.withLock { $0 })
    }
}
