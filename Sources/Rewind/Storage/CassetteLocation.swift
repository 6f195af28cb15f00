import Foundation

/// The file from which a cassette is read, and the file to which a recording is written.
///
/// A file of another tool is never changed. A recording copies it to a HAR archive beside it, which is played instead.
///
/// ```swift
/// let location = CassetteLocation(URL(fileURLWithPath: "Cassettes/timeline.plist"))
/// location.source       // Cassettes/timeline.plist
/// location.destination  // Cassettes/timeline.har
/// ```
package struct CassetteLocation: Hashable, Sendable {
    /// The file from which the cassette is read, unless there is a recording.
    package let source: URL
    /// The file to which a recording is written, always with the extension `har`.
    package let destination: URL
    /// Whether the cassette cannot be written, for example in a bundle. A request that would be recorded is then a miss.
    package var isReadOnly = false
    /// The test that a recording names; `nil` if it is not known.
    package var recorder: RecordingTest?

    /// Creates the location of a cassette that is read from and written to the same file.
    package init(_ url: URL) { self.init(source: url, destination: url) }

    /// Creates the location of a cassette that is read from one file and written to another.
    package init(source: URL, destination: URL) {
        self.source = source.standardizedFileURL
        let destination = destination.standardizedFileURL
        let isArchive = destination.pathExtension.lowercased() == "har"
        self.destination =
            isArchive ? destination : destination.deletingPathExtension().appendingPathExtension("har")
    }

    /// The location of a named cassette in a folder.
    /// - Parameters:
    ///   - name: The name, with or without a file extension. It may contain slashes.
    ///   - directory: The folder.
    /// - Throws: ``Stubber/ConfigurationError`` if the name leads out of the folder or ends in `.failed` or `.recovered`.
    package init(name: String, in directory: URL) throws {
        let components = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !name.hasPrefix("/"), !components.contains(".."), !name.contains("\0"),
            components.last?.isEmpty == false
        else { throw Stubber.ConfigurationError.invalidCassetteName(name) }
        self.init(directory.appendingPathComponent(Self.isCassetteName(name) ? name : name + ".har"))
        guard !Self.isKeptBeside(destination) else {
            throw Stubber.ConfigurationError.invalidCassetteName(name)
        }
    }

    package init(name: String, in folder: CassetteSearch.Found) throws {
        try self.init(name: name, in: folder.directory)
        isReadOnly = folder.isReadOnly
    }

    /// The file to play: the recording if there is one, otherwise the source.
    package var current: URL { FileManager.default.fileExists(atPath: destination.path) ? destination : source }
    package var exists: Bool { FileManager.default.fileExists(atPath: current.path) }
    package var failedRecording: URL { beside("failed") }
    package var recoveredRecording: URL { beside("recovered") }
    /// The recording that was not saved because it contains values that look like credentials.
    package var refusedRecording: URL {
        destination.deletingPathExtension().appendingPathExtension(Self.refusedExtension)
    }

    /// What prevents a recording, as far as it can be known before one is written.
    package var obstacle: FolderObstacle? { FolderObstacle(in: AtomicFile(destination).directory) }

    private func beside(_ ending: String) -> URL {
        destination.deletingPathExtension().appendingPathExtension(ending).appendingPathExtension("har")
    }

    /// Whether a file is a failed or recovered recording beside a cassette.
    package static func isKeptBeside(_ url: URL) -> Bool {
        ["failed", "recovered"].contains(url.deletingPathExtension().pathExtension.lowercased())
    }

    package static func isCassetteName(_ name: String) -> Bool {
        extensions.contains((name as NSString).pathExtension.lowercased())
    }

    package static let bodiesExtension = "bodies"
    package static let refusedExtension = "refused"
    /// The file extensions of cassettes, the usual one first. OHHTTPStubs uses `response` for curl output.
    package static let extensions = ["har", "json", "plist", "yml", "yaml", "tail", "response"]
}

extension URL {
    /// The path relative to the working directory if the file is in it, else the absolute path.
    package var displayPath: String {
        displayPath(in: URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true))
    }

    /// The path relative to a folder if the file is in it, else the absolute path.
    package func displayPath(in folder: URL) -> String {
        let start = folder.path.hasSuffix("/") ? folder.path : folder.path + "/"
        return path.hasPrefix(start) ? String(path.dropFirst(start.count)) : path
    }
}
