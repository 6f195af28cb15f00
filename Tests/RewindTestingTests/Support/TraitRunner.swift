import Foundation
import RewindTestSupport
import XCTest

/// Runs fixtures of the traits in a child process, like `swift test`.
struct TraitRunner {
    /// The server that the fixtures use.
    let server: URL
    /// The folder of their cassettes.
    let folder: URL

    /// Runs the fixtures whose names match a regular expression.
    func run(
        _ tests: String,
        _ environment: [String: String] = [:],
        in suite: String = "TraitFixtures",
        options: [String] = []
    ) throws -> ChildProcess {
        #if canImport(ObjectiveC)
            throw XCTSkip("a test bundle on Apple platforms is not an executable")
        #else
            let settings = [
                "REWIND_FIXTURE_SERVER": server.absoluteString, "REWIND_FIXTURE_FOLDER": folder.path,
            ]
            return try ChildProcess(
                URL(fileURLWithPath: CommandLine.arguments[0]),
                ["--testing-library", "swift-testing", "--filter", "\(suite)/(\(tests))"] + options,
                environment: settings.merging(environment) { $1 }
            )
        #endif
    }
}
