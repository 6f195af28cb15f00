import Foundation
import RewindServer
import RewindTesting
import RewindXCTest
import StandInAlamofire
import StandInClocks
import StandInGRDB
import StandInGet
import StandInHTTPTypes
import StandInNimble
import StandInOHHTTPStubs
import StandInVapor

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The names of this package beside those of libraries that test targets import. An ambiguous name does not compile.
final class NameCollisionTests: XCTestCase {
    // As arguments of a type, since an expression such as `Stub.self` compiles with an ambiguous name.
    private static let types: [Any.Type] = [
        Optional<Cassette>.self,
        Optional<CassetteDirectory>.self,
        Optional<CassetteError>.self,
        Optional<CassetteFormat>.self,
        Optional<CassetteServer>.self,
        Optional<CassetteServerError>.self,
        Optional<CassetteTestCase>.self,
        Optional<CassetteTrait>.self,
        Optional<Drift>.self,
        Optional<DriftReport>.self,
        Optional<EjectReport>.self,
        Optional<HeaderList>.self,
        Optional<Interaction>.self,
        Optional<JSONLiteral>.self,
        Optional<Miss>.self,
        Optional<MissingRequestsError>.self,
        Optional<PlaybackClock>.self,
        Optional<ProcessCassette>.self,
        Optional<ProcessCassetteError>.self,
        Optional<ProcessReport>.self,
        Optional<RecordingMode>.self,
        Optional<Redaction>.self,
        Optional<RequestCondition>.self,
        Optional<RequestMatcher>.self,
        Optional<Stub>.self,
        Optional<StubAnswer>.self,
        Optional<StubError>.self,
        Optional<StubbedRequest>.self,
        Optional<Stubber>.self,
        Optional<StubberTrait>.self,
    ]
    private static let functions = ["withCassette", "withStubs", "expectReplayed", "XCTAssertReplayed"]

    func testEveryPublicNameIsUsed() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let list = try String(contentsOf: root.appendingPathComponent("Docs/API.txt"), encoding: .utf8)
        let names = list.split(separator: "\n").filter { $0.hasPrefix("Rewind") }
            .compactMap {
                $0.prefix { $0 != " " && $0 != "(" }.split(separator: ".").dropFirst().first.map(String.init)
            }
        let used =
            Self.types.map { "\($0)".dropFirst("Optional<".count).dropLast().description } + Self.functions + [
                "Array", "Trait",
            ]
        XCTAssertEqual(Set(names), Set(used))
    }

    func testFunctionsAreUnambiguous() throws {
        let count = try withStubs { stubber in
            stubber.stub(
                .get("https://api.example.com/users") && !.header("Accept"),
                respond: .json(["id": 42])
            )
            return stubber.stubs.count
        }
        XCTAssertEqual(count, 1)
        let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(UUID().uuidString)
        try withCassette("none", in: folder, mode: .live) { XCTAssertEqual($0.mode, .live) }
        // Compiled only, as there is no process.
        _ = { (cassette: ProcessCassette) in
            XCTAssertReplayed(cassette)
            expectReplayed(cassette)
        }
    }

    func testNestedTypesAreUnambiguous() {
        let request = Interaction.Request(url: "https://api.example.com/", body: Interaction.Body("a"))
        let failure = Interaction.Outcome.failure(Interaction.Failure(URLError(.timedOut)), after: nil)
        XCTAssertNil(Interaction(request: request, outcome: failure).response)
        var configuration = Stubber.Configuration()
        configuration.matching = .default.ignoring(.queryItems("ts"))
        configuration.repeats = Stubber.Configuration.Repeats.last
        XCTAssertEqual(configuration.matching.count, [RequestMatcher].default.count)
    }
}
