import Foundation

extension Cassette {
    /// The formats that are read, the native one first.
    package static let formats: [any CassetteFormat.Type] = [
        HARFormat.self, DVRFormat.self, VinylFormat.self, LaserDiscFormat.self, VCRFormat.self,
        VCRYAMLFormat.self, VCRPyFormat.self, BeKindRewindFormat.self, JSZVCRFormat.self,
        MocktailFormat.self, CurlFormat.self,
    ]

    /// Reads a cassette from a file, whatever its format, which is told by the content and never by the name.
    /// - Parameter url: The file.
    /// - Throws: ``CassetteError`` that names the file, the place in it, the cause and what mends it.
    public init(contentsOf url: URL) throws {
        try self.init(contentsOf: url, limits: .default)
    }

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
    /// - Throws: ``CassetteError`` that names the file, the place in it, the cause and what mends it.
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
    /// - Throws: ``CassetteError`` that names the place, the cause and what mends it.
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
        guard cassette.reel.count <= limits.maximumInteractions else {
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
