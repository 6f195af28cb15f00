import Foundation
import Rewind

/// A cassette that was read to be written again, with the format it was read from.
struct CassetteSource {
    /// What it holds.
    let cassette: Cassette
    /// The format it stands in.
    let format: any CassetteFormat.Type
    /// Its file; `nil` for standard input.
    let url: URL?
    /// The folder in which files of its bodies are looked for.
    let folder: URL

    private let data: Data

    /// Reads a cassette.
    /// - Throws: ``CassetteError`` that names the file, the place in it, the cause and what mends it.
    init(_ input: CassetteInput) throws {
        let (recorded, data, folder) = try input.open()
        url = input.file
        cassette = recorded.cassette
        format = recorded.format
        self.data = data
        self.folder = folder
    }

    /// What tells whether the file is as it was.
    var checksum: ContentChecksum { ContentChecksum(data) }

    /// The format, where what is written in it again is what its own programs read.
    var writableFormat: (any WritableCassetteFormat.Type)? {
        // Python's JSON is read like Ruby's, which is the one that is written.
        if format == VCRFormat.self, (try? JSON(parsing: data))?["http_interactions"] == nil { return nil }
        return Cassette.writableFormats.first { $0 == format }
    }
}
