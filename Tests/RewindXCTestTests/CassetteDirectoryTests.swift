import Foundation
import Rewind
import RewindTestSupport
import XCTest

/// The default folder of a `CassetteTestCase`'s cassettes, tested in child processes.
final class CassetteDirectoryTests: FixtureProcessTestCase {
    private let cassette = "Cassettes/LocationFixtureTests/testVisit.har"

    func testCassettesAreInTheProjectOfTheWorkingDirectory() throws {
        for marker in ["Package.swift", "App.xcodeproj", ".git"] {
            let project = try TemporaryDirectory()
            let place = project["Größe & más"]
            let isFile = marker == "Package.swift"
            let made = isFile ? place : place.appendingPathComponent(marker)
            try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
            if isFile { try Data().write(to: place.appendingPathComponent(marker)) }
            let tests = place.appendingPathComponent("AppTests")
            try FileManager.default.createDirectory(at: tests, withIntermediateDirectories: true)
            let result = try run(in: tests)
            XCTAssertEqual(result.status, 0, result.output)
            XCTAssertEqual(project.files.filter { $0.hasSuffix(".har") }, ["Größe & más/" + cassette])
        }
    }

    func testCassettesAreInTheProjectOfTheExecutableIfTheWorkingDirectoryHasNone() throws {
        let result = try run(in: folder.url, ["REWIND_MODE": "none"])
        XCTAssertNotEqual(result.status, 0)
        let executable = URL(fileURLWithPath: CommandLine.arguments[0])
        let root = try XCTUnwrap(ProjectRoot.above(executable.path))
        XCTAssertTrue(result.output.contains("\(root.path)/\(cassette) (missing)"), result.output)
    }

    func testTheTestFailsWithoutRecordingIfThereIsNoProject() throws {
        let home = try TemporaryDirectory()
        let documents = home["Documents"]
        try FileManager.default.createDirectory(at: documents, withIntermediateDirectories: true)
        let result = try run(try executableElsewhere(), in: folder.url, ["HOME": home.url.path])
        XCTAssertNotEqual(result.status, 0)
        XCTAssertEqual(result.answers, [], "the test ran")
        XCTAssertEqual(server.requestCount, 0)
        XCTAssertEqual(home.files, [])
        for part in [
            "error: LocationFixtureTests.testVisit : failed - No project found above",
            "the working directory \(folder.url.path)",
            "`override var cassetteDirectory: URL { CassetteDirectory.beside(#filePath) }`",
        ] {
            XCTAssertTrue(result.output.contains(part), result.output)
        }
    }

    func testCassettesBesideTheExecutableAreReadOnly() throws {
        let executable = try executableElsewhere()
        let url = server["visit"].absoluteString
        let refused = try run(executable, in: folder.url, [:], shipping: [])
        XCTAssertNotEqual(refused.status, 0)
        XCTAssertEqual(refused.answers, ["Rewind 15"])
        XCTAssertTrue(refused.output.contains("the cassette is read-only here"), refused.output)
        let played = try run(executable, in: folder.url, [:], shipping: [.page(url, "shipped")])
        XCTAssertEqual(played.status, 0, played.output)
        XCTAssertEqual(played.answers, ["shipped"])
        XCTAssertEqual(server.requestCount, 0)
    }

    func testClassesOfTheSameNameInTwoTargetsHaveSeparateFolders() throws {
        let text = "final class LocationFixtureTests: CassetteTestCase {}"
        for file in [
            "Package.swift", "Tests/RewindXCTestTests/Fixtures.swift", "Tests/AppTests/Fixtures.swift",
        ] {
            let url = folder[file]
            let parent = url.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
        var other = Cassette(interactions: [.page(server["visit"].absoluteString, "of the other")])
        other.recorder = RecordingTest(module: "AppTests")
        let file = folder[cassette]
        let parent = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        try HARFormat.write(other).write(to: file)
        for _ in 0..<2 {
            let result = try run(in: folder.url)
            XCTAssertEqual(result.status, 0, result.output)
            XCTAssertEqual(result.answers, ["visit 1"])
        }
        let own = "Cassettes/RewindXCTestTests.LocationFixtureTests/testVisit.har"
        XCTAssertEqual(Cassette.recorder(of: folder[own])?.module, "RewindXCTestTests")
        XCTAssertEqual(try Cassette(contentsOf: file), other)
    }

    func testClassesInOneFolderHaveSeparateCassettesAndFailAtTheirOwnLines() throws {
        let project = try TemporaryDirectory()
        let text = "class LoginFixtures: CassetteTestCase {}\nclass OtherLoginFixtures: CassetteTestCase {}"
        for file in ["Package.swift", "Tests.swift"] { try Data(text.utf8).write(to: project[file]) }
        let tests = ["LoginFixtures/testLogin", "OtherLoginFixtures/testLogin"]
        let fixtures = FixtureRunner(server: server.url, folder: project["Cassettes"])
        let settings = ["REWIND_FIXTURE_ONE_FOLDER": "1"]
        XCTAssertEqual(
            try fixtures.run(tests, settings, in: project.url).answers,
            ["visit 1", "visit 2"]
        )
        for tests in [tests, tests.reversed()] {
            let result = try fixtures.run(tests, settings, in: project.url)
            XCTAssertEqual(result.status, 0, result.output)
            XCTAssertEqual(Set(result.answers), ["visit 1", "visit 2"])
        }
        XCTAssertEqual(
            project.files.filter { $0.hasSuffix(".har") },
            ["Cassettes/OtherLoginFixtures/testLogin.har", "Cassettes/testLogin.har"]
        )
        XCTAssertEqual(server.requestCount, 2)
        let missing = settings.merging([FixtureTests.Setting.path: "json"]) { $1 }
        let failed = try fixtures.run(tests, missing, in: project.url)
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Support/LoginFixtures.swift")
        let lines = try String(contentsOf: source, encoding: .utf8).components(separatedBy: "\n")
        let places = lines.indices.filter { lines[$0].contains("func testLogin()") }.map { $0 + 1 }
        for (name, line) in zip(["LoginFixtures", "OtherLoginFixtures"], places) {
            XCTAssertTrue(
                failed.output.contains(
                    "LoginFixtures.swift:\(line): error: \(name).testLogin : failed - No recording matches"
                ),
                failed.output
            )
        }
    }

    // MARK: -

    private func run(
        _ executable: URL? = nil,
        in directory: URL,
        _ environment: [String: String] = [:]
    ) throws -> ChildProcess {
        let fixtures = FixtureRunner(server: server.url, folder: folder.url, executable: executable)
        return try fixtures.run(["testVisit"], inClass: "LocationFixtureTests", environment, in: directory)
    }

    private func run(
        _ executable: URL,
        in directory: URL,
        _ environment: [String: String],
        shipping interactions: [Interaction]
    ) throws -> ChildProcess {
        let shipped = executable.deletingLastPathComponent().appendingPathComponent(
            "Cassettes/LocationFixtureTests"
        )
        try FileManager.default.createDirectory(at: shipped, withIntermediateDirectories: true)
        if !interactions.isEmpty {
            try HARFormat.write(Cassette(interactions: interactions))
                .write(to: shipped.appendingPathComponent("testVisit.har"))
        }
        return try run(executable, in: directory, environment)
    }

    private var elsewhere: TemporaryDirectory?

    /// A copy of this test executable in a folder outside of any project.
    private func executableElsewhere() throws -> URL {
        let elsewhere = try TemporaryDirectory()
        self.elsewhere = elsewhere
        let own = URL(fileURLWithPath: CommandLine.arguments[0])
        let copy = elsewhere["Tests.xctest"]
        // A hard link, or a copy if the folder is on another file system.
        do {
            try FileManager.default.linkItem(at: own, to: copy)
        } catch {
            try FileManager.default.copyItem(at: own, to: copy)
        }
        return copy
    }
}

extension Interaction {
    fileprivate static func page(_ url: String, _ text: String) -> Interaction {
        let response = Interaction.Response(
            headers: ["Content-Type": "text/plain"],
            body: Interaction.Body(text)
        )
        return Interaction(request: Interaction.Request(url: url), outcome: .response(response))
    }
}
