import Foundation

/// The status of a file (POSIX `stat`). Foundation's attributes include the owner's name, which it may look up over the
/// network.
package struct FileStatus: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case file, folder, link
        /// A device, a pipe or a socket, which may be endless.
        case other
    }

    package let kind: Kind
    package let size: Int
    package let permissions: Int
    private let device: Int
    private let number: Int
    private let seconds: Int
    private let nanoseconds: Int

    package init?(_ url: URL, followsLinks: Bool = true) {
        self.init { status in
            url.withUnsafeFileSystemRepresentation { path in
                path.map { followsLinks ? stat($0, &status) : lstat($0, &status) } ?? -1
            }
        }
    }

    init?(descriptor: Int32) { self.init { fstat(descriptor, &$0) } }

    private init?(_ call: (inout stat) -> Int32) {
        var status = stat()
        guard call(&status) == 0 else { return nil }
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
        size = Int(status.st_size)
        permissions = Int(status.st_mode & 0o7777)
        device = Int(truncatingIfNeeded: status.st_dev)
        number = Int(truncatingIfNeeded: status.st_ino)
        #if canImport(Darwin)
            let modified = status.st_mtimespec
        #else
            let modified = status.st_mtim
        #endif
        (seconds, nanoseconds) = (modified.tv_sec, modified.tv_nsec)
    }
}

/// Lists a folder without a system call for each file. Foundation makes one, which slows down the start of every test.
package enum DirectoryListing {
    /// The names in a folder, unordered; empty if it cannot be read.
    package static func names(in directory: URL) -> [String] {
        guard let stream = opendir(directory.path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
