import Foundation

/// A file that is replaced whole or not at all, also when the machine fails in between.
package struct AtomicFile {
    private let url: URL

    /// Names the file; a symbolic link is followed, so that it stays one.
    package init(_ url: URL) {
        self.url = Self.following(url)
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
        // The file's own name is left out, as it may be as long as the file system allows.
        let temporary = directory.appendingPathComponent(".rewind-\(UUID().uuidString).tmp").path
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw SystemCallError("create", temporary) }
        if let permissions { fchmod(descriptor, permissions) }
        do {
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            try handle.write(contentsOf: data)
            try handle.synchronize()
            try handle.close()
            guard rename(temporary, url.path) == 0 else { throw SystemCallError("rename to", url.path) }
        } catch {
            unlink(temporary)
            throw error
        }
        synchronize(directory)
    }

    /// The permissions of the file that is replaced.
    private var permissions: mode_t? {
        FileStatus(url).map { mode_t($0.permissions) }
    }

    /// Makes the new name durable; a file system that cannot do this for a folder has already done what it can.
    private func synchronize(_ directory: URL) {
        let descriptor = open(directory.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

/// A call to the operating system that failed.
package struct SystemCallError: Error, LocalizedError {
    private let action: String
    private let path: String
    private let number: Int32

    /// Takes the number of the error that the last call left.
    package init(_ action: String, _ path: String) {
        self.action = action
        self.path = path
        number = errno
    }

    /// What was tried and why it failed.
    package var errorDescription: String? {
        "could not \(action) \(path): \(String(cString: strerror(number)))"
    }
}
