import Foundation

/// The system calls that write recordings and list folders. Tests replace them to inject failures.
///
/// ```swift
/// var operations = FileOperations()
/// operations.synchronize = { _ in errno = EIO; return -1 }
/// try FileOperations.$current.withValue(operations) { try stubber.eject() }
/// ```
package struct FileOperations: Sendable {
    /// Opens a file with flags of open(2); a created file is readable by everyone.
    package var open: @Sendable (_ path: String, _ flags: Int32) -> Int32 = { path, flags in
        Foundation.open(path, flags | O_CLOEXEC, 0o644)
    }
    /// Writes all bytes or only the first of them, and returns how many.
    package var write: @Sendable (_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int = {
        descriptor,
        bytes in
        Foundation.write(descriptor, bytes.baseAddress, bytes.count)
    }
    package var synchronize: @Sendable (_ descriptor: Int32) -> Int32 = { fsync($0) }
    package var rename: @Sendable (_ from: String, _ to: String) -> Int32 = { Foundation.rename($0, $1) }
    package var remove: @Sendable (_ path: String) -> Int32 = { unlink($0) }

    package var list: @Sendable (_ path: String) throws -> [String] = {
        try FileManager.default.contentsOfDirectory(atPath: $0)
    }

    package init() {}

    @TaskLocal package static var current = FileOperations()

    /// Writes all bytes.
    /// - Throws: ``SystemCallError`` with the path if a byte cannot be written.
    package func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, path: String) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest))
            if count < 0, errno == EINTR { continue }
            // A disk that accepts no bytes and reports no error would make this loop endless.
            if count == 0 { errno = ENOSPC }
            guard count > 0 else { throw SystemCallError("write", path) }
            rest = rest.dropFirst(count)
        }
    }

    package func write(_ data: Data, to descriptor: Int32, path: String) throws {
        try data.withUnsafeBytes { try write($0, to: descriptor, path: path) }
    }
}

/// An advisory lock on a folder, which a process holds while it rewrites a cassette there. The folder itself is locked,
/// so there is no lock file to clean up, and the system releases the lock if the process dies.
package final class DirectoryLock {
    /// How long to wait for the lock, in seconds.
    package static let patience: TimeInterval = 20

    private let descriptor: Int32

    /// Waits for the lock.
    /// - Parameters:
    ///   - directory: The folder.
    ///   - patience: How long to wait, in seconds; 20 by default.
    /// - Throws: ``SystemCallError`` if the folder cannot be opened, or if another process still holds the lock.
    package init(_ directory: URL, patience: TimeInterval = DirectoryLock.patience) throws {
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
        let seconds = Int(exactly: patience).map { "\($0)" } ?? "\(patience)"
        let cause =
            "another process has held the lock for \(seconds) seconds; wait until it finishes, or stop it"
        return SystemCallError("lock", directory.path, cause: cause)
    }

    package func release() { close(descriptor) }
}
