import Foundation

/// The files beside a cassette that hold bodies for it, as Playwright writes them.
package struct Attachments: Sendable {
    private let folder: URL
    private let maximumSize: Int

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
            let status = FileStatus(file), status.kind == .file, status.size <= maximumSize
        else { return nil }
        // What is mapped is read only where it is looked at; files that cannot be mapped are read whole.
        return (try? Data(contentsOf: file, options: .alwaysMapped)) ?? (try? Data(contentsOf: file))
    }

    /// Whether a path means the same on every system, and is no path from a root.
    package static func accepts(_ path: String) -> Bool {
        !path.isEmpty && !path.hasPrefix("/") && !path.contains("\\") && !path.contains("\0")
    }
}
