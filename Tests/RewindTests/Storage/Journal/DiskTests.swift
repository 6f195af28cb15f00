import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

/// The folder of the small disks that the script mounted; `nil` without the script.
private enum Disks {
    static let folder = ProcessInfo.processInfo.environment["REWIND_DISKS"].map {
        URL(fileURLWithPath: $0, isDirectory: true)
    }
}

/// Tests on disks that are really full. `Tests/Integration/disk.sh` mounts them and sets the variable.
@Suite(
    .serialized,
    .enabled(
        if: Disks.folder != nil,
        "needs disks that are full: run Tests/Integration/disk.sh as root, which names them in REWIND_DISKS"
    )
)
struct DiskTests {
    /// A cassette on a disk that contains an old recording.
    private struct CassetteOnDisk {
        let location: CassetteLocation
        let untouched: Data

        init(on disk: String) throws {
            let folder = try #require(Disks.folder).appendingPathComponent(disk)
            location = CassetteLocation(folder.appendingPathComponent("talk.har"))
            try HARFormat.write(Cassette(interactions: [.page("https://h/a", "old")])).write(
                to: location.source
            )
            untouched = try Data(contentsOf: location.source)
        }

        var names: [String] {
            get throws {
                let folder = location.source.deletingLastPathComponent()
                return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            }
        }

        func stubber(_ mode: RecordingMode) throws -> Stubber {
            try Stubber(at: location, mode: mode, environment: Environment([:]))
        }

        /// Fills the disk with a file, and returns it.
        func fill() throws -> URL {
            let file = location.source.deletingLastPathComponent().appendingPathComponent("filling")
            let descriptor = open(file.path, O_WRONLY | O_CREAT, 0o644)
            defer { close(descriptor) }
            let bytes = [UInt8](repeating: 0x20, count: 4096)
            for size in [4096, 1] { while write(descriptor, bytes, size) > 0 {} }
            return file
        }

        /// Checks that saving fails with a cause, and returns the error text.
        @discardableResult
        func failsToSave(_ stubber: Stubber, _ cause: String) throws -> String {
            let error = try #require(throws: CassetteError.self) { try stubber.eject() }
            let text = error.description
            print("disk: \(text)")
            #expect(text.contains(location.source.path))
            #expect(text.contains(cause))
            #expect(try Data(contentsOf: location.source) == untouched)
            #expect(try names.filter { $0.hasSuffix(".tmp") } == [])
            return text
        }
    }

    @Test("A disk that is full when the cassette is saved")
    func fullWhileSaving() throws {
        let cassette = try CassetteOnDisk(on: "small")
        let stubber = try cassette.stubber(.all)
        try stubber.record("https://h/a", String(repeating: "new ", count: 2000))
        let filling = try cassette.fill()
        try cassette.failsToSave(stubber, "No space left on device")
        // When there is room again, the next run recovers the recording.
        unlink(filling.path)
        _ = try cassette.stubber(.never)
        let recovered = try Cassette(contentsOf: cassette.location.recoveredRecording)
        #expect(recovered.interactions.map(\.text) == [String(repeating: "new ", count: 2000)])
        #expect(try cassette.names == ["talk.har", "talk.recovered.har"])
        try FileManager.default.removeItem(at: cassette.location.recoveredRecording)
    }

    @Test("A disk that fills up while the journal is written")
    func fullWhileRecording() throws {
        let cassette = try CassetteOnDisk(on: "small")
        let stubber = try cassette.stubber(.all)
        for number in 1...40 {
            try stubber.record("https://h/\(number)", String(repeating: "new ", count: 1000))
        }
        // It does not fit on the disk, so it is outside of the project.
        #expect(try cassette.names == ["talk.har"])
        let journals = cassette.location.journalsOutside
        let file = try #require(journals.first)
        let contents = try #require(JournalContents(try Data(contentsOf: file)))
        #expect(contents.brokenLines == 0)
        #expect(contents.interactions.count == 40)
        let text = try cassette.failsToSave(stubber, "No space left on device")
        #expect(text.contains("The recording is in \(file.path)"))
        unlink(file.path)
    }

    @Test("A disk without free inodes")
    func noInodes() throws {
        let cassette = try CassetteOnDisk(on: "inodes")
        let stubber = try cassette.stubber(.all)
        try stubber.record("https://h/a", "new")
        let folder = cassette.location.source.deletingLastPathComponent()
        var files: [URL] = []
        while FileManager.default.createFile(
            atPath: folder.appendingPathComponent("\(files.count)").path,
            contents: nil
        ) {
            files.append(folder.appendingPathComponent("\(files.count)"))
        }
        #expect(!files.isEmpty)
        try cassette.failsToSave(stubber, "No space left on device")
        for file in files { unlink(file.path) }
        _ = try cassette.stubber(.never)
        #expect(try cassette.names == ["talk.har", "talk.recovered.har"])
    }

    @Test("A disk that becomes read-only")
    func readOnly() throws {
        let cassette = try CassetteOnDisk(on: "readonly")
        let stubber = try cassette.stubber(.all)
        try stubber.record("https://h/a", "new")
        let folder = cassette.location.source.deletingLastPathComponent().path
        let shell = URL(fileURLWithPath: "/bin/sh")
        // The journal is open for writing, so only a bind mount of the folder can become read-only.
        let command = "mount --bind '\(folder)' '\(folder)' && mount -o remount,bind,ro '\(folder)'"
        #expect(try ChildProcess(shell, ["-c", command]).status == 0)
        try cassette.failsToSave(stubber, "Read-only file system")
        let before = try cassette.names
        let player = try cassette.stubber(.never)
        #expect(player.decision(on: "https://h/a") == .replays("old"))
        #expect(try cassette.names == before)
        #expect(before.contains { $0.hasSuffix(".journal") })
    }

    @Test("A disk that is read-only from the start")
    func readOnlyFromTheStart() throws {
        let folder = try #require(Disks.folder).appendingPathComponent("locked")
        for name in ["talk", "Missing/talk"] {
            let location = try CassetteLocation(name: name, in: folder)
            let stubber = try Stubber(at: location, mode: .once, environment: Environment([:]))
            guard case .refuse(let miss) = stubber.answer(to: Interaction.Request(url: "https://h/a")) else {
                Issue.record("it was answered")
                continue
            }
            print("disk: \(miss.description)")
            #expect(miss.description.contains("folder:   \(folder.path)\n  cause:    Read-only file system"))
            #expect(stubber.takeMisses().count == 1)
            try stubber.eject()
        }
    }

    @Test("A folder that is deleted and cannot be created again")
    func vanishes() throws {
        let folder = try #require(Disks.folder).appendingPathComponent("small/gone")
        let location = CassetteLocation(folder.appendingPathComponent("talk.har"))
        let stubber = try Stubber(at: location, mode: .all, environment: Environment([:]))
        try stubber.record("https://h/a", "new")
        try FileManager.default.removeItem(at: folder)
        try Data().write(to: folder)
        let error = try #require(throws: CassetteError.self) { try stubber.eject() }
        print("disk: \(error.description)")
        #expect(error.description.contains(location.destination.path))
        let journal = try #require(
            location.journalsOutside.first
        )
        #expect(error.description.contains("The recording is in \(journal.path)"))
        // When the folder can be created again, the next run recovers the recording.
        unlink(folder.path)
        _ = try Stubber(at: location, mode: .never, environment: Environment([:]))
        #expect(try Cassette(contentsOf: location.recoveredRecording).interactions.map(\.text) == ["new"])
        try FileManager.default.removeItem(at: folder)
    }
}
