import Foundation
import RewindTestSupport
import RewindXCTest
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The output that documents show is the output of Rewind.
final class DocumentedOutputTests: XCTestCase {
    private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    func testTheMissInGettingStartedIsThatOfItsTest() async throws {
        let text = try await output(page: 2).error
        let shown = try block(startingWith: "$ swift test", in: "Sources/Rewind/Rewind.docc/GettingStarted.md")
        let path = root.appendingPathComponent("Cassettes/BlogTests/testPosts.har").path
        XCTAssertEqual(
            shown.components(separatedBy: "failed - ").last,
            text.replacingOccurrences(of: path, with: "/blog/Cassettes/BlogTests/testPosts.har")
        )
    }

    func testTheMissInMatchingIsOneOfTheGoldenFiles() throws {
        let golden = root.appendingPathComponent("Tests/RewindTests/Matching/Misses/json.txt")
        let text = try String(contentsOf: golden, encoding: .utf8)
        let shown = try block(containing: "$.items[1].id", in: "Sources/Rewind/Rewind.docc/Matching.md")
        XCTAssertEqual(shown, text.trimmingCharacters(in: .newlines))
    }

    func testTheLogLinesAreThoseOfARun() async throws {
        let line = try await output(page: 1).log
        for (document, test) in [
            ("README.md", "TimelineTests.testTimeline"),
            ("Sources/Rewind/Rewind.docc/GettingStarted.md", "BlogTests.testPosts"),
        ] {
            let text = try String(contentsOf: root.appendingPathComponent(document), encoding: .utf8)
            let expected = line.replacingOccurrences(of: "BlogTests.testPosts", with: test)
            XCTAssertTrue(text.contains("\nRewind: \(expected)\n"), "\(document) does not show: \(expected)")
        }
    }

    func testTheLogLineOfARecordingIsThatOfARun() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        let folder = try TemporaryDirectory()
        let log = Locked<[String]>([])
        var configuration = Stubber.Configuration()
        configuration.log = { line in log.withLock { $0.append(line) } }
        let stubber = try Stubber(
            at: CassetteLocation(folder["testPosts.har"]),
            mode: .once,
            configuration: configuration,
            testName: "BlogTests.testPosts",
            environment: Environment([:])
        )
        _ = try await stubber.session.data(from: server["visit"])
        try stubber.eject()
        let lines = log.withLock { $0 }
        XCTAssertEqual(lines.count, 1, "one line for each request")
        let line = try XCTUnwrap(lines.first).replacingOccurrences(
            of: server["visit"].absoluteString,
            with: "http://127.0.0.1:8017/timeline?page=1"
        )
        for (document, test) in [
            ("README.md", "TimelineTests.testTimeline"),
            ("Sources/Rewind/Rewind.docc/GettingStarted.md", "BlogTests.testPosts"),
        ] {
            let text = try String(contentsOf: root.appendingPathComponent(document), encoding: .utf8)
            let expected = line.replacingOccurrences(of: "BlogTests.testPosts", with: test)
            XCTAssertTrue(text.contains("\nRewind: \(expected)\n"), "\(document) does not show: \(expected)")
        }
    }

    func testTheLineOfAFirstRecordingIsThatOfARun() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        let folder = try TemporaryDirectory()
        let stubber = try Stubber(at: folder["testPosts.har"], mode: .once)
        _ = try await stubber.session.data(from: server["visit"])
        let note = Locked("")
        try Note.withReader({ text in note.withLock { $0 = text } }) { _ = try stubber.eject() }
        let line = note.withLock { $0 }.replacingOccurrences(of: folder.url.path, with: "Cassettes/BlogTests")
        let document = "Sources/Rewind/Rewind.docc/GettingStarted.md"
        let text = try String(contentsOf: root.appendingPathComponent(document), encoding: .utf8)
        XCTAssertTrue(text.contains("\n\(line)"), "\(document) does not show: \(line)")
    }

    /// What a request for a page gets from the cassette of `BlogTests`.
    private func output(page: Int) async throws -> (log: String, error: String) {
        let log = Locked("")
        var configuration = Stubber.Configuration()
        configuration.requestMatchingFailed = { _ in }
        configuration.log = { line in log.withLock { $0 = line } }
        let cassette = root.appendingPathComponent("Cassettes/BlogTests/testPosts.har")
        let stubber = try Stubber(
            at: CassetteLocation(cassette),
            mode: .never,
            configuration: configuration,
            identity: TestIdentity(
                .testCase,
                name: "BlogTests.testPosts",
                test: RunnableTest(.xcTest, module: "BlogTests", group: ["BlogTests"], function: "testPosts")
            ),
            environment: Environment([:])
        )
        defer { _ = try? stubber.eject() }
        let url = try XCTUnwrap(URL(string: "http://127.0.0.1:8017/timeline?page=\(page)"))
        do {
            _ = try await stubber.session.data(from: url)
            return (log.withLock { $0 }, "")
        } catch {
            return (log.withLock { $0 }, error.localizedDescription)
        }
    }

    private func block(startingWith start: String = "", containing text: String = "", in document: String)
        throws
        -> String
    {
        let lines = try String(contentsOf: root.appendingPathComponent(document), encoding: .utf8)
        let blocks = lines.components(separatedBy: "\n```").dropFirst()
        let codes = blocks.map { $0.drop { $0 != "\n" }.dropFirst() }
        let found = codes.first { $0.hasPrefix(start) && (text.isEmpty || $0.contains(text)) && !$0.isEmpty }
        return String(try XCTUnwrap(found, "\(document) has no block with \(start)\(text)"))
    }
}
