import Foundation

/// The folder beside a cassette that holds its large bodies: `talk.bodies` beside `talk.har`.
struct BodyFolder {
    /// The name of the folder.
    let name: String
    /// The files beside the cassette, in this folder and elsewhere.
    let attachments: Attachments
    private let parent: URL
    /// Whether there is a cassette that may name files of the folder.
    private let hasCassette: Bool

    init(beside cassette: URL) {
        name = cassette.deletingPathExtension().lastPathComponent + "." + CassetteLocation.bodiesExtension
        parent = cassette.deletingLastPathComponent()
        attachments = Attachments(in: parent)
        hasCassette = FileManager.default.fileExists(atPath: cassette.path)
    }

    /// Whether a body may be written to a path.
    ///
    /// A file that a cassette may name is never changed, so that the cassette is whole until the new one is in its place.
    func isFree(_ path: String, for data: Data) -> Bool {
        guard Attachments.accepts(path), [nil, .folder].contains(kind(of: name)) else { return false }
        switch kind(of: path) {
        case nil: return true
        case .file: return !hasCassette || attachments.data(at: path) == data
        default: return false
        }
    }

    /// Writes those bodies that are not there, each whole or not at all.
    func write(_ bodies: [String: Data]) throws {
        for (path, data) in bodies.sorted(by: { $0.key < $1.key }) where attachments.data(at: path) != data {
            try FileManager.default.createDirectory(
                at: parent.appendingPathComponent(name, isDirectory: true),
                withIntermediateDirectories: true
            )
            try AtomicFile(parent.appendingPathComponent(path)).write(data)
        }
    }

    /// Removes the bodies that a cassette no longer names, and nothing that has another name than they have.
    func removeBodies(except paths: Set<String> = []) {
        for file in bodies where !paths.contains("\(name)/\(file.lastPathComponent)") { unlink(file.path) }
        // A folder that still holds something is not removed.
        if kind(of: name) == .folder {
            TemporaryFile.removeLeftovers(in: parent.appendingPathComponent(name, isDirectory: true))
            rmdir(parent.appendingPathComponent(name, isDirectory: true).path)
        }
    }

    /// The files of the folder that have names as bodies have.
    var bodies: [URL] {
        guard kind(of: name) == .folder else { return [] }
        let folder = parent.appendingPathComponent(name, isDirectory: true)
        return DirectoryListing.names(in: folder).filter {
            BodyFileName.isOne($0) && kind(of: "\(name)/\($0)") == .file
        }
        .map(folder.appendingPathComponent)
    }

    /// What there is at a path, where a link is only a link.
    private func kind(of path: String) -> FileStatus.Kind? {
        FileStatus(parent.appendingPathComponent(path), followsLinks: false)?.kind
    }
}
