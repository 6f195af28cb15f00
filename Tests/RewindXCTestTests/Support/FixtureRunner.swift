import Foundation
import RewindTestSupport
import XCTest

/// Runs fixtures in a child process, like `swift test`.
struct FixtureRunner: Sendable {
    /// The server that the fixtures use.
    let server: URL
    /// The folder of their cassettes.
    let folder: URL
    /// The test executable; that of this process by default.
    var executable: URL?

    /// Runs tests of one fixture class, in order.
    func run(
        _ tests: [String],
        inClass name: String,
        _ environment: [String: String] = [:],
        in directory: URL? = nil
    ) throws -> ChildProcess {
        try run(tests.map { "\(name)/\($0)" }, environment, in: directory)
    }

    /// Runs tests, each named `Class/method`.
    func run(
        _ tests: [String],
        _ environment: [String: String] = [:],
        in directory: URL? = nil
    ) throws -> ChildProcess {
        #if canImport(ObjectiveC)
            throw XCTSkip("Apple's XCTest cannot run a single test of a bundle in a child process")
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

/// A test case that runs fixtures in child processes, with a real server.
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
