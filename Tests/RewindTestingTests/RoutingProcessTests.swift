import Foundation
import Rewind
import RewindTestSupport
import XCTest

/// Requests that leave the task of a Swift Testing test, in child processes with a real server.
final class RoutingProcessTests: ConversationTestCase {
    private func launch(
        _ suite: String = "RoutingFixtures",
        remedy: String? = nil,
        _ options: String...
    ) throws -> ChildProcess {
        let environment = remedy.map { ["REWIND_FIXTURE_REMEDY": $0] } ?? [:]
        return try TraitRunner(server: server.url, folder: folder.url)
            .run("", environment.merging(["REWIND_LOG": "1"]) { $1 }, in: suite, options: options)
    }

    func testRequestsOfParallelTestsThatLeaveTheirTaskAreRefused() throws {
        let result = try launch()
        XCTAssertTrue(result.answers.contains { $0.hasSuffix(" Rewind 5") }, result.output)
        let line = result.output.split(separator: "\n").first { $0.contains("→ miss: it could belong to any") }
        XCTAssertTrue(line?.contains("RoutingFixtures.leaves(number: ") == true, result.output)
    }

    func testTheStubberThatTheTestGotBeforeAnswersInADetachedTask() throws {
        for remedy in ["session", "run"] {
            let folder = folder["\(remedy)"]
            let server = try ConversationServer()
            defer { server.stop() }
            for run in ["recorded from the network", "replayed #1"] {
                let result = try TraitRunner(server: server.url, folder: folder).run(
                    "",
                    ["REWIND_FIXTURE_REMEDY": remedy, "REWIND_LOG": "1"],
                    in: "RoutingFixtures"
                )
                XCTAssertEqual(result.status, 0, result.output)
                XCTAssertEqual(result.answers.sorted(), (0..<8).map { "\($0) 200" }, result.output)
                let lines = result.output.split(separator: "\n").filter {
                    $0.hasPrefix("Rewind: RoutingFixtures")
                }.sorted()
                let expected = (0..<8).map { number in
                    "Rewind: RoutingFixtures.leaves(number: \(number)): GET "
                        + "\(server["echo/\(number)"].absoluteString) → \(run)"
                }
                XCTAssertEqual(lines.map(String.init), expected)
                server.stop()
            }
        }
    }

    func testTestsThatRunOneAfterAnotherNeedNoChange() throws {
        let unparallel = try launch("RoutingFixtures", "--no-parallel")
        XCTAssertEqual(unparallel.answers.sorted(), (0..<8).map { "\($0) 200" }, unparallel.output)
        let serialized = try launch("SerializedFixtures")
        XCTAssertEqual(
            serialized.answers.sorted(),
            (0..<3).map { "\($0) 200" } + ["inner 200"],
            serialized.output
        )
    }

    func testEachFirstRecordingPrintsItsFile() throws {
        let result = try launch("SerializedFixtures")
        let lines = result.output.split(separator: "\n").filter { $0.hasSuffix("; commit it") }
        let names = (0..<3).map { "leaves-number=\($0).har" } + ["leaves.har"]
        XCTAssertEqual(
            lines.map(String.init).sorted(),
            names.map { "Rewind: recorded the new cassette \(folder[$0].path); commit it" },
            result.output
        )
        XCTAssertFalse(try launch("SerializedFixtures").output.contains("commit it"))
    }
}
