import Foundation
import Rewind
import Testing

struct RecordedAnswerTests {
    private let failed: Interaction = {
        var interaction = Interaction.streamed
        interaction.outcome = .failure(
            Interaction.Failure(code: -1005),
            after: Interaction.Response(body: Interaction.Body("half"))
        )
        return interaction
    }()

    @Test("`recorded` replays an unchanged response at its time scale")
    func unchanged() throws {
        let whole = try StubAnswer.recorded.transform(.streamed, timeScale: 1)
        #expect(whole.interaction == .streamed)
        #expect(whole.timeScale == 1)
        let atOnce = try StubAnswer.recorded.transform(.streamed, timeScale: 0)
        #expect(atOnce.timeScale == 0)
        #expect(atOnce.chunks.map(\.count) == [10, 20, 30, 40])
        #expect(atOnce.interaction.request == Interaction.streamed.request)
    }

    @Test("`recorded` changes only what the closure changes")
    func changed() throws {
        let answer = StubAnswer.recorded {
            $0.headers["ETag"] = nil
            $0.status = 203
        }
        let play = try answer.transform(.streamed, timeScale: 1)
        #expect(play.response?.headers == ["Content-Type": "text/plain"])
        #expect(play.response?.status == 203)
        #expect(play.response?.body == Interaction.streamed.response?.body)
        #expect(play.interaction.timing == Interaction.streamed.timing)
    }

    @Test("A changed body of another length arrives in one chunk at the end")
    func otherBody() throws {
        let play = try StubAnswer.recorded { $0.body.data = Data("new".utf8) }.transform(
            .streamed,
            timeScale: 1
        )
        #expect(play.text == "new")
        #expect(play.chunks.isEmpty)
        #expect(play.interaction.timing.receive == 500)
    }

    @Test("A recorded failure is not changed")
    func failure() throws {
        let play = try StubAnswer.recorded { $0.body = Interaction.Body("changed") }.transform(
            failed,
            timeScale: 1
        )
        #expect(play.interaction == failed)
    }

    @Test("Recorded times are scaled, a stub's delays are not", arguments: [0, 0.5, 1, 3])
    func timeScale(_ timeScale: Double) throws {
        let play = try StubAnswer.recorded.delayed(by: .seconds(2)).transform(.streamed, timeScale: timeScale)
        #expect(play.timeScale == 1)
        #expect(
            play.interaction.timing == Interaction.Timing(wait: 2000 + 50 * timeScale, receive: 500 * timeScale)
        )
        #expect(play.offsets == [0, 100 * timeScale, 100 * timeScale, 400 * timeScale])
        let late = try StubAnswer.recorded.delayed(by: .seconds(2)).transform(failed, timeScale: timeScale)
        #expect(late.interaction.failure == failed.failure)
        #expect(late.interaction.timing.wait == 2000 + 50 * timeScale)
    }

    @Test("Faults apply to the changed response")
    func order() throws {
        let answer = StubAnswer.recorded { $0.body = Interaction.Body("changed") }.cut(afterBytes: 3)
        #expect(try answer.transform(.streamed).text == "cha")
        #expect(try answer.transform(.streamed).interaction.failure?.code == NSURLErrorNetworkConnectionLost)
    }

    @Test("A recorded unknown outcome stays unknown")
    func unknown() throws {
        var untold = Interaction.streamed
        untold.outcome = .unknown(reason: "the body was not recorded")
        let answer = StubAnswer.recorded { $0.status = 1 }.cut(afterBytes: 0).malformed(seed: 1)
        #expect(try answer.transform(untold, timeScale: 1).interaction == untold)
    }
}
