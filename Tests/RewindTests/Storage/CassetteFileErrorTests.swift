import Foundation
import Rewind
import Testing

struct CassetteFileErrorTests {
    private let studio: Studio

    init() throws { studio = try Studio() }

    @Test(
        "A corrupt cassette is an error in every mode but live, and is never overwritten",
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
            #expect(error.description.contains("The file was not changed."))
        }
        #expect(try studio.contents == contents)
        #expect(studio.folder.files == ["talk.har"])
    }

    @Test(
        "A cassette that is corrupted during the test is not overwritten",
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
                "\n  The recording is in \(journal.path), and the next run recovers it."
            )
        )
    }

    @Test(
        "A folder in place of the cassette is an error",
        arguments: [RecordingMode.never, .once, .newEpisodes, .all]
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
        "A file that replaces the folder during the test is an error, and stays",
        arguments: [false, true]
    )
    func fileInPlaceOfFolder(_ testFailed: Bool) throws {
        let location = try CassetteLocation(name: "sub/talk", in: studio.folder.url)
        let stubber = try Stubber(at: location, mode: .once, environment: Environment([:]))
        try stubber.record("https://h/a", "1")
        try FileManager.default.removeItem(at: studio.folder["sub"])
        try Data("in the way".utf8).write(to: studio.folder["sub"])
        defer { location.removeJournals() }
        let error = try #require(throws: CassetteError.self) { try stubber.eject(testFailed: testFailed) }
        let name = testFailed ? "sub/talk.failed.har" : "sub/talk.har"
        #expect(error.path == studio.folder[name].path)
        guard case .unwritable(let cause) = error.problem else {
            Issue.record("\(error.problem)")
            return
        }
        #expect(!cause.isEmpty)
        #expect(error.localizedDescription.contains("cannot be written: \(cause)"))
        #expect(studio.folder.files == ["sub"])
        #expect(try String(contentsOf: studio.folder["sub"], encoding: .utf8) == "in the way")
    }

    @Test("If a recording cannot be written to another place, the source stays unchanged")
    func sourceStays() throws {
        try studio.put([.page("https://h/a", "old")])
        let untouched = try studio.contents
        let location = CassetteLocation(source: studio.file, destination: studio.folder["sub/talk.har"])
        let stubber = try Stubber(at: location, mode: .newEpisodes, environment: Environment([:]))
        try stubber.record("https://h/b", "new")
        try FileManager.default.removeItem(at: studio.folder["sub"])
        try Data().write(to: studio.folder["sub"])
        defer { location.removeJournals() }
        let error = try #require(throws: CassetteError.self) { try stubber.eject() }
        #expect(error.path == location.destination.path)
        #expect(try studio.contents == untouched)
        #expect(studio.folder.files == ["sub", "talk.har"])
    }

    @Test("A failed write leaves the old file and no temporary file")
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

    @Test("A cassette name can be as long as the file system allows", arguments: ["n", "日"])
    func longName(_ letter: String) throws {
        let name = String(repeating: letter, count: 240 / letter.utf8.count)
        let long = try Studio(cassette: name)
        let stubber = try long.stubber(.once)
        try stubber.record("https://h/a", "1")
        try stubber.eject()
        #expect(try long.texts == ["1"])
    }
}
