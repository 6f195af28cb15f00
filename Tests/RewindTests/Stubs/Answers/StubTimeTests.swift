import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct StubTimeTests {
    @Test("Delays add up")
    func delay() throws {
        let play = try StubAnswer.text("x").delayed(by: .milliseconds(1500)).delayed(by: .microseconds(250))
            .play()
        #expect(play.interaction.timing == Interaction.Timing(wait: 1500.25))
        #expect(play.timeScale == 1)
        #expect(play.text == "x")
        let failure = try StubAnswer.failure(.badURL).delayed(by: .seconds(2)).play()
        #expect(failure.interaction.timing.wait == 2000)
        #expect(failure.timeScale == 1)
        #expect(try StubAnswer.text("x").delayed(by: .zero).play().timeScale == 0)
    }

    @Test("Very long delays are limited to ten years")
    func longDelay() throws {
        let wait = try StubAnswer.text("x").delayed(by: .seconds(Int64.max)).play().interaction.timing.wait
        #expect(wait == StubTime.endless)
    }

    @Test(
        "A body is spread evenly over a time, with a chunk every 250 ms",
        arguments: [
            (100, 1000, 4), (100, 250, 0), (100, 500, 2), (100, 100, 0), (3, 1000, 3), (1, 1000, 0),
            (0, 1000, 0),
        ]
    )
    func spread(_ count: Int, _ milliseconds: Int, _ pieces: Int) throws {
        let answer = StubAnswer.data(Data(count: count)).responding(over: .milliseconds(milliseconds))
        let play = try answer.play()
        #expect(play.chunks.count == pieces)
        #expect(play.interaction.timing == Interaction.Timing(receive: Double(milliseconds)))
        #expect(play.timeScale == 1)
        #expect(play.chunks.last?.offset ?? Double(milliseconds) == Double(milliseconds))
    }

    @Test("Spreading replaces the times of a body and preserves its chunks")
    func spreadAgain() throws {
        let play = try StubAnswer.recorded.responding(over: .milliseconds(200)).transform(
            .streamed,
            timeScale: 1
        )
        #expect(play.chunks.map(\.count) == [10, 20, 30, 40])
        #expect(play.offsets == [20, 60, 120, 200])
        #expect(play.interaction.timing == Interaction.Timing(wait: 50, receive: 200))
        let none = try StubAnswer.recorded.responding(over: .zero).transform(.streamed, timeScale: 1)
        #expect(none.offsets == [0, 0, 0, 0])
        #expect(none.interaction.timing == Interaction.Timing(wait: 50))
    }

    @Test("A failure is delayed too")
    func spreadFailure() throws {
        let play = try StubAnswer.failure(.badURL).responding(over: .seconds(1)).throttled(to: .gprs).play()
        #expect(play.interaction.timing == Interaction.Timing(receive: 1000))
        #expect(play.interaction.failure?.code == NSURLErrorBadURL)
    }

    @Test(
        "The named speeds are those of OHHTTPStubs",
        arguments: [
            (.gprs, 56), (.edge, 128), (.threeG, 3200), (.threeGPlus, 7200), (.wifi, 12_000),
            (.bytesPerSecond(125), 1),
        ] as [(StubAnswer.Speed, Int)]
    )
    func speeds(_ speed: StubAnswer.Speed, _ kilobits: Int) throws {
        #expect(speed.bytesPerSecond * 8 == kilobits * 1000)
        let play = try StubAnswer.data(Data(count: speed.bytesPerSecond * 2)).throttled(to: speed).play()
        #expect(play.interaction.timing == Interaction.Timing(receive: 2000))
        #expect(play.chunks.count >= 8)
    }

    @Test("Throttling preserves chunks and never speeds them up")
    func throttledStream() throws {
        let slow = try StubAnswer.recorded.throttled(to: .bytesPerSecond(200)).transform(
            .streamed,
            timeScale: 1
        )
        #expect(slow.chunks.map(\.count) == [10, 20, 30, 40])
        #expect(slow.offsets == [50, 200, 350, 600])
        #expect(slow.interaction.timing == Interaction.Timing(wait: 50, receive: 600))
        let quick = try StubAnswer.recorded.throttled(to: .bytesPerSecond(1_000_000)).transform(
            .streamed,
            timeScale: 1
        )
        #expect(quick.offsets == [0.01, 100.02, 100.05, 400.04])
        #expect(quick.interaction.timing.receive == 500)
    }

    @Test("A throttled body of any size has a limited number of chunks")
    func manyPieces() throws {
        let play = try StubAnswer.data(Data(count: 3_000_000)).throttled(to: .bytesPerSecond(1000)).play()
        #expect(9000...10_001 ~= play.chunks.count)
        let steps = ReplaySchedule(play.interaction, timeScale: 1, timeouts: .init(idle: 60, total: .infinity))
            .steps
        #expect(steps.last?.step == .end)
        #expect(steps.last?.seconds == 3000)
    }

    @Test(
        "Random chunks add up, stay in order and take bytes divided by speed",
        arguments: 0..<60
    )
    func property(_ seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let data = Data(
            (0..<Int.random(in: 1...5000, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
        )
        let speed = Int.random(in: 1...(seed % 2 == 0 ? 100 : 100_000), using: &generator)
        let cuts = (0..<Int(seed % 7)).map { _ in Int.random(in: 0...data.count, using: &generator) }
        let edges = ([0, data.count] + cuts).sorted()
        let pieces = zip(edges, edges.dropFirst()).map { StubAnswer.Chunk(data[$0..<$1]) }
        let play = try StubAnswer.chunks(pieces).throttled(to: .bytesPerSecond(speed)).play()
        let body = try #require(play.response?.body)
        #expect(body.data == data)
        #expect(body.pieces.reduce(Data(), +) == data)
        #expect(zip(play.offsets, play.offsets.dropFirst()).allSatisfy { $0 <= $1 })
        let expected = Double(data.count) * 1000 / Double(speed)
        #expect(abs(play.interaction.timing.receive - expected) < 0.01)
        let steps = ReplaySchedule(
            play.interaction,
            timeScale: 1,
            timeouts: .init(idle: .infinity, total: .infinity)
        )
        .steps
        #expect(abs((steps.last?.seconds ?? 0) - expected / 1000) < 0.001)
        let own = Set(edges), ends = play.chunks.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.count) }
        #expect(play.chunks.isEmpty || own.isSubset(of: ends))
        let spread = try StubAnswer.chunks(pieces).responding(over: .milliseconds(speed)).play()
        #expect(spread.interaction.timing.receive == Double(speed))
        #expect(spread.offsets.isEmpty || spread.offsets.last == Double(speed))
        #expect(spread.response?.body.pieces.reduce(Data(), +) == data)
    }

    @Test(
        "A negative time or a speed of zero is an error",
        arguments: [
            (.text("x").delayed(by: .nanoseconds(-1)), "the time -1e-09 seconds is negative"),
            (.text("x").responding(over: .seconds(-1)), "the time -1.0 seconds is negative"),
            (.text("x").jittered(by: .seconds(-1), seed: 1), "the time -1.0 seconds is negative"),
            (.text("x").throttled(to: .bytesPerSecond(0)), "the speed of 0 bytes per second is less than 1"),
            (
                .text("x").throttled(to: .bytesPerSecond(.min)),
                "the speed of \(Int.min) bytes per second is less than 1"
            ),
            (.text("x").jittered(by: 1.01, seed: 1), "the jitter 1.01 is invalid"),
            (.text("x").jittered(by: -.ulpOfOne, seed: 1), "the jitter -2.220446049250313e-16 is invalid"),
            (.text("x").jittered(by: .nan, seed: 1), "the jitter nan is invalid"),
            (.chunks([.init("a", after: .seconds(-2))]), "the time -2.0 seconds is negative"),
            (.chunks([Data(), Data()], every: .seconds(-3)), "the time -3.0 seconds is negative"),
        ] as [(StubAnswer, String)]
    )
    func problems(_ answer: StubAnswer, _ cause: String) {
        #expect(answer.outcome() == "invalid: \(cause)")
    }
}
