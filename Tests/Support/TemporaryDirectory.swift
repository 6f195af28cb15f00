import Foundation
import Rewind

/// A temporary folder for a test, removed when the value is released.
package final class TemporaryDirectory: Sendable {
    /// The folder.
    package let url: URL

    /// The existing folders, removed at exit: XCTest retains test cases, and their properties, until the process ends.
    private static let existing: Locked<Set<URL>> = {
        atexit {
            for url in TemporaryDirectory.existing.withLock({ $0 }) {
                try? FileManager.default.removeItem(at: url)
            }
        }
        return Locked([])
    }()

    /// Creates an empty folder.
    package init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("rewind-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        Self.existing.withLock { _ = $0.insert(url) }
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
        Self.existing.withLock { _ = $0.remove(url) }
    }

    /// The URL of a file in the folder.
    package subscript(name: String) -> URL { url.appendingPathComponent(name) }

    /// The paths of all files in the folder and its subfolders, sorted.
    package var files: [String] {
        let names = FileManager.default.enumerator(atPath: url.path)?.allObjects as? [String] ?? []
        return names.filter { name in
            var isDirectory: ObjCBool = false
            return FileManager.default.fileExists(atPath: self[name].path, isDirectory: &isDirectory)
                && !isDirectory.boolValue
        }.sorted()
    }
}

extension TemporaryDirectory {
    /// Writes a file, or creates a folder if the name ends with a slash.
    package func put(_ name: String, _ text: String = "") throws {
        let isFolder = name.hasSuffix("/")
        let folder = isFolder ? self[name] : self[name].deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        if !isFolder { try Data(text.utf8).write(to: self[name]) }
    }

    /// Writes the `info.plist` in which Xcode records the project of a build.
    package func putNote(
        _ note: [String: Any],
        in place: String,
        _ format: PropertyListSerialization.PropertyListFormat = .xml
    ) throws {
        try put(place + "/")
        try PropertyListSerialization.data(fromPropertyList: note, format: format, options: 0)
            .write(to: self[place + "/info.plist"])
    }
}
