import Foundation
import RewindTestSupport
import Testing

@testable import RewindTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct CassetteTraitTests {
    @Test(.cassette(in: NumberedCassettes.directory, mode: .never)) func plain() async {
        #expect(await NumberedCassettes.ask() == "plain 0")
        #expect(Stubber.current?.testName == "CassetteTraitTests.plain()")
    }

    @Test(.cassette("chosen", in: NumberedCassettes.directory, mode: .never)) func withAName() async {
        #expect(await NumberedCassettes.ask() == "chosen 0")
    }

    @Test(.cassette(in: NumberedCassettes.directory, mode: .never), arguments: ["a", "B c"]) func `case`(
        letter: String
    )
        async
    {
        #expect(await NumberedCassettes.ask().hasPrefix("case-letter=\(letter.prefix(1))"))
    }

    @Test(.cassette) func defaultDirectory() {
        let path = Stubber.current?.location.source.path ?? ""
        #expect(path.hasSuffix("/Cassettes/CassetteTraitTests/defaultDirectory.har"))
    }

    @Test(.cassette("outer", in: NumberedCassettes.directory, mode: .never))
    func aNestedScopeAnswersFirst() async throws {
        let answers = try await withCassette("inner", in: NumberedCassettes.directory, mode: .never) { _ in
            [await NumberedCassettes.ask(), await NumberedCassettes.ask(), await NumberedCassettes.ask()]
        }
        #expect(answers == ["inner 0", "inner 1", "outer 0"])
        #expect(await NumberedCassettes.ask() == "outer 1")
    }

    @Test("A test without a trait has no stubber") func none() {
        #expect(Stubber.current == nil)
    }

    @Suite(.cassettes(in: NumberedCassettes.directory, matching: [.method, .host], mode: .never))
    struct OfASuite {
        @Test func ofASuite() async {
            #expect(await NumberedCassettes.ask() == "ofASuite 0")
            #expect(Stubber.current?.configuration.matching.map(\.name) == ["method", "host"])
        }

        @Test(.cassette("chosen", in: NumberedCassettes.directory, mode: .never)) func withItsOwnTrait() async {
            #expect(await NumberedCassettes.ask() == "chosen 0")
            #expect(Stubber.current?.configuration.matching.count == 3)
        }

        @Suite struct Within {
            @Test func plain() async { #expect(await NumberedCassettes.ask() == "plain 0") }
        }
    }
}
