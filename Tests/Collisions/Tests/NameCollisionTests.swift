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
    private static let types: [Any.Type] = [
        Cassette.self, CassetteDirectory.self, CassetteError.self, CassetteFormat.self, CassetteServer.self,
        CassetteServerError.self, CassetteTestCase.self, CassetteTrait.self, Drift.self, DriftReport.self,
        EjectReport.self, HeaderList.self, Interaction.self, JSONLiteral.self, Miss.self,
        MissingRequestsError.self, PlaybackClock.self, RecordingMode.self, Redaction.self,
        RequestCondition.self, RequestMatcher.self, Stub.self, StubAnswer.self, StubError.self,
        StubbedRequest.self, Stubber.self, StubberTrait.self,
    ]
    private static let functions = ["withCassette", "withStubs"]

    func testEveryPublicNameIsUsed() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let list = try String(contentsOf: root.appendingPathComponent("Docs/API.txt"), encoding: .utf8)
        let names = list.split(separator: "\n").filter { $0.hasPrefix("Rewind") }
            .compactMap {
                $0.prefix { $0 != " " && $0 != "(" }.split(separator: ".").dropFirst().first.map(String.init)
            }
        let used = Self.types.map { "\($0)" } + Self.functions + ["Array", "Trait"]
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
