import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct ManifestTests {
    private let studio: Studio
    private let file: URL

    init() throws {
        studio = try Studio()
        file = studio.folder["played"]
    }

    private var variables: [String: String] { ["REWIND_MANIFEST": file.path] }

    /// Ends the run like the exit of the process does, and reads the manifest.
    private func manifest() throws -> Manifest {
        ManifestRun.of(file.path).end()
        return try Manifest(contentsOf: [file])
    }

    private func put(_ paths: String...) throws {
        try studio.put(paths.map { .page("https://h/\($0)") })
    }

    @Test("A test that replays adds its cassette, mode and played interactions to the manifest")
    func plays() throws {
        try put("a", "b", "c")
        let stubber = try studio.stubber(.once, testName: "Talks/one", variables: variables)
        for url in ["https://h/c", "https://h/a"] { _ = stubber.decision(on: url) }
        try stubber.eject()
        let (use, play) = try #require(try manifest().uses.first)
        #expect(use.cassette == studio.file.path)
        #expect(use.test == "Talks/one")
        let found = try #require(play)
        #expect(found.mode == "once")
        #expect(found.plays && !found.failed && found.recorded.isEmpty)
        #expect(
            found.played.map(\.request)
                == ["https://h/a", "https://h/c"].map { RequestFingerprint(Interaction.Request(url: $0)) }
        )
        #expect(found.played.map(\.position) == [0, 2])
        #expect(found.checksum == ContentChecksum(contentsOf: studio.file))
    }

    @Test("A test that records adds the redacted requests to the manifest")
    func records() throws {
        for (mode, plays) in [(RecordingMode.once, false), (.newEpisodes, true), (.all, false)] {
            let stubber = try studio.stubber(mode, variables: variables)
            try stubber.record("https://h/\(mode)?access_token=4f9a7c21e0b84d5f", "1")
            try stubber.eject()
            let cassette = try studio.cassette
            let play = try #require(try lines().compactMap(\.play).last)
            #expect(play.plays == plays)
            #expect(play.recorded == [RequestFingerprint(try #require(cassette.interactions.last).request)])
            #expect(play.checksum == ContentChecksum(contentsOf: studio.file))
        }
        #expect(try manifest().uses.count == 3)
        #expect(!(try String(contentsOf: file, encoding: .utf8)).contains("4f9a7c21e0b84d5f"))
    }

    @Test(
        "Requests of an unredacted cassette are added without their secrets"
    )
    func foreign() throws {
        let entry = """
            {"request":{"method":"GET","url":"https://h/a?access_token=4f9a7c21e0b84d5f"},
            "response":{"status":200,"content":{"text":"1"}}}
            """
        try Data(#"{"log":{"creator":{"name":"Browser"},"entries":[\#(entry)]}}"#.utf8).write(to: studio.file)
        let stubber = try studio.stubber(.never, variables: variables)
        #expect(stubber.decision(on: "https://h/a?access_token=0000000000000000") == .replays("1"))
        try stubber.eject()
        let play = try #require(try manifest().uses.first?.play)
        #expect(play.played.map(\.request) == [RequestFingerprint(try studio.cassette.interactions[0].request)])
        #expect(!(try String(contentsOf: file, encoding: .utf8)).contains("4f9a7c21e0b84d5f"))
    }

    @Test("A failed test, or one whose recording is not saved, is marked as failed")
    func failures() throws {
        try put("a")
        try studio.stubber(.never, variables: variables).eject(testFailed: true)
        let recorder = try studio.stubber(.all, variables: variables)
        try recorder.record("https://h/a", "ghp_16C7e42F292c6912E7710c838347Ae178B4a")
        #expect(throws: CassetteError.self) { try recorder.eject() }
        #expect(try manifest().uses.map { $0.play?.failed } == [true, true])
    }

    @Test("Each inserted cassette is a use, even if opening it fails")
    func inserts() throws {
        try put("a")
        try Data("broken".utf8).write(to: studio.folder["broken.har"])
        let stubber = try studio.stubber(.never, variables: variables)
        #expect(throws: CassetteError.self) { try stubber.insert("broken") }
        try stubber.insert("other")
        try stubber.eject()
        let uses = try manifest().uses
        #expect(
            uses.map { URL(fileURLWithPath: $0.use.cassette).lastPathComponent } == [
                "talk.har", "broken.har", "other.har",
            ]
        )
        #expect(uses.map { $0.play == nil } == [false, true, false])
        #expect(uses.map { $0.play?.plays } == [true, nil, false])
    }

    @Test("If a stubber cannot be created, its use has no end")
    func configurationErrors() throws {
        var configuration = Stubber.Configuration()
        configuration.redaction.add(.jsonPath("$["))
        #expect(throws: Stubber.ConfigurationError.self) {
            try studio.stubber(.never, configuration: configuration, variables: variables)
        }
        #expect(try manifest().uses.map { $0.play == nil } == [true])
    }

    @Test("Without the variable, or for stubs only, no manifest is written")
    func silence() throws {
        try put("a")
        try studio.stubber(.never).eject()
        #expect(studio.folder.files == ["talk.har"])
    }

    @Test("If the manifest cannot be written, the test fails at the start")
    func unwritable() throws {
        let path = studio.folder["no/such/folder/played"].path
        #expect {
            try studio.stubber(.never, variables: ["REWIND_MANIFEST": path])
        } throws: { error in
            "\(error)".contains(path) && "\(error)".contains("REWIND_MANIFEST")
        }
        ManifestRun.of(path).end()
    }

    @Test("The arguments that selected some of the tests are in the manifest, which is then rejected")
    func selection() throws {
        try put("a")
        let location = studio.location
        try TestSelection.$current.withValue(TestSelection("--filter UserTests")) {
            try Stubber(at: location, mode: .never, environment: Environment(variables)).eject()
        }
        ManifestRun.of(file.path).end()
        #expect(throws: ManifestError(path: file.path, problem: .partial("--filter UserTests"))) {
            try Manifest(contentsOf: [file])
        }
    }

    @Test("A skipped test is marked as skipped")
    func skips() throws {
        try put("a")
        let stubber = try studio.stubber(.never, variables: variables)
        stubber.noteSkip()
        try stubber.eject()
        #expect(try manifest().uses.map { $0.play?.skipped } == [true])
    }

    @Test("Concurrent threads write complete lines")
    func threads() throws {
        try put("a", "b")
        DispatchQueue.concurrentPerform(iterations: 64) { number in
            let stubber = try? studio.stubber(.never, testName: "test \(number)", variables: variables)
            _ = stubber?.decision(on: "https://h/a")
            _ = try? stubber?.eject()
        }
        let uses = try manifest().uses
        #expect(Set(uses.map(\.use.test)).count == 64)
        #expect(uses.allSatisfy { $0.play?.played.count == 1 })
    }

    @Test("The path relative to the package is added for other machines")
    func packagePaths() throws {
        try Data().write(to: studio.folder["Package.swift"])
        let location = try CassetteLocation(name: "Talks/one", in: studio.folder["Cassettes"])
        try TestSelection.$current.withValue(.all) {
            try Stubber(at: location, mode: .never, environment: Environment(variables)).eject()
        }
        #expect(try manifest().uses.map(\.use.packagePath) == ["Cassettes/Talks/one.har"])
    }

    private func lines() throws -> [ManifestLine] {
        try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).compactMap { ManifestLine(Data($0)) }
    }
}

extension ManifestLine {
    fileprivate var play: ManifestPlay? {
        if case .ejected(_, let play) = self { play } else { nil }
    }
}
