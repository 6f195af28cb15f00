import Foundation

/// Where a cassette is read, and where a recording of it is written.
///
/// The file of another system is never changed: a recording copies it to an archive beside it, which is played then.
///
/// ```swift
/// let location = CassetteLocation(URL(fileURLWithPath: "Cassettes/timeline.plist"))
/// location.source       // Cassettes/timeline.plist
/// location.destination  // Cassettes/timeline.har
/// ```
package struct CassetteLocation: Hashable, Sendable {
    /// The file the cassette is read from, unless there is a recording.
    package let source: URL
    /// The file a recording is written to, always with the extension `har`.
    package let destination: URL
    /// Whether it cannot be written, as in a bundle; a request to record is then a miss.
    package var isReadOnly = false
    /// The module of the tests that record, where a test names the cassette.
    package var module: String?

    /// Creates the location of a cassette that is read and written in one place.
    package init(_ url: URL) { self.init(source: url, destination: url) }

    /// Creates the location of a cassette that is read in one place and written in another.
    package init(source: URL, destination: URL) {
        self.source = source.standardizedFileURL
        let destination = destination.standardizedFileURL
        let isArchive = destination.pathExtension.lowercased() == "har"
        self.destination =
            isArchive ? destination : destination.deletingPathExtension().appendingPathExtension("har")
    }

    /// The location of a named cassette in a folder.
    /// - Parameters:
    ///   - name: The name, with or without the extension of a cassette; it may contain slashes.
    ///   - directory: The folder.
    /// - Throws: ``Stubber/ConfigurationError`` when the name leads out of the folder.
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

    /// The file to play: the recording if there is one, else the named file.
    package var current: URL { FileManager.default.fileExists(atPath: destination.path) ? destination : source }
    package var exists: Bool { FileManager.default.fileExists(atPath: current.path) }
    package var failedRecording: URL { beside("failed") }
    package var recoveredRecording: URL { beside("recovered") }

    private func beside(_ ending: String) -> URL {
        destination.deletingPathExtension().appendingPathExtension(ending).appendingPathExtension("har")
    }

    /// Whether a file is a recording beside a cassette.
    package static func isKeptBeside(_ url: URL) -> Bool {
        ["failed", "recovered"].contains(url.deletingPathExtension().pathExtension.lowercased())
    }

    package static func isCassetteName(_ name: String) -> Bool {
        extensions.contains((name as NSString).pathExtension.lowercased())
    }

    package static let bodiesExtension = "bodies"
    /// The extensions of files; `response` is OHHTTPStubs' name for curl output.
    private static let extensions: Set<String> = ["har", "json", "plist", "yml", "yaml", "tail", "response"]
}
