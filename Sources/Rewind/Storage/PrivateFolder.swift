import Foundation

/// A folder outside of the project that only the user can read.
enum PrivateFolder {
    /// The folders for a purpose, best first: in the user's data of applications, and in the temporary files.
    static func places(for purpose: String) -> [URL] {
        let manager = FileManager.default
        let lasting = manager.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        let temporary = manager.temporaryDirectory
        return [
            lasting?.appendingPathComponent("Rewind").appendingPathComponent(purpose),
            temporary.appendingPathComponent("rewind-\(purpose.lowercased())-\(getuid())"),
        ].compactMap(\.self)
    }

    /// Creates the folder if it is missing. Others must not be able to read it.
    static func isUsable(_ folder: URL) -> Bool {
        try? FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        var status = stat()
        return lstat(folder.path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            && status.st_uid == getuid() && status.st_mode & 0o077 == 0 && access(folder.path, W_OK) == 0
    }

    /// Deletes files that nobody will need any more.
    static func removeOld(in folder: URL) {
        let limit = WallClock.current.now().addingTimeInterval(-90 * 86_400)
        for name in DirectoryListing.names(in: folder) {
            let path = folder.appendingPathComponent(name).path
            let date = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
            if let date, date < limit { unlink(path) }
        }
    }
}
