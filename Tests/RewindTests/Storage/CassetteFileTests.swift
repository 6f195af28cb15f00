import Foundation
import Rewind
import Testing

struct CassetteFileTests {
    private let studio: Studio

    init() throws { studio = try Studio() }

    @Test("Missing folders are created, and contain only the cassette")
    func folders() throws {
        let location = try CassetteLocation(name: "UserTests/v1/list", in: studio.folder.url)
        let stubber = try Stubber(at: location, mode: .once, environment: Environment([:]))
        try stubber.record("https://h/a", "1")
        #expect(try stubber.eject().cassetteURL == location.destination)
        #expect(studio.folder.files == ["UserTests/v1/list.har"])
    }

    @Test("Without recorded interactions nothing is written, in any mode", arguments: RecordingMode.allCases)
    func nothingRecorded(_ mode: RecordingMode) throws {
        let location = try CassetteLocation(name: "UserTests/list", in: studio.folder.url)
        try Stubber(at: location, mode: mode, environment: Environment([:])).eject(testFailed: true)
        #expect(studio.folder.files == [])
        #expect(!FileManager.default.fileExists(atPath: studio.folder["UserTests"].path))

        try studio.put([.page("https://h/a")])
        let (contents, identity) = (try studio.contents, try Self.identity(of: studio.file))
        let report = try studio.stubber(mode).eject()
        #expect(report.cassetteURL == nil)
        #expect(report.failedRecording == nil)
        #expect(try studio.contents == contents)
        #expect(try Self.identity(of: studio.file) == identity)
    }

    @Test("Recording everything again replaces the cassette at the end of the test")
    func all() throws {
        try studio.put([.page("https://h/a", "old"), .page("https://h/b", "old")])
        let stubber = try studio.stubber(.all)
        try stubber.record("https://h/a", "new")
        #expect(try studio.texts == ["old", "old"])
        try stubber.eject()
        #expect(try studio.texts == ["new"])
        #expect(studio.folder.files == ["talk.har"])
    }

    @Test("The same recording results in the same bytes")
    func deterministic() throws {
        try studio.put([.page("https://h/a", "1")])
        let first = try studio.contents
        try studio.put([.page("https://h/a", "1")])
        #expect(try studio.contents == first)
        #expect(first.hasSuffix("}\n"))
    }

    @Test("New episodes are appended, and existing entries keep every byte")
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

    @Test("New episodes of two stubbers are both saved")
    func newEpisodesOfTwo() throws {
        try studio.put([.page("https://h/a", "old")])
        let (one, other) = (try studio.stubber(.newEpisodes), try studio.stubber(.newEpisodes))
        try one.record("https://h/b", "one")
        try other.record("https://h/c", "other")
        try one.eject()
        try other.eject()
        #expect(try studio.texts == ["old", "one", "other"])
    }

    @Test("A new episode is saved even if the cassette was deleted during the test")
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
