import Foundation

/// The calls to the operating system by which recordings get to the disk, and by which folders are looked through.
///
/// They are a value so that a test may have each of them fail, or end the process; nobody else changes them.
///
/// ```swift
/// var operations = FileOperations()
/// operations.synchronize = { _ in errno = EIO; return -1 }
/// try FileOperations.$current.withValue(operations) { try stubber.eject() }
/// ```
package struct FileOperations: Sendable {
    /// Opens a file with flags of open(2), readable by all where it is created.
    package var open: @Sendable (_ path: String, _ flags: Int32) -> Int32 = { path, flags in
        Foundation.open(path, flags | O_CLOEXEC, 0o644)
    }
    /// Writes bytes to a descriptor, or the first of them.
    package var write: @Sendable (_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int = {
        descriptor,
        bytes in
        Foundation.write(descriptor, bytes.baseAddress, bytes.count)
    }
    /// Forces what was written to the disk.
    package var synchronize: @Sendable (_ descriptor: Int32) -> Int32 = { fsync($0) }
    /// Gives a file another name, and takes the place of what had it.
    package var rename: @Sendable (_ from: String, _ to: String) -> Int32 = { Foundation.rename($0, $1) }
    /// Removes a file.
    package var remove: @Sendable (_ path: String) -> Int32 = { unlink($0) }

    /// The names of what a folder holds.
    package var list: @Sendable (_ path: String) throws -> [String] = {
        try FileManager.default.contentsOfDirectory(atPath: $0)
    }

    /// Those of the operating system.
    package init() {}

    /// Those in force where files are named.
    @TaskLocal package static var current = FileOperations()
}

extension FileOperations {
    /// Writes all bytes, in one call where the system takes them in one.
    /// - Parameters:
    ///   - data: The bytes.
    ///   - descriptor: The open file.
    ///   - path: Its path, for the error.
    /// - Throws: ``SystemCallError`` when they could not all be written.
    package func write(_ data: Data, to descriptor: Int32, path: String) throws {
        try data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest))
                if count < 0, errno == EINTR { continue }
                // A disk that takes nothing and says nothing would be asked for ever.
                if count == 0 { errno = ENOSPC }
                guard count > 0 else { throw SystemCallError("write", path) }
                rest = rest.dropFirst(count)
            }
        }
    }
}
