import Foundation

/// A file under a name that nobody looks for, until it is whole and is given its own.
///
/// It is locked for as long as it is open, so that what a process left behind that died can be told from what a living
/// one is at work on.
package struct TemporaryFile: Sendable {
    /// Where the file is until it has a name of its own.
    package let path: String
    /// The open file, to which bytes are only added.
    package let descriptor: Int32
    private let operations: FileOperations

    /// Creates an empty file.
    /// - Parameters:
    ///   - directory: The folder, which has to exist.
    ///   - operations: The calls by which it is written.
    /// - Throws: ``SystemCallError`` when it cannot be created, or a lock cannot be had here.
    package init(in directory: URL, _ operations: FileOperations) throws {
        self.operations = operations
        while true {
            // The name of what is written is left out, as it may be as long as the file system allows.
            let name = Self.prefix + UUID().uuidString + Self.suffix
            let path = directory.appendingPathComponent(name).path
            let descriptor = operations.open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND)
            guard descriptor >= 0 else { throw SystemCallError("create", path) }
            _ = flock(descriptor, LOCK_EX | LOCK_NB)
            // Between its creation and its lock it looks left behind, and may have been removed as such.
            if Self.hasName(descriptor) {
                (self.path, self.descriptor) = (path, descriptor)
                return
            }
            close(descriptor)
        }
    }

    /// Adds bytes.
    /// - Throws: ``SystemCallError`` when they could not all be written.
    package func write(_ data: Data) throws {
        try operations.write(data, to: descriptor, path: path)
    }

    /// Forces what was written to the disk.
    /// - Throws: ``SystemCallError`` when the disk does not take it.
    package func synchronize() throws {
        guard operations.synchronize(descriptor) == 0 else { throw SystemCallError("force to the disk", path) }
    }

    /// Gives it a name, and takes the place of what had it.
    /// - Throws: ``SystemCallError`` when it cannot have the name.
    package func rename(to destination: String) throws {
        guard operations.rename(path, destination) == 0 else {
            throw SystemCallError("rename to", destination)
        }
    }

    /// Removes it before it had a name.
    package func discard() {
        _ = operations.remove(path)
        close(descriptor)
    }

    // MARK: Left behind

    /// Removes the files of processes that died before they gave them a name.
    package static func removeLeftovers(in directory: URL) {
        for name in DirectoryListing.names(in: directory) where name.hasPrefix(prefix) && name.hasSuffix(suffix)
        {
            let path = directory.appendingPathComponent(name).path
            let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
            close(descriptor)
        }
    }

    private static let prefix = ".rewind-"
    private static let suffix = ".tmp"

    /// Whether an open file still has a name.
    package static func hasName(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink > 0
    }
}
