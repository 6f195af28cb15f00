import Foundation

/// The file to which the processes of a run add what they played, many at once.
package struct ManifestFile: Sendable {
    private let url: URL

    /// Names the file.
    package init(_ url: URL) {
        self.url = url
    }

    /// Adds a line, whole or not at all, whatever other threads and processes add meanwhile.
    /// - Throws: ``SystemCallError`` naming the call that failed.
    package func add(_ line: ManifestLine) throws {
        let descriptor = open(url.path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw SystemCallError("open", url.path) }
        // Closing it gives up the lock as well.
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw SystemCallError("lock", url.path) }
        }
        let size = try handle.seekToEnd()
        do {
            try handle.write(contentsOf: line.text + Data("\n".utf8))
        } catch {
            // A full disk takes a part of a line, which nobody could read.
            _ = ftruncate(descriptor, off_t(size))
            throw error
        }
    }
}
