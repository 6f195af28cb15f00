import Foundation

/// A file that is replaced whole or not at all, also when the machine fails in between.
package struct AtomicFile {
    private let url: URL
    private let operations: FileOperations

    /// Names the file; a symbolic link is followed, so that it stays one.
    /// - Parameters:
    ///   - url: The file.
    ///   - operations: The calls by which it is written; those in force by default.
    package init(_ url: URL, _ operations: FileOperations = .current) {
        self.url = Self.following(url)
        self.operations = operations
    }

    /// The file that a chain of links leads to, also where it does not exist yet, which Foundation would not follow.
    private static func following(_ url: URL, links: Int = 32) -> URL {
        guard links > 0, let target = try? FileManager.default.destinationOfSymbolicLink(atPath: url.path)
        else {
            return url
        }
        return following(
            URL(fileURLWithPath: target, relativeTo: url.deletingLastPathComponent()),
            links: links - 1
        )
    }

    /// Writes the bytes to a temporary file of the same folder, forces them to the disk and renames it.
    /// - Throws: ``SystemCallError`` naming the call that failed; the file is then as it was.
    package func write(_ data: Data) throws {
        let directory = url.deletingLastPathComponent()
        let temporary = try TemporaryFile(in: directory, operations)
        if let permissions { fchmod(temporary.descriptor, permissions) }
        do {
            try temporary.write(data)
            try temporary.synchronize()
            try temporary.rename(to: url.path)
        } catch {
            temporary.discard()
            throw error
        }
        close(temporary.descriptor)
        synchronize(directory)
    }

    /// The permissions of the file that is replaced.
    private var permissions: mode_t? {
        FileStatus(url).map { mode_t($0.permissions) }
    }

    /// Makes the new name durable; a file system that cannot do this for a folder has already done what it can.
    private func synchronize(_ directory: URL) {
        let descriptor = operations.open(directory.path, O_RDONLY)
        guard descriptor >= 0 else { return }
        _ = operations.synchronize(descriptor)
        close(descriptor)
    }
}
