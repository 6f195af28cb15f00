import Foundation
import Rewind
import RewindTestSupport
import Testing

struct StubSequenceTests {
    private static let three: [StubAnswer] = [.status(201), .failure(.timedOut), .passthrough]

    @Test(
        "Each request gets the next answer of a sequence",
        arguments: [
            (
                .last,
                ["201", "-1001", "passthrough", "passthrough", "passthrough", "passthrough", "passthrough"]
            ),
            (.fail, ["201", "-1001", "passthrough", "exhausted", "exhausted", "exhausted", "exhausted"]),
            (.repeat, ["201", "-1001", "passthrough", "201", "-1001", "passthrough", "201"]),
        ] as [(StubAnswer.SequenceEnd, [String])]
    )
    func ends(_ end: StubAnswer.SequenceEnd, _ outcomes: [String]) {
        let answer = StubAnswer.sequence(Self.three, then: end)
        #expect((0..<7).map { answer.outcome(call: $0) } == outcomes)
    }

    @Test("By default a request after the last answer fails")
    func failsByDefault() {
        #expect(StubAnswer.sequence([.status(200)]).outcome(call: 1) == "exhausted")
    }

    @Test("A single answer is the same for each request")
    func noSequence() {
        #expect(
            [0, 1, 99, Int.max].map { StubAnswer.status(201).outcome(call: $0) } == [
                "201", "201", "201", "201",
            ]
        )
    }

    @Test("A nested sequence advances by one each time its turn comes")
    func nested() {
        let inner = StubAnswer.sequence([.status(201), .status(202)], then: .repeat)
        let alternating = StubAnswer.sequence([inner, .status(500)], then: .repeat)
        #expect((0..<6).map { alternating.outcome(call: $0) } == ["201", "500", "202", "500", "201", "500"])
        let last = StubAnswer.sequence([.status(500), inner], then: .last)
        #expect((0..<5).map { last.outcome(call: $0) } == ["500", "201", "202", "201", "202"])
        let once = StubAnswer.sequence([.sequence([.status(201)]), .status(500)], then: .repeat)
        #expect((0..<4).map { once.outcome(call: $0) } == ["201", "500", "exhausted", "500"])
    }

    @Test("Deeply nested sequences do not overflow the stack")
    func deep() {
        var answer = StubAnswer.status(201)
        for _ in 0..<2000 { answer = .sequence([answer], then: .last) }
        #expect(answer.outcome(call: 5) == "201")
    }

    @Test("Extreme call numbers never trap", arguments: StubAnswer.SequenceEnd.allCases)
    func oddNumbers(_ end: StubAnswer.SequenceEnd) {
        let answer = StubAnswer.sequence(Self.three, then: end)
        #expect(answer.outcome(call: -1) == "exhausted")
        #expect(answer.outcome(call: Int.min) == "exhausted")
        #expect(answer.outcome(call: Int.max) != "")
    }

    @Test("A fault of a sequence applies to each answer, after its own faults")
    func faults() throws {
        let answer = StubAnswer.sequence(
            [
                .text("hello").delayed(by: .seconds(1)), .sequence([.text("world").cut(afterBytes: 4)]),
                .recorded,
            ],
            then: .last
        ).cut(afterBytes: 2).delayed(by: .seconds(2))
        let first = try answer.play(call: 0)
        #expect(first.text == "he")
        #expect(first.interaction.timing.wait == 3000)
        let second = try answer.play(call: 1)
        #expect(second.text == "wo")
        #expect(second.interaction.timing.wait == 2000)
        let third = try answer.transform(.streamed, call: 2)
        #expect(third.interaction.response?.body.count == 2)
        #expect(third.interaction.timing.wait == 2000)
        #expect(third.timeScale == 1)
        let own = StubAnswer.text("hello").responding(over: .seconds(1))
        let last = try StubAnswer.sequence([own]).responding(over: .seconds(2)).play()
        #expect(last.interaction.timing.receive == 2000)
    }

    @Test("An empty sequence is invalid, and so is one with an invalid answer")
    func problems() {
        #expect(StubAnswer.sequence([], then: .last).outcome() == "invalid: its sequence has no answers")
        let answer = StubAnswer.sequence([.status(200), .status(7), .redirect(to: "")], then: .last)
        #expect(answer.outcome(call: 0) == "invalid: the status code 7 is invalid")
        #expect(
            StubAnswer.sequence([answer]).delayed(by: .seconds(-1)).problem?.cause
                == "the status code 7 is invalid"
        )
    }

    @Test("Random sequences answer like a flattened list", arguments: 0..<40 as Range<UInt64>)
    func model(_ seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        let statuses = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
            Int.random(in: 200...599, using: &generator)
        }
        let end = StubAnswer.SequenceEnd.allCases[Int(seed % 3)]
        let answer = StubAnswer.sequence(statuses.map { .status($0) }, then: end)
        for call in 0..<20 {
            let expected =
                switch end {
                case _ where call < statuses.count: "\(statuses[call])"
                case .last: "\(statuses[statuses.count - 1])"
                case .fail: "exhausted"
                case .repeat: "\(statuses[call % statuses.count])"
                }
            #expect(answer.outcome(call: call) == expected)
        }
    }
}
