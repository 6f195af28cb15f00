import Foundation

package enum ProjectRoot {
    /// The nearest folder upwards with a `Package.swift`, an `.xcodeproj`, an `.xcworkspace` or a git repository.
    ///
    /// - A repository ends the search. A `.git` file, as in submodules, counts only if there is nothing else above it.
    /// - A folder below `.build`, `DerivedData` or `.swiftpm` counts only if there is none outside of it, and the
    ///   inside of an `.xcodeproj` or `.xcworkspace` never does.
    package static func above(_ path: String, countsRepositories: Bool = true) -> URL? {
        let place = URL(fileURLWithPath: path).standardizedFileURL
        return nearest(to: place, countsRepositories)
            ?? nearest(to: place.resolvingSymlinksInPath(), countsRepositories)
    }

    private static func nearest(to place: URL, _ countsRepositories: Bool) -> URL? {
        var (submodule, built): (URL?, URL?)
        for folder in place.andFoldersAbove where !isInsideProject(folder) {
            let isBuilt = isInBuildFolder(folder)
            if hasProject(folder) {
                guard isBuilt else { return folder }
                built = built ?? folder
            } else if countsRepositories, !isBuilt {
                switch FileStatus(folder.appendingPathComponent(".git"))?.kind {
                case .folder: return folder
                case .file: submodule = submodule ?? folder
                default: break
                }
            }
        }
        return submodule ?? built
    }

    private static func hasProject(_ folder: URL) -> Bool {
        if FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path) {
            return true
        }
        return DirectoryListing.names(in: folder).contains { name in
            isProject(name) && FileStatus(folder.appendingPathComponent(name))?.kind == .folder
        }
    }

    private static func isProject(_ name: String) -> Bool {
        name.hasSuffix(".xcodeproj") || name.hasSuffix(".xcworkspace")
    }

    private static func isInsideProject(_ folder: URL) -> Bool {
        folder.pathComponents.contains(where: isProject)
    }

    private static func isInBuildFolder(_ folder: URL) -> Bool {
        !buildFolders.isDisjoint(with: folder.pathComponents)
    }

    package static let buildFolders: Set<String> = [".build", "DerivedData", ".swiftpm"]
}

/// Xcode's note about a build, in `info.plist` at the root of its build folder.
package enum XcodeBuild: Hashable, Sendable {
    case workspace(path: String)
    case unreadable(path: String)

    /// The note of the build that made a file; `nil` where there is none.
    ///
    /// A file without `WorkspacePath` is another one, such as a bundle's `Info.plist` on disks that ignore case.
    package init?(above place: URL) {
        var damaged: URL?
        for folder in place.standardizedFileURL.andFoldersAbove {
            let file = folder.appendingPathComponent("info.plist")
            guard let status = FileStatus(file), status.kind == .file, status.size < 1 << 20 else { continue }
            guard let data = try? Data(contentsOf: file),
                let note = try? PropertyListSerialization.propertyList(from: data, format: nil)
            else {
                damaged = damaged ?? file
                continue
            }
            guard let path = (note as? [String: Any])?["WorkspacePath"] as? String, !path.isEmpty
            else { continue }
            self = .workspace(path: path)
            return
        }
        guard let damaged else { return nil }
        self = .unreadable(path: damaged.path)
    }
}

extension URL {
    /// Nearest first.
    package var andFoldersAbove: [URL] {
        var folders = [self]
        while let last = folders.last, last.path != "/", !last.path.isEmpty {
            folders.append(last.deletingLastPathComponent())
        }
        return folders
    }
}
