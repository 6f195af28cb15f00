import Foundation
import Rewind

/// A cassette that an operand names: a file, or standard input for `-`.
enum CassetteInput: Hashable, Sendable {
    case file(URL)
    case standardInput

    /// Finds the cassette that an operand names: a path, or what `rewind list` prints, with or without its extension.
    init(_ operand: String) {
        self = operand == "-" ? .standardInput : .file(Self.file(operand) { FileStatus($0)?.kind == .file })
    }

    /// Finds a cassette or a folder.
    private init(orFolder operand: String) {
        self = operand == "-" ? .standardInput : .file(Self.file(operand) { FileStatus($0) != nil })
    }

    /// The first path that an operand can mean and that is wanted, or else the first one that exists.
    private static func file(_ operand: String, _ isWanted: (URL) -> Bool) -> URL {
        let path = URL(fileURLWithPath: operand)
        let places =
            [path] + (operand.hasPrefix("/") ? [] : [CassetteFolder.default.appendingPathComponent(operand)])
        let all = places.flatMap { place in
            [place] + CassetteLocation.extensions.map { place.appendingPathExtension($0) }
        }
        return all.first(where: isWanted) ?? all.first { FileStatus($0, followsLinks: false) != nil } ?? path
    }

    /// The inputs that operands name, with each folder replaced by the cassettes in it.
    static func all(_ operands: [String], notingLinksOn console: Console) throws -> [CassetteInput] {
        try operands.flatMap { operand -> [CassetteInput] in
            guard let folder = try folder(operand) else { return [CassetteInput(operand)] }
            folder.noteLinks(on: console)
            return folder.files.map(CassetteInput.file)
        }
    }

    /// The folder that an operand names; `nil` if it names something else.
    static func folder(_ operand: String) throws -> CassetteFolder? {
        guard let url = CassetteInput(orFolder: operand).file, CassetteFolder.isFolder(url) else { return nil }
        return try CassetteFolder(url)
    }

    var file: URL? { if case .file(let url) = self { url } else { nil } }
    var path: String { file?.displayPath ?? "standard input" }

    /// Throws an error if the operand names a folder where a file is needed.
    func rejectFolder() throws {
        if let file, CassetteFolder.isFolder(file) { throw CommandError.folder(path) }
    }

    func read() throws -> RecordedCassette {
        try rejectFolder()
        switch self {
        case .file(let url): return try RecordedCassette(contentsOf: url).withCurrentPlaceholders
        case .standardInput: return try open().cassette
        }
    }

    func open() throws -> (cassette: RecordedCassette, data: Data, folder: URL) {
        switch self {
        case .file(let url):
            // This checks the kind of the file first, because reading a device might never end.
            let cassette = try RecordedCassette(contentsOf: url)
            return (cassette, try cassette.text ?? Data(contentsOf: url), url.deletingLastPathComponent())
        case .standardInput:
            let data = try FileHandle.standardInput.readToEnd() ?? Data()
            let folder = URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
            return (try RecordedCassette(data, path: path, in: folder), data, folder)
        }
    }
}

/// A cassette with the bytes and the format it was read from.
struct CassetteSource {
    let path: String
    let cassette: Cassette
    let format: CassetteFormat
    let url: URL?
    /// The folder that paths of body files are relative to.
    let folder: URL

    private let data: Data

    init(_ input: CassetteInput) throws {
        let (recorded, data, folder) = try input.open()
        (path, url) = (input.path, input.file)
        cassette = recorded.cassette
        format = recorded.format
        self.data = data
        self.folder = folder
    }

    var checksum: ContentChecksum { ContentChecksum(data) }

    /// Whether bodies of an archive are in other files.
    var hasBodyFiles: Bool {
        cassette.interactions.contains { interaction in
            guard let text = interaction.original?.text, text.range(of: Data("_file".utf8)) != nil else {
                return false
            }
            return ((try? JSON(parsing: text))?.objectValue).map { !BodyPaths(of: $0).all.isEmpty } ?? false
        }
    }

    /// The format, if a file that Rewind writes in it can replace the original; else `nil`.
    var writableFormat: CassetteFormat? {
        // VCR.py's JSON is read as VCR JSON, but Rewind writes only the format of Ruby's VCR.
        if format == .vcr, (try? JSON(parsing: data))?["http_interactions"] == nil { return nil }
        return format.isWritable ? format : nil
    }
}
