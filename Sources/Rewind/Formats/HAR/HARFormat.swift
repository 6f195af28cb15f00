import Foundation

/// HTTP Archive 1.2, the format in which Rewind writes cassettes.
///
/// The specification is <http://www.softwareishard.com/blog/har-12-spec/>. Browsers, Charles, Proxyman, mitmproxy and
/// Playwright open these files. What the format has no field for stands under `_rewind`.
package enum HARFormat: CassetteWriter, AttachingCassetteReader {
    /// The format's name.
    package static let name = "HAR 1.2"

    /// Whether the text is an object that has a `log`, or nothing that tells of another format.
    package static func recognizes(_ data: Data) -> Bool {
        guard FormatDetector.begins(with: "{", data) else { return false }
        let mark = FormatDetector.mark(of: data)
        return mark == nil || mark == .log
    }

    /// Reads an archive.
    ///
    /// Fields that are missing are tolerated, and an entry without a usable answer is kept and never answers. Fields
    /// of a wrong type are refused.
    /// - Throws: ``CassetteError/Problem`` for what is wrong and where.
    package static func read(_ data: Data) throws -> Cassette { try open(data, attachments: nil).cassette }

    /// Opens an archive, checked as thoroughly as by ``read(_:)``, whose interactions are made on demand.
    package static func open(_ data: Data, attachments: Attachments?, limits: CassetteLimits = .default) throws
        -> RecordedCassette
    {
        let interactions = try HARInteractions(data, attachments, atMost: limits.maximumInteractions)
        return RecordedCassette(interactions: interactions, surroundings: interactions.surroundings)
    }

    /// Writes an archive: two spaces, fixed order of members, a header field a line, one newline at the end.
    ///
    /// All bodies stand in it, however large.
    package static func write(_ cassette: Cassette) -> Data {
        var writer = HARWriter(cassette: cassette)
        return writer.archive().document
    }

    /// Writes an archive whose large bodies are in files of a folder beside it; a body that is there already stays.
    /// - Parameters:
    ///   - cassette: The cassette to write.
    ///   - folder: The name of the folder.
    ///   - attachments: The files beside the archive.
    ///   - isFree: Whether a body may be written to a path.
    /// - Returns: The archive, and all of its bodies in that folder, old and new.
    package static func archive(
        _ cassette: Cassette,
        bodiesIn folder: String,
        beside attachments: Attachments,
        isFree: @escaping (_ path: String, _ data: Data) -> Bool
    ) -> HARArchive {
        let files = BodyFiles(folder: folder, isFree: isFree)
        var writer = HARWriter(cassette: cassette, bodyFiles: files, attachments: attachments)
        return writer.archive()
    }
}
