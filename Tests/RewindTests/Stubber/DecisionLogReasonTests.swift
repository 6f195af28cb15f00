import Foundation
import Rewind
import RewindTestSupport
import Testing

@testable import Rewind

/// Each way in which a line can give a reason gives one.
struct DecisionLogReasonTests {
    private static let request = Interaction.Request(url: "https://h/a")

    private static let reasons: [Miss.Reason] = [
        .noCassette(path: "/c"), .recordingForbidden(path: "/c", variable: "CI"), .readOnly(path: "/c"),
        .noMatch,
        .alreadyPlayed(count: 1), .alreadyPlayed(count: 2), .outOfOrder(next: request), .noStub,
        .networkForbidden,
        .stubExhausted("a stub", calls: 1), .invalidStub("no file"), .testEnded, .paused,
        .unknownTest(running: ["A.one()"]), .unreadableBody("no file"), .unsupported("no queue"),
        .unsupportedTask(kind: "WebSocket task"),
    ]

    @Test("Each reason of a miss has its own text")
    func misses() {
        let texts = Self.reasons.map { "\(DecisionLog.Decision.missed(Miss($0, request: Self.request)))" }
        for text in texts {
            #expect(text.hasPrefix("miss: ") && text.count > "miss: ".count + 5)
            #expect(!text.contains("()") || text.contains("A.one()"))
        }
        #expect(Set(texts).count == texts.count)
    }

    @Test("A recording that was skipped has a reason, whatever is known about it")
    func candidates() {
        let kinds: [NearestInteractions.Candidate] = [
            .init(number: 1, request: Self.request, differences: []),
            .init(number: 2, request: Self.request, differences: [], obstacle: ""),
            .init(number: 3, request: Self.request, differences: [], obstacle: "no response was recorded"),
            .init(number: 4, request: Self.request, differences: [], otherSecrets: []),
            .init(
                number: 5,
                request: Self.request,
                differences: [Difference("path", recorded: nil, requested: nil)]
            ),
        ]
        for candidate in kinds {
            var nearest = NearestInteractions(to: Self.request, among: [Interaction](), matchers: .default)
            nearest.candidates = [candidate]
            let miss = Miss(.noMatch, request: Self.request, nearest: nearest)
            let text = "\(DecisionLog.Decision.missed(miss))"
            #expect(text.contains("#\(candidate.number) (") && !text.contains("()"), "\(text)")
        }
        let empty = NearestInteractions(to: Self.request, among: [Interaction](), matchers: .default)
        let miss = Miss(.noMatch, request: Self.request, nearest: empty)
        #expect("\(DecisionLog.Decision.missed(miss))" == "miss: no match; the cassette is empty")
    }

    @Test("A recording of the same request with another secret says so")
    func otherSecrets() throws {
        let studio = try Studio()
        try studio.put([
            .page("https://h/login?access_token=REDACTEDaccessTokenN1X"),
            .page("https://h/a?access_token=REDACTEDaccessTokenN2X"),
            .page("https://h/a?access_token=REDACTEDaccessTokenN1X"),
        ])
        let lines = Locked<[String]>([])
        var configuration = Stubber.Configuration()
        configuration.log = { line in lines.withLock { $0.append(line) } }
        let stubber = try studio.stubber(.never, configuration: configuration)
        for path in ["login", "a"] {
            _ = stubber.answer(to: Interaction.Request(url: "https://h/\(path)?access_token=4f9a7c21e0b84d5f"))
        }
        let last = try #require(lines.withLock { $0.last })
        #expect(last.hasSuffix("→ replayed #3; skipped #2 (its secrets have other values)"), "\(last)")
    }

    @Test("A recording that a comparison rejects says so")
    func disagreeing() throws {
        let studio = try Studio()
        try studio.put([.page("https://h/a?n=1"), .page("https://h/a?n=2"), .page("https://h/a?n=3")])
        let lines = Locked<[String]>([])
        var configuration = Stubber.Configuration()
        configuration.log = { line in lines.withLock { $0.append(line) } }
        configuration.matching = [
            .method, .path, .custom("only n=3") { _, recorded in recorded.url.hasSuffix("n=3") },
        ]
        let stubber = try studio.stubber(.never, configuration: configuration)
        _ = stubber.answer(to: Interaction.Request(url: "https://h/a"))
        #expect(
            lines.withLock { $0 } == [
                "GET https://h/a → replayed #3; skipped #1 (not accepted by the matcher `only n=3`)"
                    + "; #2 (not accepted by the matcher `only n=3`)"
            ]
        )
    }
}
