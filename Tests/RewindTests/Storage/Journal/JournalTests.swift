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

    @Test("It has each interaction as soon as it is finished, and goes when the cassette is written")
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
        #expect(try contents?.interactions.map(\.text) == ["slow", "1", "2", "3"])
        let header = try #require(try contents?.header)
        #expect(header.cassette == "talk.har")
        #expect(header.mode == "once")
        #expect(header.process == getpid())
        try stubber.eject()
        #expect(studio.folder.files == ["talk.har"])
        #expect(try studio.texts == ["slow", "1", "2", "3"])
    }

    @Test("It goes also when the test failed, whose recording is kept beside")
    func failed() throws {
        let stubber = try studio.stubber(.once)
        try stubber.record("https://h/a", "1")
        try stubber.eject(testFailed: true)
        #expect(studio.folder.files == ["talk.failed.har"])
    }

    @Test("What is not recorded is in no journal", arguments: RecordingMode.allCases)
    func notRecorded(_ mode: RecordingMode) throws {
        try studio.put([.page("https://h/a", "old")])
        var configuration = Stubber.Configuration()
        configuration.beforeRecord = { $0.request.url.hasSuffix("dropped") ? nil : $0 }
        let stubber = try studio.stubber(mode, configuration: configuration)
        _ = stubber.decision(on: "https://h/a")
        if mode == .all || mode == .newEpisodes { try stubber.record("https://h/dropped", "1") }
        #expect(studio.folder.files == ["talk.har"])
        try stubber.eject()
        #expect(studio.folder.files == ["talk.har"])
    }

    @Test("What is finished when the test is over makes no journal anew")
    func late() throws {
        let stubber = try studio.stubber(.once)
        let late = try stubber.begin(Interaction.Request(url: "https://h/late"))
        try stubber.record("https://h/a", "1")
        try stubber.eject()
        late.finish("late")
        #expect(studio.folder.files == ["talk.failed.har"])
    }

    @Test("Each cassette of a test has its own")
    func inserted() throws {
        let stubber = try studio.stubber(.once)
        try stubber.record("https://h/a", "1")
        try stubber.insert("other")
        #expect(studio.folder.files == ["talk.har"])
        try stubber.record("https://h/b", "2")
        #expect(studio.journals.map { $0.hasPrefix("other.") } == [true])
        try stubber.eject()
        #expect(studio.folder.files == ["other.har", "talk.har"])
    }

    @Test("A recording for the cassette's age that is given up leaves none")
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

    @Test("No secret is in it, under its name and wherever it is known from before")
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
        #expect(try text.contains("<access_token:1>"))
    }

    @Test("What looks like a credential is withheld, wherever it stands")
    func withheld() throws {
        let key = "AKIA" + "QJ7ZK3M5XW2PLB4T"
        let stubber = try studio.stubber(.once)
        var request = Interaction.Request(
            method: "POST",
            url: "https://h/\(key)/x?y=\(key)",
            body: Interaction.Body("sent \(key)")
        )
        request.headers = ["X-Note": "it is \(key)", "Accept": "*/*"]
        try stubber.begin(request).finish("export KEY=\(key);")
        #expect(try !text.contains(key))
        let interaction = try #require(try contents?.interactions.first)
        #expect(interaction.text.contains("<withheld>"))
        #expect(interaction.request.headers["Accept"] == "*/*")
        #expect(interaction.redactedPlaces.contains(CredentialCheck.withheldNote))
        #expect(throws: CassetteError.self) { try stubber.eject() }
    }

    @Test("A secret that becomes known later is taken out of what was written before")
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
        // It is still that of somebody who lives.
        _ = try studio.stubber(.never)
        #expect(studio.journals == name)
        try stubber.eject()
        #expect(studio.folder.files == ["talk.har"])
    }

    @Test("A journal that cannot be rid of a secret is given up")
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

    @Test("With redaction off all is in it as it is")
    func redactionOff() throws {
        var configuration = Stubber.Configuration()
        configuration.redaction = .off
        let stubber = try studio.stubber(.once, configuration: configuration)
        try stubber.record("https://h/login?access_token=s3cr3t-of-ada", "1")
        #expect(try text.contains("s3cr3t-of-ada"))
    }

    @Test("With more secrets than can be looked for, it ends, and the recording goes on")
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

    // MARK: A disk that fails

    @Test(
        "A journal that cannot be begun leaves the recording in memory, and the cassette is written at the end",
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

    @Test("A disk that becomes full leaves whole lines only, and all is saved where there is room at the end")
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

    @Test("Many requests at once are all in it")
    func threads() throws {
        let stubber = try studio.stubber(.once)
        DispatchQueue.concurrentPerform(iterations: 64) { number in
            #expect(throws: Never.self) { try stubber.record("https://h/\(number)", "\(number)") }
        }
        #expect(try contents?.brokenLines == 0)
        #expect(try Set(contents?.interactions.map(\.text) ?? []) == Set((0..<64).map(String.init)))
    }
}
