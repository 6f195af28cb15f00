import Foundation

/// A cassette as it stands in a file, whose interactions are made when they are asked for.
package struct RecordedCassette: Sendable {
    /// The interactions, in recorded order.
    package let interactions: any InteractionList
    /// What stands around them in the file, kept for a rewrite.
    let surroundings: JSONObject
    /// The format that the file is in.
    package internal(set) var format: any CassetteFormat.Type = HARFormat.self

    /// All of it as a plain value.
    package var cassette: Cassette {
        var cassette = Cassette(interactions: interactions.all)
        cassette.surroundings = surroundings
        return cassette
    }

    /// The name under which this program signs an archive.
    static let creator = "Rewind"

    init(interactions: any InteractionList, surroundings: JSONObject) {
        self.interactions = interactions
        self.surroundings = surroundings
    }

    init(_ cassette: Cassette) {
        self.init(interactions: cassette.interactions, surroundings: cassette.surroundings)
    }

    /// Whether another program wrote the file.
    package var isWrittenByOthers: Bool {
        surroundings["log"]?["creator"]?["name"]?.stringValue != Self.creator
    }
}

extension Cassette {
    /// Reads a cassette from a file, whatever its format, which is told by the content and never by the name.
    /// - Parameter url: The file.
    /// - Throws: ``CassetteError`` that names the file, the place in it, the cause and how to fix it.
    public init(contentsOf url: URL) throws { try self.init(contentsOf: url, limits: .default) }

    /// Reads a cassette from a file that may ask for no more than the limits.
    package init(contentsOf url: URL, limits: CassetteLimits) throws {
        self = try RecordedCassette(contentsOf: url, limits: limits).cassette
    }
}

extension RecordedCassette {
    /// Opens a cassette's file, whatever its format, which is told by the content and never by the name.
    /// - Parameters:
    ///   - url: The file.
    ///   - limits: What it may ask for; as much as any file by default.
    /// - Throws: ``CassetteError`` that names the file, the place in it, the cause and how to fix it.
    package init(contentsOf url: URL, limits: CassetteLimits = .default) throws {
        do {
            try Self.check(url, limits)
            let data = try Data(contentsOf: url)
            self = try Self.opening(data, in: url.deletingLastPathComponent(), limits)
        } catch let problem as CassetteProblem {
            throw CassetteError(path: url.path, problem: problem)
        } catch {
            throw CassetteError(path: url.path, problem: .unreadable(error.localizedDescription))
        }
    }

    /// Opens a cassette's bytes that came another way than from a file, as from a pipe.
    /// - Parameters:
    ///   - data: The bytes.
    ///   - path: What errors call the place they came from.
    ///   - folder: The folder in which the files of its large bodies are looked for.
    /// - Throws: ``CassetteError`` that names the place, the cause and how to fix it.
    package init(_ data: Data, path: String, in folder: URL) throws {
        do {
            self = try Self.opening(data, in: folder, .default)
        } catch let problem as CassetteProblem {
            throw CassetteError(path: path, problem: problem)
        }
    }

    private static func opening(_ data: Data, in folder: URL, _ limits: CassetteLimits) throws
        -> RecordedCassette
    {
        guard !data.isEmpty else { throw CassetteProblem.empty }
        guard let format = Cassette.formats.first(where: { $0.recognizes(data) }) else {
            throw CassetteProblem.unknownFormat(known: Cassette.formats.map { $0.name })
        }
        guard data.count <= limits.maximumSize else {
            throw CassetteProblem.tooLarge("it has more than \(limits.maximumSize) bytes")
        }
        var cassette =
            switch format {
            case let format as any AttachingCassetteFormat.Type:
                try format.open(data, attachments: Attachments(in: folder).remembering, limits: limits)
            case let format as any InflatingCassetteFormat.Type:
                RecordedCassette(try format.read(data, limits: limits))
            default: RecordedCassette(try format.read(data))
            }
        cassette.format = format
        guard cassette.interactions.count <= limits.maximumInteractions else {
            throw CassetteLimits.tooManyInteractions(limits.maximumInteractions)
        }
        return cassette
    }

    /// Refuses what is too large, or has no end, before any of it is read.
    private static func check(_ url: URL, _ limits: CassetteLimits) throws {
        // Reading what is not there, or a folder, fails with a better error; reading a device or a pipe may never end.
        guard let status = FileStatus(url), status.kind != .folder else { return }
        guard status.kind == .file else { throw CassetteProblem.unreadable("it is not a file.") }
        guard status.size <= limits.maximumSize else {
            throw CassetteProblem.tooLarge("it has more than \(limits.maximumSize) bytes")
        }
    }
}

extension Cassette {
    /// Writes the cassette to a file, whole or not at all.
    /// - Parameters:
    ///   - url: The file, which is replaced if it is there.
    ///   - format: The format; HAR by default.
    /// - Throws: ``CassetteError`` that names the file and the cause.
    public func write(to url: URL, as format: any WritableCassetteFormat.Type = HARFormat.self) throws {
        do {
            try AtomicFile(url).write(format.write(self))
        } catch {
            throw CassetteError(path: url.path, problem: .unwritable(error.localizedDescription))
        }
    }
}

extension Interaction {
    /// The date for formats that demand one, the first that a computer knows where none was read.
    var recordedAt: Date { startedAt == .distantPast ? Date(timeIntervalSince1970: 0) : startedAt }
}

extension Cassette {
    /// The module whose tests recorded it first, where they named the file (`log._rewind.module`).
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

    /// The module that the file of a cassette names, at the cost of reading its beginning.
    ///
    /// Rewind writes it before the interactions. The result is `nil` where another program changed that order, and for files
    /// of other systems.
    package static func recordingModule(of url: URL) -> String? {
        // Every test asks before it opens its cassette, which may be large. Reading a pipe would block.
        guard FileStatus(url)?.kind == .file else { return nil }
        guard let handle = try? FileHandle(forReadingFrom: url) else { return nil }
        defer { try? handle.close() }
        guard let beginning = try? handle.read(upToCount: 4096) else { return nil }
        // Where the text is cut off, the member may still be whole.
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
