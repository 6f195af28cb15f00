import Foundation
import Rewind
import Testing

@Suite("How a recording gets into its file")
struct CassetteFileTests {
    private let studio: Studio

    init() throws { studio = try Studio() }

    @Test("The folders on the way are made, and nothing but the cassette is left in them")
    func folders() throws {
        let location = try CassetteLocation(name: "UserTests/v1/list", in: studio.folder.url)
        let stubber = try Stubber(at: location, mode: .once, environment: Environment([:]))
        try stubber.record("https://h/a", "1")
        #expect(try stubber.eject().cassette == location.destination)
        #expect(studio.folder.files == ["UserTests/v1/list.har"])
    }

    @Test("When nothing is recorded nothing is written, in whatever mode", arguments: RecordingMode.allCases)
    func nothingRecorded(_ mode: RecordingMode) throws {
        let location = try CassetteLocation(name: "UserTests/list", in: studio.folder.url)
        try Stubber(at: location, mode: mode, environment: Environment([:])).eject(testFailed: true)
        #expect(studio.folder.files == [])
        #expect(!FileManager.default.fileExists(atPath: studio.folder["UserTests"].path))

        try studio.put([.page("https://h/a")])
        let (contents, identity) = (try studio.contents, try Self.identity(of: studio.file))
        let report = try studio.stubber(mode).eject()
        #expect(report.cassette == nil)
        #expect(report.failedRecording == nil)
        #expect(try studio.contents == contents)
        #expect(try Self.identity(of: studio.file) == identity)
    }

    @Test("To record everything anew replaces the cassette, and only at the end")
    func all() throws {
        try studio.put([.page("https://h/a", "old"), .page("https://h/b", "old")])
        let stubber = try studio.stubber(.all)
        try stubber.record("https://h/a", "new")
        #expect(try studio.texts == ["old", "old"])
        try stubber.eject()
        #expect(try studio.texts == ["new"])
        #expect(studio.folder.files == ["talk.har"])
    }

    @Test("The same recording is written as the same bytes")
    func deterministic() throws {
        try studio.put([.page("https://h/a", "1")])
        let first = try studio.contents
        try studio.put([.page("https://h/a", "1")])
        #expect(try studio.contents == first)
        #expect(first.hasSuffix("}\n"))
    }

    @Test("New episodes stand at the end, and entries that were there keep every byte")
    func newEpisodes() throws {
        let entry = """
            {"comment":"kept" ,  "_vendor": {"n": 1.50, "list":[ ]},
              "startedDateTime":"2024-01-01T00:00:00Z","time":-1, "request": {"method":"GET",
              "url":"https://h/a","httpVersion":"h2","headers":[],"queryString":[],"cookies":[]},
              "response":{"status":200,"statusText":"","httpVersion":"h2","headers":[],"cookies":[],
              "content":{"size":1,"mimeType":"text/plain","text":"\\u0041"},"redirectURL":""} }
            """
        let archive = #"{"log": {"version": "1.2", "comment": "by hand", "entries": [\#(entry)]}}"#
        try Data(archive.utf8).write(to: studio.file)
        for number in 1...2 {
            let stubber = try studio.stubber(.newEpisodes)
            #expect(stubber.decision(on: "https://h/a") == .replays("A"))
            try stubber.record("https://h/\(number)", "new \(number)")
            try stubber.eject()
            #expect(try studio.contents.contains(entry))
        }
        #expect(try studio.contents.contains(#""comment": "by hand""#))
        #expect(try studio.texts == ["A", "new 1", "new 2"])
    }

    @Test("New episodes of two stubbers both stay")
    func newEpisodesOfTwo() throws {
        try studio.put([.page("https://h/a", "old")])
        let (one, other) = (try studio.stubber(.newEpisodes), try studio.stubber(.newEpisodes))
        try one.record("https://h/b", "one")
        try other.record("https://h/c", "other")
        try one.eject()
        try other.eject()
        #expect(try studio.texts == ["old", "one", "other"])
    }

    @Test("A new episode is not lost when the cassette was deleted meanwhile")
    func deletedMeanwhile() throws {
        try studio.put([.page("https://h/a", "old")])
        let stubber = try studio.stubber(.newEpisodes)
        try stubber.record("https://h/b", "new")
        try FileManager.default.removeItem(at: studio.file)
        try stubber.eject()
        #expect(try studio.texts == ["new"])
    }

    private static func identity(of file: URL) throws -> UInt64? {
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        return (attributes[.systemFileNumber] as? NSNumber)?.uint64Value
    }
}

@Suite("One cassette recorded by two at once")
struct SharedRecordingTests {
    private let studio: Studio

    init() throws { studio = try Studio() }

    @Test(
        "The cassette gets what it lacks, and no conversation twice",
        arguments: [
            (["a", "b"], ["a", "b"], ["a", "b"]),
            (["a", "b"], ["b", "c"], ["a", "b", "c"]),
            (["a"], ["b"], ["a", "b"]),
            (["a", "a"], ["a", "a"], ["a", "a"]),
            (["a"], ["a", "a", "a"], ["a", "a", "a"]),
            (["a", "b", "a"], ["b", "a", "b"], ["a", "b", "a", "b"]),
        ] as [([String], [String], [String])]
    )
    func merge(_ first: [String], _ second: [String], _ expected: [String]) throws {
        let (one, other) = (try studio.stubber(.once), try studio.stubber(.once))
        for page in first { try one.record("https://h/\(page)", "one") }
        for page in second { try other.record("https://h/\(page)", "other") }
        try one.eject()
        let written = try studio.cassette.interactions
        try other.eject()
        let interactions = try studio.cassette.interactions
        #expect(interactions.map { $0.request.url.suffix(1) } == expected.map { $0.suffix(1) })
        #expect(Array(interactions.prefix(written.count)) == written)
        #expect(studio.folder.files == ["talk.har"])
    }

    @Test("Requests that the matchers cannot tell apart are the same conversation")
    func matchers() throws {
        var configuration = Configuration()
        configuration.matching = [.path]
        let stubbers = try (0..<2).map { _ in try studio.stubber(.once, configuration: configuration) }
        for (number, stubber) in stubbers.enumerated() {
            try stubber.record("https://h/a?t=\(number)", "\(number)")
        }
        for stubber in stubbers { try stubber.eject() }
        #expect(try studio.texts == ["0"])
    }

    @Test("Many at the same moment lose nothing")
    func threads() throws {
        let stubbers = try (0..<8).map { _ in try studio.stubber(.once) }
        DispatchQueue.concurrentPerform(iterations: stubbers.count) { number in
            #expect(throws: Never.self) {
                try stubbers[number].record("https://h/shared", "\(number)")
                try stubbers[number].record("https://h/own/\(number)", "\(number)")
                try stubbers[number].eject()
            }
        }
        let expected = ["https://h/shared"] + (0..<8).map { "https://h/own/\($0)" }
        #expect(try studio.cassette.interactions.map(\.request.url).sorted() == expected.sorted())
        #expect(studio.folder.files == ["talk.har"])
    }

    @Test("The same new episodes recorded by many at the same moment are all kept")
    func newEpisodes() throws {
        try studio.put([.page("https://h/a", "old")])
        let stubbers = try (0..<6).map { _ in try studio.stubber(.newEpisodes) }
        DispatchQueue.concurrentPerform(iterations: stubbers.count) { number in
            #expect(throws: Never.self) {
                try stubbers[number].record("https://h/\(number)", "\(number)")
                try stubbers[number].eject()
            }
        }
        #expect(try studio.texts.sorted() == ["0", "1", "2", "3", "4", "5", "old"])
    }
}

@Suite("The recording of a failed test")
struct FailedRecordingTests {
    private let studio: Studio
    private var failedFile: URL { studio.folder["talk.failed.har"] }

    init() throws { studio = try Studio() }

    @Test(
        "It is kept beside the cassette, which stays as it was",
        arguments: [RecordingMode.all, .newEpisodes]
    )
    func beside(_ mode: RecordingMode) throws {
        try studio.put([.page("https://h/a", "old")])
        let untouched = try studio.contents
        let stubber = try studio.stubber(mode)
        try stubber.record("https://h/b", "new")
        let report = try stubber.eject(testFailed: true)
        #expect(report.failedRecording == failedFile)
        #expect(report.cassette == nil)
        #expect(report.recordedCount == 1)
        #expect(try studio.contents == untouched)
        let texts = try Cassette(contentsOf: failedFile).interactions.map(\.text)
        #expect(texts == (mode == .all ? ["new"] : ["old", "new"]))
        #expect(studio.folder.files == ["talk.failed.har", "talk.har"])
    }

    @Test("A first recording that fails makes no cassette, so that the next run records again")
    func first() throws {
        let stubber = try studio.stubber(.once)
        try stubber.record("https://h/a", "1")
        #expect(try stubber.eject(testFailed: true).failedRecording == failedFile)
        #expect(studio.folder.files == ["talk.failed.har"])
        #expect(try studio.stubber(.once).isRecording)
    }

    @Test("A recording that lacks an answer is treated alike, and tells which one")
    func inFlight() throws {
        let stubber = try studio.stubber(.once)
        try stubber.record("https://h/a", "1")
        _ = try stubber.begin(Request(url: "https://h/slow"))
        let report = try stubber.eject()
        #expect(report.inFlight.map(\.url) == ["https://h/slow"])
        #expect(report.failedRecording == failedFile)
        #expect(report.cassette == nil)
        #expect(try Cassette(contentsOf: failedFile).interactions.map(\.text) == ["1"])
        #expect(studio.folder.files == ["talk.failed.har"])
    }

    @Test("A later one replaces it, and a good recording removes it")
    func replaced() throws {
        for text in ["1", "2"] {
            let stubber = try studio.stubber(.once)
            try stubber.record("https://h/a", text)
            try stubber.eject(testFailed: true)
            #expect(try Cassette(contentsOf: failedFile).interactions.map(\.text) == [text])
        }
        let stubber = try studio.stubber(.once)
        try stubber.record("https://h/a", "3")
        try stubber.eject()
        #expect(studio.folder.files == ["talk.har"])
        #expect(try studio.texts == ["3"])
    }

    @Test("One that cannot be removed is told of, and the good recording is saved all the same")
    func irremovable() throws {
        let failed = try studio.stubber(.once)
        try failed.record("https://h/a", "1")
        try failed.eject(testFailed: true)
        let good = try studio.stubber(.once)
        try good.record("https://h/a", "2")
        var operations = FileOperations()
        operations.remove = { [failedFile] path in
            guard path == failedFile.path else { return unlink(path) }
            errno = EBUSY
            return -1
        }
        let notes = Locked<[String]>([])
        try Note.$reader.withValue({ note in notes.withLock { $0.append(note) } }) {
            _ = try FileOperations.$current.withValue(operations) { try good.eject() }
        }
        #expect(try studio.texts == ["2"])
        #expect(studio.folder.files == ["talk.failed.har", "talk.har"])
        #expect(notes.withLock { $0.count } == 1)
        #expect(notes.withLock { $0[0] }.contains("could not remove \(failedFile.path)"))
        #expect(notes.withLock { $0[0] }.contains(String(cString: strerror(EBUSY))))
    }

    @Test("A test that failed without recording leaves all as it was")
    func nothingRecorded() throws {
        try studio.put([.page("https://h/a", "old")])
        let stubber = try studio.stubber(.once)
        _ = stubber.decision(on: "https://h/a")
        #expect(try stubber.eject(testFailed: true).failedRecording == nil)
        #expect(studio.folder.files == ["talk.har"])
    }
}

@Suite("A file that cannot be read or written")
struct CassetteFileErrorTests {
    private let studio: Studio

    init() throws { studio = try Studio() }

    @Test(
        "A corrupt cassette is an error that names it, in every mode but live, and is never overwritten",
        arguments: [
            "", " ", "{", "no archive", "[]", "{}", #"{"log": {}}"#,
            #"{"log": {"version": "2.0", "entries": []}}"#,
            #"{"log": {"entries": [{}]}}"#, #"{"log": {"entries": [1]}}"#,
            #"{"log": {"entries": [{"request": {"method": 1, "url": "https://h/"}}]}}"#,
        ],
        RecordingMode.allCases
    )
    func corrupt(_ contents: String, _ mode: RecordingMode) throws {
        try Data(contents.utf8).write(to: studio.file)
        if mode == .live {
            try studio.stubber(mode).eject()
        } else {
            let error = try #require(throws: CassetteError.self) { try studio.stubber(mode) }
            #expect(error.path == studio.file.path)
            #expect(error.localizedDescription.contains(studio.file.path))
            #expect(error.localizedDescription.contains("It was left untouched."))
        }
        #expect(try studio.contents == contents)
        #expect(studio.folder.files == ["talk.har"])
    }

    @Test(
        "A cassette that was corrupted while the test ran is not overwritten",
        arguments: [RecordingMode.once, .newEpisodes]
    )
    func corruptedMeanwhile(_ mode: RecordingMode) throws {
        let stubber = try studio.stubber(mode)
        try stubber.record("https://h/a", "1")
        try Data("<<<<<<< ours".utf8).write(to: studio.file)
        let error = try #require(throws: CassetteError.self) { try stubber.eject() }
        #expect(error.path == studio.file.path)
        #expect(try studio.contents == "<<<<<<< ours")
        #expect(studio.filesWithoutJournals == ["talk.har"])
        let journal = studio.folder[try #require(studio.journals.first)]
        #expect(
            error.description.hasSuffix(
                "\n  What was recorded is kept in \(journal.path), from which the next run recovers it."
            )
        )
    }

    @Test(
        "A folder in the cassette's place is an error",
        arguments: [RecordingMode.none, .once, .newEpisodes, .all]
    )
    func folderInPlace(_ mode: RecordingMode) throws {
        try FileManager.default.createDirectory(at: studio.file, withIntermediateDirectories: false)
        let error = try #require(throws: CassetteError.self) { try studio.stubber(mode) }
        #expect(error.path == studio.file.path)
        guard case .unreadable = error.problem else {
            Issue.record("\(error.problem)")
            return
        }
    }

    @Test(
        "A file where a folder should be makes an error that names the cassette, and stays",
        arguments: [false, true]
    )
    func fileInPlaceOfFolder(_ testFailed: Bool) throws {
        try Data("in the way".utf8).write(to: studio.folder["shelf"])
        let location = try CassetteLocation(name: "shelf/talk", in: studio.folder.url)
        let stubber = try Stubber(at: location, mode: .once, environment: Environment([:]))
        try stubber.record("https://h/a", "1")
        let error = try #require(throws: CassetteError.self) { try stubber.eject(testFailed: testFailed) }
        let name = testFailed ? "shelf/talk.failed.har" : "shelf/talk.har"
        #expect(error.path == studio.folder[name].path)
        guard case .unwritable(let cause) = error.problem else {
            Issue.record("\(error.problem)")
            return
        }
        #expect(!cause.isEmpty)
        #expect(error.localizedDescription.contains("cannot be written: \(cause)"))
        #expect(studio.folder.files == ["shelf"])
        #expect(try String(contentsOf: studio.folder["shelf"], encoding: .utf8) == "in the way")
    }

    @Test("When a recording cannot be written elsewhere, the cassette it was to extend stays as it was")
    func sourceStays() throws {
        try studio.put([.page("https://h/a", "old")])
        let untouched = try studio.contents
        try Data().write(to: studio.folder["shelf"])
        let location = CassetteLocation(source: studio.file, destination: studio.folder["shelf/talk.har"])
        let stubber = try Stubber(at: location, mode: .newEpisodes, environment: Environment([:]))
        try stubber.record("https://h/b", "new")
        let error = try #require(throws: CassetteError.self) { try stubber.eject() }
        #expect(error.path == location.destination.path)
        #expect(try studio.contents == untouched)
        #expect(studio.folder.files == ["shelf", "talk.har"])
    }

    @Test("A write that fails at its last step leaves the old file and nothing temporary")
    func renameFails() throws {
        try studio.put([.page("https://h/a", "old")])
        let untouched = try studio.contents
        let inTheWay = studio.folder["talk.failed.har/full"]
        try FileManager.default.createDirectory(at: inTheWay, withIntermediateDirectories: true)
        let stubber = try studio.stubber(.all)
        try stubber.record("https://h/a", "new")
        let error = try #require(throws: CassetteError.self) { try stubber.eject(testFailed: true) }
        #expect(error.path == studio.folder["talk.failed.har"].path)
        #expect(try studio.contents == untouched)
        #expect(studio.filesWithoutJournals == ["talk.har"])
        #expect(studio.journals.count == 1)
    }

    @Test("A cassette may have as long a name as the file system allows", arguments: ["n", "日"])
    func longName(_ letter: String) throws {
        let name = String(repeating: letter, count: 240 / letter.utf8.count)
        let long = try Studio(cassette: name)
        let stubber = try long.stubber(.once)
        try stubber.record("https://h/a", "1")
        try stubber.eject()
        #expect(try long.texts == ["1"])
    }
}
