import Foundation

/// An archive that is to take the place of a file, with the bodies beside it, made ready before anything is written.
///
/// What stood in the archive it was read from and has no meaning to us stays in it.
package struct CassetteRewrite {
    /// Whether secrets were taken out of what stands beside the interactions.
    package private(set) var hidesMore = false

    private let url: URL?
    private var archive: HARArchive
    private let former: ContentChecksum?

    /// Makes an archive ready, without the secrets that the redactor knows.
    package init(
        _ cassette: Cassette,
        to url: URL?,
        from source: URL,
        hidingWith redactor: Redactor? = nil
    ) {
        self.url = url
        former = url.flatMap { ContentChecksum(contentsOf: $0) }
        archive = HARArchive(cassette, to: url, from: source, hidingWith: redactor)
        if let redactor { hidesMore = archive.hide(with: redactor) }
    }

    /// The bytes of the archive alone.
    package var document: Data { archive.document }

    /// The bytes that the archive and its bodies take on the disk.
    package var size: Int { archive.bodies.values.reduce(archive.document.count) { $0 + $1.count } }

    /// Writes the archive with its bodies.
    /// - Throws: ``CassetteRewriteError`` when the file cannot be written, or was changed meanwhile.
    package func write() throws {
        guard let url else { return }
        try Self.locked(url) {
            guard ContentChecksum(contentsOf: url) == former else {
                throw CassetteRewriteError.changed(url.path)
            }
            try archive.write(to: url)
        }
    }

    /// Removes a cassette's file with its bodies.
    /// - Throws: ``CassetteRewriteError`` when it cannot be removed.
    package static func remove(_ url: URL) throws {
        try locked(url) {
            try FileManager.default.removeItem(at: url)
            BodyFolder(beside: url).removeBodies()
        }
    }

    /// The bytes that a cassette's file and its bodies take on the disk.
    package static func size(of url: URL) -> Int {
        ([url] + BodyFolder(beside: url).bodies).reduce(0) { $0 + (FileStatus($1)?.size ?? 0) }
    }

    private static func locked(_ url: URL, _ body: () throws -> Void) throws {
        do {
            let lock = try DirectoryLock(url.deletingLastPathComponent())
            defer { lock.release() }
            try body()
        } catch let error as CassetteRewriteError {
            throw error
        } catch {
            throw CassetteRewriteError.failed(url.path, cause: error.localizedDescription)
        }
    }
}

/// A cassette that could not be rewritten, and is as it was.
package enum CassetteRewriteError: Error, Hashable, LocalizedError, CustomStringConvertible {
    case changed(String)
    case failed(String, cause: String)

    package var description: String {
        switch self {
        case .changed(let path):
            "The cassette \(path) was changed by another process meanwhile, and was left untouched. Try again."
        case .failed(let path, let cause):
            "The cassette \(path) is as it was: \(cause)\n"
                + "  Check that its folder has room and may be written to."
        }
    }

    package var errorDescription: String? { description }
}

extension HARArchive {
    /// Makes the archive of a cassette ready, with great bodies in the folder beside its file.
    ///
    /// Where there is no file, all bodies stand in the archive. The folder it was read from may hold bodies of it.
    init(_ cassette: Cassette, to url: URL?, from source: URL, hidingWith redactor: Redactor?) {
        let folder = url.map { BodyFolder(beside: $0) }
        let home = url?.deletingLastPathComponent().standardizedFileURL.path
        let isHome = source.standardizedFileURL.path == home
        let (name, attachments) = (folder?.name ?? "", Attachments(in: source))
        self = HARFormat.archive(cassette, bodiesIn: name, beside: attachments) { path, data in
            // A file that stays where it is would not be found from another folder.
            guard let folder, isHome || path.hasPrefix(folder.name + "/") else { return false }
            // A name that holds a secret would be replaced in the archive, and no longer be that of the file.
            let name = Data(path.utf8)
            return redactor?.replacingKnown(in: name) ?? name == name && folder.isFree(path, for: data)
        }
    }

    /// Takes the secrets that are known out of all that is written, and says whether the document held any.
    mutating func hide(with redactor: Redactor) -> Bool {
        let former = document
        document = redactor.replacingKnown(in: former)
        return document != former
    }

    /// Writes the bodies before the archive that names them, and removes those that none names after it, so that there is
    /// a whole cassette at any time.
    func write(to url: URL) throws {
        let folder = BodyFolder(beside: url)
        try folder.write(bodies)
        try AtomicFile(url).write(document)
        folder.removeBodies(except: paths)
    }
}

/// The folder beside a cassette that holds its large bodies: `talk.bodies` beside `talk.har`.
struct BodyFolder {
    let name: String
    private let url: URL
    private let parent: URL
    let attachments: Attachments
    /// Whether there is a cassette that may name files of the folder.
    private let hasCassette: Bool

    init(beside cassette: URL) {
        name = cassette.deletingPathExtension().lastPathComponent + "." + CassetteLocation.bodiesExtension
        parent = cassette.deletingLastPathComponent()
        url = parent.appendingPathComponent(name, isDirectory: true)
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
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            try AtomicFile(parent.appendingPathComponent(path)).write(data)
        }
    }

    /// Removes the bodies that a cassette no longer names, and nothing that has another name than they have.
    func removeBodies(except paths: Set<String> = []) {
        for file in bodies where !paths.contains("\(name)/\(file.lastPathComponent)") { unlink(file.path) }
        guard kind(of: name) == .folder else { return }
        TemporaryFile.removeLeftovers(in: url)
        // A folder that still holds something is not removed.
        rmdir(url.path)
    }

    /// The files of the folder that have names as bodies have.
    var bodies: [URL] {
        guard kind(of: name) == .folder else { return [] }
        return DirectoryListing.names(in: url).filter {
            BodyFileName.isOne($0) && kind(of: "\(name)/\($0)") == .file
        }
        .map(url.appendingPathComponent)
    }

    /// What there is at a path, where a link is only a link.
    private func kind(of path: String) -> FileStatus.Kind? {
        FileStatus(parent.appendingPathComponent(path), followsLinks: false)?.kind
    }
}
