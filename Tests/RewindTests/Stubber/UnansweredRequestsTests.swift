import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

/// Which recordings replace a cassette, by what each of its requests got before and now.
struct UnansweredRequestsTests {
    private let studio: Studio

    init() throws { studio = try Studio() }

    /// What a request got: `a` is an answer, `p` a part of one, `f` a failure, `c` a cancellation.
    private func outcome(_ letter: Character) -> Interaction.Outcome {
        let response = Interaction.Response(body: Interaction.Body("text"))
        return switch letter {
        case "a": .response(response)
        case "p": .failure(Interaction.Failure(code: NSURLErrorNetworkConnectionLost), after: response)
        case "c": .failure(Interaction.Failure(code: NSURLErrorCancelled), after: nil)
        default: .failure(Interaction.Failure(code: NSURLErrorCannotConnectToHost), after: nil)
        }
    }

    private func put(_ former: String, url: String = "https://h/") throws {
        try studio.put(former.map { Interaction(request: Interaction.Request(url: url), outcome: outcome($0)) })
    }

    private func record(_ outcomes: String, _ stubber: Stubber, url: String = "https://h/") throws {
        for letter in outcomes {
            try stubber.begin(Interaction.Request(url: url)).finish(outcome(letter), timing: .init())
        }
    }

    /// The error of the end, and the number of requests in it.
    private func end(_ stubber: Stubber) throws -> String {
        do {
            try stubber.eject()
            return "saved"
        } catch Stubber.ScopeError.lostAnswers(let interactions, _) {
            return "lost \(interactions.count)"
        } catch Stubber.ScopeError.noAnswers(let interactions, _) {
            return "none \(interactions.count)"
        }
    }

    @Test(
        "A recording replaces the cassette unless a request that had an answer got less of one",
        arguments: [
            ("a", "a", "saved"), ("a", "f", "lost 1"), ("a", "p", "lost 1"), ("p", "f", "lost 1"),
            ("p", "p", "saved"), ("p", "a", "saved"),
            // What failed before may fail again.
            ("f", "f", "saved"), ("ff", "f", "saved"), ("f", "ff", "none 1"), ("af", "fa", "saved"),
            ("af", "ff", "lost 1"), ("aaf", "ffa", "lost 1"),
            // A request that was sent again until it got an answer.
            ("a", "fa", "saved"), ("a", "ffa", "saved"), ("aa", "fafa", "saved"), ("aa", "fa", "lost 1"),
            ("aaaaa", "fffff", "lost 5"), ("aa", "af", "lost 1"), ("a", "af", "saved"),
            // The app decides what it cancels, unless it gave up on a server that answers nothing.
            ("aa", "ac", "saved"), ("c", "f", "saved"), ("c", "c", "saved"), ("a", "c", "lost 1"),
            ("aa", "cf", "lost 2"), ("a", "cf", "lost 1"),
        ]
    )
    func table(_ former: String, _ recorded: String, _ expected: String) throws {
        try put(former)
        // A recording of the same millisecond has the same bytes, but not this space.
        try Data((studio.contents + " ").utf8).write(to: studio.file)
        let untouched = try studio.contents
        let stubber = try studio.stubber(.all)
        try record(recorded, stubber)
        #expect(try end(stubber) == expected)
        let isSaved = expected == "saved"
        #expect(try (studio.contents == untouched) == !isSaved)
        #expect(studio.folder.files == (isSaved ? ["talk.har"] : ["talk.failed.har", "talk.har"]))
    }

    @Test(
        "A first recording needs one answer",
        arguments: [
            ("f", "none 1"), ("fff", "none 3"), ("fa", "saved"), ("fp", "saved"), ("c", "saved"),
            ("cf", "none 1"),
        ]
    )
    func first(_ recorded: String, _ expected: String) throws {
        let stubber = try studio.stubber(.once)
        try record(recorded, stubber)
        #expect(try end(stubber) == expected)
        #expect(studio.folder.files == [expected == "saved" ? "talk.har" : "talk.failed.har"])
        #expect(try studio.stubber(.once).isRecording == (expected != "saved"), "the next run records again")
    }

    @Test("A failure that the request itself causes is recorded like an answer of the system")
    func invalidRequest() throws {
        for code in [NSURLErrorUnsupportedURL, NSURLErrorFileDoesNotExist] {
            let stubber = try studio.stubber(.all)
            try stubber.begin(Interaction.Request(url: "https://h/"))
                .finish(.failure(Interaction.Failure(code: code), after: nil), timing: .init())
            #expect(try end(stubber) == "saved")
        }
    }

    @Test("Requests are compared as on replay: by the matchers, with their secrets replaced")
    func matchers() throws {
        var configuration = Stubber.Configuration()
        configuration.matching = [.method, .path]
        try put("a", url: "https://h/page?time=1")
        let ignoring = try studio.stubber(.all, configuration: configuration)
        try record("f", ignoring, url: "https://h/page?time=2")
        #expect(try end(ignoring) == "lost 1")
        let other = try studio.stubber(.all)
        try record("f", other, url: "https://h/page?time=2")
        #expect(try end(other) == "none 1", "another request, but no answer at all")
        try FileManager.default.removeItem(at: studio.file)
        let url = "https://h/page?access_token=4f9a7c21e0b84d5f"
        let first = try studio.stubber(.all)
        try record("a", first, url: url)
        #expect(try end(first) == "saved")
        let secret = try studio.stubber(.all)
        try record("f", secret, url: url)
        let error = try #require(throws: Stubber.ScopeError.self) { try secret.eject() }
        #expect(
            error.description.hasPrefix(
                "These requests got no answer, but the cassette \(studio.file.path) has"
            )
        )
        #expect(!error.description.contains("4f9a7c21e0b84d5f"))
    }

    @Test("A matcher that compares two requests decides too")
    func comparison() throws {
        var configuration = Stubber.Configuration()
        configuration.matching = [.method, .custom("length", comparison: { $0.url.count == $1.url.count })]
        try put("a", url: "https://h/one")
        for (url, expected) in [("https://h/two", "lost 1"), ("https://h/three", "none 1")] {
            let stubber = try studio.stubber(.all, configuration: configuration)
            try record("f", stubber, url: url)
            #expect(try end(stubber) == expected)
        }
    }

    @Test("A failure that `beforeRecord` drops is no reason to drop the recorded answer")
    func dropped() throws {
        var configuration = Stubber.Configuration()
        configuration.beforeRecord = { $0.failure == nil ? $0 : nil }
        try studio.put([.page("https://h/a", "old"), .page("https://h/b", "old")])
        let untouched = try studio.contents
        let stubber = try studio.stubber(.all, configuration: configuration)
        try record("a", stubber, url: "https://h/a")
        try record("f", stubber, url: "https://h/b")
        stubber.settle()
        #expect(try end(stubber) == "lost 1")
        #expect(try studio.contents == untouched)
        let first = try Studio().stubber(.all, configuration: configuration)
        try record("f", first)
        first.settle()
        #expect(try end(first) == "saved", "nothing is written")
    }

    @Test("A recording after a change of mode is compared with the file, even if mode `live` did not open it")
    func changedMode() throws {
        for mode in [RecordingMode.never, .live, .once] {
            try put("a")
            let untouched = try studio.contents
            let stubber = try studio.stubber(mode)
            stubber.mode = .all
            try record("f", stubber)
            #expect(try end(stubber) == "lost 1")
            #expect(try studio.contents == untouched)
        }
    }

    @Test("A test that inserts its cassette again is compared with the file, not with its own recording")
    func insertedAgain() throws {
        try put("a")
        let untouched = try studio.contents
        let stubber = try studio.stubber(.all)
        try record("f", stubber)
        try stubber.insert("other")
        try record("a", stubber)
        try stubber.insert("talk")
        #expect(try end(stubber) == "lost 1")
        #expect(try studio.contents == untouched)
        #expect(studio.folder.files == ["other.failed.har", "talk.failed.har", "talk.har"])
    }

    @Test("What failed in a cassette of another system may fail again, and what had an answer may not")
    func foreign() throws {
        let folder = try TemporaryDirectory()
        let cassette = Cassette(interactions: [.page("https://h/a", "old")])
        try cassette.write(to: folder["talk.json"], as: .dvr)
        let stubber = try Stubber(
            at: CassetteLocation(name: "talk.json", in: folder.url),
            mode: .all,
            environment: Environment([:])
        )
        try record("f", stubber, url: "https://h/a")
        #expect(try end(stubber) == "lost 1")
        #expect(folder.files == ["talk.failed.har", "talk.json"])
    }

    @Test("The time to compare grows with the number of requests, not with its square")
    func growth() {
        func seconds(_ count: Int) -> Duration {
            let former = (0..<count).map { Interaction.page("https://h/\($0 % 10)") }
            let recorded = former.map { Interaction(request: $0.request, outcome: outcome("f")) }
            return (0..<3).map { _ in
                ContinuousClock().measure {
                    let unanswered = UnansweredRequests(
                        of: recorded,
                        comparedWith: former,
                        matchers: Stubber.Configuration().matching
                    )
                    #expect(unanswered.lost.count == count)
                }
            }.min() ?? .zero
        }
        #expect(seconds(4000) < seconds(500) * 32)
    }
}
