import Foundation
import RewindTestSupport
import RewindXCTest
import XCTest

/// Tests with similar names. `TestCommandTests` runs them with the commands that their misses print.
class SimilarFixture: CassetteTestCase {
    override func setUp() async throws {
        guard FixtureTests.Setting[FixtureTests.Setting.server] != nil else {
            throw XCTSkip("run by TestCommandTests in a child process")
        }
    }

    /// The folder that the parent process names for all classes, as `CassetteDirectory.beside(#filePath)` would be.
    override var cassetteDirectory: URL {
        guard FixtureTests.Setting["REWIND_FIXTURE_ONE_FOLDER"] != nil,
            let folder = FixtureTests.Setting[FixtureTests.Setting.folder]
        else { return super.cassetteDirectory }
        return URL(fileURLWithPath: folder, isDirectory: true)
    }

    fileprivate func visit() async throws {
        let server = try XCTUnwrap(FixtureTests.Setting[FixtureTests.Setting.server])
        let path = FixtureTests.Setting[FixtureTests.Setting.path] ?? "visit"
        let outcome = await Outcome(of: try XCTUnwrap(URL(string: "\(server)/\(path)")))
        print("ANSWER", outcome.failure ?? outcome.text)
    }

    func testInherited() async throws { try await visit() }
}

final class LoginFixtures: SimilarFixture {
    func testLogin() async throws { try await visit() }

    func testLoginFails() async throws { try await visit() }
}

final class OtherLoginFixtures: SimilarFixture {
    func testLogin() async throws { try await visit() }
}

extension OtherLoginFixtures {
    func testÜber() async throws { try await visit() }
}
