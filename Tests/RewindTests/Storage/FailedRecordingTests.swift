import Foundation
import Rewind
import Testing

struct FailedRecordingTests {
    private let studio: Studio
    private var failedFile: URL { studio.folder["talk.failed.har"] }

    init() throws { studio = try Studio() }

    @Test(
        "A failed recording is stored beside the cassette, which does not change",
        arguments: [RecordingMode.all, .newEpisodes]
    )
    func beside(_ mode: RecordingMode) throws {
        try studio.put([.page("https://h/a", "old")])
        let untouched = try studio.contents
        let stubber = try studio.stubber(mode)
        try stubber.record("https://h/b", "new")
        let report = try stubber.eject(testFailed: true)
        #expect(report.failedRecording == failedFile)
        #expect(report.cassetteURL == nil)
        #expect(report.recordedCount == 1)
        #expect(try studio.contents == untouched)
        let texts = try Cassette(contentsOf: failedFile).interactions.map(\.text)
        #expect(texts == (mode == .all ? ["new"] : ["old", "new"]))
        #expect(studio.folder.files == ["talk.failed.har", "talk.har"])
    }

    @Test("A failed first recording creates no cassette, so the next run records again")
    func first() throws {
        let stubber = try studio.stubber(.once)
        try stubber.record("https://h/a", "1")
        #expect(try stubber.eject(testFailed: true).failedRecording == failedFile)
        #expect(studio.folder.files == ["talk.failed.har"])
        #expect(try studio.stubber(.once).isRecording)
    }

    @Test("An incomplete recording is treated like a failed one, and lists the requests")
    func inFlight() throws {
        let stubber = try studio.stubber(.once)
        try stubber.record("https://h/a", "1")
        _ = try stubber.begin(Interaction.Request(url: "https://h/slow"))
        let report = stubber.end(testFailed: false).report
        #expect(report.requestsInFlight.map(\.url) == ["https://h/slow"])
        #expect(report.failedRecording == failedFile)
        #expect(report.cassetteURL == nil)
        #expect(try Cassette(contentsOf: failedFile).interactions.map(\.text) == ["1"])
        #expect(studio.folder.files == ["talk.failed.har"])
    }

    @Test("A later failed recording replaces the earlier one, and a good recording deletes it")
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

    @Test("If a failed recording cannot be deleted, a note says so, and the new recording is saved")
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
        try Note.withReader({ note in notes.withLock { $0.append(note) } }) {
            _ = try FileOperations.$current.withValue(operations) { try good.eject() }
        }
        #expect(try studio.texts == ["2"])
        #expect(studio.folder.files == ["talk.failed.har", "talk.har"])
        #expect(notes.withLock { $0.count { $0.contains("could not remove") } } == 1)
        #expect(notes.withLock { $0[0] }.contains("could not remove \(failedFile.path)"))
        #expect(notes.withLock { $0[0] }.contains(String(cString: strerror(EBUSY))))
    }

    @Test("A failed test that recorded nothing changes no file")
    func nothingRecorded() throws {
        try studio.put([.page("https://h/a", "old")])
        let stubber = try studio.stubber(.once)
        _ = stubber.decision(on: "https://h/a")
        #expect(try stubber.eject(testFailed: true).failedRecording == nil)
        #expect(studio.folder.files == ["talk.har"])
    }
}
