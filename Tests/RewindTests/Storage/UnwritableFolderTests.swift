import Foundation
import RewindTestSupport
import XCTest

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Cassettes in a folder that cannot be written from the start, with a real server.
final class UnwritableFolderTests: XCTestCase {
    private var server: ConversationServer!
    private var folder: TemporaryDirectory!
    /// A folder that cannot be created, even by root: its parent is a file.
    private var blocked: URL { folder["file/Cassettes"] }

    override func setUpWithError() throws {
        server = try ConversationServer()
        folder = try TemporaryDirectory()
        try Data().write(to: folder["file"])
    }

    override func tearDown() { server.stop() }

    private func miss(_ mode: RecordingMode, in directory: URL) async throws -> (code: Int?, text: String) {
        let stubber = try Stubber(cassette: "talk", in: directory, mode: mode)
        defer { _ = try? stubber.eject() }
        let session = stubber.session
        defer { session.finishTasksAndInvalidate() }
        do {
            _ = try await session.data(from: server["visit"])
            return (nil, "")
        } catch {
            return ((error as NSError).code, error.localizedDescription)
        }
    }

    func testARecordingThatCannotBeWrittenIsRefusedBeforeTheFirstRequest() async throws {
        for mode in [RecordingMode.once, .newEpisodes, .all] {
            let (code, text) = try await miss(mode, in: blocked)
            XCTAssertEqual(code, 15)
            let lines = text.components(separatedBy: "\n")
            XCTAssertTrue(lines.contains("  cassette: \(blocked.path)/talk.har"), text)
            XCTAssertTrue(lines.contains("  folder:   \(folder["file"].path)"), text)
            XCTAssertTrue(lines.contains("  cause:    Not a directory"), text)
            XCTAssertTrue(lines.contains("    REWIND_MODE=\(mode.rawValue)"), text)
        }
        XCTAssertEqual(server.requestCount, 0)
    }

    func testAPermissionThatIsMissingIsNamed() async throws {
        // Permissions do not apply to root.
        try XCTSkipIf(getuid() == 0, "needs a user other than root")
        try folder.put("locked/")
        let locked = folder["locked"]
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: locked.path)
        let (code, text) = try await miss(.once, in: locked)
        XCTAssertEqual(code, 15)
        XCTAssertTrue(text.contains("cause:    Permission denied"), text)
        XCTAssertEqual(server.requestCount, 0)
    }

    func testATestWithoutARequestPasses() throws {
        for mode in RecordingMode.allCases {
            XCTAssertEqual(try withCassette("talk", in: blocked, mode: mode) { _ in 42 }, 42)
        }
    }

    func testModesThatDoNotRecordAreNotAffected() async throws {
        let (never, _) = try await miss(.never, in: blocked)
        let (verify, _) = try await miss(.verify, in: blocked)
        let (live, _) = try await miss(.live, in: blocked)
        XCTAssertEqual([never, verify, live], [1, 1, nil])
        XCTAssertEqual(server.requestCount, 1)
    }

    func testTheFolderIsCheckedWhenTheModeChanges() async throws {
        let stubber = try Stubber(cassette: "talk", in: blocked, mode: .never)
        stubber.mode = .all
        XCTAssertFalse(stubber.isRecording)
        let outcome = await Outcome(of: server["visit"], in: stubber.session)
        XCTAssertEqual(outcome.failure, "Rewind 15")
        XCTAssertEqual(stubber.takeMisses().count, 1)
        try stubber.eject()
    }

    func testAMissingFolderThatCanBeCreatedIsRecorded() async throws {
        let deep = folder["a/b/c"]
        let (code, _) = try await miss(.once, in: deep)
        XCTAssertNil(code)
        XCTAssertEqual(try Cassette(contentsOf: deep.appendingPathComponent("talk.har")).interactions.count, 1)
    }

    func testALinkThatLeadsNowhereIsNamed() async throws {
        let link = folder["link"]
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "/nonexistent/place")
        let (code, text) = try await miss(.once, in: link)
        XCTAssertEqual(code, 15)
        XCTAssertTrue(text.contains("No such file or directory"), text)
    }

    func testThePlaceToWhichALinkLeadsDecides() async throws {
        try folder.put("target/")
        let cassette = folder["target/talk.har"]
        try folder.put("links/")
        try FileManager.default.createSymbolicLink(
            atPath: folder["links/talk.har"].path,
            withDestinationPath: cassette.path
        )
        let (code, _) = try await miss(.once, in: folder["links"])
        XCTAssertNil(code)
        XCTAssertTrue(FileManager.default.fileExists(atPath: cassette.path))
    }

    func testAFolderThatCanBeWrittenLaterIsRecordedThen() async throws {
        let (refused, _) = try await miss(.once, in: blocked)
        try FileManager.default.removeItem(at: folder["file"])
        let (recorded, _) = try await miss(.once, in: blocked)
        XCTAssertEqual([refused, recorded], [15, nil])
        server.stop()
        let (replayed, _) = try await miss(.once, in: blocked)
        XCTAssertNil(replayed)
    }
}
