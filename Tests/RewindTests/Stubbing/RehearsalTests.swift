import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

@Suite("What is found out of a request before it is its turn")
struct RehearsalTests {
    private let studio: Studio
    private let request = Request(url: "http://a/")

    init() throws {
        studio = try Studio()
        try studio.put([.page("http://a/", "1"), .page("http://a/", "2"), .page("http://b/", "b")])
    }

    private func text(_ answer: Answer) -> String? {
        guard case .play(let track, _) = answer else { return nil }
        return track.interaction.text
    }

    @Test("What is due is rehearsed again and again, and nothing is played by that")
    func repeated() throws {
        let stubber = try studio.stubber(.none)
        let rehearsals = (0..<3).compactMap { _ in stubber.rehearse(request) }
        #expect(rehearsals.map(\.track.position) == [0, 0, 0])
        let answer = stubber.answer(to: request, after: rehearsals[0]) { request }
        guard case .play(let track, _) = answer else { throw StudioError.isNotRecorded(request) }
        #expect(track === rehearsals[0].track)
    }

    @Test("Of two that were rehearsed at once, each gets its own")
    func race() throws {
        let stubber = try studio.stubber(.none)
        let (first, second) = (stubber.rehearse(request), stubber.rehearse(request))
        let answers = [second, first, nil].map { stubber.answer(to: request, after: $0) { request } }
        #expect(answers.map(text) == ["1", "2", nil])
    }

    @Test("A rehearsal does not hold for another request, nor for one with a body")
    func otherRequest() throws {
        let stubber = try studio.stubber(.none)
        let rehearsal = try #require(stubber.rehearse(request))
        let other = Request(url: "http://b/")
        #expect(text(stubber.answer(to: other, after: rehearsal) { other }) == "b")
        let post = Request(url: "http://a/", body: Body("x"))
        #expect(text(stubber.answer(to: post, after: rehearsal) { post }) == nil)
    }

    @Test("Nor does it hold once another cassette is in")
    func otherCassette() throws {
        let stubber = try studio.stubber(.none)
        let rehearsal = try #require(stubber.rehearse(request))
        let file = studio.file.deletingLastPathComponent().appendingPathComponent("other.har")
        let others: [Interaction] = [.page("http://b/", "else"), .page("http://a/", "other")]
        try HARFormat.write(Cassette(interactions: others)).write(to: file)
        try stubber.insert("other")
        #expect(text(stubber.answer(to: request, after: rehearsal) { request }) == "other")
    }

    /// What makes an answer more than something that is looked up.
    struct Circumstance: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var mode = RecordingMode.none
        var configure: @Sendable (inout Configuration) -> Void = { _ in }
        var prepare: @Sendable (Stubber) throws -> Void = { _ in }
    }

    private static let circumstances = [
        Circumstance(testDescription: "a stub", prepare: { $0.stub(.any, respond: .status(204)) }),
        Circumstance(testDescription: "a pause", prepare: { $0.pause() }),
        Circumstance(testDescription: "the end", prepare: { try $0.eject() }),
        Circumstance(testDescription: "recording", mode: .all),
        Circumstance(testDescription: "the network", mode: .live),
        Circumstance(testDescription: "passing through", configure: { $0.passthrough = { _ in false } }),
        Circumstance(testDescription: "passed hosts", configure: { $0.passthroughHosts = ["a"] }),
        Circumstance(testDescription: "a change", configure: { $0.beforePlayback = { $0 } }),
        Circumstance(testDescription: "new dates", configure: { $0.refreshesDates = true }),
        Circumstance(testDescription: "repeats", configure: { $0.repeats = .last }),
        Circumstance(testDescription: "one order", configure: { $0.order = .track }),
        Circumstance(testDescription: "header fields", configure: { $0.matching = [.headers("X")] }),
        Circumstance(
            testDescription: "a comparison",
            configure: { $0.matching = [.custom("own") { _, _ in true }] }
        ),
    ]

    @Test("Where more than looking up decides, nothing is rehearsed", arguments: circumstances)
    func nothing(circumstance: Circumstance) throws {
        var configuration = Configuration()
        circumstance.configure(&configuration)
        let stubber = try studio.stubber(circumstance.mode, configuration: configuration)
        try circumstance.prepare(stubber)
        #expect(stubber.rehearse(request)?.track == nil)
    }

    @Test("What the cassette lacks, or has played, is not rehearsed")
    func misses() throws {
        let stubber = try studio.stubber(.none)
        #expect(stubber.rehearse(Request(url: "http://c/"))?.track == nil)
        for _ in 0..<2 { _ = stubber.answer(to: request) }
        #expect(stubber.rehearse(request)?.track == nil)
    }
}
