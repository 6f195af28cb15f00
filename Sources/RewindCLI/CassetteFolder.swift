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
    /// The symbolic links to folders, which could form a cycle and are not followed.
    let linkedFolders: [URL]

    static func isFolder(_ url: URL) -> Bool { FileStatus(url)?.kind == .folder }

    static func bodies(of cassette: URL) -> URL {
        cassette.deletingPathExtension().appendingPathExtension(CassetteLocation.bodiesExtension)
    }

    static func isOfFailedTest(_ url: URL) -> Bool {
        url.deletingPathExtension().pathExtension.lowercased() == "failed"
    }

    /// - Throws: ``CommandError`` if there is no such folder, ``CassetteError`` if a folder in it cannot be read.
    init(_ url: URL) throws {
        guard Self.isFolder(url) else {
            let exists = FileStatus(url, followsLinks: false) != nil
            throw exists ? CommandError.notAFolder(url.displayPath) : .missingFolder(url.displayPath)
        }
        var links: [URL] = []
        var files: [URL] = []
        var refused: [URL] = []
        var bodyFolders: [URL] = []
        var rest = [url]
        while let folder = rest.popLast() {
            for entry in try Self.entries(of: folder) {
                let isFolder = Self.isFolder(entry)
                if isFolder, FileStatus(entry, followsLinks: false)?.kind == .link {
                    links.append(entry)
                } else if !isFolder {
                    if CassetteLocation.isCassetteName(entry.lastPathComponent) { files.append(entry) }
                    if RefusedRecording.isOne(entry) { refused.append(entry) }
                } else if entry.pathExtension == CassetteLocation.bodiesExtension {
                    bodyFolders.append(entry)
                } else {
                    rest.append(entry)
                    // A test that expects a cassette there cannot read it.
                    if entry.pathExtension.lowercased() == "har" { files.append(entry) }
                }
            }
        }
        files.sort(by: URL.areInOrder)
        let kept = files.filter(CassetteLocation.isKeptBeside)
        failedRecordings = kept.filter(Self.isOfFailedTest)
        recoveredRecordings = kept.filter { !Self.isOfFailedTest($0) }
        self.files = files.filter { !CassetteLocation.isKeptBeside($0) }
        refusedRecordings = refused.sorted(by: URL.areInOrder)
        self.bodyFolders = bodyFolders.sorted(by: URL.areInOrder)
        linkedFolders = links.sorted(by: URL.areInOrder)
    }

    private static func entries(of folder: URL) throws -> [URL] {
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            return names.filter { !$0.hasPrefix(".") }.map { folder.appendingPathComponent($0) }
        } catch {
            throw CassetteError(path: folder.path, problem: .unreadable(SystemCallError.cause(of: error)))
        }
    }

    /// The folder if none is named: the value of `REWIND_CASSETTES`, or else `Cassettes` in the working directory or, if
    /// there is none, in its project.
    static var `default`: URL {
        if let named = Environment.process[.cassettes] { return URL(fileURLWithPath: named, isDirectory: true) }
        let here = URL(fileURLWithPath: "Cassettes", isDirectory: true)
        let directory = FileManager.default.currentDirectoryPath
        guard !isFolder(here), let found = try? CassetteDirectory.ofProject(containing: directory) else {
            return here
        }
        return isFolder(found) ? found : here
    }

    /// The folder that an operand names, by its path or by its name in the default folder.
    static func url(_ operand: String?) -> URL {
        guard let operand else { return `default` }
        let path = URL(fileURLWithPath: operand, isDirectory: true)
        let inDefault = `default`.appendingPathComponent(operand, isDirectory: true)
        return FileStatus(path, followsLinks: false) == nil && isFolder(inDefault) ? inDefault : path
    }

    static let defaultMeaning = "$REWIND_CASSETTES, or else Cassettes, here or in the project"

    /// Says which folders were not searched.
    func noteLinks(on console: Console) {
        for link in linkedFolders {
            let path = link.displayPath
            console.printError(
                "\(path) is a symbolic link to a folder and was skipped\n  To include it, name it."
            )
        }
    }
}

extension URL {
    static func areInOrder(_ left: URL, _ right: URL) -> Bool { NaturalOrder.areInOrder(left.path, right.path) }
}
