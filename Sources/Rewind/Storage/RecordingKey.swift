import Foundation

/// The key of a refused recording, in a file that only the user can read, outside of the project.
struct RecordingKey {
    /// The name of the key's file, 32 hexadecimal digits.
    let name: String
    let data: Data

    /// Creates a key in the first folder that can be written; `nil` if there is none.
    init?() {
        var generator = SystemRandomNumberGenerator()
        func bytes(_ count: Int) -> Data { Data((0..<count).map { _ in generator.next() }) }
        name = bytes(16).map { Hexadecimal.text($0, digits: 2) }.joined()
        data = bytes(ChaCha20.keySize)
        guard let folder = Self.folders.first(where: Self.isPrivate) else { return nil }
        Self.removeOld(in: folder)
        guard Self.write(data, to: folder.appendingPathComponent(name)) else { return nil }
    }

    /// Reads the key with a name; `nil` if it is not on this machine.
    init?(named name: String) {
        guard name.utf8.count == 32, name.utf8.allSatisfy(Hexadecimal.isDigit),
            let data = Self.files(name).lazy.compactMap({ try? Data(contentsOf: $0) }).first
        else { return nil }
        (self.name, self.data) = (name, data)
    }

    func remove() { for file in Self.files(name) { unlink(file.path) } }

    /// The folder for the data of applications, or if it cannot be written the one for temporary files.
    private static var folders: [URL] {
        let manager = FileManager.default
        let lasting = manager.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        return [
            lasting?.appendingPathComponent("Rewind").appendingPathComponent("Keys"),
            manager.temporaryDirectory.appendingPathComponent("rewind-keys-\(getuid())"),
        ].compactMap(\.self)
    }

    private static func files(_ name: String) -> [URL] {
        folders.map { $0.appendingPathComponent(name) }
            .filter { FileStatus($0, followsLinks: false)?.kind == .file }
    }

    /// Creates the folder if it is missing. Others must not be able to read it.
    private static func isPrivate(_ folder: URL) -> Bool {
        try? FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        var status = stat()
        return lstat(folder.path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            && status.st_uid == getuid() && status.st_mode & 0o077 == 0 && access(folder.path, W_OK) == 0
    }

    private static func write(_ data: Data, to file: URL) -> Bool {
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return data.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) } == data.count
    }

    /// Deletes keys whose recordings were probably deleted without them.
    private static func removeOld(in folder: URL) {
        let limit = WallClock.current.now().addingTimeInterval(-90 * 86_400)
        for name in DirectoryListing.names(in: folder) {
            let path = folder.appendingPathComponent(name).path
            let date = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
            if let date, date < limit { unlink(path) }
        }
    }
}
