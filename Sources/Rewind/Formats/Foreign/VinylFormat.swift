import Foundation

/// The JSON of Vinyl: an array of tracks.
///
/// Tracks are mostly written by hand, and Vinyl's own are tested with commas after the last of a list. Foundation's
/// parser, which Vinyl uses, accepts these, and so they are accepted here.
///
/// It compares method and URL:
///
/// ```swift
/// configuration.matching = [.method, .url]
/// ```
package enum VinylFormat: CassetteFormat {
    /// The format's name.
    package static let name = "Vinyl"

    /// Whether the text is an array of objects with a `response` or a `request`.
    package static func recognizes(_ data: Data) -> Bool {
        guard JSONGlance.begins(with: "[", data), !VCRPyFormat.recognizes(data) else { return false }
        return JSONGlance.firstMember(of: ["response", "request"], at: [.firstElement], in: data) != nil
    }

    /// Reads a cassette.
    /// - Throws: ``CassetteProblem`` for what is wrong and where.
    package static func read(_ data: Data) throws -> Cassette {
        let reader = DVRInteraction(untyped: .text, needsHeadersForBody: true)
        let entries = try JSONEntries(TrailingCommas.removed(from: data), at: []).entries
        return Cassette(interactions: try entries.map(reader.interaction))
    }
}
