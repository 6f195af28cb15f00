import Foundation
import Rewind
import RewindTestSupport
import Testing

struct VerificationReportTests {
    @Test("The drift of a replaced cassette is reported at the end")
    func insert() throws {
        let studio = try Studio()
        try studio.put([.json("https://h/a", "[]")])
        try HARFormat.write(Cassette(interactions: [.json("https://h/a", "[]")]))
            .write(to: studio.folder["other.har"])
        let stubber = try studio.stubber(.verify)
        try stubber.begin(Interaction.Request(url: "https://h/a")).finish(json: "{}")
        #expect(try stubber.insert("other").drift.count == 1)
        try stubber.begin(Interaction.Request(url: "https://h/a")).finish(json: "[]")
        #expect(stubber.end(testFailed: false).report.drift.map(\.cassettePath) == [studio.file.path])
    }

    @Test("Drift is an error if configured")
    func failure() throws {
        let studio = try Studio()
        try studio.put([.json("https://h/a", "[]")])
        for policy in Stubber.Configuration.Severity.allCases {
            var configuration = Stubber.Configuration()
            configuration.drift = policy
            let stubber = try studio.stubber(.verify, configuration: configuration)
            try stubber.begin(Interaction.Request(url: "https://h/a")).finish(json: "{}")
            if policy == .fail {
                let error = try #require(throws: Stubber.ScopeError.self) { try stubber.eject() }
                #expect(error.localizedDescription.contains("$: array → object"))
            } else {
                #expect(stubber.end(testFailed: false).report.drift.count == 1)
            }
        }
    }

    @Test(
        "Changing to mode `verify` within a test affects later requests and preserves the recording"
    )
    func modeChange() throws {
        let studio = try Studio()
        try studio.put([.json("https://h/a", "[]")])
        let stubber = try studio.stubber(.newEpisodes)
        try stubber.record("https://h/new", "new")
        stubber.mode = .verify
        try stubber.begin(Interaction.Request(url: "https://h/a")).finish(json: "{}")
        #expect(!stubber.isRecording)
        #expect(stubber.end(testFailed: false).report.drift.count == 1)
        #expect(
            try studio.cassette.interactions.map(\.request.url).sorted() == ["https://h/a", "https://h/new"]
        )
    }

    @Test("A nested scope verifies the outer cassette, whose scope reports the drift")
    func nesting() throws {
        let (outer, inner) = (try Studio(), try Studio())
        try outer.put([.json("https://h/a", "[]")])
        try inner.put([])
        let around = try outer.stubber(.verify)
        let within = try inner.stubber(.verify)
        within.nest(in: around)
        try within.begin(Interaction.Request(url: "https://h/a")).finish(json: "{}")
        #expect(within.isSettled && around.isSettled)
        #expect(within.end(testFailed: false).report.drift.isEmpty)
        #expect(around.end(testFailed: false).report.drift.first?.entries.first?.number == 1)
    }
}
