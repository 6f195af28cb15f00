import Foundation
import Rewind

/// A file that the command writes whole or not at all.
struct WholeFile {
    private let url: URL

    /// Names the file.
    init(_ url: URL) {
        self.url = url
    }

    /// Writes the file.
    /// - Throws: ``CassetteRewriteError`` that names the file and the cause.
    func write(_ data: Data) throws {
        do {
            try AtomicFile(url).write(data)
        } catch {
            throw CassetteRewriteError.failed(url.path, cause: error.localizedDescription)
        }
    }
}
