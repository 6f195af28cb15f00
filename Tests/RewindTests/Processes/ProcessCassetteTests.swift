import Foundation
import RewindTestSupport
import XCTest

@testable import Rewind

/// A test learns from the reports of the processes that it launched what is wrong.
final class ProcessCassetteTests: ConversationTestCase {
    private func cassette(_ mode: RecordingMode = .once, _ variables: [String: String] = [:]) throws
        -> ProcessCassette
    {
        try ProcessCassette(
            at: CassetteLocation(name: "weather", in: folder.url),
            mode: mode,
            reportsIn: nil,
            environment: Environment(variables)
        )
    }

    private func run(_ cassette: ProcessCassette, _ arguments: String...) throws -> WeatherProcess.End {
        try WeatherProcess.run([server.url.absoluteString] + arguments, cassette.environment)
    }

    func testAToolIsRecordedAndReplayed() throws {
        let first = try cassette()
        let live = try run(first)
        try first.verify()
        server.stop()
        let second = try cassette(.never)
        XCTAssertEqual(try run(second).output, live.output)
        try second.verify(unplayed: true)
        XCTAssertEqual(try second.reports().map(\.playedCount), [10])
        XCTAssertEqual(second.url, folder["weather.har"])
    }

    func testTheEnvironmentHasAbsolutePathsAndTheModeInEffect() throws {
        let variables = try cassette(.never, ["REWIND_MODE": "new_episodes"]).environment
        XCTAssertEqual(variables["REWIND_CASSETTE"], folder["weather.har"].path)
        XCTAssertEqual(variables["REWIND_MODE"], "newEpisodes")
        XCTAssertTrue(variables["REWIND_REPORT"]?.hasPrefix("/") == true)
        XCTAssertThrowsError(try cassette(.never, ["REWIND_MODE": "x"]))
    }

    func testTheMissesOfEveryProcessAreProblems() throws {
        let recording = try cassette()
        _ = try run(recording, "get", "/json")
        server.stop()
        let replay = try cassette(.never)
        // Two processes that the tool launches with the same environment, and the tool itself.
        XCTAssertEqual(try run(replay, "relaunch", "/visit/a").text, "no answer\nno answer\n")
        XCTAssertEqual(try replay.reports().map(\.missCount).sorted(), [0, 1, 1])
        let problems = replay.problems(unplayed: true)
        XCTAssertEqual(problems.count, 2, "\(problems)")
        XCTAssertTrue(problems[0].hasPrefix("No recording matches this request."), problems[0])
        XCTAssertTrue(problems[1].contains("#1 GET \(server.url.absoluteString)/json"), problems[1])
        XCTAssertThrowsError(try replay.verify()) { error in
            XCTAssertEqual("\(error)", problems[0])
        }
    }

    func testWithoutAReportTheTestAsksForTheCall() throws {
        let cassette = try cassette()
        _ = try WeatherProcess.run([server.url.absoluteString, "get", "/json"], [:])
        let problem = try XCTUnwrap(cassette.problems(unplayed: false).first)
        XCTAssertTrue(problem.contains("Did it call `Stubber.activateFromEnvironment()`"), problem)
    }

    func testARecordingThatIsNotSavedIsAProblem() throws {
        let unfinished = try cassette()
        let tool = try WeatherProcess([server.url.absoluteString, "wait", "/visit/a"], unfinished.environment)
        _ = tool.waitUntilReady()
        let running = try XCTUnwrap(unfinished.problems(unplayed: false).first)
        XCTAssertTrue(running.contains("did not save its recording"), running)
        tool.send(SIGTERM)
        _ = try tool.end()
        try unfinished.verify()
        let nothing = try ProcessCassette(
            at: CassetteLocation(name: "nothing", in: folder.url),
            mode: .once,
            reportsIn: nil
        )
        _ = try run(nothing, "relaunch", "")
        server.stop()
        let empty = try ProcessCassette(
            at: CassetteLocation(name: "empty", in: folder.url),
            mode: .once,
            reportsIn: nil
        )
        _ = try run(empty, "unknown")
        let problem = try XCTUnwrap(empty.problems(unplayed: false).first)
        XCTAssertTrue(problem.contains("recorded nothing"), problem)
    }

    func testTheFirstRecordingOfAKilledProcessIsSavedFromTheJournal() throws {
        let recording = try cassette()
        let tool = try WeatherProcess([server.url.absoluteString, "wait", "/visit/a"], recording.environment)
        try tool.killWhenJournaled(in: folder)
        try Note.withReader({ _ in }) { try recording.verify() }
        XCTAssertEqual(folder.files, ["weather.har"])
        server.stop()
        let replay = try cassette(.never)
        XCTAssertEqual(try run(replay, "get", "/visit/a").text, "200 /visit/a visit 1\n")
        try replay.verify(unplayed: true)
    }

    func testTheRecordingOfAKilledProcessReplacesNoCassette() throws {
        let first = try cassette()
        _ = try run(first, "get", "/json")
        let before = try Data(contentsOf: first.url)
        let second = try cassette(.all)
        let tool = try WeatherProcess([server.url.absoluteString, "wait", "/visit/a"], second.environment)
        _ = tool.waitUntilReady()
        tool.send(SIGKILL)
        _ = try tool.end()
        let problems = Note.withReader({ _ in }) { second.problems(unplayed: false) }
        XCTAssertEqual(problems.count, 1)
        XCTAssertTrue(problems[0].contains("did not save its recording"), problems[0])
        XCTAssertEqual(try Data(contentsOf: first.url), before)
    }

    func testAServerThatIsDownIsAProblemOfTheRecording() throws {
        server.stop()
        let cassette = try cassette()
        _ = try run(cassette, "insist", "/json")
        let problem = try XCTUnwrap(cassette.problems(unplayed: false).first)
        XCTAssertTrue(problem.contains("No request got an answer"), problem)
        XCTAssertFalse(folder.files.contains("weather.har"))
    }

    func testFilesThatAreNoReportsAreAProblem() throws {
        try folder.put("reports/a.json", "{}")
        let cassette = try ProcessCassette(
            at: CassetteLocation(name: "weather", in: folder.url),
            mode: .never,
            reportsIn: folder["reports"]
        )
        let problem = try XCTUnwrap(cassette.problems(unplayed: false).first)
        XCTAssertTrue(problem.contains("is not a report of Rewind"), problem)
    }

    func testTheTemporaryFolderIsRemoved() throws {
        var cassette: ProcessCassette? = try cassette()
        let path = try XCTUnwrap(cassette?.environment["REWIND_REPORT"])
        XCTAssertTrue(FileManager.default.fileExists(atPath: path))
        cassette = nil
        XCTAssertFalse(FileManager.default.fileExists(atPath: path))
    }
}
