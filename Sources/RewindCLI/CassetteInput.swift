import Foundation
import Rewind

/// What an operand names: a cassette's file, or standard input.
enum CassetteInput: Hashable, Sendable {
    case file(URL)
    case standardInput

    init(_ word: String) { self = word == "-" ? .standardInput : .file(URL(fileURLWithPath: word)) }

    /// The words, with each folder replaced by the cassettes in it.
    static func all(_ words: [String]) throws -> [CassetteInput] {
        try words.flatMap { word -> [CassetteInput] in
            let input = CassetteInput(word)
            guard case .file(let url) = input, CassetteFolder.isFolder(url) else { return [input] }
            return try CassetteFolder(url).files.map(CassetteInput.file)
        }
    }

    var file: URL? { if case .file(let url) = self { url } else { nil } }
    var path: String { file?.displayPath ?? "standard input" }

    func read() throws -> RecordedCassette {
        switch self {
        case .file(let url): try RecordedCassette(contentsOf: url)
        case .standardInput: try open().cassette
        }
    }

    func open() throws -> (cassette: RecordedCassette, data: Data, folder: URL) {
        switch self {
        case .file(let url):
            // It is looked at before any of it is read, as a device may have no end.
            let cassette = try RecordedCassette(contentsOf: url)
            return (cassette, try Data(contentsOf: url), url.deletingLastPathComponent())
        case .standardInput:
            let data = try FileHandle.standardInput.readToEnd() ?? Data()
            let folder = URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
            return (try RecordedCassette(data, path: path, in: folder), data, folder)
        }
    }
}

extension URL {
    /// The path from the working directory if the file is in it, else the whole path.
    var displayPath: String {
        displayPath(in: URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true))
    }

    /// The path from a folder if the file is in it, else the whole path.
    func displayPath(in folder: URL) -> String {
        let start = folder.path.hasSuffix("/") ? folder.path : folder.path + "/"
        return path.hasPrefix(start) ? String(path.dropFirst(start.count)) : path
    }
}

struct CassetteSource {
    let path: String
    let cassette: Cassette
    let format: CassetteFormat
    let url: URL?
    /// The folder in which files of its bodies are looked for.
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

    /// The format, where what is written in it again is what its own programs read.
    var writableFormat: CassetteFormat? {
        // Python's JSON is read like Ruby's, which is the one that is written.
        if format == .vcr, (try? JSON(parsing: data))?["http_interactions"] == nil { return nil }
        return format.isWritable ? format : nil
    }
}
