#if os(Linux) && compiler(>=6.3)
    import Foundation
    import Rewind
    import RewindTestSupport
    import Testing

    /// Many processes that use one cassette at the same time.
    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct ManyProcessesTests {
        private let studio: Studio
        private let start: TemporaryDirectory

        init() throws {
            studio = try Studio()
            start = try TemporaryDirectory()
        }

        @Test("Eight processes that record a cassette for the first time save all interactions")
        func recorders() async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask { [folder = studio.folder.url.path, start = start.url.path] in
                        await #expect(processExitsWith: .success) {
                            [folder = folder as String, start = start as String, number = number as Int] in
                            let stubber = try Child.stubber(in: folder, .once)
                            try await Child.waitForTheStart(in: start, number, of: 8)
                            for round in 0..<20 {
                                try stubber.record("https://h/shared/\(round)", "shared")
                                try stubber.record("https://h/own/\(number)/\(round)", "\(number)")
                            }
                            try stubber.eject()
                        }
                    }
                }
                try await group.waitForAll()
            }
            let urls = try studio.cassette.interactions.map(\.request.url)
            let own = (0..<8).flatMap { number in (0..<20).map { "https://h/own/\(number)/\($0)" } }
            let shared = (0..<20).map { "https://h/shared/\($0)" }
            #expect(urls.sorted() == (own + shared).sorted())
            #expect(studio.folder.files == ["talk.har"])
        }

        @Test("Eight processes play complete cassettes while two record them again")
        func playersAndRecorders() async throws {
            let pages = (0..<20).map { "https://h/\($0)" }
            try studio.put(pages.map { .page($0, "0") })
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<10 {
                    group.addTask { [folder = studio.folder.url.path, start = start.url.path] in
                        await #expect(processExitsWith: .success) {
                            [folder = folder as String, start = start as String, number = number as Int] in
                            let pages = (0..<20).map { "https://h/\($0)" }
                            try await Child.waitForTheStart(in: start, number, of: 10)
                            for round in 1...15 {
                                if number < 2 {
                                    let stubber = try Child.stubber(in: folder, .all)
                                    let text = "\(number) in \(round)"
                                    for page in pages { try stubber.record(page, text) }
                                    try stubber.eject()
                                } else {
                                    let stubber = try Child.stubber(in: folder, .never)
                                    let decisions = Set(pages.map(stubber.decision))
                                    guard decisions.count == 1, case .replays? = decisions.first else {
                                        throw Child.Problem.mixed("\(decisions)")
                                    }
                                }
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try Set(studio.texts).count == 1)
            #expect(try studio.texts.first?.hasSuffix(" in 15") == true)
            #expect(studio.folder.files == ["talk.har"])
        }

        @Test("A process that hangs while saving blocks others only for a limited time")
        func hanging() throws {
            let lock = try DirectoryLock(studio.folder.url)
            defer { lock.release() }
            let error = try #require(throws: SystemCallError.self) {
                try DirectoryLock(studio.folder.url, patience: 0.05)
            }
            #expect(
                error.localizedDescription.contains(
                    "could not lock \(studio.folder.url.path): another process has held the lock for 0.05 seconds"
                )
            )
        }
    }

    /// The shared code of the child processes.
    enum Child {
        enum Problem: Error {
            case mixed(String)
        }

        static func stubber(in folder: String, _ mode: RecordingMode) throws -> Stubber {
            let file = URL(fileURLWithPath: folder).appendingPathComponent("talk.har")
            return try Stubber(at: CassetteLocation(file), mode: mode, environment: Environment([:]))
        }

        /// Reports that this process is ready, and waits some seconds until all processes are.
        static func waitForTheStart(in folder: String, _ number: Int, of count: Int) async throws {
            try Data().write(to: URL(fileURLWithPath: folder).appendingPathComponent("\(number)"))
            for _ in 0..<10_000 {
                if try FileManager.default.contentsOfDirectory(atPath: folder).count >= count { return }
                try await Task.sleep(for: .milliseconds(2))
            }
        }
    }
#endif
