import Foundation

/// A cassette in a file, whose interactions are made on demand.
package struct RecordedCassette: Sendable {
    package let interactions: any InteractionList
    /// The rest of the file, kept for a rewrite.
    let surroundings: JSONObject
    package internal(set) var format = CassetteFormat.har

    package var cassette: Cassette {
        var cassette = Cassette(interactions: interactions.all)
        cassette.surroundings = surroundings
        return cassette
    }

    /// The name of Rewind as an archive's creator.
    static let creator = "Rewind"

    package var isWrittenByOthers: Bool {
        surroundings["log"]?["creator"]?["name"]?.stringValue != Self.creator
    }
}

extension Cassette {
    /// Reads a cassette from a file of any format. The content tells which, never the name.
    /// - Parameter url: The file.
    /// - Throws: ``CassetteError`` that names the file, the place in it, the cause and how to fix it.
    public init(contentsOf url: URL) throws { try self.init(contentsOf: url, limits: .default) }

    package init(contentsOf url: URL, limits: CassetteLimits) throws {
        self = try RecordedCassette(contentsOf: url, limits: limits).cassette
    }

    /// Writes the cassette to a file, whole or not at all.
    /// - Parameters:
    ///   - url: The file, which is replaced if it is there.
    ///   - format: The format; HAR by default. It must be writable (``CassetteFormat/isWritable``).
    /// - Throws: ``CassetteError`` that names the file and the cause.
    public func write(to url: URL, as format: CassetteFormat = .har) throws {
        guard let writer = format.writer else {
            let cause = "Rewind does not write the format \(format.name)"
            throw CassetteError(path: url.path, problem: .unwritable(cause))
        }
        do {
            try AtomicFile(url).write(writer.write(self))
        } catch {
            throw CassetteError(path: url.path, problem: .unwritable(error.localizedDescription))
        }
    }

    /// The module whose tests recorded it first (`log._rewind.module`).
    package var recordingModule: String? {
        get { surroundings["log"]?["_rewind"]?["module"]?.stringValue }
        set {
            var log = surroundings["log"]?.objectValue ?? JSONObject()
            var own = log["_rewind"]?.objectValue ?? JSONObject()
            own["module"] = newValue.map(JSON.string)
            log["_rewind"] = own.members.isEmpty ? nil : .object(own)
            surroundings["log"] = .object(log)
        }
    }

    /// Reads the module that recorded a cassette from the beginning of its file. Rewind writes it before the
    /// interactions. It is `nil` for files that other programs reordered or wrote.
    package static func recordingModule(of url: URL) -> String? {
        // Every test asks before it opens its cassette, which may be large. Reading a pipe would block.
        guard FileStatus(url)?.kind == .file else { return nil }
        guard let handle = try? FileHandle(forReadingFrom: url) else { return nil }
        defer { try? handle.close() }
        guard let beginning = try? handle.read(upToCount: 4096) else { return nil }
        // Even if the text is truncated, the member may be complete.
        let own = try? JSONScanner.reading(beginning) { (json) throws(JSONError) -> JSON? in
            json.beginDocument()
            guard try json.find(["log"]) != nil, try json.find(["_rewind", "entries"]) == "_rewind" else {
                return nil
            }
            return try json.value()
        }
        return own?["module"]?.stringValue
    }
}

extension RecordedCassette {
    private init(_ cassette: Cassette) {
        self.init(interactions: cassette.interactions, surroundings: cassette.surroundings)
    }

    /// Opens a cassette's file in any format, which is detected by the content and never by the name.
    /// - Throws: ``CassetteError`` that names the file, the place in it, the cause and how to fix it.
    package init(contentsOf url: URL, limits: CassetteLimits = .default) throws {
        do {
            try Self.check(url, limits)
            let data = try Data(contentsOf: url)
            self = try Self.opening(data, in: url.deletingLastPathComponent(), limits)
        } catch let problem as CassetteError.Problem {
            throw CassetteError(path: url.path, problem: problem)
        } catch {
            throw CassetteError(path: url.path, problem: .unreadable(error.localizedDescription))
        }
    }

    /// Opens a cassette's bytes from another source than a file, such as a pipe.
    /// - Parameters:
    ///   - data: The bytes.
    ///   - path: The name of the source in errors.
    ///   - folder: The folder with the files of its large bodies.
    /// - Throws: ``CassetteError`` that names the source, the place in it, the cause and how to fix it.
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
        guard !data.isEmpty else { throw CassetteError.Problem.empty }
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

    /// Refuses a file that is too large, or has no end, before reading it.
    private static func check(_ url: URL, _ limits: CassetteLimits) throws {
        // Reading a missing file or a folder fails with a better error; reading a device or a pipe may never end.
        guard let status = FileStatus(url), status.kind != .folder else { return }
        guard status.kind == .file else { throw CassetteError.Problem.unreadable("it is not a file.") }
        guard status.size <= limits.maximumSize else {
            throw CassetteError.Problem.tooLarge("it has more than \(limits.maximumSize) bytes")
        }
    }
}

extension Interaction {
    /// The date for formats that demand one; 1970 if none was read.
    var recordedAt: Date { startedAt == .distantPast ? Date(timeIntervalSince1970: 0) : startedAt }
}
