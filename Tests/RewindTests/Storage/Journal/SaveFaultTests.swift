import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct SaveFaultTests {
    private let studio: Studio

    init() throws { studio = try Studio() }

    /// A failing system call, with the error of a full, damaged or read-only disk.
    private static let causes: [(FileStep, Int32)] = [
        (.open, ENOSPC), (.open, EROFS), (.open, EACCES), (.open, EMFILE), (.open, ENOENT), (.write, ENOSPC),
        (.write, EIO), (.write, EDQUOT), (.write, EFBIG), (.synchronize, EIO), (.synchronize, ENOSPC),
        (.rename, ENOSPC), (.rename, EROFS), (.rename, EIO), (.rename, ENOENT),
    ]

    @Test(
        "A failed save preserves the old cassette, reports path and cause, and loses nothing",
        arguments: causes.indices
    )
    func faults(_ index: Int) throws {
        let (step, number) = Self.causes[index]
        try studio.put([.page("https://h/a", "old")])
        let untouched = try studio.contents
        let stubber = try studio.stubber(.all)
        try stubber.record("https://h/a", "new")
        try stubber.record("https://h/b", "new")
        let error = try FileOperations.$current.withValue(.failing(step, number)) {
            try #require(throws: CassetteError.self) { try stubber.eject() }
        }
        let journal = studio.folder[try #require(studio.journals.first)].path
        #expect(error.path == studio.file.path)
        #expect(error.journal == CassetteError.KeptJournal(path: journal, count: 2, missingCount: 0))
        let text = error.description
        #expect(text.contains(studio.file.path))
        #expect(text.contains(String(cString: strerror(number))))
        #expect(text.contains("The recording is in \(journal)"))
        #expect(!text.contains("lost"))
        #expect(try studio.contents == untouched)
        #expect(studio.filesWithoutJournals == ["talk.har"])
        _ = try studio.stubber(.once)
        #expect(try studio.contents == untouched)
        #expect(try studio.recovered.interactions.map(\.text) == ["new", "new"])
        #expect(studio.folder.files == ["talk.har", "talk.recovered.har"])
    }

    @Test("A failure of any system call during a save leaves a complete cassette")
    func eachCall() throws {
        let long = String(repeating: "long ", count: 9000)
        for call in 1... {
            let studio = try Studio()
            let first = try studio.stubber(.once)
            try first.record("https://h/a", "old \(long)")
            try first.record("https://h/b", "old")
            try first.eject()
            let stubber = try studio.stubber(.all)
            try stubber.record("https://h/a", "new \(long)")
            try stubber.record("https://h/b", "new")
            let calls = Locked(0)
            let operations = FileOperations.before { _, _ in
                let isDue = calls.withLock { calls in
                    calls += 1
                    return calls == call
                }
                return isDue ? EIO : nil
            }
            var error: (any Error)?
            do {
                try FileOperations.$current.withValue(operations) { _ = try stubber.eject() }
            } catch let thrown {
                error = thrown
            }
            let word = error == nil ? "new" : "old"
            #expect(try studio.texts == ["\(word) \(long)", word])
            guard calls.withLock({ $0 }) >= call else { break }
            if let error {
                #expect((error as? CassetteError)?.journal != nil, "\(error)")
                _ = try studio.stubber(.never)
                #expect(try studio.recovered.interactions.map(\.text) == ["new \(long)", "new"])
            }
            #expect(call < 40)
        }
    }

    @Test("A partial write leaves no partial file")
    func part() throws {
        for room in [0, 1, 100, 1000] {
            let studio = try Studio()
            try studio.put([.page("https://h/a", "old")])
            let untouched = try studio.contents
            let stubber = try studio.stubber(.all)
            try stubber.record("https://h/a", String(repeating: "new", count: 500))
            try FileOperations.$current.withValue(.disk(ofBytes: room)) {
                let error = try #require(throws: CassetteError.self) { try stubber.eject() }
                #expect(error.description.contains("No space left on device"))
            }
            #expect(try studio.contents == untouched)
            #expect(studio.filesWithoutJournals == ["talk.har"])
        }
    }

    @Test("A deleted folder is created again")
    func folderVanishes() throws {
        let stubber = try studio.stubber(.once)
        try stubber.record("https://h/a", "1")
        try FileManager.default.removeItem(at: studio.folder.url)
        try stubber.record("https://h/b", "2")
        try stubber.eject()
        #expect(try studio.texts == ["1", "2"])
        #expect(studio.folder.files == ["talk.har"])
    }

    @Test("What the journal lacks is written to another one, and the error names it")
    func journalVanishes() throws {
        for room in [nil, 800] {
            let studio = try Studio()
            let operations = room.map { FileOperations.disk(ofBytes: $0) } ?? FileOperations()
            let stubber = try FileOperations.$current.withValue(operations) { try studio.stubber(.once) }
            for number in 1...3 {
                try stubber.record("https://h/\(number)", "\(number)")
                if room == nil { for name in studio.journals { unlink(studio.folder[name].path) } }
            }
            let error = try FileOperations.$current.withValue(.failing(.write, ENOSPC)) {
                try #require(throws: CassetteError.self) { try stubber.eject() }
            }
            // On a disk without room, nothing else can be written either.
            let kept =
                room == nil ? "The recording is in" : "A part of the recording (1 of 3 interactions) is in"
            #expect(error.description.contains(kept), "\(error)")
            _ = try studio.stubber(.never)
            #expect(try studio.recovered.interactions.count == (room == nil ? 3 : 1))
        }
    }

    @Test("A save deletes temporary files of dead processes, but not those of running ones")
    func leftovers() throws {
        let left = ".rewind-\(UUID().uuidString).tmp"
        for name in [left, "talk.bodies/\(left)", ".rewind-mine", "mine.tmp"] {
            let file = studio.folder[name]
            let folder = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data("half of a cas".utf8).write(to: file)
        }
        let living = try TemporaryFile(in: studio.folder.url, FileOperations())
        let stubber = try studio.stubber(.once)
        try stubber.record("https://h/a", "1")
        try stubber.eject()
        let name = URL(fileURLWithPath: living.path).lastPathComponent
        #expect(Set(studio.folder.files) == [".rewind-mine", "mine.tmp", name, "talk.har"])
        try living.write(Data("whole".utf8))
        try living.rename(to: studio.folder["own"].path)
        #expect(try String(contentsOf: studio.folder["own"], encoding: .utf8) == "whole")
        living.discard()
    }
}
