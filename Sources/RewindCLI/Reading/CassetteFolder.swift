import Foundation
import Rewind

/// A folder of cassettes, and what else belongs to them.
struct CassetteFolder: Sendable {
    /// The cassettes at any depth, in the order of their paths.
    let files: [URL]
    /// The recordings of tests that failed, kept beside the cassettes.
    let failedRecordings: [URL]
    /// The folders that hold the bodies of cassettes.
    let bodyFolders: [URL]

    /// Whether there is a folder.
    static func isFolder(_ url: URL) -> Bool {
        (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory ?? false
    }

    /// Looks through a folder, but not into hidden ones.
    /// - Throws: ``CassetteError`` where it cannot be read.
    init(_ url: URL) throws {
        var files: [URL] = []
        var bodyFolders: [URL] = []
        var rest = [url]
        while let folder = rest.popLast() {
            for entry in try Self.entries(of: folder) {
                if !Self.isFolder(entry) {
                    if CassetteLocation.isCassetteName(entry.lastPathComponent) { files.append(entry) }
                } else if entry.pathExtension == CassetteLocation.bodiesExtension {
                    bodyFolders.append(entry)
                } else {
                    rest.append(entry)
                }
            }
        }
        files.sort { $0.path < $1.path }
        failedRecordings = files.filter { $0.deletingPathExtension().pathExtension == "failed" }
        self.files = files.filter { $0.deletingPathExtension().pathExtension != "failed" }
        self.bodyFolders = bodyFolders.sorted { $0.path < $1.path }
    }

    private static func entries(of folder: URL) throws -> [URL] {
        do {
            let entries = try FileManager.default.contentsOfDirectory(
                at: folder,
                includingPropertiesForKeys: [.isDirectoryKey],
                options: .skipsHiddenFiles
            )
            // A link to a folder may lead round in a circle.
            return entries.filter { entry in
                let isLink = (try? entry.resourceValues(forKeys: [.isSymbolicLinkKey]))?.isSymbolicLink ?? false
                return !isLink || !isFolder(entry.resolvingSymlinksInPath())
            }
        } catch {
            throw CassetteError(path: folder.path, problem: .unreadable(error.localizedDescription))
        }
    }
}
