import Foundation

/// The bytes of a file at one moment, even if the file changes later. Mapping the file itself is unsafe: if it is
/// truncated, reading beyond its end raises SIGBUS. A large file is copied to an unnamed file and the copy is mapped,
/// so that memory is used only for the parts that are read.
package final class FileSnapshot {
    package let identity: FileStatus
    private let descriptor: Int32

    /// Opens a file; `nil` for a folder, a link, a device, a pipe or an unreadable file.
    package init?(_ url: URL) {
        // Opening a pipe without a writer would block.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW
        let descriptor = url.withUnsafeFileSystemRepresentation { path in path.map { open($0, flags) } ?? -1 }
        guard descriptor >= 0 else { return nil }
        guard let identity = FileStatus(descriptor: descriptor), identity.kind == .file else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        self.identity = identity
    }

    deinit { close(descriptor) }

    /// - Parameter greatestRead: The size in bytes above which a file is copied and mapped instead of read into memory;
    ///   1 MiB by default.
    /// - Returns: The bytes, or `nil` if they cannot be read or have changed since the file was opened.
    package func data(greatestRead: Int = 1 << 20) -> Data? {
        guard identity.size > greatestRead else { return read() }
        // If the disk has no room for a copy, the file is read into memory.
        return mappedCopy() ?? read()
    }

    private func read() -> Data? {
        var data = Data(capacity: identity.size)
        let isWhole = eachPiece { piece in
            data.append(contentsOf: piece)
            return true
        }
        return isWhole ? data : nil
    }

    private func mappedCopy() -> Data? {
        guard let copy = Self.namelessFile() else { return nil }
        defer { close(copy) }
        let isWhole = eachPiece { (try? FileOperations().write($0, to: copy, path: "")) != nil }
        guard isWhole, let start = mmap(nil, identity.size, PROT_READ, MAP_PRIVATE, copy, 0),
            start != MAP_FAILED
        else { return nil }
        return Data(bytesNoCopy: start, count: identity.size, deallocator: .custom { munmap($0, $1) })
    }

    /// Visits the bytes; `false` if the file has changed since it was opened.
    private func eachPiece(_ body: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        let size = 1 << 18
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        defer { buffer.deallocate() }
        var position = 0
        while position < identity.size {
            let count = pread(
                descriptor,
                buffer.baseAddress,
                min(size, identity.size - position),
                off_t(position)
            )
            guard count > 0, body(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else { return false }
            position += count
        }
        return FileStatus(descriptor: descriptor) == identity
    }

    /// Opens an unnamed file, which the system deletes with its last descriptor or mapping.
    private static func namelessFile() -> Int32? {
        let folder = FileManager.default.temporaryDirectory
        var path = Array(folder.appendingPathComponent("rewind-XXXXXX").path.utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else { return nil }
        unlink(path)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }
}
