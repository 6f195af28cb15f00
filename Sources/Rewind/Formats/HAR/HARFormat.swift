import Foundation

/// HTTP Archive 1.2, the format in which Rewind writes cassettes.
///
/// The specification is <http://www.softwareishard.com/blog/har-12-spec/>. Browsers, Charles, Proxyman, mitmproxy and
/// Playwright open these files. What the format has no field for stands under `_rewind`.
public enum HARFormat: WritableCassetteFormat {
    /// The format's name.
    public static let name = "HAR 1.2"

    /// Whether the first character that is not white space begins an object.
    public static func recognizes(_ data: Data) -> Bool {
        let text = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data[...]
        return text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "{")
    }

    /// Reads an archive.
    ///
    /// Fields that are missing are tolerated, and an entry without a usable answer is kept and never answers. Fields
    /// of a wrong type are refused.
    /// - Throws: ``CassetteProblem`` for what is wrong and where.
    public static func read(_ data: Data) throws -> Cassette {
        do {
            return try HARReader(data).cassette()
        } catch let error as JSONError {
            throw CassetteProblem.syntax(line: error.line, column: error.column, cause: "\(error.problem)")
        }
    }

    /// Writes an archive: two spaces, fixed order of members, a header field a line, one newline at the end.
    public static func write(_ cassette: Cassette) -> Data {
        HARWriter(cassette).document
    }
}
