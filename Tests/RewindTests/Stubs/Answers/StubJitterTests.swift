import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct StubJitterTests {
    private static let answer = StubAnswer.chunks((0..<20).map { .init("\($0)", after: .milliseconds(100)) })
        .delayed(by: .seconds(1))

    private func pauses(_ play: Play) -> [Double] {
        [play.interaction.timing.wait] + zip(play.offsets, [0] + play.offsets).map { $0 - $1 }
    }

    @Test(
        "Jitter depends only on the seed and the call number",
        arguments: 0..<30 as Range<UInt64>
    )
    func seeds(_ seed: UInt64) throws {
        for answer in [
            Self.answer.jittered(by: 0.5, seed: seed), Self.answer.jittered(by: .seconds(1), seed: seed),
        ] {
            let first = try answer.play(call: 3)
            #expect(try answer.play(call: 3).interaction.outcome == first.interaction.outcome)
            #expect(try answer.play(call: 3).interaction.timing == first.interaction.timing)
            #expect(try answer.play(call: 4).offsets != first.offsets)
        }
        let other = try Self.answer.jittered(by: 0.5, seed: seed + 1).play()
        #expect(try Self.answer.jittered(by: 0.5, seed: seed).play().offsets != other.offsets)
    }

    @Test(
        "Jitter is the same in every run and on every platform",
        arguments: [(0, 843.292), (1, 1363.233), (2, 744.634), (3, 1381.429)]
    )
    func known(_ call: Int, _ wait: Double) throws {
        let play = try StubAnswer.text("x").delayed(by: .seconds(1)).jittered(by: 0.5, seed: 42).play(
            call: call
        )
        #expect(play.interaction.timing.wait == wait)
    }

    @Test(
        "A fraction limits the change of each pause and preserves the order",
        arguments: [0, 0.1, 0.5, 1],
        0..<10 as Range<UInt64>
    )
    func fraction(_ fraction: Double, _ seed: UInt64) throws {
        let play = try Self.answer.jittered(by: fraction, seed: seed).play()
        let plain = try Self.answer.play()
        for (pause, usual) in zip(pauses(play), pauses(plain)) {
            #expect(pause >= 0)
            #expect(abs(pause - usual) <= usual * fraction + 0.01)
        }
        #expect(play.interaction.timing.receive == play.offsets.last)
        #expect(play.text == plain.text)
        if fraction > 0 {
            #expect(pauses(play).contains { $0 < 100 })
            #expect(pauses(play).contains { $0 > 100 })
        }
    }

    @Test("A duration limits the additional delay, also without a pause", arguments: 0..<10)
    func time(_ seed: UInt64) throws {
        let pieces = (0..<10).map { StubAnswer.Chunk("\($0)") }
        let play = try StubAnswer.chunks(pieces).jittered(by: .milliseconds(30), seed: seed).play()
        #expect(pauses(play).allSatisfy { 0...30.01 ~= $0 })
        #expect(Set(pauses(play)).count > 5)
        #expect(play.interaction.timing.receive == play.offsets.last)
        #expect(play.timeScale == 1)
    }

    @Test("Jitter preserves a pause at the end, and an immediate answer stays immediate")
    func ends() throws {
        let play = try StubAnswer.recorded.jittered(by: 0.1, seed: 1).transform(.streamed, timeScale: 1)
        let rest = play.interaction.timing.receive - (play.offsets.last ?? 0)
        #expect(90...110 ~= rest)
        #expect(play.offsets[1] == play.offsets[2])
        #expect(try StubAnswer.text("x").jittered(by: 1, seed: 1).play().timeScale == 0)
        let whole = try StubAnswer.text("x").responding(over: .seconds(1)).jittered(by: 0.5, seed: 1).play()
        #expect(500...1500 ~= whole.interaction.timing.receive)
        #expect(whole.interaction.timing.receive != 1000)
    }

    @Test("Chunks recorded out of order arrive in order")
    func disorder() throws {
        var interaction = Interaction.streamed
        let chunks = [(30, 50), (10, 50)].map { Interaction.Body.Chunk(offset: $0, count: $1) }
        interaction.outcome = .response(
            Interaction.Response(body: Interaction.Body(Data(count: 100), chunks: chunks))
        )
        let play = try StubAnswer.recorded.jittered(by: 0.1, seed: 1).transform(interaction, timeScale: 1)
        #expect(play.offsets == play.offsets.sorted())
    }

    @Test("Random fractions are spread over the range from 0 to 1")
    func generator() {
        var generator = SeededGenerator(seed: 7)
        let fractions = (0..<10_000).map { _ in generator.nextFraction() }
        #expect(fractions.allSatisfy { 0..<1 ~= $0 })
        for tenth in 0..<10 {
            let count = fractions.filter { Int($0 * 10) == tenth }.count
            #expect(900...1100 ~= count)
        }
    }

    @Test("The generator equals the reference of the tests")
    func sameNumbers() {
        var own = SeededGenerator(seed: 99)
        var known = SplitMix64(seed: 99)
        #expect((0..<100).map { _ in own.next() } == (0..<100).map { _ in known.next() })
    }
}
