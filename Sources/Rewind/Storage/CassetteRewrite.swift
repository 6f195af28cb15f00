import Foundation

/// A changed archive with its bodies, ready to replace a file. Unknown members of the original archive are preserved.
package struct CassetteRewrite {
    /// Whether secrets outside the interactions were removed.
    package private(set) var hidesMore = false

    private let url: URL?
    private var archive: HARArchive
    private let former: ContentChecksum?

    package init(
        _ cassette: Cassette,
        to url: URL?,
        from source: URL,
        as style: HARStyle = HARStyle(),
        hidingWith redactor: Redactor? = nil
    ) {
        self.url = url
        former = url.flatMap { ContentChecksum(contentsOf: $0) }
        archive = HARArchive(cassette, to: url, from: source, as: style, hidingWith: redactor)
        if let redactor { hidesMore = archive.hide(with: redactor) }
    }

    package var document: Data { archive.document }
    /// The size of the archive and its bodies, in bytes.
    package var size: Int { archive.bodies.values.reduce(archive.document.count) { $0 + $1.count } }

    /// Writes the archive with its bodies.
    /// - Throws: ``CassetteRewriteError`` if the file cannot be written or has changed since it was read.
    package func write() throws {
        guard let url else { return }
        try Self.locked(url) {
            guard ContentChecksum(contentsOf: url) == former
            else { throw CassetteRewriteError.changed(url.path) }
            try archive.write(to: url)
        }
    }

    /// Deletes a cassette file with its bodies.
    /// - Throws: ``CassetteRewriteError`` if it cannot be deleted.
    package static func remove(_ url: URL) throws {
        try locked(url) {
            try FileManager.default.removeItem(at: url)
            BodyFolder(beside: url).removeBodies()
        }
    }

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
        } catch { throw CassetteRewriteError.failed(url.path, cause: SystemCallError.cause(of: error)) }
    }
}

/// How an archive is written.
package struct HARStyle: Sendable {
    /// Whether all bodies are in the archive, for tools that read no body files.
    package var isInline: Bool
    /// Whether entries of other tools get what HAR 1.2 requires.
    package var isComplete: Bool

    package init(isInline: Bool = false, isComplete: Bool = false) {
        (self.isInline, self.isComplete) = (isInline, isComplete)
    }
}

/// A cassette that could not be rewritten. Its file was not changed.
package enum CassetteRewriteError: Error, Hashable, LocalizedError, CustomStringConvertible {
    case changed(String)
    case failed(String, cause: String)

    package var description: String { message }

    package var errorDescription: String? {
        switch self {
        case .changed(let path):
            "The cassette \(path) was not rewritten, because another process has changed it."
        case .failed(let path, let cause):
            "The cassette \(path) was not rewritten: \(cause.withoutFullStop)."
        }
    }

    package var recoverySuggestion: String? {
        switch self {
        case .changed: "Run the command again."
        case .failed: "Check that the folder is writable and has free space, then run the command again."
        }
    }
}

extension HARArchive {
    /// Creates an archive whose large bodies are in the folder beside the file. Without a file, all bodies are in the
    /// archive.
    init(
        _ cassette: Cassette,
        to url: URL?,
        from source: URL,
        as style: HARStyle = HARStyle(),
        hidingWith redactor: Redactor?
    ) {
        let folder = url.map { BodyFolder(beside: $0) }
        let home = url?.deletingLastPathComponent().standardizedFileURL.path
        let isHome = source.standardizedFileURL.path == home
        let (name, attachments) = (folder?.name ?? "", Attachments(in: source))
        self = HARFormat.archive(
            cassette,
            bodiesIn: name,
            beside: attachments,
            isComplete: style.isComplete
        ) { path, data in
            // A body file in another folder would not be found.
            guard let folder, !style.isInline, isHome || path.hasPrefix(folder.name + "/") else { return false }
            // A secret in the path would be replaced in the archive, which would then name a missing file.
            let name = Data(path.utf8)
            return redactor?.replacingKnown(in: name) ?? name == name && folder.isFree(path, for: data)
        }
    }

    /// Replaces known secrets in the document, and returns whether there were any.
    mutating func hide(with redactor: Redactor) -> Bool {
        let former = document
        document = redactor.replacingKnown(in: former)
        return document != former
    }

    /// Writes the bodies, then the archive, then deletes unused bodies, so that the cassette is complete at any time.
    func write(to url: URL) throws {
        let folder = BodyFolder(beside: url)
        try folder.write(bodies)
        try AtomicFile(url).write(document)
        folder.removeBodies(except: paths)
    }
}

/// The folder of a cassette's large bodies: `talk.bodies` beside `talk.har`.
struct BodyFolder {
    let name: String
    private let url: URL
    private let parent: URL
    let attachments: Attachments
    private let hasCassette: Bool

    init(beside cassette: URL) {
        name = cassette.deletingPathExtension().lastPathComponent + "." + CassetteLocation.bodiesExtension
        parent = cassette.deletingLastPathComponent()
        url = parent.appendingPathComponent(name, isDirectory: true)
        attachments = Attachments(in: parent)
        hasCassette = FileManager.default.fileExists(atPath: cassette.path)
    }

    /// Whether a body can be written to a path. A file that an existing cassette may name must not change, because the cassette
    /// must stay complete until it is replaced.
    func isFree(_ path: String, for data: Data) -> Bool {
        guard Attachments.accepts(path), [nil, .folder].contains(kind(of: name)) else { return false }
        switch kind(of: path) {
        case nil: return true
        case .file: return !hasCassette || attachments.data(at: path) == data
        default: return false
        }
    }

    /// Writes missing bodies, each atomically.
    func write(_ bodies: [String: Data]) throws {
        for (path, data) in bodies.sorted(by: { $0.key < $1.key }) where attachments.data(at: path) != data {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            try AtomicFile(parent.appendingPathComponent(path)).write(data)
        }
    }

    /// Deletes body files. Files with other names stay.
    func removeBodies(except paths: Set<String> = []) {
        for file in bodies where !paths.contains("\(name)/\(file.lastPathComponent)") { unlink(file.path) }
        guard kind(of: name) == .folder else { return }
        TemporaryFile.removeLeftovers(in: url)
        // `rmdir` deletes only an empty folder.
        rmdir(url.path)
    }

    var bodies: [URL] {
        guard kind(of: name) == .folder else { return [] }
        return DirectoryListing.names(in: url).filter {
            BodyFileName.isOne($0) && kind(of: "\(name)/\($0)") == .file
        }
        .map(url.appendingPathComponent)
    }

    /// The kind of a file, without following links.
    private func kind(of path: String) -> FileStatus.Kind? {
        FileStatus(parent.appendingPathComponent(path), followsLinks: false)?.kind
    }
}
