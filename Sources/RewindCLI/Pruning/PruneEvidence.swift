import Foundation
import Rewind

/// What manifests tell of the cassettes of a folder.
struct PruneEvidence {
    /// When the first process of the run began; `nil` where that is still to come, as the clock was set back since, and
    /// nobody can tell what changed before.
    let start: Date?
    /// The name of a test that failed in the run, if one did.
    let failedTest: String?

    private let uses: [String: [(use: ManifestUse, play: ManifestPlay?)]]

    /// Sorts what manifests tell by cassette.
    /// - Parameters:
    ///   - manifest: What they tell.
    ///   - folder: The folder.
    ///   - file: The manifest to name where it is of no use.
    /// - Throws: ``ManifestError`` where they name no cassette of the folder.
    init(_ manifest: Manifest, in folder: URL, manifest file: URL) throws {
        let folder = folder.standardizedFileURL.resolvingSymlinksInPath()
        let root = ProjectRoot.above(folder.path)
        var uses: [String: [(use: ManifestUse, play: ManifestPlay?)]] = [:]
        for use in manifest.uses {
            if let path = Self.path(of: use.use, root) { uses[path, default: []].append(use) }
        }
        guard uses.keys.contains(where: { URL(fileURLWithPath: $0).path(below: folder) != nil }) else {
            throw ManifestError(path: file.path, problem: .elsewhere(folder.path))
        }
        self.uses = uses
        start = manifest.start <= WallClock.current.now() ? manifest.start : nil
        failedTest = manifest.uses.first { $0.play?.failed ?? true }.map { $0.use.name }
    }

    /// The uses of a cassette.
    func uses(of url: URL) -> [(use: ManifestUse, play: ManifestPlay?)] {
        uses[url.standardizedFileURL.resolvingSymlinksInPath().path] ?? []
    }

    /// Where the cassette of a use is on this machine: a manifest may come from another one, where the package is in
    /// another folder.
    private static func path(of use: ManifestUse, _ root: URL?) -> String? {
        let url = URL(fileURLWithPath: use.cassette).standardizedFileURL.resolvingSymlinksInPath()
        guard let root, let path = use.packagePath, url.path(below: root) == nil,
            !FileManager.default.fileExists(atPath: url.path)
        else { return url.path }
        return root.appendingPathComponent(path).standardizedFileURL.path
    }
}

extension ManifestUse {
    /// What the test is called.
    var name: String { test ?? "a test" }
}
