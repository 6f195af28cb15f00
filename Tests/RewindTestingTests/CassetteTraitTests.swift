import Foundation
import RewindTestSupport
import Testing

@testable import RewindTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct CassetteTraitTests {
    @Test(.cassette(in: Handmade.directory, mode: .never)) func plain() async {
        #expect(await Handmade.ask() == "plain 0")
        #expect(Stubber.current?.testName == "CassetteTraitTests.plain()")
    }

    @Test(.cassette("chosen", in: Handmade.directory, mode: .never)) func withAName() async {
        #expect(await Handmade.ask() == "chosen 0")
    }

    @Test(.cassette(in: Handmade.directory, mode: .never), arguments: ["a", "B c"]) func `case`(letter: String)
        async
    {
        #expect(await Handmade.ask().hasPrefix("case-letter=\(letter.prefix(1))"))
    }

    @Test(.cassette) func isFoundFromTheTestsSource() {
        let path = Stubber.current?.location.source.path ?? ""
        #expect(path.hasSuffix("/Cassettes/CassetteTraitTests/isFoundFromTheTestsSource.har"))
    }

    @Test(.cassette("outer", in: Handmade.directory, mode: .never))
    func aScopeInsideIsAskedFirstThenTheOneAround() async throws {
        let answers = try await withCassette("inner", in: Handmade.directory, mode: .never) { _ in
            [await Handmade.ask(), await Handmade.ask(), await Handmade.ask()]
        }
        #expect(answers == ["inner 0", "inner 1", "outer 0"])
        #expect(await Handmade.ask() == "outer 1")
    }

    @Test("Without a trait there is no stubber") func none() {
        #expect(Stubber.current == nil)
    }

    @Suite(.cassettes(in: Handmade.directory, matching: [.method, .host], mode: .never))
    struct OfASuite {
        @Test func ofASuite() async {
            #expect(await Handmade.ask() == "ofASuite 0")
            #expect(Stubber.current?.configuration.matching.map(\.name) == ["method", "host"])
        }

        @Test(.cassette("chosen", in: Handmade.directory, mode: .never)) func withATraitOfItsOwn() async {
            #expect(await Handmade.ask() == "chosen 0")
            #expect(Stubber.current?.configuration.matching.count == 3)
        }

        @Suite struct Within {
            @Test func plain() async { #expect(await Handmade.ask() == "plain 0") }
        }
    }
}
