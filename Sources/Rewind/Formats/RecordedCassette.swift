import Foundation

/// A cassette in a file, whose interactions are decoded on demand.
package struct RecordedCassette: Sendable {
    package internal(set) var interactions: any InteractionList
    /// The rest of the file, which a rewrite preserves.
    let surroundings: JSONObject
    package internal(set) var format = CassetteFormat.har
    /// The text of an archive.
    package internal(set) var text: Data?

    package var cassette: Cassette {
        var cassette = Cassette(interactions: interactions.all)
        cassette.surroundings = surroundings
        return cassette
    }

    /// The name of Rewind as the creator of an archive (`log.creator.name`).
    static let creator = "Rewind"

    package var isWrittenByOthers: Bool {
        surroundings["log"]?["creator"]?["name"]?.stringValue != Self.creator
    }
}

extension Cassette {
    /// Reads a cassette from a file in any ``CassetteFormat``. The content determines the format, not the name.
    /// - Parameter url: The URL of the file.
    /// - Throws: ``CassetteError`` if the file cannot be read or is invalid.
    public init(contentsOf url: URL) throws { try self.init(contentsOf: url, limits: .default) }

    package init(contentsOf url: URL, limits: CassetteLimits) throws {
        self = try RecordedCassette(contentsOf: url, limits: limits).cassette
    }

    /// Writes the cassette to a file atomically.
    /// - Parameters:
    ///   - url: The URL of the file. An existing file is replaced.
    ///   - format: The format, which must be writable (``CassetteFormat/isWritable``); HAR by default.
    /// - Throws: ``CassetteError`` if the file cannot be written or the format is not writable.
    public func write(to url: URL, as format: CassetteFormat = .har) throws {
        guard let writer = format.writer else {
            let cause = "\(FileRemedy.unwritableFormat) \(format.name)"
            throw CassetteError(path: url.path, problem: .unwritable(cause))
        }
        do {
            try AtomicFile(url).write(writer.write(self))
        } catch {
            throw CassetteError(path: url.path, problem: .unwritable(SystemCallError.cause(of: error)))
        }
    }
}

extension RecordedCassette {
    private init(_ cassette: Cassette) {
        self.init(interactions: cassette.interactions, surroundings: cassette.surroundings)
    }

    /// Opens a cassette file in any format, detected by its content.
    /// - Throws: ``CassetteError`` if the file cannot be read or is invalid.
    package init(contentsOf url: URL, limits: CassetteLimits = .default) throws {
        do {
            try Self.check(url, limits)
            let data = try Data(contentsOf: url)
            self = try Self.opening(data, in: url.deletingLastPathComponent(), limits)
        } catch let problem as CassetteError.Problem {
            throw CassetteError(path: url.path, problem: problem)
        } catch {
            throw CassetteError(path: url.path, problem: .unreadable(SystemCallError.cause(of: error)))
        }
    }

    /// Opens a cassette from another source than a file, such as a pipe.
    /// - Parameters:
    ///   - data: The content.
    ///   - path: The name of the source in errors.
    ///   - folder: The folder that contains the files of its large bodies.
    /// - Throws: ``CassetteError`` if the content is invalid.
    package init(_ data: Data, path: String, in folder: URL) throws {
        do {
            self = try Self.opening(data, in: folder, .default)
        } catch let problem as CassetteError.Problem {
            throw CassetteError(path: path, problem: problem)
        }
    }

    private static func opening(_ data: Data, in folder: URL, _ limits: CassetteLimits) throws
        -> RecordedCassette
    {
        do {
            return try reading(data, in: folder, limits)
        } catch {
            // A format may recognize a file with a conflict, and report its own error.
            guard let line = UnreadableFile.lineOfConflict(in: data) else { throw error }
            let cause = UnreadableFile.mergeConflict.cause
            throw CassetteError.Problem.syntax(line: line, column: 1, cause: cause)
        }
    }

    private static func reading(_ data: Data, in folder: URL, _ limits: CassetteLimits) throws
        -> RecordedCassette
    {
        guard !data.isEmpty else { throw CassetteError.Problem.empty }
        if let file = UnreadableFile(beginning: data) { throw CassetteError.Problem.unreadable(file.cause) }
        if let problem = UnreadableFile.wideText(data) { throw problem }
        guard let format = CassetteFormat(recognizing: data) else { throw CassetteError.Problem.unknownFormat }
        guard data.count <= limits.maximumSize else {
            throw CassetteError.Problem.tooLarge("it has more than \(limits.maximumSize) bytes")
        }
        var cassette =
            switch format.reader {
            case let reader as any AttachingCassetteReader.Type:
                try reader.open(data, attachments: Attachments(in: folder).remembering, limits: limits)
            case let reader as any InflatingCassetteReader.Type:
                RecordedCassette(try reader.read(data, limits: limits))
            case let reader: RecordedCassette(try reader.read(data))
            }
        cassette.format = format
        guard cassette.interactions.count <= limits.maximumInteractions else {
            throw CassetteLimits.tooManyInteractions(limits.maximumInteractions)
        }
        return cassette
    }

    /// Rejects a file that is too large or endless before reading it.
    private static func check(_ url: URL, _ limits: CassetteLimits) throws {
        // Reading a device or a pipe may never end.
        if let file = UnreadableFile(at: url) { throw CassetteError.Problem.unreadable(file.cause) }
        guard let status = FileStatus(url) else { return }
        guard status.size <= limits.maximumSize else {
            throw CassetteError.Problem.tooLarge("it has more than \(limits.maximumSize) bytes")
        }
    }
}

extension Interaction {
    /// The date for formats that require one; 1970 if it is unknown.
    var recordedAt: Date { startedAt == .distantPast ? Date(timeIntervalSince1970: 0) : startedAt }
}
