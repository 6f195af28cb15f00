import Foundation

package enum ProjectRoot {
    /// The nearest folder above a path that contains a `Package.swift`, an `.xcodeproj`, an `.xcworkspace` or a git
    /// repository.
    ///
    /// - A repository ends the search. A `.git` file, as in submodules, counts only if nothing else is found above it.
    /// - A folder below `.build`, `DerivedData` or `.swiftpm` counts only if nothing is found outside of it. A folder inside
    ///   an `.xcodeproj` or `.xcworkspace` never counts.
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

/// Xcode's information about a build, in `info.plist` at the root of its build folder.
package enum XcodeBuild: Hashable, Sendable {
    case workspace(path: String)
    case unreadable(path: String)

    /// The information about the build that created a file; `nil` if there is none.
    ///
    /// A file without `WorkspacePath` is ignored: it may be the `Info.plist` of a bundle on a case-insensitive disk.
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
    /// The URL and the folders above it, nearest first.
    package var andFoldersAbove: [URL] {
        var folders = [self]
        while let last = folders.last, last.path != "/", !last.path.isEmpty {
            let above = last.deletingLastPathComponent()
            // A relative path, which exists if the working directory was deleted, has no end.
            guard above.path.utf8.count < last.path.utf8.count else { break }
            folders.append(above)
        }
        return folders
    }
}
