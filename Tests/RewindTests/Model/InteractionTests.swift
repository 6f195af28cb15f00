import Foundation
import Rewind
import Testing

struct InteractionTests {
    private let partial = Interaction.Response(status: 206, body: Interaction.Body("half"))
    private let failure = Interaction.Failure(code: NSURLErrorTimedOut, message: "late")

    private func interaction(_ outcome: Interaction.Outcome) -> Interaction {
        Interaction(request: Interaction.Request(url: "https://example.com/"), outcome: outcome)
    }

    @Test("An interaction with a response has no failure")
    func response() {
        let whole = interaction(.response(partial))
        #expect(whole.response == partial)
        #expect(whole.failure == nil)
        #expect(whole.isReplayable)
    }

    @Test("A failure may have a partial response")
    func failures() {
        let early = interaction(.failure(failure, after: nil))
        let late = interaction(.failure(failure, after: partial))
        #expect(early.response == nil)
        #expect(late.response == partial)
        #expect([early, late].map(\.failure) == [failure, failure])
        #expect(early.isReplayable && late.isReplayable)
    }

    @Test("An interaction with an unknown outcome is not replayable")
    func unknown() {
        let unknown = interaction(.unknown(reason: "the body was not recorded"))
        #expect(unknown.response == nil)
        #expect(unknown.failure == nil)
        #expect(!unknown.isReplayable)
    }

    @Test("The original text does not affect equality")
    func original() {
        let first = interaction(.response(partial))
        var second = first
        second.original = OriginalText(Data("{}".utf8))
        #expect(first == second)
        #expect(first.hashValue == second.hashValue)
    }

    @Test("Times are rounded to the precision of a file")
    func times() {
        let started = Interaction(
            request: Interaction.Request(url: "https://example.com/"),
            outcome: .response(Interaction.Response()),
            startedAt: Date(timeIntervalSince1970: 1_700_000_000.123_456),
            timing: .init(wait: 1.000_4, receive: 2.000_6)
        )
        #expect(started.startedAt == Date(timeIntervalSince1970: 1_700_000_000.123))
        #expect(started.timing == .init(wait: 1, receive: 2.001))
    }

    @Test("An empty body differs from no body")
    func noBody() {
        #expect(
            Interaction.Request(url: "https://example.com/", body: Interaction.Body())
                != Interaction.Request(url: "https://example.com/")
        )
        #expect(
            "\(Interaction.Request(method: "PUT", url: "https://example.com/a"))" == "PUT https://example.com/a"
        )
    }

    @Test(
        "A response has the standard reason phrase by default",
        arguments: [
            (200, "OK"), (204, "No Content"), (404, "Not Found"), (422, "Unprocessable Content"),
            (511, "Network Authentication Required"), (299, ""), (0, ""), (-1, ""),
        ]
    )
    func phrase(_ status: Int, _ phrase: String) {
        #expect(Interaction.Response(status: status).statusText == phrase)
        #expect(Interaction.Response(status: status, statusText: "Mine").statusText == "Mine")
        #expect(Interaction.Response(status: status, statusText: "").statusText == "")
    }

    @Test("Only redirect statuses with a Location have a target", arguments: 300...308)
    func redirect(_ status: Int) {
        let target = [301, 302, 303, 307, 308].contains(status) ? "/next" : nil
        #expect(Interaction.Response(status: status, headers: ["location": "/next"]).redirectTarget == target)
        #expect(Interaction.Response(status: status).redirectTarget == nil)
    }

    @Test("A failure has the domain and the code of the error")
    func failureOfError() {
        let error = NSError(domain: "Test", code: 7, userInfo: [NSLocalizedDescriptionKey: "seven"])
        #expect(Interaction.Failure(error) == Interaction.Failure(domain: "Test", code: 7, message: "seven"))
        #expect(Interaction.Failure(URLError(.timedOut)).domain == NSURLErrorDomain)
        #expect(Interaction.Failure(URLError(.timedOut)).code == -1001)
        #expect(Interaction.Failure(code: -1).domain == NSURLErrorDomain)
    }
}
