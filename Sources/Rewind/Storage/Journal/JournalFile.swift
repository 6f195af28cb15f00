import Foundation

/// The file of a journal: only added to, and locked for as long as its process lives.
///
/// It is not forced to the disk, which would cost more than a request. What was written is there when the process dies,
/// and may be lost when the machine does.
final class JournalFile: Sendable {
    /// Where it is.
    let url: URL
    private let path: String
    private let descriptor: Int32
    private let operations: FileOperations
    private let size: Locked<Int>

    /// Creates the file with its first lines; nobody ever sees it without.
    /// - Throws: ``SystemCallError`` when it cannot be created or written.
    init(
        _ url: URL,
        _ header: JournalHeader,
        _ operations: FileOperations,
        lines: [JournalLine] = []
    ) throws {
        let folder = url.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = try TemporaryFile(in: folder, operations)
        do {
            // Where there are no locks, others would take it for that of a dead process.
            guard flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 else {
                throw SystemCallError("lock", url.path)
            }
            var size = header.line.count
            try file.write(header.line)
            for line in lines {
                try line.write { piece in
                    try file.write(piece)
                    size += piece.count
                }
            }
            try file.rename(to: url.path)
            self.size = Locked(size)
        } catch {
            file.discard()
            throw error
        }
        self.url = url
        path = url.path
        self.operations = operations
        descriptor = file.descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Whether it still has its name, which somebody may have removed with its folder.
    var isThere: Bool { TemporaryFile.hasName(descriptor) && access(path, F_OK) == 0 }

    /// Adds a line, whole or not at all.
    /// - Throws: ``SystemCallError`` when it could not be written.
    func append(_ line: JournalLine) throws {
        guard TemporaryFile.hasName(descriptor) else {
            throw SystemCallError("write", path, cause: "it was removed")
        }
        try size.withLock { size in
            var end = size
            do {
                try line.write { piece in
                    try operations.write(piece, to: descriptor, path: path)
                    end += piece.count
                }
                size = end
            } catch {
                // What is torn would be recognised as such; that there is nothing torn is better.
                ftruncate(descriptor, off_t(size))
                throw error
            }
        }
    }

    /// The same journal without the secrets that are known by now, where it holds any; it takes the place of this one whole.
    /// - Throws: ``SystemCallError`` when it cannot be read or written anew.
    func removingSecrets(_ redactor: Redactor) throws -> JournalFile {
        let data = try Data(contentsOf: url)
        guard redactor.replacingKnown(in: data) != data, let contents = JournalContents(data) else {
            return self
        }
        if let problem = contents.problem { throw SystemCallError("read", url.path, cause: problem) }
        let lines = contents.lines.map { line in
            JournalLine(place: line.place, interaction: redactor.replacingKnown(in: line.interaction))
        }
        return try JournalFile(url, contents.header, operations, lines: lines)
    }

    /// Removes the file, whose interactions are safe elsewhere.
    func remove() {
        _ = operations.remove(path)
    }
}
