import Foundation
import Rewind

/// The sizes of files.
enum FileSize {
    /// The number of bytes of a file; 0 where there is none.
    static func of(_ file: URL) -> Int {
        FileStatus(file)?.size ?? 0
    }

    /// The number of bytes of all files in a folder, but not in folders of it; 0 where there is none.
    static func ofAll(in folder: URL) -> Int {
        guard let entries = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else { return 0 }
        return entries.reduce(0) { $0 + of(folder.appendingPathComponent($1)) }
    }
}
