import Foundation

/// The folder in which a project keeps its cassettes.
public enum CassetteDirectory {
    /// The folder `Cassettes` at the root of the project that contains a place, or the one `REWIND_CASSETTES` names.
    ///
    /// The root is the nearest folder above the place that has a `Package.swift`, an `.xcodeproj` or an `.xcworkspace`, or
    /// that is a repository of git. Where the place is out of reach, as the sources are on a device, it is the folder
    /// `Cassettes` among the resources of the test bundle.
    /// - Parameter path: A file or folder of the project: `#filePath`.
    /// - Returns: The folder, which need not exist yet.
    /// - Throws: ``ConfigurationError`` when there is no project above the place.
    public static func ofProject(containing path: String) throws -> URL {
        try CassetteSearch(source: path).cassettes().directory
    }

    /// The folder `Cassettes` beside a source file.
    /// - Parameter filePath: The source file: `#filePath`.
    /// - Returns: The folder, which need not exist yet.
    public static func beside(_ filePath: StaticString) -> URL {
        URL(fileURLWithPath: "\(filePath)").deletingLastPathComponent()
            .appendingPathComponent("Cassettes", isDirectory: true)
    }

    /// A folder in place of one that could not be found.
    package static let missing = URL(fileURLWithPath: "/nonexistent/Cassettes", isDirectory: true)

    /// Whether a folder is the one in place of one that could not be found, or in it.
    package static func isMissing(_ directory: URL) -> Bool {
        directory.standardizedFileURL.pathComponents.starts(with: missing.pathComponents)
    }
}
