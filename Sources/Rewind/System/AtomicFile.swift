import Foundation

/// A file that is replaced completely or not at all, even if the machine fails in between.
package struct AtomicFile {
    private let url: URL
    private let operations = FileOperations.current

    /// Follows a symbolic link, so that writing replaces its target and not the link.
    package init(_ url: URL) { self.url = Self.following(url) }

    /// The folder in which the file is replaced, which is that of the target of a link.
    package var directory: URL { url.deletingLastPathComponent() }

    /// Follows a chain of links even to a file that does not exist yet, unlike Foundation.
    private static func following(_ url: URL, links: Int = 32) -> URL {
        guard links > 0, let target = try? FileManager.default.destinationOfSymbolicLink(atPath: url.path)
        else { return url }
        return following(
            URL(fileURLWithPath: target, relativeTo: url.deletingLastPathComponent()),
            links: links - 1
        )
    }

    /// Writes the bytes to a temporary file in the same folder, syncs it to the disk and renames it.
    /// - Throws: ``SystemCallError`` naming the call that failed; the file is then unchanged.
    package func write(_ data: Data) throws { try write { try $0(data) } }

    /// Writes bytes in pieces.
    package func write(_ pieces: (_ write: @escaping (Data) throws -> Void) throws -> Void) throws {
        let temporary = try TemporaryFile(in: directory, operations)
        if let permissions { fchmod(temporary.descriptor, permissions) }
        do {
            try pieces { try temporary.write($0) }
            try temporary.synchronize()
            try temporary.rename(to: url.path)
        } catch {
            temporary.discard()
            throw error
        }
        close(temporary.descriptor)
        synchronize(directory)
    }

    private var permissions: mode_t? { FileStatus(url).map { mode_t($0.permissions) } }

    /// Makes the new name durable; a file system that cannot sync a folder has already done what it can.
    private func synchronize(_ directory: URL) {
        let descriptor = operations.open(directory.path, O_RDONLY)
        guard descriptor >= 0 else { return }
        _ = operations.synchronize(descriptor)
        close(descriptor)
    }
}

/// A file under a temporary name until it is complete. Its process locks it while it is open; a temporary file without
/// a lock belongs to a process that died.
package struct TemporaryFile: Sendable {
    package let path: String
    package let descriptor: Int32
    private let operations: FileOperations

    /// Creates an empty file in an existing folder.
    package init(in directory: URL, _ operations: FileOperations) throws {
        self.operations = operations
        while true {
            // Without the destination's name, which may already be as long as the file system allows.
            let name = Self.prefix + UUID().uuidString + Self.suffix
            let path = directory.appendingPathComponent(name).path
            let descriptor = operations.open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND)
            guard descriptor >= 0 else { throw SystemCallError("create", path) }
            _ = flock(descriptor, LOCK_EX | LOCK_NB)
            // Before the file was locked it looked abandoned, and another process may have removed it.
            if Self.hasName(descriptor) {
                (self.path, self.descriptor) = (path, descriptor)
                return
            }
            close(descriptor)
        }
    }

    package func write(_ data: Data) throws { try operations.write(data, to: descriptor, path: path) }

    package func synchronize() throws {
        guard operations.synchronize(descriptor) == 0 else { throw SystemCallError("sync", path) }
    }

    /// Gives the file its name, replacing any file of that name.
    package func rename(to destination: String) throws {
        guard operations.rename(path, destination) == 0 else { throw SystemCallError("rename to", destination) }
    }

    package func discard() {
        _ = operations.remove(path)
        close(descriptor)
    }

    /// Removes the files of processes that died before they renamed them.
    package static func removeLeftovers(in directory: URL) {
        for name in DirectoryListing.names(in: directory) where name.hasPrefix(prefix) && name.hasSuffix(suffix)
        {
            let path = directory.appendingPathComponent(name).path
            guard let descriptor = claim(path) else { continue }
            unlink(path)
            close(descriptor)
        }
    }

    /// Opens and locks an abandoned file; `nil` if its process is running or another process claimed it.
    static func claim(_ path: String) -> Int32? {
        let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0, hasName(descriptor) { return descriptor }
        close(descriptor)
        return nil
    }

    private static let prefix = ".rewind-"
    private static let suffix = ".tmp"

    /// Whether the file still has a name, so that it was not deleted.
    package static func hasName(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink > 0
    }
}
