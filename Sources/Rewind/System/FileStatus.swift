import Foundation

/// What the system knows of a file (POSIX `stat`).
///
/// Foundation's attributes come with the name of the owner, for which it asks a service that may be slow, and on another
/// machine; who promises to leave the network alone cannot ask for them.
package struct FileStatus: Hashable, Sendable {
    /// What may stand at a path.
    package enum Kind: Hashable, Sendable {
        case file, folder, link
        /// A device, a pipe or a socket, which may have no end.
        case other
    }

    /// What it is.
    package let kind: Kind
    /// The number of its bytes.
    package let size: Int
    /// Who may read and write it.
    package let permissions: Int

    /// Looks at a path; `nil` where nothing is there, or nothing that may be looked at.
    /// - Parameters:
    ///   - url: The path.
    ///   - followsLinks: Whether a link stands for what it leads to; it does by default.
    package init?(_ url: URL, followsLinks: Bool = true) {
        var status = stat()
        let result = url.withUnsafeFileSystemRepresentation { path in
            path.map { followsLinks ? stat($0, &status) : lstat($0, &status) } ?? -1
        }
        guard result == 0 else { return nil }
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
        size = Int(status.st_size)
        permissions = Int(status.st_mode & 0o7777)
    }
}
