import Foundation
import RewindTestSupport
import XCTest

/// Runs fixtures of both test frameworks in processes of their own, as `swift test` does, and prunes with their manifests.
final class FilteredRunTests: XCTestCase {
    private var folder: TemporaryDirectory!
    private var server: ConversationServer!

    private static let first = "RewindXCTestTests.FixtureTests/testTwoVisits"
    private static let second = "RewindXCTestTests.FixtureTests/testOnePath"

    override func setUpWithError() throws {
        #if canImport(ObjectiveC)
            throw XCTSkip("a test bundle on Apple platforms is not an executable")
        #else
            folder = try TemporaryDirectory()
            server = try ConversationServer()
            _ = try tests([Self.first + "," + Self.second], manifest: nil)
            for name in ["testTwoVisits", "testOnePath"] { try age(name) }
            server.stop()
        #endif
    }

    /// Makes a cassette older than the run that follows.
    private func age(_ name: String) throws {
        let path = folder["Cassettes/FixtureTests/\(name).har"].path
        let date = Date(timeIntervalSinceNow: -3600)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    }

    override func tearDown() { server?.stop() }

    private var settings: [String: String] {
        [
            "REWIND_FIXTURE_SERVER": server.url.absoluteString,
            "REWIND_FIXTURE_FOLDER": folder["Cassettes"].path,
        ]
    }

    /// Runs the test executable with arguments.
    private func tests(
        _ arguments: [String],
        manifest: String?,
        with variables: [String: String] = [:]
    ) throws -> ChildProcess {
        var environment = settings.merging(variables) { $1 }
        if let manifest { environment["REWIND_MANIFEST"] = folder[manifest].path }
        return try ChildProcess(
            URL(fileURLWithPath: CommandLine.arguments[0]),
            arguments,
            environment: environment
        )
    }

    /// Runs the test executable once for each list of tests, as the child of a process with the name and arguments of
    /// `swift test`.
    private func swiftTest(_ options: [String], running lists: [String], manifest: String) throws
        -> ChildProcess
    {
        // The last command keeps the shell from being replaced by the test executable.
        let loop = "for tests in $LISTS; do \"$TESTS\" \"$tests\" || exit; done; true"
        let script = "exec -a swift-test bash -c '\(loop)' swift-test \"$@\""
        return try ChildProcess(
            URL(fileURLWithPath: "/usr/bin/env"),
            ["bash", "-c", script, "bash"] + options,
            environment: settings.merging([
                "TESTS": CommandLine.arguments[0], "LISTS": lists.joined(separator: " "),
                "REWIND_MANIFEST": folder[manifest].path,
            ]) { $1 }
        )
    }

    private func prune(_ manifest: String) throws -> CommandRun {
        try CommandRun(["prune", "Cassettes", "--manifest", manifest, "--apply"], in: folder.url)
    }

    private func assertRefused(_ manifest: String, because arguments: String, line: UInt = #line) throws {
        let run = try prune(manifest)
        XCTAssertEqual(run.status, 65, run.output, line: line)
        XCTAssertTrue(run.errorOutput.contains("only some tests (\(arguments))"), run.errorOutput, line: line)
        XCTAssertTrue(run.errorOutput.contains("Run all tests with REWIND_MANIFEST set"), line: line)
        XCTAssertEqual(cassettes.count, 2, line: line)
    }

    private var cassettes: [String] { folder.files.filter { $0.hasPrefix("Cassettes/FixtureTests/") } }

    func testTheManifestOfAFilteredRunOfXCTestDeletesNothing() throws {
        let run = try tests([Self.first], manifest: "played")
        XCTAssertEqual(run.status, 0, run.output)
        try assertRefused("played", because: Self.first)
    }

    func testTheManifestOfAFilteredRunOfSwiftTestingDeletesNothing() throws {
        let arguments = [
            "--testing-library", "swift-testing", "--filter", "TraitFixtures/(visits)", "--skip", "Slow",
        ]
        let run = try tests(arguments, manifest: "played")
        // Without its server, the fixture fails after it has opened its cassette.
        XCTAssertTrue(folder.files.contains("played"), run.output)
        try assertRefused("played", because: "--filter TraitFixtures/(visits) --skip Slow")
    }

    func testAFilteredRunWithAProcessForEachTestDeletesNothing() throws {
        let run = try swiftTest(
            ["--parallel", "--filter", "Visits"],
            running: [Self.first],
            manifest: "played"
        )
        XCTAssertEqual(run.status, 0, run.output)
        try assertRefused("played", because: "--filter Visits")
    }

    func testARunOfAllTestsWithAProcessForEachTestIsComplete() throws {
        let options = ["--parallel", "--num-workers", "2"]
        let run = try swiftTest(options, running: [Self.first, Self.second], manifest: "played")
        XCTAssertEqual(run.status, 0, run.output)
        try Data(contentsOf: folder["Cassettes/FixtureTests/testOnePath.har"])
            .write(to: folder["Cassettes/FixtureTests/testGone.har"])
        try age("testGone")
        let pruned = try prune("played")
        XCTAssertEqual(pruned.status, 0, pruned.errorOutput)
        XCTAssertTrue(pruned.output.contains("Removed 1 cassette ("), pruned.output)
        XCTAssertEqual(cassettes.count, 2)
    }

    func testASkippedTestDeletesNothing() throws {
        let lists = [Self.first, Self.second]
        // Without the address of the server, the fixtures skip themselves in setUp.
        let script =
            "exec -a swift-test bash -c '\"$TESTS\" \(lists.joined(separator: ",")); true' swift-test --parallel"
        let skipped = try ChildProcess(
            URL(fileURLWithPath: "/usr/bin/env"),
            ["bash", "-c", script],
            environment: [
                "TESTS": CommandLine.arguments[0], "REWIND_MANIFEST": folder["played"].path,
                "REWIND_FIXTURE_FOLDER": folder["Cassettes"].path,
            ]
        )
        XCTAssertTrue(skipped.output.contains("2 tests skipped"), skipped.output)
        let pruned = try prune("played")
        XCTAssertTrue(pruned.output.contains("FixtureTests.testTwoVisits was skipped"), pruned.output)
        XCTAssertTrue(pruned.output.contains("Nothing to prune"), pruned.output)
    }
}
