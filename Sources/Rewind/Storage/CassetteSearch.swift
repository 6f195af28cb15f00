import Foundation

/// Finds the folder of a test's cassettes by the test's source, or else by its process.
package struct CassetteSearch: Sendable {
    package var source: String?
    package var workingDirectory: String
    /// On Linux the folder of the executable.
    package var testBundle: URL
    package var resources: URL?
    package var buildFolders: [URL] = []
    package var environment = Environment([:])

    package struct Found: Hashable, Sendable {
        package var directory: URL
        package var isReadOnly = false
    }

    /// The root of the tested project: that of the source, else of Xcode's note, the working directory or the bundle.
    ///
    /// Other programs write to Xcode's working directory, so its note comes first.
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
                problem = problem ?? "Xcode built it from \(path), where there is no project now."
            case .unreadable(let path):
                problem = problem ?? "What Xcode noted of the build in \(path) cannot be read."
            case nil: break
            }
        }
        return (nil, problem)
    }

    /// The folder that `REWIND_CASSETTES` names, or the project's, or the bundle's if there is none in reach.
    /// - Throws: ``Stubber/ConfigurationError`` when there is none.
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
        let bundle = "the test bundle \(testBundle.path)" + (problem.map { " (\($0.withoutFullStop))" } ?? "")
        throw Stubber.ConfigurationError.noProject(above: ["the working directory \(workingDirectory)", bundle])
    }

    /// A folder that a test names, or the bundle's `Cassettes` where it cannot be reached, as on a device.
    ///
    /// What follows the folder's last `Cassettes` is looked up in the bundle's.
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

    /// Whether a folder exists, could be created, or is near an existing one, so that the error of creating it shows.
    private static func isInReach(_ directory: URL) -> Bool {
        let folders = directory.standardizedFileURL.andFoldersAbove
        if folders.prefix(3).contains(where: { $0.path != "/" && FileStatus($0) != nil }) { return true }
        guard let nearest = folders.first(where: { FileStatus($0) != nil }) else { return false }
        return FileStatus(nearest)?.kind == .folder && access(nearest.path, W_OK) == 0
    }
}

extension CassetteSearch {
    /// Creates a search from this process and the test's source (`#filePath`).
    package init(source: String? = nil, bundle: Bundle? = nil) {
        let bundle = bundle ?? Bundle.allBundles.first { $0.bundleURL.pathExtension == "xctest" } ?? .main
        // A host app is copied to its simulator; only Xcode's variable names its build folder.
        let products = ProcessInfo.processInfo.environment["__XCODE_BUILT_PRODUCTS_DIR_PATHS"] ?? ""
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

/// The folder in which a project keeps its cassettes.
public enum CassetteDirectory {
    /// The folder `Cassettes` at the root of the project that contains a place, or the one `REWIND_CASSETTES` names.
    ///
    /// The root is the nearest folder above with a `Package.swift`, an `.xcodeproj`, an `.xcworkspace` or a git
    /// repository. Where the sources are out of reach, as on a device, it is the folder `Cassettes` in the test
    /// bundle's resources.
    /// - Parameter path: A file or folder of the project: `#filePath`.
    /// - Returns: The folder, which need not exist yet.
    /// - Throws: ``Stubber/ConfigurationError`` when there is no project above the place.
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

    /// A folder in place of one that was not found.
    package static let missing = URL(fileURLWithPath: "/nonexistent/Cassettes", isDirectory: true)

    package static func isMissing(_ directory: URL) -> Bool {
        directory.standardizedFileURL.pathComponents.starts(with: missing.pathComponents)
    }
}
