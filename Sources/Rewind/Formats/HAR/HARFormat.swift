import Foundation

/// HTTP Archive 1.2, the format in which Rewind records.
///
/// The specification is <http://www.softwareishard.com/blog/har-12-spec/>. Browsers, Charles, Proxyman, mitmproxy and
/// Playwright open these files. Data that the specification has no field for is in the custom field `_rewind`.
package enum HARFormat: CassetteWriter, AttachingCassetteReader {
    package static let name = "HAR 1.2"

    /// Whether the text is an object that has a `log`, or no member that identifies another format.
    package static func recognizes(_ data: Data) -> Bool {
        guard FormatDetector.begins(with: "{", data) else { return false }
        let mark = FormatDetector.mark(of: data)
        return mark == nil || mark == .log
    }

    /// Reads an archive.
    ///
    /// Missing members are accepted. An entry without a usable response, or with a member that cannot be understood, is read
    /// too, but never answers a request.
    /// - Throws: ``CassetteError/Problem`` if the content is invalid.
    package static func read(_ data: Data) throws -> Cassette { try open(data, attachments: nil).cassette }

    /// Opens an archive whose interactions are decoded on demand. The checks are those of ``read(_:)``.
    package static func open(_ data: Data, attachments: Attachments?, limits: CassetteLimits = .default) throws
        -> RecordedCassette
    {
        let interactions = try HARInteractions(data, attachments, limits: limits)
        return RecordedCassette(interactions: interactions, surroundings: interactions.surroundings, text: data)
    }

    /// Writes an archive that contains all bodies. Members have a fixed order, and each header field is one line.
    package static func write(_ cassette: Cassette) -> Data {
        var writer = HARWriter(cassette: cassette)
        return writer.archive().document
    }

    /// Writes an archive whose large bodies are in separate files. A body that already has a file stays there.
    /// - Parameters:
    ///   - cassette: The cassette to write.
    ///   - folder: The name of the folder.
    ///   - attachments: The existing body files.
    ///   - isComplete: Whether to add what HAR 1.2 requires to entries of other tools.
    ///   - isFree: Whether a body may be written to a path.
    /// - Returns: The archive, and all its bodies in the folder, old and new.
    package static func archive(
        _ cassette: Cassette,
        bodiesIn folder: String,
        beside attachments: Attachments,
        isComplete: Bool = false,
        isFree: @escaping (_ path: String, _ data: Data) -> Bool
    ) -> HARArchive {
        let files = BodyFiles(folder: folder, isFree: isFree)
        var writer = HARWriter(
            cassette: cassette,
            bodyFiles: files,
            attachments: attachments,
            completes: isComplete
        )
        return writer.archive()
    }
}
