import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

/// The journal of a cassette whose folder can no longer be written.
struct OutsideJournalTests {
    private let studio: Studio

    init() throws { studio = try Studio() }

    private var outside: [URL] { studio.location.journalsOutside }

    /// The system calls with which files in the cassette's folder cannot be created.
    private var locked: FileOperations {
        let folder = studio.folder.url.standardizedFileURL.path
        return .before { step, path in step == .open && path?.hasPrefix(folder) == true ? EROFS : nil }
    }

    @Test("A journal that cannot be created in the folder is created outside of the project")
    func create() throws {
        let notes = Locked("")
        try Note.withReader({ note in notes.withLock { $0 += note } }) {
            let stubber = try FileOperations.$current.withValue(locked) { try studio.stubber(.once) }
            try stubber.record("https://h/a", "1")
            let journal = try #require(outside.first)
            try stubber.record("https://h/b", "2")
            #expect(outside == [journal])
            #expect(studio.folder.files == [])
            #expect(FileStatus(journal.deletingLastPathComponent())?.permissions == 0o700)
            try stubber.eject()
            #expect(outside == [], "the cassette was saved")
            #expect(try studio.texts == ["1", "2"])
        }
    }

    @Test("The error of a failed save names the journal, and the next run recovers it")
    func recover() throws {
        var path = ""
        try FileOperations.$current.withValue(locked) {
            let stubber = try studio.stubber(.once)
            try stubber.record("https://h/a", "1")
            let error = try #require(throws: CassetteError.self) { try stubber.eject() }
            path = try #require(outside.first).path
            #expect(error.description.contains("The recording is in \(path), and the next run recovers it"))
        }
        #expect(studio.folder.files == [])
        let other = try Studio()
        _ = try other.stubber(.once)
        #expect(outside.map(\.path) == [path], "it belongs to a cassette of the same name in another folder")
        _ = try studio.stubber(.once)
        #expect(try studio.recovered.interactions.map(\.text) == ["1"])
        #expect(outside == [])
    }

    @Test(
        "A journal that can no longer be extended continues outside of the project",
        arguments: [ENOSPC, EIO, EDQUOT]
    )
    func extend(_ number: Int32) throws {
        let isFull = Locked(false)
        // One write fails; those of the other file succeed.
        let operations = FileOperations.before { step, _ in
            step == .write
                && isFull.withLock { full in
                    defer { full = false }
                    return full
                } ? number : nil
        }
        try FileOperations.$current.withValue(operations) {
            let stubber = try studio.stubber(.once)
            try stubber.record("https://h/a", "1")
            #expect(studio.journals.count == 1 && outside == [])
            isFull.withLock { $0 = true }
            try stubber.record("https://h/b", "2")
            try stubber.record("https://h/c", "3")
            #expect(studio.journals == [])
            let contents = try JournalContents(Data(contentsOf: #require(outside.first)))
            #expect(contents?.interactions.map(\.text) == ["1", "2", "3"])
        }
        _ = try studio.stubber(.never)
        #expect(try studio.recovered.interactions.map(\.text) == ["1", "2", "3"])
        #expect(outside == [])
    }

    @Test("A recording without a journal that cannot be saved is kept as well, without its secrets")
    func rescue() throws {
        let secret = "hush-4f9a7c21d0e8"
        let stubber = try studio.stubber(.once)
        try stubber.record("https://h/a?access_token=\(secret)", "1 \(secret)")
        for name in studio.journals { unlink(studio.folder[name].path) }
        try stubber.record("https://h/b", "2")
        let error = try FileOperations.$current.withValue(.failing(.rename, EROFS)) {
            try #require(throws: CassetteError.self) { try stubber.eject() }
        }
        let journal = try #require(outside.first)
        #expect(error.description.contains("The recording is in \(journal.path)"))
        #expect(try !String(contentsOf: journal, encoding: .utf8).contains(secret))
        _ = try studio.stubber(.never)
        #expect(try studio.recovered.interactions.count == 2)
    }

    @Test("Where nothing can be written, the error says that the recording is lost")
    func lost() throws {
        try FileOperations.$current.withValue(.failing(.open, ENOSPC)) {
            let stubber = try studio.stubber(.once)
            try stubber.record("https://h/a", "1")
            let error = try #require(throws: CassetteError.self) { try stubber.eject() }
            #expect(error.description.contains("The recording is lost"))
        }
        #expect(outside == [])
    }
}
