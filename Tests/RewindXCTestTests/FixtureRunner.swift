import Foundation
import RewindTestSupport
import XCTest

/// Runs fixtures in a process of their own, the way `swift test` would.
struct FixtureRunner: Sendable {
    /// The server the fixtures talk to.
    let server: URL
    /// The folder their cassettes go to.
    let folder: URL

    /// What came of a run.
    struct Run {
        let status: Int32
        let output: String

        /// What the fixtures printed of the answers they got.
        var answers: [String] {
            output.split(separator: "\n").compactMap { line in
                line.hasPrefix("ANSWER ") ? String(line.dropFirst(7)) : nil
            }
        }
    }

    /// Runs some tests of a fixture class, in order.
    func run(
        _ tests: [String],
        inClass name: String = "FixtureTests",
        _ environment: [String: String] = [:]
    ) throws -> Run {
        #if canImport(ObjectiveC)
            throw XCTSkip("Apple's XCTest cannot run one test of a bundle in a process of its own")
        #else
            let settings = [
                FixtureTests.Setting.server: server.absoluteString,
                FixtureTests.Setting.folder: folder.path,
            ]
            let child = try ChildProcess(
                URL(fileURLWithPath: CommandLine.arguments[0]),
                [tests.map { "RewindXCTestTests.\(name)/\($0)" }.joined(separator: ",")],
                environment: settings.merging(environment) { $1 }
            )
            return Run(status: child.status, output: child.output)
        #endif
    }
}
