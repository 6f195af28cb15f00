import Foundation

/// An append-only file that is locked as long as its process runs.
///
/// Lines are not synced to the disk, which takes longer than a request. They survive a crash of the process, but perhaps
/// not a crash of the machine.
final class JournalFile: Sendable {
    let url: URL
    private let descriptor: Int32
    private let operations: FileOperations

    /// Creates the file together with its first lines.
    /// - Throws: ``SystemCallError`` if it cannot be created or written.
    init(_ url: URL, _ header: JournalHeader, _ operations: FileOperations, lines: [JournalLine] = []) throws {
        let folder = url.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = try TemporaryFile(in: folder, operations)
        do {
            // Without a lock, other processes would assume that this process has ended.
            guard flock(file.descriptor, LOCK_EX | LOCK_NB) == 0
            else { throw SystemCallError("lock", url.path) }
            try file.write(header.line)
            try JournalLine.write(lines) { try file.write($0) }
            try file.rename(to: url.path)
        } catch {
            file.discard()
            throw error
        }
        self.url = url
        self.operations = operations
        descriptor = file.descriptor
    }

    deinit { close(descriptor) }

    /// Whether the file still exists. It or its folder may have been deleted.
    var isThere: Bool { TemporaryFile.hasName(descriptor) && access(url.path, F_OK) == 0 }

    /// Appends lines: all or none.
    /// - Throws: ``SystemCallError`` if they cannot be written.
    func append(_ lines: [JournalLine]) throws { try append { write in try JournalLine.write(lines, write) } }

    /// Appends why the recording was not saved.
    func append(_ end: JournalEnd) throws { try append { write in try write(end.line) } }

    private func append(_ pieces: ((Data) throws -> Void) throws -> Void) throws {
        guard TemporaryFile.hasName(descriptor)
        else { throw SystemCallError("write", url.path, cause: "the file was deleted") }
        let size = lseek(descriptor, 0, SEEK_END)
        do {
            try pieces { try operations.write($0, to: descriptor, path: url.path) }
        } catch {
            // Readers detect a partial line, but removing it avoids a note about it.
            ftruncate(descriptor, size)
            throw error
        }
    }

    /// Replaces the file with one without the known secrets, if it contains any.
    /// - Throws: ``SystemCallError`` if it cannot be read or written again.
    func removingSecrets(_ redactor: Redactor) throws -> JournalFile {
        let data = try Data(contentsOf: url)
        guard redactor.replacingKnown(in: data) != data, let contents = JournalContents(data)
        else { return self }
        if let problem = contents.problem { throw SystemCallError("read", url.path, cause: problem) }
        let lines = contents.lines.map { line in
            JournalLine(place: line.place, interaction: redactor.replacingKnown(in: line.interaction))
        }
        return try JournalFile(url, contents.header, operations, lines: lines)
    }

    func remove() { _ = operations.remove(url.path) }
}

/// The names of the journals of a cassette, such as `talk.5f3a9c01d2b4.journal` beside `talk.har`.
///
/// Names are unique, so that several processes can record the same cassette at the same time.
struct JournalName {
    let folder: URL
    private let stem: String

    init(of cassette: URL) {
        folder = cassette.deletingLastPathComponent()
        stem = Self.shortened(cassette.deletingPathExtension().lastPathComponent)
    }

    /// The names outside of the project, for a cassette whose folder cannot be written. They contain a checksum of the
    /// cassette's path, such as `talk~1f83d9abfb41bd6b.5f3a9c01d2b4.journal`.
    static func outside(of cassette: URL) -> [JournalName] {
        var checksum = Checksum()
        checksum.add(Data(cassette.standardizedFileURL.path.utf8))
        let stem = "\(JournalName(of: cassette).stem)~\(checksum.text)"
        return PrivateFolder.places(for: "Journals").map { JournalName(folder: $0, stem: stem) }
    }

    private init(folder: URL, stem: String) { (self.folder, self.stem) = (folder, stem) }

    func unused() -> URL {
        let digits = UInt64.random(in: 0..<1 << (4 * UInt64(Self.digits)))
        let middle = Hexadecimal.text(digits, digits: Self.digits)
        return folder.appendingPathComponent("\(stem).\(middle).\(Self.ending)")
    }

    func existing() -> [URL] {
        DirectoryListing.names(in: folder).filter(isOne).sorted().map(folder.appendingPathComponent)
    }

    private func isOne(_ name: String) -> Bool {
        guard name.hasSuffix("." + Self.ending), name.hasPrefix(stem + ".") else { return false }
        let middle = name.utf8.dropFirst(stem.utf8.count + 1).dropLast(Self.ending.utf8.count + 1)
        return middle.count == Self.digits && middle.allSatisfy(Hexadecimal.isDigit)
    }

    /// Shortens a long name, so that there is room for suffixes. A checksum distinguishes shortened names.
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > 200 else { return name }
        var short = name
        while short.utf8.count > 180 { short.removeLast() }
        var checksum = Checksum()
        checksum.add(Data(name.utf8))
        return "\(short)~\(checksum.text)"
    }

    private static let digits = 12
    private static let ending = "journal"
}
