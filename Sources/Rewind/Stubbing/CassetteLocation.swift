import Foundation

/// Where a cassette is read, and where a recording of it is written.
///
/// The file of another system is only read: what is recorded beyond it goes, together with what it holds, to an archive
/// of its name beside it, which is played from then on.
///
/// ```swift
/// let location = CassetteLocation(URL(fileURLWithPath: "Cassettes/timeline.plist"))
/// location.source       // Cassettes/timeline.plist
/// location.destination  // Cassettes/timeline.har
/// ```
public struct CassetteLocation: Hashable, Sendable {
    /// The file the cassette is read from, unless there is a recording.
    public let source: URL
    /// The file a recording is written to, always with the extension `har`.
    public let destination: URL

    /// Creates the location of a cassette that is read and written in one place.
    public init(_ url: URL) {
        self.init(source: url, destination: url)
    }

    /// Creates the location of a cassette that is read in one place and written in another.
    public init(source: URL, destination: URL) {
        self.source = source.standardizedFileURL
        let destination = destination.standardizedFileURL
        let isArchive = destination.pathExtension.lowercased() == "har"
        self.destination =
            isArchive ? destination : destination.deletingPathExtension().appendingPathExtension("har")
    }

    /// The location of a named cassette in a folder.
    /// - Parameters:
    ///   - name: The name, with or without the extension `har`, or with that of another system's file; it may contain
    ///     slashes.
    ///   - directory: The folder.
    /// - Throws: ``ConfigurationError`` when the name leads out of the folder.
    public init(name: String, in directory: URL) throws {
        let components = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !name.hasPrefix("/"), !components.contains(".."), !name.contains("\0"),
            components.last?.isEmpty == false
        else { throw ConfigurationError.nameLeadsOutside(name) }
        self.init(directory.appendingPathComponent(Self.isCassetteName(name) ? name : name + ".har"))
        guard !Self.isKeptBeside(destination) else { throw ConfigurationError.nameIsReserved(name) }
    }

    /// The location of a test's cassette, also where the source tree cannot be reached, as on a device: there it is
    /// read from the folder `Cassettes` of the test bundle, and written to the documents folder.
    package init(
        name: String,
        in directory: URL,
        testClass: String,
        resources: URL?,
        documents: URL? = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first
    ) throws {
        guard !CassetteDirectory.isReachable(directory), let resources, let documents else {
            try self.init(name: name, in: directory)
            return
        }
        let folders = [resources, documents].map {
            $0.appendingPathComponent("Cassettes", isDirectory: true).appendingPathComponent(testClass)
        }
        self.init(
            source: try CassetteLocation(name: name, in: folders[0]).source,
            destination: try CassetteLocation(name: name, in: folders[1]).destination
        )
    }

    /// The file that is played: the recording where there is one, and else the one it was named for.
    ///
    /// A recording made where the source tree cannot be reached is newer than the cassette that was shipped.
    package var current: URL {
        FileManager.default.fileExists(atPath: destination.path) ? destination : source
    }

    /// Whether there is a cassette.
    package var exists: Bool {
        FileManager.default.fileExists(atPath: current.path)
    }

    /// Where the recording of a failed test is kept.
    package var failedRecording: URL { beside("failed") }

    /// Where is kept what was recorded by runs that ended too early.
    package var recoveredRecording: URL { beside("recovered") }

    private func beside(_ ending: String) -> URL {
        destination.deletingPathExtension().appendingPathExtension(ending).appendingPathExtension("har")
    }

    /// Whether a file's name is that of a recording which is kept beside a cassette and is none itself.
    package static func isKeptBeside(_ url: URL) -> Bool {
        ["failed", "recovered"].contains(url.deletingPathExtension().pathExtension.lowercased())
    }

    /// Whether recordings go to another folder, as on a device.
    package var isRecordedElsewhere: Bool {
        source.deletingLastPathComponent() != destination.deletingLastPathComponent()
    }

    /// Whether a file's name has the extension of a cassette, in whatever format.
    package static func isCassetteName(_ name: String) -> Bool {
        extensions.contains((name as NSString).pathExtension.lowercased())
    }

    /// The extension of a folder that holds a cassette's large bodies.
    package static let bodiesExtension = "bodies"

    /// The extensions that make a name the name of a file, `response` being what OHHTTPStubs calls a print of curl.
    private static let extensions: Set<String> = ["har", "json", "plist", "yml", "yaml", "tail", "response"]
}
