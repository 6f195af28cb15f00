import Foundation
import Rewind

/// Where the output of a subcommand goes: standard output, or a file that is replaced whole or not at all.
enum ShowOutput: Hashable, Sendable {
    case console
    case file(URL)

    /// Writes a text and a new line.
    /// - Throws: ``UnwritableOutput`` where the file cannot be written.
    func write(_ text: String, to console: Console) throws {
        guard case .file(let url) = self else { return console.print(text) }
        do {
            try AtomicFile(url).write(Data((text + "\n").utf8))
        } catch {
            throw UnwritableOutput(path: url.displayPath, cause: error.localizedDescription)
        }
    }
}

/// A file that could not be written.
struct UnwritableOutput: Error, CustomStringConvertible {
    /// The path of the file.
    let path: String
    /// What the system says.
    let cause: String

    var description: String {
        "\(path) cannot be written: \(cause)\n  Check that its folder exists, has room and may be written to."
    }
}
