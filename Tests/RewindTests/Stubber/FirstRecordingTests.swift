import Foundation
import Rewind
import RewindTestSupport
import XCTest

@testable import Rewind

/// A first recording prints one line with the new file, so that nobody forgets to commit it.
final class FirstRecordingTests: ConversationTestCase {
    private func notes(_ body: () async throws -> Void) async rethrows -> [String] {
        let notes = Locked<[String]>([])
        try await Note.withReader({ note in notes.withLock { $0.append(note) } }) { try await body() }
        return notes.withLock { $0 }
    }

    private func line(_ name: String) -> String {
        "Rewind: recorded the new cassette \(folder[name].path); commit it\n"
    }

    func testAFirstRecordingPrintsItsFileOnceAndALaterOneDoesNot() async throws {
        let (url, directory) = (server["visit"], folder.url)
        func run(_ mode: RecordingMode) async throws -> [String] {
            try await notes {
                try await withCassette("talk", in: directory, mode: mode) { _ in _ = await Outcome(of: url) }
            }
        }
        let first = try await run(.once)
        XCTAssertEqual(first, [line("talk.har")])
        let again = try await run(.all)
        let added = try await run(.newEpisodes)
        server.stop()
        let replayed = try await run(.once)
        XCTAssertEqual(again + added + replayed, [])
    }

    func testAStubberPrintsItOnceEvenIfItIsEjectedTwice() async throws {
        let stubber = try Stubber(cassette: "talk", in: folder.url, mode: .once)
        _ = await Outcome(of: server["visit"], in: stubber.session)
        let printed = try await notes {
            try stubber.eject()
            try stubber.eject()
        }
        XCTAssertEqual(printed, [line("talk.har")])
    }

    func testEachNewCassetteOfATestIsPrinted() async throws {
        let (url, directory) = (server["visit"], folder.url)
        _ = try await notes {
            try await withCassette("old", in: directory, mode: .once) { _ in _ = await Outcome(of: url) }
        }
        let printed = try await notes {
            try await withCassette("one", in: directory, mode: .all) { stubber in
                for name in ["one", "old", "other"] {
                    if name != "one" { try stubber.insert(name) }
                    _ = await Outcome(of: url)
                }
            }
        }
        XCTAssertEqual(Set(printed), [line("one.har"), line("other.har")])
        XCTAssertEqual(printed.count, 2)
    }

    func testNothingIsPrintedIfNoCassetteIsWritten() async throws {
        struct Failing: Error {}
        let (url, directory) = (server["visit"], folder.url)
        let printed = try await notes {
            try withCassette("silent", in: directory, mode: .once) { _ in }
            try withStubs { stubber in _ = stubber.stub(.any, respond: .status(200)) }
            do {
                try await withCassette("failed", in: directory, mode: .once) { _ in
                    _ = await Outcome(of: url)
                    throw Failing()
                }
            } catch is Failing {}
        }
        XCTAssertEqual(folder.files, ["failed.failed.har"])
        XCTAssertFalse(printed.contains { $0.contains("commit it") }, "\(printed)")
    }

    func testAPathInTheWorkingDirectoryIsRelative() {
        let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
        XCTAssertEqual(here.appendingPathComponent("Cassettes/a/b.har").displayPath, "Cassettes/a/b.har")
        XCTAssertEqual(here.deletingLastPathComponent().appendingPathComponent("b.har").displayPath.first, "/")
    }
}
