import Foundation
import Testing

@testable import Rewind

struct StubFaultTests {
    private static let lost = Interaction.Failure(code: NSURLErrorNetworkConnectionLost)

    @Test("`cut` loses the connection after the given number of bytes", arguments: 0...4)
    func cut(_ count: Int) throws {
        let plain = try #require(StubAnswer.text("hello").play().response)
        let play = try StubAnswer.text("hello").cut(afterBytes: count).play()
        #expect(play.interaction.failure == Self.lost)
        #expect(play.text == String("hello".prefix(count)))
        #expect(play.interaction.response?.headers == plain.headers)
        #expect(play.interaction.response?.status == 200)
        #expect(play.timeScale == 0)
    }

    @Test("A body that is not longer than the cut arrives whole", arguments: [5, 6, Int.max])
    func uncut(_ count: Int) throws {
        #expect(
            try StubAnswer.text("hello").cut(afterBytes: count).play().response?.body
                == Interaction.Body("hello")
        )
    }

    @Test("A negative number of bytes is invalid")
    func negativeCut() {
        let answer = StubAnswer.text("hello").cut(afterBytes: -1)
        #expect(answer.outcome() == "invalid: the number of bytes -1 is negative")
    }

    @Test(
        "A body can be cut within a chunk, at the time of that chunk",
        arguments: [
            (0, [], 0), (5, [], 0), (10, [], 0), (11, [10, 1], 100), (30, [10, 20], 100),
            (99, [10, 20, 30, 39], 400),
        ] as [(Int, [Int], Double)]
    )
    func cutStream(_ count: Int, _ pieces: [Int], _ receive: Double) throws {
        let play = try StubAnswer.recorded.cut(afterBytes: count).transform(.streamed, timeScale: 1)
        #expect(play.interaction.response?.body.count == count)
        #expect(play.chunks.map(\.count) == pieces)
        #expect(play.interaction.timing == Interaction.Timing(wait: 50, receive: receive))
        #expect(play.interaction.failure == Self.lost)
    }

    @Test("Cutting and throttling can be combined in either order")
    func cutThrottled() throws {
        let answer = StubAnswer.data(Data(count: 4000))
        for play in [
            try answer.throttled(to: .bytesPerSecond(1000)).cut(afterBytes: 1500).play(),
            try answer.cut(afterBytes: 1500).throttled(to: .bytesPerSecond(1000)).play(),
        ] {
            #expect(play.interaction.timing.receive == 1500)
            #expect(play.chunks.reduce(0) { $0 + $1.count } == 1500)
            #expect(play.interaction.failure == Self.lost)
        }
    }

    @Test("The earlier of two cuts counts, and a recorded failure may come first")
    func cutTwice() throws {
        #expect(try StubAnswer.text("hello").cut(afterBytes: 3).cut(afterBytes: 1).play().text == "h")
        #expect(try StubAnswer.text("hello").cut(afterBytes: 1).cut(afterBytes: 3).play().text == "h")
        var failed = Interaction.streamed
        let failure = Interaction.Failure(code: NSURLErrorTimedOut)
        failed.outcome = .failure(failure, after: Interaction.Response(body: Interaction.Body("half")))
        #expect(try StubAnswer.recorded.cut(afterBytes: 4).transform(failed).interaction.failure == failure)
        let earlier = try StubAnswer.recorded.cut(afterBytes: 2).transform(failed)
        #expect(earlier.interaction.failure == Self.lost)
        #expect(earlier.text == "ha")
    }

    @Test("A malformed body has the same length, and the same bytes for the same seed", arguments: 0..<20)
    func malformed(_ seed: UInt64) throws {
        let answer = StubAnswer.json(["id": 42, "name": "Ada"])
        let plain = try #require(answer.play().response)
        let response = try #require(answer.malformed(seed: seed).play().response)
        #expect(response.body.count == plain.body.count)
        #expect(response.headers == plain.headers)
        #expect(response.status == plain.status)
        #expect(try answer.malformed(seed: seed).play().response == response)
        #expect(try answer.malformed(seed: seed + 1).play().response != response)
    }

    @Test("No parser accepts a malformed body", arguments: 0..<50 as Range<UInt64>)
    func unparsable(_ seed: UInt64) throws {
        let answer = StubAnswer.data(Data(count: Int(seed % 5) + 1)).malformed(seed: seed)
        let data = try #require(answer.play().response?.body.data)
        #expect(String(data: data, encoding: .utf8) == nil)
        #expect(throws: (any Error).self) {
            try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        }
        #expect(throws: (any Error).self) { try JSONDecoder().decode(String.self, from: data) }
        #expect(throws: (any Error).self) {
            try PropertyListSerialization.propertyList(from: data, format: nil)
        }
        #expect(throws: (any Error).self) { try JSON(parsing: data) }
    }

    @Test("An empty body becomes malformed if its status permits a body")
    func malformedEmpty() throws {
        for status in [200, 404, 503] {
            #expect(try StubAnswer.status(status).malformed(seed: 1).play().response?.body.count == 64)
        }
        for status in [100, 204, 205, 304] {
            #expect(
                try StubAnswer.status(status).malformed(seed: 1).play().response?.body == Interaction.Body()
            )
        }
        #expect(try StubAnswer.text("x").malformed(seed: 1).play("HEAD").response?.body == Interaction.Body())
    }

    @Test("A malformed body preserves chunks and times, and a failure is unchanged")
    func malformedStream() throws {
        let play = try StubAnswer.recorded.malformed(seed: 1).transform(.streamed, timeScale: 1)
        #expect(play.chunks == Interaction.streamed.response?.body.chunks)
        #expect(play.interaction.response?.body.data != Interaction.streamed.response?.body.data)
        #expect(StubAnswer.failure(.badURL).malformed(seed: 1).outcome() == "-1000")
    }

    @Test(
        "An answer that never arrives ends with the session's timeout",
        arguments: [
            .timeout, .text("x").timingOut(), .failure(.badURL).timingOut(),
            .text("x").timingOut().jittered(by: 1, seed: 5).responding(over: .zero),
            .sequence([.text("x")]).timingOut(),
        ] as [StubAnswer]
    )
    func silence(_ answer: StubAnswer) throws {
        let play = try answer.play()
        #expect(play.timeScale == 1)
        #expect(play.interaction.response == nil)
        #expect(play.interaction.failure?.code == NSURLErrorTimedOut)
        for (idle, total) in [(60.0, 3600.0), (604_800, 5), (0, 0)] {
            let schedule = ReplaySchedule(
                play.interaction,
                timeScale: 1,
                timeouts: .init(idle: idle, total: total)
            )
            #expect(schedule.steps.map(\.step) == [.timeout])
            #expect(schedule.steps.map(\.seconds) == [min(idle, total)])
        }
        let patient = ReplaySchedule(
            play.interaction,
            timeScale: 1,
            timeouts: .init(idle: .infinity, total: .infinity)
        )
        #expect(patient.steps.map(\.seconds) == [315_360_000])
    }

    @Test("A recorded answer can be changed to never arrive")
    func recordedSilence() throws {
        let play = try StubAnswer.recorded.timingOut().transform(.streamed, timeScale: 0)
        #expect(play.timeScale == 1)
        #expect(play.interaction.outcome == .failure(Interaction.Failure(code: NSURLErrorTimedOut), after: nil))
    }
}
