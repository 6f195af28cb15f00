import Foundation
import Rewind
import Testing

@Suite("The story of a miss")
struct MissStoryTests {
    @Test("Every story names the request, the test, the circumstances and the remedy", arguments: Story.all)
    func stories(_ story: Story) throws {
        let miss = Miss(
            story.reason,
            request: Request(method: "POST", url: "https://api.example.com/users?page=2"),
            testName: "UserTests.testSecondPage",
            cassettePath: story.cassettePath,
            mode: "none"
        )
        let lines = miss.description.split(separator: "\n").map(String.init)
        #expect(lines.first == story.headline)
        #expect(lines.contains("  request:  POST https://api.example.com/users?page=2"))
        #expect(lines.contains("  test:     UserTests.testSecondPage"))
        for circumstance in story.circumstances { #expect(lines.contains("  \(circumstance)")) }
        let remedy = try #require(lines.last)
        for word in story.remedy { #expect(remedy.contains(word)) }
    }

    @Test("Every case has a number of its own, and an error made of it tells the whole story")
    func bridging() {
        var codes: Set<Int> = []
        for story in Story.all {
            let miss = Miss(story.reason, request: Request(url: "https://h/"))
            let error = miss as any Error as NSError
            #expect(error.domain == "Rewind")
            #expect(error.localizedDescription == miss.description)
            #expect((miss as any Error).localizedDescription == miss.description)
            codes.insert(error.code)
        }
        #expect(codes == Set(1...7))
    }

    @Test("What is not known is left out")
    func unknownCircumstances() {
        for reason in [Miss.Reason.noMatch, .alreadyPlayed(count: 1), .testOver] {
            let text = Miss(reason, request: Request(url: "https://h/")).description
            #expect(!text.contains("test:  "))
            #expect(!text.contains("cassette:  "))
            #expect(!text.contains("nearest:"))
            #expect(!text.contains("nil"))
            #expect(!text.contains("Optional"))
        }
    }

    @Test("The nearest interactions are shown with their numbers and the parts in which they differ")
    func nearest() {
        let request = Request(method: "POST", url: "https://h/users?page=2", body: Body("name=Ann"))
        var recorded = Interaction.page("https://h/users?page=1&all")
        recorded.request.method = "PUT"
        recorded.request.body = Body("name=Bob")
        let text = miss(for: request, among: [.page("https://g/elsewhere"), recorded]).description
        let expected = """
              nearest:  #2 PUT https://h/users?page=1&all
                  method
                    recorded:  PUT
                    requested: POST
                  query item
                    recorded:  page=1
                    requested: page=2
                  query item
                    recorded:  all
                    requested: (none)
                  body
                    recorded:  "name=Bob" (8 bytes)
                    requested: "name=Ann" (8 bytes)
              nearest:  #1 GET https://g/elsewhere
            """
        #expect(text.contains(expected), "\(text)")
    }

    @Test("No more than three interactions are shown, of however many")
    func limit() {
        let interactions = (1...50).map { Interaction.page("https://h/users?page=\($0)") }
        let text = miss(for: Request(url: "https://h/users?page=0"), among: interactions).description
        #expect(text.components(separatedBy: "nearest:").count == 4)
    }

    @Test("An empty cassette is called empty")
    func emptyCassette() {
        #expect(miss(for: Request(url: "https://h/"), among: []).description.contains("The cassette is empty."))
    }

    @Test("Bodies of any length make a story that fits a screen", arguments: [0x41, 0xE4, 0x00] as [UInt8])
    func longBodies(_ byte: UInt8) {
        let filling = Data(repeating: byte, count: 50_000)
        let request = Request(method: "POST", url: "https://h/", body: Body(filling + [1] + filling))
        let interactions = (2...5 as ClosedRange<UInt8>).map { number in
            var interaction = Interaction.page("https://h/")
            interaction.request.method = "POST"
            interaction.request.body = Body(filling + [number] + filling)
            return interaction
        }
        let text = miss(for: request, among: interactions).description
        #expect(text.count < 2500)
        #expect(text.contains("(100001 bytes)"))
    }

    @Test("A long text of a matcher of one's own makes a story that fits a screen, too")
    func longProjections() {
        let whole = Matcher.custom("text") { String(decoding: $0.body?.data ?? Data(), as: UTF8.self) }
        let request = Request(url: "https://h/", body: Body(String(repeating: "a", count: 50_000)))
        let text = miss(for: request, among: [.page("https://h/")], matchers: [whole]).description
        #expect(text.contains("      text\n"))
        #expect(text.count < 2500)
    }

    private func miss(
        for request: Request,
        among interactions: [Interaction],
        matchers: [Matcher] = .default
    ) -> Miss {
        let nearest = NearestInteractions(to: request, among: interactions, matchers: matchers)
        return Miss(.noMatch, request: request, mode: "once", nearest: nearest)
    }
}

/// What the story of one case must say.
struct Story: Sendable, CustomTestStringConvertible {
    var reason: Miss.Reason
    var cassettePath: String? = "/project/Cassettes/users.har"
    var headline: String
    var circumstances: [String]
    var remedy: [String]

    var testDescription: String { "\(reason)" }

    private static let cassette = "cassette: /project/Cassettes/users.har"

    static let all = [
        Story(
            reason: .noCassette(path: "/project/Cassettes/users.har"),
            headline: "Rewind has no cassette for this request, and mode `none` forbids to record one.",
            circumstances: ["\(cassette) (missing)"],
            remedy: ["REWIND_MODE=once"]
        ),
        Story(
            reason: .noMatch,
            headline: "Rewind found no recorded interaction that matches this request.",
            circumstances: [cassette],
            remedy: [
                "isRecording = true", "REWIND_MODE=all", "REWIND_MODE=newEpisodes", "configuration.matching",
            ]
        ),
        Story(
            reason: .alreadyPlayed(count: 1),
            headline: "Rewind has one interaction that matches this request, and it was already played.",
            circumstances: [cassette],
            remedy: ["configuration.repeats = .last", "REWIND_MODE=all"]
        ),
        Story(
            reason: .alreadyPlayed(count: 3),
            headline: "Rewind has 3 interactions that match this request, and all were already played.",
            circumstances: [cassette],
            remedy: ["configuration.repeats = .last", "REWIND_MODE=all"]
        ),
        Story(
            reason: .testOver,
            headline: "Rewind refuses a request of a test that is over.",
            circumstances: [cassette],
            remedy: ["Wait in the test"]
        ),
        Story(
            reason: .notRouted(tests: ["UserTests.testOne", "UserTests.testTwo"]),
            cassettePath: nil,
            headline: "Rewind cannot tell which test this request belongs to, for several are running.",
            circumstances: ["running:  UserTests.testOne, UserTests.testTwo"],
            remedy: ["stubber.session"]
        ),
        Story(
            reason: .unreadableBody("no such file"),
            headline: "Rewind could not read the body of this request.",
            circumstances: ["cause:    no such file"],
            remedy: ["as data"]
        ),
        Story(
            reason: .unsupported("an upload from a stream"),
            headline: "Rewind cannot answer this task on this platform.",
            circumstances: ["cause:    an upload from a stream"],
            remedy: ["stubber.session", "data task"]
        ),
    ]
}
