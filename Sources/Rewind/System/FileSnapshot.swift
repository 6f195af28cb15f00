import Foundation

/// A file that is open, whose bytes are taken as they are now, whatever becomes of the file.
///
/// To map a file is no way to keep it: when somebody shortens it, whoever looks at what is gone is ended by the system
/// (POSIX `mmap`, SIGBUS). A great file is copied to one that has no name, which nobody else can reach, and the copy is
/// mapped, so that memory is taken only where somebody looks.
package final class FileSnapshot {
    /// What the file was when it was opened, which tells whether it is the same later.
    package let identity: FileStatus
    private let descriptor: Int32

    /// Opens a file; `nil` where there is none that may be read, or it is a folder, a link, a device or a pipe.
    package init?(_ url: URL) {
        // A pipe without a writer would be waited for.
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

    /// Takes the bytes.
    /// - Parameter greatestRead: The size of a file from which a copy is mapped and not read to memory: 1 MiB.
    /// - Returns: The bytes, or `nil` where they cannot be read, or changed while they were.
    package func data(greatestRead: Int = 1 << 20) -> Data? {
        guard identity.size > greatestRead else { return read() }
        // A disk without room for a copy is no reason to go without the body.
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

    /// Goes through the bytes, or returns `false` where these are not those of the file as it was opened.
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

    /// Opens a file for the bytes of this process alone, which is gone with its descriptor and what is mapped of it.
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
