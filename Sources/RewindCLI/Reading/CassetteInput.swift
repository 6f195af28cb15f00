import Foundation
import Rewind

/// What an operand names: a cassette's file, or standard input.
enum CassetteInput: Hashable, Sendable {
    case file(URL)
    case standardInput

    /// Takes a word of the call; `-` is standard input.
    init(_ word: String) {
        self = word == "-" ? .standardInput : .file(URL(fileURLWithPath: word))
    }

    /// The words, with each folder replaced by the cassettes in it.
    /// - Throws: ``CassetteError`` where a folder cannot be read.
    static func all(_ words: [String]) throws -> [CassetteInput] {
        try words.flatMap { word -> [CassetteInput] in
            let input = CassetteInput(word)
            guard case .file(let url) = input, CassetteFolder.isFolder(url) else { return [input] }
            return try CassetteFolder(url).files.map(CassetteInput.file)
        }
    }

    /// The file; `nil` for standard input.
    var file: URL? {
        if case .file(let url) = self { url } else { nil }
    }

    /// The path as it is told, from the working directory where the file is in it.
    var path: String { file?.displayPath ?? "standard input" }

    /// Reads the cassette, whatever its format.
    /// - Throws: ``CassetteError`` that names the file, the place in it, the cause and what mends it.
    func read() throws -> RecordedCassette {
        switch self {
        case .file(let url): try RecordedCassette(contentsOf: url)
        case .standardInput: try open().cassette
        }
    }

    /// Reads the cassette and the bytes that it stands in.
    /// - Returns: Both, and the folder in which files of its bodies are looked for.
    /// - Throws: ``CassetteError`` that names the file, the place in it, the cause and what mends it.
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
    /// The path from the working directory where the file is in it, else the whole path.
    var displayPath: String {
        let folder = FileManager.default.currentDirectoryPath + "/"
        return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
    }
}
