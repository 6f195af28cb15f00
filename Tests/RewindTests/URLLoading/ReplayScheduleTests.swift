import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct ReplayScheduleTests {
    private func interaction(wait: Double, receive: Double = 0, offset: Double) -> Interaction {
        let body = Interaction.Body(
            Data("ab".utf8),
            chunks: [.init(offset: 0, count: 1), .init(offset: offset, count: 1)]
        )
        return Interaction(
            request: Interaction.Request(url: "http://example.invalid/a"),
            outcome: .response(Interaction.Response(body: body)),
            timing: Interaction.Timing(wait: wait, receive: receive)
        )
    }

    private func due(_ interaction: Interaction, timeScale: Double = 1) -> [Double] {
        let endless = ReplaySchedule.Timeouts(idle: .infinity, total: .infinity)
        return ReplaySchedule(interaction, timeScale: timeScale, timeouts: endless).steps.map(\.seconds)
    }

    @Test("The head follows the wait time, the chunks follow the head, and all times are scaled")
    func scales() {
        let answer = interaction(wait: 1000, receive: 500, offset: 250)
        #expect(due(answer) == [1, 1, 1.25, 1.5])
        #expect(due(answer, timeScale: 0.5) == [0.5, 0.5, 0.625, 0.75])
        #expect(due(answer, timeScale: 0) == [0, 0, 0, 0])
    }

    @Test("The end follows the last chunk, even if it was recorded earlier")
    func endsLast() {
        #expect(due(interaction(wait: 0, receive: 10, offset: 2000)) == [0, 0, 2, 2])
    }

    @Test(
        "Extreme times are limited and negative times are zero",
        arguments: [1e300, -1e300, .infinity, -.infinity, .nan, .greatestFiniteMagnitude]
    )
    func bounds(_ time: Double) {
        for answer in [
            interaction(wait: time, offset: 0), interaction(wait: 0, offset: time),
            interaction(wait: 0, receive: time, offset: 0),
            interaction(wait: time, receive: time, offset: time),
        ] {
            for timeScale in [0, 1, 1e300] {
                #expect(due(answer, timeScale: timeScale).allSatisfy { 0...1e9 ~= $0 })
            }
        }
    }

    @Test("A direct exchange waits for an answer with an infinite time and can be cancelled")
    func waits() throws {
        let folder = try TemporaryDirectory()
        let endless = interaction(wait: 1e300, offset: 0)
        try Cassette(interactions: [endless]).write(to: folder["talk.har"])
        var configuration = Stubber.Configuration()
        configuration.timing = .recorded
        let stubber = try Stubber(
            at: CassetteLocation(folder["talk.har"]),
            mode: .never,
            configuration: configuration,
            environment: Environment([:])
        )
        guard case .coming(let exchange) = DirectHandler(stubber).ask(endless.request) else {
            Issue.record("the answer came at once")
            return
        }
        #expect(exchange.takeParts(within: 0.01).isEmpty)
        exchange.cancel()
        #expect(exchange.takeParts(within: 120).last?.isLast == true)
        #expect(stubber.isSettled)
    }
}
