import Foundation
import RewindTestSupport
import XCTest

/// Runs fixtures of the traits in a process of their own, the way `swift test` would.
struct TraitRunner {
    /// The server the fixtures talk to.
    let server: URL
    /// The folder their cassettes go to.
    let folder: URL

    /// Runs some tests of the fixtures, whose names a regular expression tells.
    func run(_ tests: String, _ environment: [String: String] = [:]) throws -> ChildProcess {
        #if canImport(ObjectiveC)
            throw XCTSkip("Apple's test bundles are no programs that could be run")
        #else
            let settings = [
                "REWIND_FIXTURE_SERVER": server.absoluteString, "REWIND_FIXTURE_FOLDER": folder.path,
            ]
            return try ChildProcess(
                URL(fileURLWithPath: CommandLine.arguments[0]),
                ["--testing-library", "swift-testing", "--filter", "TraitFixtures/(\(tests))"],
                environment: settings.merging(environment) { $1 }
            )
        #endif
    }
}
