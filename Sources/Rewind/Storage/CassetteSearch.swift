import Foundation

/// Finds the folder of the cassettes from the source file of a test or, without one, from the process.
package struct CassetteSearch: Sendable {
    package var source: String?
    package var workingDirectory: String
    /// The test bundle; on Linux, the folder of the executable.
    package var testBundle: URL
    package var resources: URL?
    package var buildFolders: [URL] = []
    package var environment = Environment([:])

    package struct Found: Hashable, Sendable {
        package var directory: URL
        package var isReadOnly = false
    }

    /// The root of the tested project: that of the source file or, without one, the first one found from Xcode's build
    /// information, the working directory and the test bundle.
    ///
    /// Xcode's build information comes first, because its working directory is not in the project.
    package var projectRoot: URL? {
        guard let source else { return noted.root ?? otherRoot }
        return ProjectRoot.above(source)
    }

    private var otherRoot: URL? {
        if let root = ProjectRoot.above(workingDirectory) { return root }
        return places.lazy.compactMap { ProjectRoot.above($0.path, countsRepositories: false) }.first
    }

    private var places: [URL] { [testBundle] + buildFolders }

    private var noted: (root: URL?, problem: String?) {
        var problem: String?
        for place in places {
            switch XcodeBuild(above: place) {
            case .workspace(let path):
                if FileManager.default.fileExists(atPath: path), let root = ProjectRoot.above(path) {
                    return (root, nil)
                }
                problem = problem ?? "Xcode built it from \(path), which contains no project any more"
            case .unreadable(let path):
                problem = problem ?? "the build information in \(path) cannot be read"
            case nil: break
            }
        }
        return (nil, problem)
    }

    /// The folder that `REWIND_CASSETTES` names, otherwise `Cassettes` in the project, otherwise `Cassettes` in the bundle.
    /// - Throws: ``Stubber/ConfigurationError`` if there is none.
    package func cassettes() throws -> Found {
        if let name = environment[.cassettes] {
            return Found(directory: URL(fileURLWithPath: name, isDirectory: true))
        }
        if let source {
            if let root = ProjectRoot.above(source) { return Found(directory: Self.cassettes(in: root)) }
            if let shipped, FileStatus(URL(fileURLWithPath: source)) == nil {
                return Found(directory: shipped, isReadOnly: true)
            }
            throw Stubber.ConfigurationError.noProject(above: [source])
        }
        let (root, problem) = noted
        if let root = root ?? otherRoot { return Found(directory: Self.cassettes(in: root)) }
        if let shipped { return Found(directory: shipped, isReadOnly: true) }
        let bundle = "the test bundle \(testBundle.path)" + (problem.map { " (\($0))" } ?? "")
        throw Stubber.ConfigurationError.noProject(above: ["the working directory \(workingDirectory)", bundle])
    }

    /// A folder that a test names or, if it is out of reach, as on a device, its copy in the bundle.
    ///
    /// The path after the last `Cassettes` is appended to `Cassettes` in the bundle.
    package func reached(_ directory: URL) -> Found {
        let parts = directory.standardizedFileURL.pathComponents
        if let shipped, parts.starts(with: shipped.pathComponents) {
            return Found(directory: directory, isReadOnly: true)
        }
        guard !Self.isInReach(directory) else { return Found(directory: directory) }
        guard let shipped else { return Found(directory: directory, isReadOnly: true) }
        let rest = parts.lastIndex(of: Self.name).map { parts[($0 + 1)...] } ?? []
        return Found(directory: rest.reduce(shipped) { $0.appendingPathComponent($1) }, isReadOnly: true)
    }

    private var shipped: URL? {
        guard let folder = resources.map(Self.cassettes), FileStatus(folder)?.kind == .folder
        else { return nil }
        return folder.standardizedFileURL
    }

    private static let name = "Cassettes"

    private static func cassettes(in folder: URL) -> URL {
        folder.appendingPathComponent(name, isDirectory: true)
    }

    /// Whether a folder exists, can be created, or is near an existing one, so that an error of creating it is reported.
    private static func isInReach(_ directory: URL) -> Bool {
        let folders = directory.standardizedFileURL.andFoldersAbove
        if folders.prefix(3).contains(where: { $0.path != "/" && FileStatus($0) != nil }) { return true }
        guard let nearest = folders.first(where: { FileStatus($0) != nil }) else { return false }
        return FileStatus(nearest)?.kind == .folder && access(nearest.path, W_OK) == 0
    }
}

extension CassetteSearch {
    /// Creates a search from this process and the source file of a test (`#filePath`).
    package init(source: String? = nil, bundle: Bundle? = nil) {
        let bundle = bundle ?? Bundle.allBundles.first { $0.bundleURL.pathExtension == "xctest" } ?? .main
        // A host app is copied to its simulator, and only this variable of Xcode names the build folder.
        let products = ProcessInfo.processInfo.environment[Environment.xcodeVariable] ?? ""
        self.init(
            source: source,
            workingDirectory: FileManager.default.currentDirectoryPath,
            testBundle: bundle.bundleURL,
            resources: bundle.resourceURL,
            buildFolders: products.split(separator: ":").map { URL(fileURLWithPath: String($0)) },
            environment: .process
        )
    }
}

/// Finds the folder for the cassettes of a project.
public enum CassetteDirectory {
    /// Returns the folder `Cassettes` at the root of a project, or the folder that `REWIND_CASSETTES` names.
    ///
    /// The root is the nearest folder above `path` that contains a `Package.swift`, an `.xcodeproj`, an `.xcworkspace` or a
    /// git repository. If the sources are out of reach, as on a device, it is the folder `Cassettes` in the resources of the
    /// test bundle.
    /// - Parameter path: The path of a file or a folder in the project, usually `#filePath`.
    /// - Returns: The folder. It may not exist yet.
    /// - Throws: ``Stubber/ConfigurationError`` if there is no project above the path.
    public static func ofProject(containing path: String) throws -> URL {
        try CassetteSearch(source: path).cassettes().directory
    }

    /// Returns the folder `Cassettes` beside a source file.
    /// - Parameter filePath: The path of the source file, usually `#filePath`.
    /// - Returns: The folder. It may not exist yet.
    public static func beside(_ filePath: StaticString) -> URL {
        URL(fileURLWithPath: "\(filePath)").deletingLastPathComponent()
            .appendingPathComponent("Cassettes", isDirectory: true)
    }

    /// A folder that represents one that was not found.
    package static let missing = URL(fileURLWithPath: "/nonexistent/Cassettes", isDirectory: true)

    package static func isMissing(_ directory: URL) -> Bool {
        directory.standardizedFileURL.pathComponents.starts(with: missing.pathComponents)
    }
}
