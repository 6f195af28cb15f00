import Foundation
import Rewind

/// The cassettes in a folder and its subfolders, and the files that belong to them.
struct CassetteFolder: Sendable {
    /// The cassettes at any depth, sorted by path.
    let files: [URL]
    /// The recordings of failed tests, beside the cassettes.
    let failedRecordings: [URL]
    /// The recordings recovered from interrupted runs, beside the cassettes.
    let recoveredRecordings: [URL]
    /// The recordings that were not saved because of values that look like credentials.
    let refusedRecordings: [URL]
    let bodyFolders: [URL]

    static func isFolder(_ url: URL) -> Bool { FileStatus(url)?.kind == .folder }

    static func bodies(of cassette: URL) -> URL {
        cassette.deletingPathExtension().appendingPathExtension(CassetteLocation.bodiesExtension)
    }

    static func isOfFailedTest(_ url: URL) -> Bool {
        url.deletingPathExtension().pathExtension.lowercased() == "failed"
    }

    init(_ url: URL) throws {
        var files: [URL] = []
        var refused: [URL] = []
        var bodyFolders: [URL] = []
        var rest = [url]
        while let folder = rest.popLast() {
            for entry in try Self.entries(of: folder) {
                if !Self.isFolder(entry) {
                    if CassetteLocation.isCassetteName(entry.lastPathComponent) { files.append(entry) }
                    if RefusedRecording.isOne(entry) { refused.append(entry) }
                } else if entry.pathExtension == CassetteLocation.bodiesExtension {
                    bodyFolders.append(entry)
                } else {
                    rest.append(entry)
                }
            }
        }
        files.sort { $0.path < $1.path }
        let kept = files.filter(CassetteLocation.isKeptBeside)
        failedRecordings = kept.filter(Self.isOfFailedTest)
        recoveredRecordings = kept.filter { !Self.isOfFailedTest($0) }
        self.files = files.filter { !CassetteLocation.isKeptBeside($0) }
        refusedRecordings = refused.sorted { $0.path < $1.path }
        self.bodyFolders = bodyFolders.sorted { $0.path < $1.path }
    }

    private static func entries(of folder: URL) throws -> [URL] {
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            let entries = names.filter { !$0.hasPrefix(".") }.map { folder.appendingPathComponent($0) }
            // A link to a folder could form a cycle.
            return entries.filter { FileStatus($0, followsLinks: false)?.kind != .link || !isFolder($0) }
        } catch {
            throw CassetteError(path: folder.path, problem: .unreadable(SystemCallError.cause(of: error)))
        }
    }

    /// The folder if none is named: the value of `REWIND_CASSETTES`, or else `Cassettes` in the working directory.
    static var `default`: URL {
        URL(fileURLWithPath: Environment.process[.cassettes] ?? "Cassettes", isDirectory: true)
    }
}
