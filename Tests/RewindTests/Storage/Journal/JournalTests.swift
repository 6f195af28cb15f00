import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct JournalTests {
    private let studio: Studio

    init() throws { studio = try Studio() }

    private var contents: JournalContents? {
        get throws {
            try studio.journals.first.map {
                try #require(JournalContents(try Data(contentsOf: studio.folder[$0])))
            }
        }
    }

    private var text: String {
        get throws {
            try studio.journals.map { try String(contentsOf: studio.folder[$0], encoding: .utf8) }.joined()
        }
    }

    @Test("A journal contains each finished interaction, and is deleted when the cassette is saved")
    func life() throws {
        let stubber = try studio.stubber(.once)
        let slow = try stubber.begin(Interaction.Request(url: "https://h/slow"))
        #expect(studio.folder.files == [])
        for number in 1...3 {
            try stubber.record("https://h/\(number)", "\(number)")
            #expect(studio.journals.count == 1)
            #expect(try contents?.interactions.map(\.text) == (1...number).map(String.init))
        }
        slow.finish("slow")
        stubber.waitForJournal()
        #expect(try contents?.interactions.map(\.text) == ["slow", "1", "2", "3"])
        let header = try #require(try contents?.header)
        #expect(header.cassette == "talk.har")
        #expect(header.mode == "once")
        #expect(header.process == getpid())
        try stubber.eject()
        #expect(studio.folder.files == ["talk.har"])
        #expect(try studio.texts == ["slow", "1", "2", "3"])
    }

    @Test("The journal of a failed test is deleted when its recording is stored")
    func failed() throws {
        let stubber = try studio.stubber(.once)
        try stubber.record("https://h/a", "1")
        try stubber.eject(testFailed: true)
        #expect(studio.folder.files == ["talk.failed.har"])
    }

    @Test("Interactions that are not recorded are not in the journal", arguments: RecordingMode.allCases)
    func notRecorded(_ mode: RecordingMode) throws {
        try studio.put([.page("https://h/a", "old")])
        var configuration = Stubber.Configuration()
        configuration.beforeRecord = { $0.request.url.hasSuffix("dropped") ? nil : $0 }
        // In these modes the first request is in flight.
        let isInFlight = mode == .all || mode == .verify
        if isInFlight { configuration.inFlightTimeout = 0 }
        let stubber = try studio.stubber(mode, configuration: configuration)
        _ = stubber.decision(on: "https://h/a")
        if mode == .all || mode == .newEpisodes { try stubber.record("https://h/dropped", "1") }
        #expect(studio.folder.files == ["talk.har"])
        if isInFlight {
            #expect(throws: Stubber.ScopeError.self) { try stubber.eject() }
        } else {
            try stubber.eject()
        }
        #expect(studio.folder.files == ["talk.har"])
    }

    @Test("A request that finishes after the test creates no journal")
    func late() throws {
        var configuration = Stubber.Configuration()
        configuration.inFlightTimeout = 0
        let stubber = try studio.stubber(.once, configuration: configuration)
        let late = try stubber.begin(Interaction.Request(url: "https://h/late"))
        try stubber.record("https://h/a", "1")
        #expect(throws: Stubber.ScopeError.self) { try stubber.eject() }
        late.finish("late")
        #expect(studio.folder.files == ["talk.failed.har"])
    }

    @Test("Each cassette of a test has its own journal")
    func inserted() throws {
        let stubber = try studio.stubber(.once)
        try stubber.record("https://h/a", "1")
        try stubber.insert("other")
        try stubber.record("https://h/b", "2")
        #expect(studio.journals.map { $0.prefix { $0 != "." } } == ["other", "talk"])
        try stubber.eject()
        #expect(studio.folder.files == ["other.har", "talk.har"])
    }

    @Test("An abandoned recording for an old cassette leaves no journal")
    func renewalGivenUp() throws {
        try studio.put([.page("https://h/a", "old"), .page("https://h/b", "old")])
        var configuration = Stubber.Configuration()
        configuration.maxAge = Stubber.Configuration.MaxAge.days(1, .reRecord)
        let stubber = try studio.stubber(.once, configuration: configuration)
        try stubber.record("https://h/a", "new")
        #expect(studio.journals.count == 1)
        let recording = try stubber.begin(Interaction.Request(url: "https://h/b"))
        let offline = Interaction.Failure(
            domain: NSURLErrorDomain,
            code: NSURLErrorCannotConnectToHost,
            message: ""
        )
        #expect(recording.replacement(for: offline)?.text == "old")
        #expect(studio.folder.files == ["talk.har"])
    }

    // MARK: Secrets

    @Test("Known secrets are not in the journal")
    func secrets() throws {
        let secret = "s3cr3t-of-ada-4711"
        let stubber = try studio.stubber(.once)
        try stubber.record("https://h/login?access_token=\(secret)", "1")
        try stubber.record(
            "https://h/echo/\(secret)",
            "you sent \(secret), \(Data(secret.utf8).base64EncodedString())"
        )
        #expect(try contents?.interactions.count == 2)
        #expect(try !text.contains(secret))
        #expect(try !text.contains(Data(secret.utf8).base64EncodedString()))
        #expect(try text.contains("REDACTEDaccessTokenN1X"))
    }

    @Test("Values that look like credentials are withheld in the journal")
    func withheld() throws {
        let key = "AKIA" + "QJ7ZK3M5XW2PLB4T"
        let stubber = try studio.stubber(.once)
        var request = Interaction.Request(
            method: "POST",
            url: "https://h/\(key)/x?y=\(key)",
            body: Interaction.Body("sent \(key)")
        )
        request.headers = ["X-Note": "it is \(key)", "Accept": "*/*"]
        try stubber.begin(request).finish("see \(key);")
        stubber.waitForJournal()
        #expect(try !text.contains(key))
        let interaction = try #require(try contents?.interactions.first)
        #expect(interaction.text.contains("REDACTEDwithheld"))
        #expect(interaction.request.headers["Accept"] == "*/*")
        #expect(interaction.redactedPlaces.contains(CredentialCheck.withheldNote))
        #expect(throws: CassetteError.self) { try stubber.eject() }
    }

    @Test("A secret that is found later is replaced in earlier lines")
    func laterSecrets() throws {
        let secret = "s3cr3t-of-ada-4711"
        let stubber = try studio.stubber(.once)
        try stubber.record("https://h/a", "a \(secret)")
        try stubber.record("https://h/b", "b \(Data("ada:\(secret)".utf8).base64EncodedString())")
        try stubber.record("https://h/c", "nothing")
        #expect(try text.contains(secret))
        let name = studio.journals
        try stubber.record("https://h/login?access_token=\(secret)", "d")
        try stubber.record("https://h/e", "e")
        #expect(studio.journals == name)
        #expect(try !text.contains(secret))
        #expect(try !text.contains(Data(secret.utf8).base64EncodedString().prefix(20)))
        #expect(try contents?.interactions.map(\.text.first) == ["a", "b", "n", "d", "e"])
        // The journal still belongs to a running process.
        _ = try studio.stubber(.never)
        #expect(studio.journals == name)
        try stubber.eject()
        #expect(studio.folder.files == ["talk.har"])
    }

    @Test("A journal from which a secret cannot be removed is deleted")
    func laterSecretsOnAFullDisk() throws {
        let secret = "s3cr3t-of-ada-4711"
        let renames = Locked(0)
        let operations = FileOperations.before { step, _ in
            guard step == .rename else { return nil }
            return renames.withLock { renames in
                renames += 1
                return renames > 1 ? ENOSPC : nil
            }
        }
        let stubber = try FileOperations.$current.withValue(operations) { try studio.stubber(.once) }
        try stubber.record("https://h/a", "a \(secret)")
        try stubber.record("https://h/login?access_token=\(secret)", "d")
        #expect(studio.folder.files == [])
        try stubber.eject()
        #expect(try studio.cassette.interactions.count == 2)
    }

    @Test("Without redaction, the journal contains everything unchanged")
    func redactionOff() throws {
        var configuration = Stubber.Configuration()
        configuration.redaction = .off
        let stubber = try studio.stubber(.once, configuration: configuration)
        try stubber.record("https://h/login?access_token=s3cr3t-of-ada", "1")
        #expect(try text.contains("s3cr3t-of-ada"))
    }

    @Test("With too many secrets, the journal ends and the recording continues")
    func manySecrets() throws {
        let stubber = try studio.stubber(.once)
        for number in 0..<80 {
            try stubber.record("https://h/\(number)?access_token=s3cr3t-\(number)-of-ada-\(number * 7919)", "x")
        }
        #expect(try contents?.interactions.count == 65)
        try stubber.eject()
        #expect(try studio.cassette.interactions.count == 80)
        #expect(studio.folder.files == ["talk.har"])
    }

    // MARK: Disk errors

    @Test(
        "If the journal cannot be created, recording continues and the cassette is saved",
        arguments: [FileStep.open, .write, .rename]
    )
    func cannotBegin(_ step: FileStep) throws {
        let stubber = try FileOperations.$current.withValue(.failing(step, ENOSPC)) {
            try studio.stubber(.once)
        }
        for number in 1...3 { try stubber.record("https://h/\(number)", "\(number)") }
        #expect(studio.folder.files == [])
        try stubber.eject()
        #expect(try studio.texts == ["1", "2", "3"])
        #expect(studio.folder.files == ["talk.har"])
    }

    @Test("A full disk leaves only complete lines, and the cassette is saved if there is room")
    func becomesFull() throws {
        for room in stride(from: 200, to: 3000, by: 190) {
            let studio = try Studio()
            let stubber = try FileOperations.$current.withValue(.disk(ofBytes: room)) {
                try studio.stubber(.once)
            }
            for number in 1...4 { try stubber.record("https://h/\(number)", "\(number)") }
            if let name = studio.journals.first {
                let contents = try #require(JournalContents(try Data(contentsOf: studio.folder[name])))
                #expect(contents.brokenLines == 0)
                #expect(
                    contents.interactions.map(\.text) == (0..<contents.interactions.count).map { "\($0 + 1)" }
                )
            }
            try stubber.eject()
            #expect(try studio.texts == ["1", "2", "3", "4"])
            #expect(studio.folder.files == ["talk.har"])
        }
    }

    @Test("Concurrent requests are all in the journal")
    func threads() throws {
        let stubber = try studio.stubber(.once)
        DispatchQueue.concurrentPerform(iterations: 64) { number in
            #expect(throws: Never.self) { try stubber.record("https://h/\(number)", "\(number)") }
        }
        #expect(try contents?.brokenLines == 0)
        #expect(try Set(contents?.interactions.map(\.text) ?? []) == Set((0..<64).map(String.init)))
    }

    @Test("An interaction that takes long to write is in the journal when its end is delivered")
    func large() throws {
        let stubber = try studio.stubber(.once)
        try stubber.begin(Interaction.Request(url: "https://h/small")).finish("1")
        try stubber.begin(Interaction.Request(url: "https://h/large"))
            .finish(String(repeating: "long ", count: 200_000))
        #expect(try contents?.interactions.map { $0.text.count } == [1, 1_000_000])
    }

    @Test("A small interaction is written while the app continues")
    func small() throws {
        let stubber = try studio.stubber(.once)
        let isBusy = Locked(true)
        let operations = FileOperations.before { step, _ in
            let deadline = Deadline(after: 5)
            while step == .write, isBusy.withLock({ $0 }), !deadline.isOver { usleep(1000) }
            return nil
        }
        let slow = try FileOperations.$current.withValue(operations) { try studio.stubber(.all) }
        try slow.begin(Interaction.Request(url: "https://h/a")).finish("1")
        #expect(studio.journals == [], "its end was delivered before anything could be written")
        isBusy.withLock { $0 = false }
        let deadline = Deadline(after: 30)
        while try contents?.interactions.count != 1, !deadline.isOver { usleep(1000) }
        #expect(try contents?.interactions.count == 1, "nobody asked for it")
        withExtendedLifetime(stubber) {}
    }

    @Test("Interactions that end in a short time are written together")
    func together() throws {
        let writes = Locked(0)
        let operations = FileOperations.before { step, _ in
            if step == .write { writes.withLock { $0 += 1 } }
            return nil
        }
        let location = studio.location
        let journal = FileOperations.$current.withValue(operations) {
            Journal(of: location, mode: .once, redaction: .default, after: { [] })
        }
        for number in 0..<4 { journal.add(.page("https://h/\(number)"), at: number) }
        journal.write()
        #expect(try contents?.interactions.count == 4)
        // A header and the lines, unless the machine paused for longer than the delay.
        #expect(writes.withLock { $0 } <= 5)
        journal.remove()
    }

    @Test("A journal that is released writes what was added")
    func released() throws {
        do {
            let journal = Journal(of: studio.location, mode: .once, redaction: .default, after: { [] })
            journal.add(.page("https://h/a", "1"), at: 0)
        }
        // The queue may be writing it.
        let deadline = Deadline(after: 30)
        while try contents?.interactions.count != 1, !deadline.isOver { usleep(1000) }
        #expect(try contents?.interactions.map(\.text) == ["1"])
    }

    @Test("A secret that a later interaction of the same moment reveals is never in the file")
    func secretsOfOneMoment() throws {
        let secret = "s3cr3t-of-ada-4711"
        let written = Locked(Data())
        var operations = FileOperations()
        let write = operations.write
        operations.write = { descriptor, bytes in
            written.withLock { $0.append(contentsOf: bytes) }
            return write(descriptor, bytes)
        }
        var backlog = [Interaction.page("https://h/a", "a \(secret)")]
        backlog.append(.page("https://h/login?access_token=\(secret)", "b"))
        let redacted = Redactor(.default).redact(backlog)
        #expect(!redacted[0].text.contains(secret))
        let location = studio.location
        let journal = FileOperations.$current.withValue(operations) {
            Journal(of: location, mode: .once, redaction: .default, after: { [] })
        }
        for (place, interaction) in backlog.enumerated() { journal.add(interaction, at: place) }
        journal.write()
        #expect(try contents?.interactions.count == 2)
        #expect(try !text.contains(secret))
        journal.remove()
    }

    @Test("A journal is not synchronized to the disk")
    func unsynchronized() throws {
        let calls = Locked<[FileStep]>([])
        let operations = FileOperations.before { step, _ in
            calls.withLock { $0.append(step) }
            return nil
        }
        let stubber = try FileOperations.$current.withValue(operations) { try studio.stubber(.once) }
        for number in 1...3 { try stubber.record("https://h/\(number)", "\(number)") }
        #expect(calls.withLock { $0.contains(.write) })
        #expect(calls.withLock { !$0.contains(.synchronize) })
        try FileOperations.$current.withValue(operations) { _ = try stubber.eject() }
        #expect(calls.withLock { $0.contains(.synchronize) }, "the cassette is")
    }
}
