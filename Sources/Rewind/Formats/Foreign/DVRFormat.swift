import Foundation

/// The JSON of Venmo's DVR.
///
/// DVR answers every request again and again, and of several interactions for one request with the last; here they
/// are in the order of the file. The final URL of a redirect, which is all that DVR keeps of it, is not read.
///
/// It compares method, URL and body, which is the default here:
///
/// ```swift
/// configuration.matching = .default
/// configuration.repeats = .last
/// ```
public enum DVRFormat: CassetteFormat {
    /// The format's name.
    public static let name = "DVR"

    /// Whether the text is an object with `interactions` that are not of the VCR family.
    public static func recognizes(_ data: Data) -> Bool {
        // A member of swift-vcr, whose layout is nearly the same but whose bodies are all in base64.
        JSONMark(data) == .interactions && !VCRFormat.isPython(data)
            && JSONGlance.firstMember(of: ["recordMode"], in: data) == nil
    }

    /// Reads a cassette.
    /// - Throws: ``CassetteProblem`` for what is wrong and where.
    public static func read(_ data: Data) throws -> Cassette {
        let reader = DVRInteraction(untyped: .base64, needsHeadersForBody: false)
        let entries = try JSONEntries(data, at: ["interactions"]).entries
        return Cassette(interactions: try entries.map(reader.interaction))
    }
}
