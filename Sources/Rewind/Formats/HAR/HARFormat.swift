import Foundation

/// HTTP Archive 1.2, the format in which Rewind writes cassettes.
///
/// The specification is <http://www.softwareishard.com/blog/har-12-spec/>. Browsers, Charles, Proxyman, mitmproxy and
/// Playwright open these files. What the format has no field for stands under `_rewind`.
public enum HARFormat: WritableCassetteFormat, AttachingCassetteFormat {
    /// The format's name.
    public static let name = "HAR 1.2"

    /// Whether the text is an object that has a `log`, or nothing that tells of another format.
    public static func recognizes(_ data: Data) -> Bool {
        guard JSONGlance.begins(with: "{", data) else { return false }
        let mark = JSONMark(data)
        return mark == nil || mark == .log
    }

    /// Reads an archive.
    ///
    /// Fields that are missing are tolerated, and an entry without a usable answer is kept and never answers. Fields
    /// of a wrong type are refused.
    /// - Throws: ``CassetteProblem`` for what is wrong and where.
    public static func read(_ data: Data) throws -> Cassette {
        try read(data, attachments: nil)
    }

    /// Reads an archive whose bodies may stand in files beside it.
    package static func read(_ data: Data, attachments: Attachments?) throws -> Cassette {
        try open(data, attachments: attachments).cassette
    }

    /// Opens an archive, checked as whole as ``read(_:)`` does, whose interactions are made when they are asked for.
    package static func open(_ data: Data, attachments: Attachments?, limits: CassetteLimits = .default) throws
        -> RecordedCassette
    {
        if let reel = try HARReel(data, attachments, atMost: limits.maximumInteractions) {
            return RecordedCassette(reel: reel, surroundings: reel.surroundings)
        }
        do {
            let reader = try HARReader(data, attachments, atMost: limits.maximumInteractions)
            return RecordedCassette(try reader.cassette())
        } catch let error as JSONError {
            throw CassetteProblem(error)
        }
    }

    /// Writes an archive: two spaces, fixed order of members, a header field a line, one newline at the end.
    ///
    /// All bodies stand in it, however large.
    public static func write(_ cassette: Cassette) -> Data {
        var writer = HARWriter(cassette)
        return writer.archive().document
    }
}
