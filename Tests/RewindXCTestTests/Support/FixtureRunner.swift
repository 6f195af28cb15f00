import Foundation
import RewindTestSupport
import XCTest

/// Runs fixtures in a process of their own, the way `swift test` would.
struct FixtureRunner: Sendable {
    /// The server the fixtures talk to.
    let server: URL
    /// The folder their cassettes go to.
    let folder: URL
    /// The tests; those of this process by default.
    var executable: URL?

    /// Runs some tests of a fixture class, in order.
    func run(
        _ tests: [String],
        inClass name: String,
        _ environment: [String: String] = [:],
        in directory: URL? = nil
    ) throws -> ChildProcess {
        try run(tests.map { "\(name)/\($0)" }, environment, in: directory)
    }

    /// Runs some tests of any fixture classes, each named with its class.
    func run(
        _ tests: [String],
        _ environment: [String: String] = [:],
        in directory: URL? = nil
    ) throws -> ChildProcess {
        #if canImport(ObjectiveC)
            throw XCTSkip("Apple's XCTest cannot run one test of a bundle in a process of its own")
        #else
            let settings = [
                FixtureTests.Setting.server: server.absoluteString,
                FixtureTests.Setting.folder: folder.path,
            ]
            return try ChildProcess(
                executable ?? URL(fileURLWithPath: CommandLine.arguments[0]),
                [tests.map { "RewindXCTestTests.\($0)" }.joined(separator: ",")],
                environment: settings.merging(environment) { $1 },
                directory: directory
            )
        #endif
    }
}

/// Tests that run fixtures in processes of their own, against a real server.
class FixtureProcessTestCase: XCTestCase {
    var folder: TemporaryDirectory!
    var server: ConversationServer!

    override func setUpWithError() throws {
        folder = try TemporaryDirectory()
        server = try ConversationServer()
    }

    override func tearDown() {
        server.stop()
    }
}
