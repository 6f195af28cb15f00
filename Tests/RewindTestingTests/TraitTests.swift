import Foundation
import RewindTestSupport
import Testing

@testable import RewindTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Cassettes made by hand, so that tests of the traits need no server: each answers with its own name and a number.
enum Handmade {
    static let url = URL(string: "http://traits.invalid/who") ?? URL(fileURLWithPath: "/")

    /// The folder of the cassettes, written when it is first asked for.
    static let directory: URL = {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("rewind-traits-\(ProcessInfo.processInfo.processIdentifier)")
        atexit { try? FileManager.default.removeItem(at: Handmade.directory) }
        let single = [
            "plain", "chosen", "case-letter=a", "case-letter=\(FileNamePart(argument: "B c").text)", "inner",
            "outer", "ofASuite",
        ]
        for name in single { put(name, in: directory, times: 2) }
        for number in 0..<200 { put("parallel-number=\(number)", in: directory, times: 50) }
        return directory
    }()

    private static func put(_ name: String, in directory: URL, times: Int) {
        let interactions = (0..<times).map {
            Interaction(
                request: Request(url: url.absoluteString),
                outcome: .response(Response(body: Body("\(name) \($0)")))
            )
        }
        try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try? HARFormat.write(Cassette(interactions: interactions)).write(
            to: directory.appendingPathComponent("\(name).har")
        )
    }

    /// Asks who answers, through the shared session.
    static func ask() async -> String {
        let outcome = await Outcome(of: url)
        return outcome.failure ?? outcome.text
    }
}

@Suite("The trait of a test")
struct CassetteTraitTests {
    @Test(.cassette(in: Handmade.directory, mode: .none)) func plain() async {
        #expect(await Handmade.ask() == "plain 0")
        #expect(Stubber.current?.testName == "CassetteTraitTests.plain()")
    }

    @Test(.cassette("chosen", in: Handmade.directory, mode: .none)) func withAName() async {
        #expect(await Handmade.ask() == "chosen 0")
    }

    @Test(.cassette(in: Handmade.directory, mode: .none), arguments: ["a", "B c"]) func `case`(letter: String)
        async
    {
        #expect(await Handmade.ask().hasPrefix("case-letter=\(letter.prefix(1))"))
    }

    @Test(.cassette) func isFoundFromTheTestsSource() {
        let path = Stubber.current?.location.source.path ?? ""
        #expect(path.hasSuffix("/Cassettes/CassetteTraitTests/isFoundFromTheTestsSource.har"))
    }

    @Test(.cassette("outer", in: Handmade.directory, mode: .none))
    func aScopeInsideIsAskedFirstThenTheOneAround() async throws {
        let answers = try await withCassette("inner", in: Handmade.directory, mode: .none) { _ in
            [await Handmade.ask(), await Handmade.ask(), await Handmade.ask()]
        }
        #expect(answers == ["inner 0", "inner 1", "outer 0"])
        #expect(await Handmade.ask() == "outer 1")
    }

    @Test("Without a trait there is no stubber") func none() {
        #expect(Stubber.current == nil)
    }
}

@Suite(.cassettes(in: Handmade.directory, matching: [.method, .host], mode: .none))
struct CassettesTraitTests {
    @Test func ofASuite() async {
        #expect(await Handmade.ask() == "ofASuite 0")
        #expect(Stubber.current?.configuration.matching.map(\.name) == ["method", "host"])
    }

    @Test(.cassette("chosen", in: Handmade.directory, mode: .none)) func withATraitOfItsOwn() async {
        #expect(await Handmade.ask() == "chosen 0")
        #expect(Stubber.current?.configuration.matching.count == 3)
    }

    @Suite struct Within {
        @Test func plain() async { #expect(await Handmade.ask() == "plain 0") }
    }
}

@Suite("Two hundred tests at once through one session")
struct ParallelTests {
    /// One value for all of them: nothing of a request may tell whose it is.
    private static let request = URLRequest(url: Handmade.url)

    @Test(.cassette(in: Handmade.directory, mode: .none), arguments: 0..<200) func parallel(number: Int) async {
        for turn in 0..<50 {
            let outcome = await Outcome(of: Self.request, in: .shared)
            guard outcome.text == "parallel-number=\(number) \(turn)" else {
                Issue.record("\(number), \(turn) got \(outcome.failure ?? outcome.text)")
                return
            }
            if turn % 10 == 0 { await Task.yield() }
        }
    }

    @Test("Tests without a cassette keep their network meanwhile", arguments: 0..<20) func live(number: Int)
        async throws
    {
        let server = try ConversationServer()
        defer { server.stop() }
        let session = URLSession(configuration: .ephemeral)
        for turn in 1...5 {
            let answers = [await Outcome(of: server["visit"]), await Outcome(of: server["visit"], in: session)]
            #expect(answers.map { $0.failure ?? $0.text } == ["visit \(2 * turn - 1)", "visit \(2 * turn)"])
        }
    }
}
