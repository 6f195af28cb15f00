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

    /// Makes an archive ready.
    /// - Parameters:
    ///   - cassette: What is to be written.
    ///   - url: The file; where there is none, all bodies stand in the archive.
    ///   - source: The folder it was read from, which may hold bodies of it.
    ///   - redactor: Takes the secrets that it knows out of all that is written; none are by default.
    package init(
        _ cassette: Cassette,
        to url: URL?,
        from source: URL,
        hidingWith redactor: Redactor? = nil
    ) {
        self.url = url
        former = url.flatMap { ContentChecksum(contentsOf: $0) }
        let folder = url.map { BodyFolder(beside: $0) }
        let home = url?.deletingLastPathComponent().standardizedFileURL.path
        let isHome = source.standardizedFileURL.path == home
        let (name, attachments) = (folder?.name ?? "", Attachments(in: source))
        archive = HARFormat.archive(cassette, bodiesIn: name, beside: attachments) { path, data in
            // A file that stays where it is would not be found from another folder.
            guard let folder, isHome || path.hasPrefix(folder.name + "/") else { return false }
            // A name that holds a secret would be replaced in the archive, and no longer be that of the file.
            let name = Data(path.utf8)
            return redactor?.replacingKnown(in: name) ?? name == name && folder.isFree(path, for: data)
        }
        guard let redactor else { return }
        let document = redactor.replacingKnown(in: archive.document)
        hidesMore = document != archive.document
        archive.document = document
    }

    /// The bytes of the archive alone.
    package var document: Data { archive.document }

    /// The bytes that the archive and its bodies take on the disk.
    package var size: Int { archive.bodies.values.reduce(archive.document.count) { $0 + $1.count } }

    /// Writes the bodies and then the archive that names them, and removes the bodies that none names.
    /// - Throws: ``CassetteRewriteError`` when the file cannot be written, or was changed meanwhile.
    package func write() throws {
        guard let url else { return }
        try Self.locked(url) {
            guard ContentChecksum(contentsOf: url) == former else {
                throw CassetteRewriteError.changed(url.path)
            }
            let folder = BodyFolder(beside: url)
            try folder.write(archive.bodies)
            try AtomicFile(url).write(archive.document)
            folder.removeBodies(except: archive.paths)
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
        let folder = BodyFolder(beside: url)
        let files = [url] + folder.bodies
        return files.reduce(0) { size, file in
            size
                + ((try? file.resolvingSymlinksInPath().resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0)
        }
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
    /// It was changed after it was read.
    case changed(String)
    /// A call to the operating system failed.
    case failed(String, cause: String)

    /// What happened and what mends it.
    package var description: String {
        switch self {
        case .changed(let path):
            "The cassette \(path) was changed by another process meanwhile, and was left untouched. Try again."
        case .failed(let path, let cause):
            "The cassette \(path) is as it was: \(cause)\n"
                + "  Check that its folder has room and may be written to."
        }
    }

    /// What happened and what mends it.
    package var errorDescription: String? { description }
}
