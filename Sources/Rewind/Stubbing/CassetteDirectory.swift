import Foundation

/// The folder in which a package keeps its cassettes.
public enum CassetteDirectory {
    /// The folder `Cassettes` at the root of the package that contains a place, or the one `REWIND_CASSETTES` names.
    /// - Parameter path: A file or folder of the package.
    /// - Returns: The folder, which need not exist yet.
    /// - Throws: ``ConfigurationError`` when no folder above the place has a `Package.swift`.
    public static func ofPackage(containing path: String) throws -> URL {
        try ofPackage(containing: path, environment: .process)
    }

    /// The same, by the variables of another process.
    package static func ofPackage(containing path: String, environment: Environment) throws -> URL {
        if let named = environment[.cassettes] { return URL(fileURLWithPath: named, isDirectory: true) }
        guard let root = packageRoot(above: path) else { throw ConfigurationError.noPackageRoot(above: path) }
        return root.appendingPathComponent("Cassettes", isDirectory: true)
    }

    /// The folder `Cassettes` beside a source file.
    /// - Parameter filePath: The source file: `#filePath`.
    /// - Returns: The folder, which need not exist yet.
    public static func beside(_ filePath: StaticString) -> URL {
        URL(fileURLWithPath: "\(filePath)").deletingLastPathComponent()
            .appendingPathComponent("Cassettes", isDirectory: true)
    }

    /// A folder that stands for one that could not be found.
    package static let unreachable = URL(fileURLWithPath: "/nonexistent/Cassettes", isDirectory: true)

    /// Whether a folder of cassettes, or a place where it could be made, exists on this machine.
    package static func isReachable(_ directory: URL) -> Bool {
        let parent = directory.deletingLastPathComponent()
        return [directory, parent, parent.deletingLastPathComponent()]
            .contains { $0.path != "/" && FileManager.default.fileExists(atPath: $0.path) }
    }

    /// The nearest folder, from a place upwards, that has a `Package.swift`.
    package static func packageRoot(above path: String) -> URL? {
        var folder = URL(fileURLWithPath: path).standardizedFileURL
        while true {
            if FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path) {
                return folder
            }
            guard folder.path != "/", !folder.path.isEmpty else { return nil }
            folder.deleteLastPathComponent()
        }
    }
}
