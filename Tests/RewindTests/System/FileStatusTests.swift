import Foundation
import Rewind
import RewindTestSupport
import Testing

struct FileStatusTests {
    @Test("Files, folders, links and devices are distinguished")
    func kinds() throws {
        let folder = try TemporaryDirectory()
        try Data("hello".utf8).write(to: folder["file"])
        for (name, target) in [("link", "file"), ("dangling", "nothing")] {
            try FileManager.default.createSymbolicLink(at: folder[name], withDestinationURL: folder[target])
        }
        #expect(mkfifo(folder["pipe"].path, 0o600) == 0)
        let table: [(String, FileStatus.Kind?, FileStatus.Kind?)] = [
            ("file", .file, .file), ("link", .file, .link), ("dangling", nil, .link), ("nothing", nil, nil),
            ("pipe", .other, .other), (".", .folder, .folder), ("file/below", nil, nil),
        ]
        for (name, kind, own) in table {
            #expect(FileStatus(folder[name])?.kind == kind, "\(name)")
            #expect(FileStatus(folder[name], followsLinks: false)?.kind == own, "\(name)")
        }
        #expect(FileStatus(URL(fileURLWithPath: "/dev/null"))?.kind == .other)
    }

    @Test("The size and the permissions are those of the file")
    func values() throws {
        let folder = try TemporaryDirectory()
        try Data(count: 12_345).write(to: folder["größe"])
        #expect(chmod(folder["größe"].path, 0o640) == 0)
        let status = try #require(FileStatus(folder["größe"]))
        #expect(status.size == 12_345)
        #expect(status.permissions == 0o640)
    }
}
