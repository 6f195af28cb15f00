import Foundation

/// The files beside a cassette that hold bodies for it, as Playwright writes them.
package struct Attachments: Sendable {
    private let folder: URL
    private let maximumSize: Int
    /// The files that were read, where they are remembered.
    private var files: Locked<[FileStatus: Data]>?

    /// Names the folder of the cassette.
    package init(in folder: URL, maximumSize: Int = CassetteLimits.default.maximumSize) {
        self.folder = folder
        self.maximumSize = maximumSize
    }

    /// The bytes of a file by its path from the folder.
    ///
    /// A cassette may come from anywhere, so a path that leads out of the folder, through a link too, is not followed.
    /// - Returns: The bytes, or `nil` where there is no such file or it may not be read.
    package func data(at path: String) -> Data? {
        guard Self.accepts(path) else { return nil }
        let root = folder.standardizedFileURL.resolvingSymlinksInPath()
        let file = root.appendingPathComponent(path).standardizedFileURL.resolvingSymlinksInPath()
        guard file.pathComponents.starts(with: root.pathComponents),
            file.pathComponents.count > root.pathComponents.count,
            let snapshot = FileSnapshot(file), snapshot.identity.size <= maximumSize
        else { return nil }
        if let known = files?.withLock({ $0[snapshot.identity] }) { return known }
        guard let data = snapshot.data() else { return nil }
        files?.withLock { $0[snapshot.identity] = data }
        return data
    }

    /// The same files, each of which is taken once, however many bodies it holds.
    package var remembering: Attachments {
        var attachments = self
        attachments.files = Locked([:])
        return attachments
    }

    /// Whether a path means the same on every system, and is no path from a root.
    package static func accepts(_ path: String) -> Bool {
        !path.isEmpty && !path.hasPrefix("/") && !path.contains("\\") && !path.contains("\0")
    }
}
