import Foundation

/// An advisory lock on a folder, held by one process while it rewrites a cassette there.
///
/// The folder itself is locked, so that no lock file is left behind; the system releases the lock of a process that
/// dies.
package final class DirectoryLock {
    private let descriptor: Int32

    /// Waits for the lock.
    /// - Throws: ``SystemCallError`` when the folder cannot be opened, or another process holds the lock for longer.
    package init(_ directory: URL, patience: TimeInterval = 20) throws {
        let descriptor = open(directory.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemCallError("open", directory.path) }
        let deadline = Deadline(after: patience)
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let isHeld = errno == EWOULDBLOCK
            guard isHeld || errno == EINTR, !deadline.isOver else {
                let error = isHeld ? Self.held(directory, patience) : SystemCallError("lock", directory.path)
                close(descriptor)
                throw error
            }
            Thread.sleep(forTimeInterval: 0.005)
        }
        self.descriptor = descriptor
    }

    private static func held(_ directory: URL, _ patience: TimeInterval) -> SystemCallError {
        let cause =
            "for \(patience) seconds others have been saving there, or one that hangs; end it, and try again"
        return SystemCallError("lock", directory.path, cause: cause)
    }

    /// Lets others in.
    package func release() {
        close(descriptor)
    }
}
