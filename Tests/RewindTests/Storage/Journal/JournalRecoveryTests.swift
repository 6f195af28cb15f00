import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct JournalRecoveryTests {
    private let studio: Studio

    init() throws { studio = try Studio() }

    @Test("Interactions of several runs are recovered in the order in which the runs began")
    func order() throws {
        for (name, day, text) in [("0", 2.0, "later"), ("f", 1.0, "earlier")] {
            let header = JournalHeader(
                cassette: "talk.har",
                mode: "all",
                process: 4711,
                start: Date(timeIntervalSince1970: day * 86_400)
            )
            let line = JournalLine(place: 0, interaction: .page("https://h/\(text)", text))
            let journal = studio.folder["talk.\(String(repeating: name, count: 12)).journal"]
            try (header.line + JournalLineTests.text(of: line)).write(to: journal)
        }
        _ = try studio.stubber(.never)
        #expect(try studio.recovered.interactions.map(\.text) == ["earlier", "later"])
    }

    @Test(
        "The next stubber recovers a journal, and does not change the cassette",
        arguments: [RecordingMode.never, .once, .newEpisodes, .all],
        [RecordingMode.once, .newEpisodes, .all]
    )
    func recovered(_ next: RecordingMode, _ mode: RecordingMode) throws {
        if mode != .once { try studio.put([.page("https://h/a", "old")]) }
        let untouched = mode == .once ? nil : try studio.contents
        try studio.leaveJournal([("https://h/b", "1"), ("https://h/c?access_token=s3cr3t-of-ada", "2")], mode)
        #expect(studio.journals.count == 1)
        let stubber = try studio.stubber(next)
        #expect(studio.journals == [])
        #expect(
            studio.filesWithoutJournals == ["talk.har", "talk.recovered.har"].suffix(mode == .once ? 1 : 2)
        )
        #expect(try studio.recovered.interactions.map(\.text) == ["1", "2"])
        #expect(try studio.recovered.interactions.map(\.request.url).last?.contains("s3cr3t") == false)
        // A recovered recording is not a complete recording of the test.
        #expect(stubber.isRecording == (mode == .once ? next != .never : next == .all || next == .newEpisodes))
        if let untouched { #expect(try studio.contents == untouched) }
    }

    @Test("Mode live ignores journals")
    func live() throws {
        try studio.leaveJournal([("https://h/b", "1")])
        _ = try studio.stubber(.live)
        #expect(studio.journals.count == 1)
        #expect(studio.filesWithoutJournals == [])
    }

    @Test("The journal of a running process is not recovered")
    func living() throws {
        let recorder = try studio.stubber(.once)
        try recorder.record("https://h/a", "1")
        for mode in [RecordingMode.never, .once, .all] { _ = try studio.stubber(mode) }
        #expect(studio.journals.count == 1)
        #expect(studio.filesWithoutJournals == [])
        try recorder.record("https://h/b", "2")
        try recorder.eject()
        #expect(studio.folder.files == ["talk.har"])
        #expect(try studio.texts == ["1", "2"])
    }

    @Test("An incomplete line is dropped, and complete lines are recovered")
    func torn() throws {
        try studio.leaveJournal([("https://h/a", "1"), ("https://h/b", "2")])
        let journal = studio.folder[try #require(studio.journals.first)]
        let whole = try Data(contentsOf: journal)
        try whole.dropLast(40).write(to: journal)
        _ = try studio.stubber(.never)
        #expect(try studio.recovered.interactions.map(\.text) == ["1"])
        #expect(studio.journals == [])
    }

    @Test("A complete line that cannot be decoded stays in its journal, with a note")
    func unreadable() throws {
        try studio.leaveJournal([("https://h/a", "1"), ("https://h/b", "2")])
        let journal = studio.folder[try #require(studio.journals.first)]
        let text = #"4 17 {"request": "no"} "#
        var checksum = Checksum()
        checksum.add(Data(text.utf8))
        let data = try Data(contentsOf: journal) + Data("\(text)\(checksum.text)\n".utf8)
        try data.write(to: journal)
        for _ in 1...2 {
            let notes = Locked<[String]>([])
            try Note.withReader({ note in notes.withLock { $0.append(note) } }) {
                _ = try studio.stubber(.never)
            }
            #expect(try studio.recovered.interactions.map(\.text) == ["1", "2"])
            #expect(try Data(contentsOf: journal) == data)
            let told = notes.withLock { $0 }.joined()
            #expect(
                told.contains("did not delete the journal \(journal.path), because a part of it cannot be read")
            )
            #expect(!told.contains("is dropped"))
        }
    }

    @Test("A journal without interactions is deleted without a note")
    func nothingFinished() throws {
        try studio.leaveJournal([("https://h/a", "1")])
        let journal = studio.folder[try #require(studio.journals.first)]
        let header = try #require(try Data(contentsOf: journal).split(separator: UInt8(ascii: "\n")).first)
        try (header + Data("\n".utf8)).write(to: journal)
        _ = try studio.stubber(.never)
        #expect(studio.folder.files == [])
    }

    @Test("A file that is not a journal stays unchanged", arguments: ["", "my own notes\n"])
    func unreadable(_ text: String) throws {
        let file = studio.folder["talk.0123456789ab.journal"]
        try Data(text.utf8).write(to: file)
        _ = try studio.stubber(.never)
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
        #expect(studio.folder.files == [file.lastPathComponent])
    }

    @Test("A link or a folder with the name of a journal is ignored")
    func links() throws {
        let target = studio.folder["elsewhere"]
        try JournalHeader(cassette: "talk.har", mode: "once", process: 1, start: Date()).line.write(to: target)
        try FileManager.default.createSymbolicLink(
            at: studio.folder["talk.0123456789ab.journal"],
            withDestinationURL: target
        )
        try FileManager.default.createDirectory(
            at: studio.folder["talk.0123456789ac.journal"],
            withIntermediateDirectories: false
        )
        _ = try studio.stubber(.never)
        #expect(studio.folder.files == ["elsewhere", "talk.0123456789ab.journal"])
    }

    @Test("Interactions of several runs are recovered once each")
    func several() throws {
        for number in 1...3 { try studio.leaveJournal([("https://h/a", "\(number)")]) }
        #expect(studio.journals.count == 1)
        #expect(try studio.recovered.interactions.map(\.text) == ["1", "2"])
        // A process may have died after it wrote the archive and before it deleted the journal.
        let journal = studio.folder[try #require(studio.journals.first)]
        let bytes = try Data(contentsOf: journal)
        for _ in 0..<2 {
            try bytes.write(to: journal)
            _ = try studio.stubber(.never)
            #expect(try studio.recovered.interactions.map(\.text) == ["1", "2", "3"])
        }
        #expect(studio.journals == [])
    }

    @Test("Concurrent recoveries recover each journal once")
    func manyFinders() throws {
        do {
            let stubbers = try (0..<6).map { _ in try studio.stubber(.once) }
            for (number, stubber) in stubbers.enumerated() {
                try stubber.record("https://h/\(number)", "\(number)")
            }
            #expect(studio.journals.count == 6)
        }
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            #expect(throws: Never.self) { _ = try studio.stubber(.never) }
        }
        #expect(studio.folder.files == ["talk.recovered.har"])
        #expect(try studio.recovered.interactions.map(\.text).sorted() == (0..<6).map(String.init))
    }

    @Test("Large recovered bodies are in separate files")
    func greatBodies() throws {
        let text = String(repeating: "Zeile für Zeile\n", count: 8000)
        try studio.leaveJournal([("https://h/a", text)])
        _ = try studio.stubber(.never)
        #expect(try studio.recovered.interactions.map(\.text) == [text])
        #expect(studio.folder.files == ["talk.recovered.bodies/001-GET-a.bin", "talk.recovered.har"])
    }

    @Test("A new redaction rule applies to a recovered journal")
    func redactedAgain() throws {
        try studio.leaveJournal([("https://h/a", "customer cust_12345678")])
        var configuration = Stubber.Configuration()
        configuration.redaction.add(.pattern("cust_[0-9]{8}", name: "customer"))
        _ = try studio.stubber(.never, configuration: configuration)
        #expect(try studio.recovered.interactions.map(\.text) == ["customer REDACTEDcustomerN1X"])
    }

    @Test("A journal without redaction is checked for credentials when it is recovered")
    func withheldAfterwards() throws {
        var configuration = Stubber.Configuration()
        configuration.redaction = .off
        let key = "AKIA" + "QJ7ZK3M5XW2PLB4T"
        try studio.leaveJournal([("https://h/a", "export KEY=\(key);")], configuration: configuration)
        _ = try studio.stubber(.never)
        #expect(try studio.recovered.interactions.map(\.text.isEmpty) == [false])
        #expect(try !String(contentsOf: studio.location.recoveredRecording, encoding: .utf8).contains(key))
    }

    // MARK: Deletion

    @Test("A complete recording deletes the recovered file, an incomplete one does not")
    func covered() throws {
        try studio.leaveJournal([("https://h/a", "1"), ("https://h/b", "2"), ("https://h/b", "3")])
        try studio.leaveJournal([])
        for (pages, isCovered) in [(["a"], false), (["b", "c"], false), (["c", "b", "a"], true)] {
            let stubber = try studio.stubber(.all)
            for page in pages { try stubber.record("https://h/\(page)", "new") }
            try stubber.eject()
            let names = isCovered ? ["talk.har"] : ["talk.har", "talk.recovered.har"]
            #expect(studio.folder.files == names)
        }
    }

    @Test("A failed recording does not delete the recovered file")
    func failedDoesNotCover() throws {
        try studio.leaveJournal([("https://h/a", "1")])
        let stubber = try studio.stubber(.once)
        try stubber.record("https://h/a", "2")
        try stubber.eject(testFailed: true)
        #expect(studio.folder.files == ["talk.failed.har", "talk.recovered.har"])
    }

    @Test("A recovered file can be renamed and played")
    func renamed() throws {
        try studio.leaveJournal([
            ("https://h/a", "1"), ("https://h/b", String(repeating: "long ", count: 9000)),
        ])
        _ = try studio.stubber(.never)
        try FileManager.default.moveItem(at: studio.location.recoveredRecording, to: studio.file)
        let stubber = try studio.stubber(.never)
        #expect(stubber.decision(on: "https://h/a") == .replays("1"))
        #expect(stubber.decision(on: "https://h/b") == .replays(String(repeating: "long ", count: 9000)))
    }

    // MARK: Disk errors

    @Test(
        "If the folder is not writable, nothing is recovered and the cassette plays",
        arguments: [EROFS, EACCES]
    )
    func readOnly(_ number: Int32) throws {
        try studio.put([.page("https://h/a", "old")])
        try studio.leaveJournal([("https://h/a", "1")])
        let files = studio.folder.files
        let stubber = try FileOperations.$current.withValue(.failing(.open, number)) {
            try studio.stubber(.never)
        }
        #expect(stubber.decision(on: "https://h/a") == .replays("old"))
        #expect(studio.folder.files == files)
        _ = try studio.stubber(.never)
        #expect(try studio.recovered.interactions.map(\.text) == ["1"])
    }

    @Test(
        "If a step of the recovery fails, the journal stays for the next run",
        arguments: [FileStep.write, .synchronize, .rename]
    )
    func faults(_ step: FileStep) throws {
        try studio.leaveJournal([("https://h/a", "1")])
        let files = studio.folder.files
        _ = try FileOperations.$current.withValue(.failing(step, EIO)) { try studio.stubber(.never) }
        #expect(studio.folder.files == files)
        _ = try studio.stubber(.never)
        #expect(try studio.recovered.interactions.map(\.text) == ["1"])
    }

    @Test("An invalid recovered file is not overwritten")
    func brokenArchive() throws {
        try Data("<<<<<<< ours".utf8).write(to: studio.location.recoveredRecording)
        try studio.leaveJournal([("https://h/a", "1")])
        _ = try studio.stubber(.never)
        #expect(try String(contentsOf: studio.location.recoveredRecording, encoding: .utf8) == "<<<<<<< ours")
        #expect(studio.journals.count == 1)
    }
}
