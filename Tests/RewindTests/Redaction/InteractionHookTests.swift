import Foundation
import Testing

@testable import Rewind

struct InteractionHookTests {
    @Test("beforeRecord can change or drop an interaction, and redaction follows")
    func beforeRecord() throws {
        let studio = try Studio()
        var configuration = Stubber.Configuration()
        configuration.beforeRecord = { interaction in
            guard !interaction.request.url.hasSuffix("/health") else { return nil }
            var interaction = interaction
            interaction.request.headers["X-Seen"] = "yes"
            interaction.request.url += "?api_key=added"
            return interaction
        }
        let ended = Locked<[String]>([])
        configuration.didEndRecording = { interaction in ended.withLock { $0.append(interaction.request.url) } }
        let stubber = try studio.stubber(.once, configuration: configuration)
        try stubber.record("https://h/health", "fine")
        try stubber.record("https://h/a", "1")
        stubber.settle()
        try stubber.eject()
        let requests = try studio.cassette.interactions.map(\.request)
        #expect(requests.map(\.url) == ["https://h/a?api_key=REDACTEDapiKeyN1X"])
        #expect(requests.first?.headers["X-Seen"] == "yes")
        #expect(ended.withLock { $0 } == ["https://h/a?api_key=REDACTEDapiKeyN1X"])
    }

    @Test("beforeReplay changes the answer but not the cassette")
    func beforePlayback() throws {
        let studio = try Studio()
        try studio.put([.page("https://h/a", "1")])
        let untouched = try studio.contents
        var configuration = Stubber.Configuration()
        configuration.beforePlayback = { interaction in
            var interaction = interaction
            interaction.outcome = .response(Interaction.Response(status: 503))
            return interaction
        }
        let stubber = try studio.stubber(.never, configuration: configuration)
        guard case .play(let played, _) = stubber.answer(to: Interaction.Request(url: "https://h/a")) else {
            Issue.record("it was not played")
            return
        }
        #expect(played.interaction.response?.status == 503)
        try stubber.eject()
        #expect(try studio.contents == untouched)
    }
}
