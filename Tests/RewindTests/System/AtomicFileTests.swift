import Foundation
import Rewind
import RewindTestSupport
import Testing

struct AtomicFileTests {
    private let studio: Studio

    init() throws { studio = try Studio() }

    @Test(
        "Writing through a symbolic link preserves the link and writes its target",
        arguments: [false, true]
    )
    func symbolicLink(_ isRelative: Bool) throws {
        let target = studio.folder["kept/shared.har"]
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try HARFormat.write(Cassette(interactions: [.page("https://h/a", "old")])).write(to: target)
        let destination = isRelative ? "kept/shared.har" : target.path
        try FileManager.default.createSymbolicLink(atPath: studio.file.path, withDestinationPath: destination)
        let stubber = try studio.stubber(.newEpisodes)
        #expect(stubber.decision(on: "https://h/a") == .replays("old"))
        try stubber.record("https://h/b", "new")
        try stubber.eject()
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: studio.file.path) == destination
        )
        #expect(try Cassette(contentsOf: target).interactions.map(\.text) == ["old", "new"])
        #expect(studio.folder.files == ["kept/shared.har", "talk.har"])
    }

    @Test("A symbolic link to a missing cassette is preserved")
    func linkToNothingYet() throws {
        let target = studio.folder["kept/shared.har"]
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try FileManager.default.createSymbolicLink(at: studio.file, withDestinationURL: target)
        let stubber = try studio.stubber(.once)
        try stubber.record("https://h/a", "1")
        try stubber.eject()
        #expect(try studio.texts == ["1"])
        #expect(FileManager.default.fileExists(atPath: target.path))
        #expect(throws: Never.self) {
            try FileManager.default.destinationOfSymbolicLink(atPath: studio.file.path)
        }
    }

    @Test("The cassette folder can be a symbolic link")
    func linkedFolder() throws {
        let target = studio.folder["kept"]
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(at: studio.folder["link"], withDestinationURL: target)
        let location = try CassetteLocation(name: "link/talk", in: studio.folder.url)
        let stubber = try Stubber(at: location, mode: .once, environment: Environment([:]))
        try stubber.record("https://h/a", "1")
        try stubber.eject()
        #expect(
            try Cassette(contentsOf: target.appendingPathComponent("talk.har")).interactions.map(\.text) == [
                "1"
            ]
        )
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: studio.folder["link"].path)
                == target.path
        )
    }

    @Test("A new file replaces the old one and keeps its permissions")
    func permissions() throws {
        try studio.put([])
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: studio.file.path)
        try AtomicFile(studio.file).write(Data("new".utf8))
        #expect(try studio.contents == "new")
        let attributes = try FileManager.default.attributesOfItem(atPath: studio.file.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(studio.folder.files == ["talk.har"])
    }

    @Test("A reader sees either the old bytes or the new ones")
    func readers() throws {
        let versions = (0..<2).map { Data(repeating: UInt8($0), count: 200_000) }
        try AtomicFile(studio.file).write(versions[0])
        let isTorn = Locked(false)
        DispatchQueue.concurrentPerform(iterations: 2) { role in
            for round in 0..<20 {
                if role == 0 {
                    #expect(throws: Never.self) { try AtomicFile(studio.file).write(versions[round % 2]) }
                } else if let data = try? Data(contentsOf: studio.file), !versions.contains(data) {
                    isTorn.withLock { $0 = true }
                }
            }
        }
        #expect(!isTorn.withLock { $0 })
    }

    @Test("A missing folder is an error with the path")
    func missingFolder() throws {
        let error = try #require(throws: SystemCallError.self) {
            try AtomicFile(studio.folder["gone/talk.har"]).write(Data())
        }
        #expect(error.localizedDescription.contains("could not create"))
        #expect(error.localizedDescription.contains(studio.folder["gone"].path))
        #expect(error.localizedDescription.hasSuffix("No such file or directory"))
    }
}
