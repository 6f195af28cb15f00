import Foundation
import Rewind

/// What bytes that nobody can read are, by how they begin, or else by their media type.
enum BinaryName {
    private static let beginnings: [(bytes: [UInt8], name: String)] = [
        (Array("%PDF-".utf8), "PDF document"), ([0x50, 0x4B, 0x03, 0x04], "ZIP archive"),
        ([0x1F, 0x8B], "gzip data"), (Array("OggS".utf8), "Ogg media"), (Array("ID3".utf8), "MP3 audio"),
        (Array("wOF2".utf8), "WOFF2 font"), (Array("wOFF".utf8), "WOFF font"),
        ([0, 0x61, 0x73, 0x6D], "WebAssembly"),
        (Array("SQLite format 3".utf8), "SQLite database"), (Array("bplist00".utf8), "binary property list"),
    ]

    /// The name.
    static func of(_ data: Data, _ type: MediaType?) -> String {
        if let known = beginnings.first(where: { data.starts(with: $0.bytes) }) { return known.name }
        guard let essence = type?.essence, essence != "application/octet-stream" else { return "binary" }
        return "binary (\(VisibleText.line(essence)))"
    }
}
