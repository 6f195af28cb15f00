import Foundation
import Rewind
import RewindTestSupport
import XCTest

/// Runs the commands that misses print, and expects that each of them records exactly the test that missed.
final class TestCommandTests: XCTestCase {
    private var server: ConversationServer!

    override func setUpWithError() throws {
        #if canImport(ObjectiveC)
            throw XCTSkip("a test bundle on Apple platforms is not an executable")
        #else
            server = try ConversationServer()
        #endif
    }

    override func tearDown() { server?.stop() }

    private static let fixtures = "(Inexact|Exact|Login)Fixtures/|SimilarFixture/|(exact|hidden)Fixture"

    /// The cassettes of all fixtures, of which one command records one.
    private static var cassettes: [[String]] {
        var files = [
            ["LoginFixtures/testInherited.har"], ["LoginFixtures/testLogin.har"],
            ["LoginFixtures/testLoginFails.har"], ["OtherLoginFixtures/testInherited.har"],
            ["OtherLoginFixtures/testLogin.har"], ["OtherLoginFixtures/testÜber.har"],
            ["SimilarFixture/testInherited.har"], ["ExactFixtures/t1.har"], ["ExactFixtures/t10.har"],
            ["ExactFixtures/t1-number=1.har", "ExactFixtures/t1-number=2.har"],
            ["ExactFixtures/t1-1.har", "ExactFixtures/t1-2.har"], ["ExactFixtures.Inner/t1.har"],
            ["InexactFixtures/t1.har"], ["InexactFixtures/a name.har"], ["a scope.har"],
            ["ExactFixtures/exactFixture.har"], ["ExactFixtures/hiddenFixture.har"],
            ["HiddenFixtures/hiddenFixture.har"],
        ]
        #if compiler(>=6.2)
            files += ["a.b", "axb"].map { ["ExactFixtures.Inner/it_s__only____HOME__\($0)_+_"] }
        #endif
        return files
    }

    func testEachCommandRecordsExactlyTheTestThatMissed() async throws {
        let tests = try ChildProcess(SwiftTest.executable, ["--list-tests"]).output.split(separator: "\n")
            .map(String.init).filter { $0.contains("/test") }
        let nothing = try TemporaryDirectory()
        let none = SwiftTest(server.url, tests, cassettes: nothing)
        let missed =
            try none.xcTest(Self.fixtures, mode: "never").output
            + none.swiftTesting([Self.fixtures], mode: "never")
        // Swift Testing adds a color to the last line of an issue.
        let pattern = try NSRegularExpression(
            pattern: "^ +(REWIND_MODE=once swift test .*')",
            options: .anchorsMatchLines
        )
        let range = NSRange(missed.startIndex..., in: missed)
        let commands = Set(
            pattern.matches(in: missed, range: range).compactMap {
                Range($0.range(at: 1), in: missed).map { String(missed[$0]) }
            }
        )
        XCTAssertEqual(server.requestCount, 0)
        XCTAssertEqual(commands.count, Self.cassettes.count, missed)
        var recorded: [[String]] = []
        var others: [String] = []
        let runs = try await withThrowingTaskGroup(of: Run.self) { group in
            var runs: [Run] = []
            for (number, command) in commands.enumerated() {
                if number >= 4, let run = try await group.next() { runs.append(run) }
                group.addTask { [url = server.url] in try await onThread { try Run(command, url, tests) } }
            }
            return try await group.reduce(into: runs) { $0.append($1) }
        }
        for run in runs {
            recorded.append(run.files)
            if let filter = run.filterOfXCTest { others.append(filter) }
        }
        // A filter of a test of XCTest selects no test of Swift Testing.
        _ = try none.swiftTesting(others, mode: "once")
        XCTAssertEqual(nothing.files, [])
        let short = recorded.map { $0.map { $0.components(separatedBy: "~")[0] }.sorted() }
        XCTAssertEqual(short.sorted { "\($0)" < "\($1)" }, Self.cassettes.sorted { "\($0)" < "\($1)" })
    }
}

/// A run of the test of one command.
private struct Run: Sendable {
    /// The recorded files.
    let files: [String]
    /// The filter, if it selects tests of XCTest.
    let filterOfXCTest: String?

    init(_ command: String, _ server: URL, _ tests: [String]) throws {
        let folder = try TemporaryDirectory()
        let swift = SwiftTest(server, tests, cassettes: folder)
        let (mode, filter) = try swift.arguments(of: command)
        let isEmpty = try swift.xcTest(filter, mode: mode).isEmpty
        if isEmpty { _ = try swift.swiftTesting([filter], mode: mode) }
        (files, filterOfXCTest) = (folder.files, isEmpty ? nil : filter)
    }
}

/// Does what `swift test --filter` does, without its lock on the build folder, which the running tests hold.
private struct SwiftTest {
    static let executable = URL(fileURLWithPath: CommandLine.arguments[0])
    /// The tests of XCTest as `swift test list` prints them.
    private let tests: [String]
    private let environment: [String: String]

    init(_ server: URL, _ tests: [String], cassettes: TemporaryDirectory) {
        self.tests = tests
        environment = [
            "REWIND_FIXTURE_SERVER": server.absoluteString, "REWIND_CASSETTES": cassettes.url.path,
        ]
    }

    /// Runs a command in a shell that has a function `swift`, which prints what it received. While another thread starts a
    /// process, a new program may be busy.
    func arguments(of command: String) throws -> (mode: String, filter: String) {
        let function = #"swift() { printf '%s\n' "$REWIND_MODE" "$@"; }"#
        let words = try ChildProcess(
            URL(fileURLWithPath: "/bin/sh"),
            ["-c", function + "\n" + command]
        ).output.split(separator: "\n").map(String.init)
        XCTAssertEqual(words.dropFirst().dropLast(), ["test", "--filter"], command)
        return (words.first ?? "", words.last ?? "")
    }

    /// Runs the tests of XCTest that a regular expression selects.
    func xcTest(_ filter: String, mode: String) throws -> (isEmpty: Bool, output: String) {
        let selected = tests.filter { $0.range(of: filter, options: .regularExpression) != nil }
        guard !selected.isEmpty else { return (true, "") }
        return (false, try run([selected.joined(separator: ",")], mode))
    }

    /// Runs the tests of Swift Testing that regular expressions select.
    func swiftTesting(_ filters: [String], mode: String) throws -> String {
        try run(["--testing-library", "swift-testing"] + filters.flatMap { ["--filter", $0] }, mode)
    }

    private func run(_ arguments: [String], _ mode: String) throws -> String {
        try ChildProcess(
            Self.executable,
            arguments,
            environment: environment.merging(["REWIND_MODE": mode]) { $1 }
        ).output
    }
}
