import Foundation

/// Why no file can be created in a folder, as far as the system says so before it is tried.
package struct FolderObstacle: Hashable, Sendable {
    /// The folder, or the nearest existing one above it, in which it would be created.
    package let folder: String
    /// The cause in the words of the system, such as `Read-only file system`.
    package let cause: String

    /// Examines a folder without changing anything; `nil` if nothing is known that prevents a new file in it.
    package init?(in directory: URL) {
        for place in directory.standardizedFileURL.andFoldersAbove {
            guard FileStatus(place, followsLinks: false) != nil else { continue }
            folder = place.path
            var status = stat()
            if stat(place.path, &status) != 0 {
                // A link that leads nowhere cannot be replaced by a folder.
                cause = String(cString: strerror(errno))
            } else if status.st_mode & S_IFMT != S_IFDIR {
                cause = String(cString: strerror(ENOTDIR))
            } else if access(place.path, W_OK | X_OK) != 0 {
                cause = String(cString: strerror(errno))
            } else {
                return nil
            }
            return
        }
        return nil
    }
}

extension FolderObstacle: CustomStringConvertible {
    package var description: String { "\(folder): \(cause)" }
}
