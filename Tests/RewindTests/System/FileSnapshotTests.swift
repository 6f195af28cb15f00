import Foundation
import Rewind
import RewindTestSupport
import Testing

struct FileSnapshotTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func file(_ count: Int) throws -> (url: URL, bytes: Data) {
        let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
        try bytes.write(to: folder["file"])
        return (folder["file"], bytes)
    }

    @Test(
        "A snapshot contains all bytes, read or mapped",
        arguments: [0, 1, 4095, 4096, 4097, 1 << 18, (1 << 18) + 1, 1_000_000],
        [0, 4096, Int.max]
    )
    func whole(_ count: Int, _ greatestRead: Int) throws {
        let (url, bytes) = try file(count)
        let snapshot = try #require(FileSnapshot(url))
        #expect(snapshot.identity.size == count)
        #expect(snapshot.data(greatestRead: greatestRead) == bytes)
        #expect(snapshot.data(greatestRead: greatestRead) == bytes, "a second time")
    }

    @Test("A snapshot does not change if the file is truncated, changed or deleted", arguments: [0, Int.max])
    func lasting(_ greatestRead: Int) throws {
        let (url, bytes) = try file(300_000)
        let taken = try #require(FileSnapshot(url)?.data(greatestRead: greatestRead))
        let handle = try FileHandle(forWritingTo: url)
        try handle.write(contentsOf: Data(count: 1000))
        #expect(taken == bytes)
        try handle.truncate(atOffset: 0)
        #expect(taken == bytes)
        try handle.close()
        try FileManager.default.removeItem(at: url)
        #expect(taken == bytes)
    }

    @Test(
        "A file that changed since it was opened has no snapshot",
        arguments: [0, Int.max]
    )
    func changed(_ greatestRead: Int) throws {
        for size: UInt64 in [10, 5000] {
            let (url, _) = try file(1000)
            let snapshot = try #require(FileSnapshot(url))
            let handle = try FileHandle(forWritingTo: url)
            try handle.truncate(atOffset: size)
            try handle.close()
            #expect(snapshot.data(greatestRead: greatestRead) == nil)
        }
    }

    @Test("A copied snapshot leaves no file behind")
    func nameless() throws {
        let (url, bytes) = try file(300_000)
        let temporary = FileManager.default.temporaryDirectory.path
        func copies() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: temporary).filter {
                $0.hasPrefix("rewind-") && $0.utf8.count == "rewind-XXXXXX".utf8.count
            }
        }
        let before = try copies()
        let taken = try #require(FileSnapshot(url)?.data(greatestRead: 0))
        #expect(taken == bytes)
        #expect(try copies().allSatisfy(before.contains))
    }

    @Test("Folders, links, pipes, devices and missing files have no snapshot")
    func others() throws {
        let (url, _) = try file(10)
        try FileManager.default.createSymbolicLink(at: folder["link"], withDestinationURL: url)
        #expect(mkfifo(folder["pipe"].path, 0o600) == 0)
        for name in ["", ".", "link", "pipe", "missing", "file/below"] {
            #expect(FileSnapshot(folder[name]) == nil, "\(name)")
        }
        #expect(FileSnapshot(URL(fileURLWithPath: "/dev/zero")) == nil)
    }

    @Test("A file status differs between files and after changes")
    func identity() throws {
        let (url, _) = try file(10)
        let first = try #require(FileSnapshot(url)).identity
        #expect(FileSnapshot(url)?.identity == first)
        try Data(count: 10).write(to: folder["other"])
        #expect(FileSnapshot(folder["other"])?.identity != first)
        try Data(count: 11).write(to: url)
        #expect(FileSnapshot(url)?.identity != first)
    }
}
