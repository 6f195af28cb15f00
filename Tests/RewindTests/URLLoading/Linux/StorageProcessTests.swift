#if canImport(FoundationNetworking)
    import Foundation
    import RewindTestSupport
    import XCTest

    /// Cookie and cache files of an earlier run, before and after a test whose process is killed.
    final class StorageProcessTests: XCTestCase {
        private var server: ConversationServer!
        private var home: TemporaryDirectory!

        override func setUpWithError() throws {
            server = try ConversationServer()
            home = try TemporaryDirectory()
        }

        override func tearDown() {
            server.stop()
        }

        private func run(_ test: String) throws -> ChildProcess {
            try ChildProcess(
                URL(fileURLWithPath: CommandLine.arguments[0]),
                ["RewindTests.StorageFixtures/\(test)"],
                environment: [
                    StorageFixtures.server: server.url.absoluteString, "HOME": home.url.path,
                    "XDG_DATA_HOME": home["data"].path, "XDG_CACHE_HOME": home["cache"].path,
                ]
            )
        }

        private var files: [String: Data] {
            let paths =
                FileManager.default.enumerator(atPath: home.url.path)?.compactMap { $0 as? String } ?? []
            return paths.reduce(into: [:]) { $0[$1] = FileManager.default.contents(atPath: home[$1].path) }
        }

        func testAKilledTestDoesNotChangeTheFilesOfTheMachine() throws {
            let first = try run("testEarlierRun")
            XCTAssertEqual(first.status, 0, first.output)
            XCTAssertEqual(
                first.answers,
                [
                    #"login/another hello another - ["user=another"]"#,
                    #"cacheable another - ["user=another"]"#,
                    #"echo  user=another ["user=another"]"#,
                ]
            )
            let before = files
            XCTAssertTrue(before.keys.contains { $0.hasSuffix(".cookies.shared") }, "\(before.keys)")
            XCTAssertTrue(before.keys.contains { $0.hasSuffix(".storedcachedurlresponse") }, "\(before.keys)")
            let second = try run("testKilled")
            XCTAssertEqual(second.status, 128 + SIGKILL, second.output)
            XCTAssertEqual(
                second.answers,
                [
                    "cacheable visit 1 - []", "echo  - []", #"login/ada hello ada - ["user=ada"]"#,
                    #"cacheable ada - ["user=ada"]"#, #"echo  user=ada ["user=ada"]"#,
                ]
            )
            XCTAssertEqual(files, before)
        }
    }
#endif
