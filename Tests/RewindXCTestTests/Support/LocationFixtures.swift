import Foundation
import RewindTestSupport
import RewindXCTest
import XCTest

/// A fixture that leaves it to Rewind where its cassettes are.
final class LocationFixtureTests: CassetteTestCase {
    override func setUp() async throws {
        guard FixtureTests.Setting[FixtureTests.Setting.server] != nil else {
            throw XCTSkip("run by CassettePlaceTests in a process of its own")
        }
    }

    func testVisit() async throws {
        let server = try XCTUnwrap(FixtureTests.Setting[FixtureTests.Setting.server])
        let url = try XCTUnwrap(URL(string: server + "/visit"))
        let outcome = await Outcome(of: url)
        print("ANSWER", outcome.failure ?? outcome.text)
    }
}
