import Foundation
import Testing

@testable import Rewind

/// What a run prints of its journal, and of the journals of earlier runs.
struct JournalNoteTests {
    private let studio: Studio
    /// Large enough to be written, and noted, on the thread of the test.
    private static let long = String(repeating: "long ", count: 8000)

    init() throws { studio = try Studio() }

    /// The notes that are printed meanwhile, except the one about a new cassette.
    private func notes(_ body: () throws -> Void) rethrows -> [String] {
        let notes = Locked<[String]>([])
        try Note.withReader({ note in notes.withLock { $0.append(note) } }) { try body() }
        return notes.withLock { $0 }.filter { !$0.contains("recorded the new cassette") }
    }

    @Test("The note of a recovery names the file, the process and the number of interactions")
    func recovered() throws {
        try studio.leaveJournal([("https://h/a", "1"), ("https://h/b", "2")])
        let printed = try notes { _ = try studio.stubber(.never) }
        #expect(printed.count == 1)
        let note = try #require(printed.first)
        for part in [
            "recovered 2 interactions of \(studio.file.path)",
            "from a run that ended early (process \(getpid()),",
            "They are in \(studio.location.recoveredRecording.path).", "rename it to talk.har to play it",
        ] {
            #expect(note.contains(part), "\(note)")
        }
        #expect(!note.contains("is lost"))
        #expect(try notes { _ = try studio.stubber(.never) } == [], "it is recovered once")
    }

    @Test("The note says that the recording could not be saved, and why")
    func unsaved() throws {
        let stubber = try studio.stubber(.once)
        try stubber.record("https://h/a", "1")
        let error = FileOperations.$current.withValue(.failing(.open, EROFS)) {
            #expect(throws: CassetteError.self) { try stubber.eject() }
        }
        #expect(error != nil)
        let note = try #require(try notes { _ = try studio.stubber(.never) }.first)
        #expect(note.contains("from a run whose recording could not be saved: "), "\(note)")
        #expect(note.contains(String(cString: strerror(EROFS))), "\(note)")
        #expect(!note.contains("ended early"))
    }

    @Test("The note says that an incomplete line was dropped")
    func torn() throws {
        try studio.leaveJournal([("https://h/a", "1"), ("https://h/b", "2")])
        let journal = studio.folder[try #require(studio.journals.first)]
        try Data(contentsOf: journal).dropLast(40).write(to: journal)
        let note = try #require(try notes { _ = try studio.stubber(.never) }.first)
        #expect(note.contains("recovered 1 interaction of"))
        #expect(note.contains("The interaction that the run was writing when it ended is lost."))
    }

    @Test("If the folder is not writable, a note says why nothing is recovered", arguments: [EROFS, EACCES])
    func readOnly(_ number: Int32) throws {
        try studio.leaveJournal([("https://h/a", "1")])
        let journal = studio.folder[try #require(studio.journals.first)].path
        let printed = try FileOperations.$current.withValue(.failing(.open, number)) {
            try notes { _ = try studio.stubber(.never) }
        }
        #expect(printed.count == 1)
        #expect(
            printed.first?.contains("could not recover the recording of an earlier run in \(journal)") == true
        )
        #expect(printed.first?.contains(String(cString: strerror(number))) == true)
    }

    @Test("A note says once that the journal cannot be written, and why")
    func full() throws {
        let printed = try notes {
            let stubber = try FileOperations.$current.withValue(.disk(ofBytes: 100_000)) {
                try studio.stubber(.once)
            }
            for number in 1...6 { try stubber.record("https://h/\(number)", Self.long + "\(number)") }
            try stubber.eject()
        }
        #expect(printed.count == 1)
        #expect(printed.first?.contains("\(studio.file.path) continues without a journal") == true)
        #expect(printed.first?.contains(String(cString: strerror(ENOSPC))) == true)
        #expect(try studio.texts == (1...6).map { Self.long + "\($0)" })
    }

    @Test("A note says once that a recording has too many secrets for a journal")
    func manySecrets() throws {
        let printed = try notes {
            let stubber = try studio.stubber(.once)
            for number in 0..<68 {
                let secret = "s3cr3t-\(number)-of-ada-\(number * 7919)"
                try stubber.record("https://h/\(number)?access_token=\(secret)", number < 64 ? "x" : Self.long)
            }
            try stubber.eject()
        }
        #expect(printed.count == 1)
        #expect(printed.first?.contains("more than 64 secrets") == true)
    }
}
