import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct BodyFolderTests {
    private let studio: Studio
    private let large = String(repeating: "large ", count: 4000)

    init() throws { studio = try Studio() }

    private func record(
        _ texts: [String],
        _ mode: RecordingMode = .once,
        testFailed: Bool = false,
        configuration: Stubber.Configuration = Stubber.Configuration()
    ) throws {
        let stubber = try studio.stubber(mode, configuration: configuration)
        for (number, text) in texts.enumerated() { try stubber.record("https://h/\(number)", text) }
        try stubber.eject(testFailed: testFailed)
    }

    /// The names and contents of all files.
    private func snapshot() throws -> [String: Data] {
        try studio.folder.files.reduce(into: [:]) { $0[$1] = try Data(contentsOf: studio.folder[$1]) }
    }

    @Test("A recording writes only large bodies to files, and they are replayed")
    func recording() throws {
        try record(["small", large])
        #expect(studio.folder.files == ["talk.bodies/002-GET-1.bin", "talk.har"])
        #expect(try Data(contentsOf: studio.folder["talk.bodies/002-GET-1.bin"]) == Data(large.utf8))
        #expect(!(try studio.contents).contains("large large"))
        let player = try studio.stubber(.never)
        #expect(player.decision(on: "https://h/1") == .replays(large))
        #expect(player.decision(on: "https://h/0") == .replays("small"))
    }

    @Test("Writing the same recording twice results in the same files")
    func deterministic() throws {
        let moment = Date(timeIntervalSince1970: 1_700_000_000)
        let interactions = ["1", "2"].map { number in
            Interaction(
                request: Interaction.Request(url: "https://h/\(number)"),
                outcome: .response(Interaction.Response(body: Interaction.Body(large + number))),
                startedAt: moment
            )
        }
        var snapshots: [[String: Data]] = []
        for policy in [SavePolicy.replace, .replace, .addMissing] {
            _ = try CassetteFile(studio.location).save(
                interactions,
                policy,
                matchers: .default,
                redaction: SaveRedaction(redaction: .default, known: [:])
            )
            snapshots.append(try snapshot())
        }
        #expect(snapshots[0].count == 3)
        #expect(snapshots[1] == snapshots[0])
        #expect(snapshots[2] == snapshots[0])
    }

    @Test("New episodes do not change existing body files")
    func newEpisodes() throws {
        try record([large])
        let file = studio.folder["talk.bodies/001-GET-0.bin"]
        let identity = try Self.identity(of: file)
        let stubber = try studio.stubber(.newEpisodes)
        try stubber.record("https://h/new", large + "new")
        try stubber.record("https://h/same", large)
        try stubber.eject()
        #expect(
            studio.folder.files == ["talk.bodies/001-GET-0.bin", "talk.bodies/002-GET-new.bin", "talk.har"]
        )
        #expect(try Self.identity(of: file) == identity)
        #expect(try studio.texts == [large, large + "new", large])
    }

    @Test("Unused body files are deleted, and the folder with the last one")
    func unused() throws {
        try record([large + "1", large + "2"])
        try record([large + "2"], .all)
        #expect(studio.folder.files.count == 2)
        #expect(try studio.texts == [large + "2"])
        try record(["small"], .all)
        #expect(studio.folder.files == ["talk.har"])
        #expect(!FileManager.default.fileExists(atPath: studio.folder["talk.bodies"].path))
    }

    @Test("Files with other names, folders and links are never deleted")
    func others() throws {
        try record([large])
        let folder = studio.folder["talk.bodies"]
        try Data("mine".utf8).write(to: folder.appendingPathComponent("notes.txt"))
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("009-GET-folder.bin"),
            withIntermediateDirectories: false
        )
        try Data("deep".utf8).write(to: folder.appendingPathComponent("009-GET-folder.bin/001-GET-0.bin"))
        try FileManager.default.createSymbolicLink(
            at: folder.appendingPathComponent("009-GET-link.bin"),
            withDestinationURL: folder.appendingPathComponent("notes.txt")
        )
        try Data("another's".utf8).write(to: studio.folder["001-GET-0.bin"])
        try record(["small"], .all)
        #expect(
            studio.folder.files.filter { !$0.contains("link") } == [
                "001-GET-0.bin", "talk.bodies/009-GET-folder.bin/001-GET-0.bin", "talk.bodies/notes.txt",
                "talk.har",
            ]
        )
        #expect(
            try FileManager.default.destinationOfSymbolicLink(
                atPath: folder.appendingPathComponent("009-GET-link.bin").path
            ).hasSuffix("notes.txt")
        )
    }

    @Test("A crash between writing bodies and archive leaves the old cassette complete")
    func interrupted() throws {
        try record([large + "old"])
        let before = try studio.cassette
        let changed = [
            Interaction(
                request: Interaction.Request(url: "https://h/0"),
                outcome: .response(Interaction.Response(body: Interaction.Body(large + "new")))
            )
        ]
        let folder = BodyFolder(beside: studio.file)
        let archive = HARFormat.archive(
            Cassette(interactions: changed),
            bodiesIn: folder.name,
            beside: folder.attachments
        ) { folder.isFree($0, for: $1) }
        try folder.write(archive.bodies)
        #expect(studio.folder.files.count == 3)
        #expect(try studio.cassette == before)
        // The next recording deletes leftover files.
        try record([large + "newer"], .all)
        #expect(studio.folder.files.count == 2)
        #expect(try studio.texts == [large + "newer"])
    }

    @Test("Body files of a deleted cassette are overwritten")
    func deleted() throws {
        try record([large + "old"])
        try FileManager.default.removeItem(at: studio.file)
        try record([large + "new"])
        #expect(studio.folder.files == ["talk.bodies/001-GET-0.bin", "talk.har"])
        #expect(try studio.texts == [large + "new"])
    }

    @Test("A failed recording has its own body folder, which is deleted with it")
    func failed() throws {
        try record([large])
        let stubber = try studio.stubber(.newEpisodes)
        try stubber.record("https://h/new", large + "new")
        try stubber.eject(testFailed: true)
        #expect(
            studio.folder.files == [
                "talk.bodies/001-GET-0.bin", "talk.failed.bodies/001-GET-0.bin",
                "talk.failed.bodies/002-GET-new.bin", "talk.failed.har", "talk.har",
            ]
        )
        let failed = try Cassette(contentsOf: studio.folder["talk.failed.har"])
        #expect(failed.interactions.map(\.text) == [large, large + "new"])
        try record(["small"], .all)
        #expect(studio.folder.files == ["talk.har"])
    }

    @Test("A body file can be edited by hand")
    func edited() throws {
        try record([large])
        try Data("short".utf8).write(to: studio.folder["talk.bodies/001-GET-0.bin"])
        #expect(try studio.stubber(.never).decision(on: "https://h/0") == .replays("short"))
        let stubber = try studio.stubber(.newEpisodes)
        try stubber.record("https://h/new", "new")
        try stubber.eject()
        #expect(try studio.texts == ["short", "new"])
        #expect(studio.folder.files == ["talk.bodies/001-GET-0.bin", "talk.har"])
    }

    @Test("A body folder that is a link is not written to")
    func link() throws {
        let elsewhere = try TemporaryDirectory()
        try FileManager.default.createSymbolicLink(
            at: studio.folder["talk.bodies"],
            withDestinationURL: elsewhere.url
        )
        try record([large])
        #expect(elsewhere.files.isEmpty)
        #expect(try studio.texts == [large])
    }

    @Test("A body file that is a link is not written through")
    func linkedFile() throws {
        let elsewhere = try TemporaryDirectory()
        try Data("precious".utf8).write(to: elsewhere["precious"])
        try FileManager.default.createDirectory(
            at: studio.folder["talk.bodies"],
            withIntermediateDirectories: false
        )
        try FileManager.default.createSymbolicLink(
            at: studio.folder["talk.bodies/001-GET-0.bin"],
            withDestinationURL: elsewhere["precious"]
        )
        try record([large])
        #expect(try Data(contentsOf: elsewhere["precious"]) == Data("precious".utf8))
        #expect(try studio.texts == [large])
        #expect(studio.folder.files.contains("talk.bodies/001-GET-0-2.bin"))
    }

    @Test("A missing body file disables its interaction, and the entry is preserved")
    func missing() throws {
        try record([large, "small"])
        let entry = try studio.cassette.interactions[0].original?.text
        try FileManager.default.removeItem(at: studio.folder["talk.bodies"])
        #expect(try studio.cassette.interactions.map(\.isReplayable) == [false, true])
        let stubber = try studio.stubber(.newEpisodes)
        try stubber.record("https://h/new", "new")
        try stubber.eject()
        #expect(try studio.cassette.interactions[0].original?.text == entry)
    }

    @Test("A response keeps its body file if the request body file is missing")
    func halfMissing() throws {
        let stubber = try studio.stubber(.once)
        let request = Interaction.Request(method: "POST", url: "https://h/0", body: Interaction.Body(large))
        try stubber.begin(request).finish(large + "answer")
        try stubber.eject()
        let answer = "talk.bodies/001-POST-0.bin"
        #expect(studio.folder.files == ["talk.bodies/001-POST-0-request.bin", answer, "talk.har"])
        try FileManager.default.removeItem(at: studio.folder["talk.bodies/001-POST-0-request.bin"])
        try record(["new"], .newEpisodes)
        #expect(studio.folder.files.contains(answer))
    }

    @Test("No file and no file name contains a secret")
    func secrets() throws {
        var configuration = Stubber.Configuration()
        configuration.redaction.replace("planted-token-4711", with: "<TOKEN>")
        let stubber = try studio.stubber(.once, configuration: configuration)
        try stubber.record("https://h/planted:token:4711.png", large + "planted-token-4711")
        try stubber.eject()
        let again = try studio.stubber(.newEpisodes, configuration: configuration)
        try again.record("https://h/planted-token-4711", large + "more planted-token-4711")
        try again.eject()
        for (name, data) in try snapshot() {
            #expect(!name.contains("planted-token-4711"))
            #expect(!String(decoding: data, as: UTF8.self).contains("planted-token-4711"))
        }
        #expect(try studio.cassette.interactions.allSatisfy(\.isReplayable))
        #expect(studio.folder.files.count == 3)
    }

    private static func identity(of file: URL) throws -> UInt64? {
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        return (attributes[.systemFileNumber] as? NSNumber)?.uint64Value
    }
}
