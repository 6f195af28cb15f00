import Foundation

/// The JSON of Ruby's VCR and of betamax, and that of vcrpy.
///
/// They compare method and URL:
///
/// ```swift
/// configuration.matching = [.method, .url]
/// ```
public enum VCRFormat: InflatingCassetteFormat {
    /// The format's name.
    public static let name = "VCR JSON"

    /// Whether the text is an object with `http_interactions`, or with `interactions` whose requests have a `uri`.
    public static func recognizes(_ data: Data) -> Bool {
        switch JSONMark(data) {
        case .recordings: true
        case .interactions: isPython(data)
        default: false
        }
    }

    /// Whether `interactions` are those of vcrpy and not of DVR.
    static func isPython(_ data: Data) -> Bool {
        let request: [JSONGlance.Step] = [.member("interactions"), .firstElement, .member("request")]
        return JSONGlance.firstMember(of: ["uri"], at: request, in: data) != nil
            || JSONGlance.firstMember(of: ["version"], in: data) != nil
    }

    /// Reads a cassette.
    /// - Throws: ``CassetteProblem`` for what is wrong and where.
    public static func read(_ data: Data) throws -> Cassette {
        try read(data, limits: .default)
    }

    /// Reads a cassette that may ask for no more than the limits.
    package static func read(_ data: Data, limits: CassetteLimits) throws -> Cassette {
        let name = JSONMark(data) == .recordings ? JSONMark.recordings : .interactions
        let document = try JSONEntries(data, at: [name.rawValue])
        try VCRVersion.check(JSONField(document.root, place: .root))
        var budget = InflationBudget(limits)
        return Cassette(interactions: try document.entries.map { try VCRInteraction.interaction($0, &budget) })
    }
}

/// The version of the layout that vcrpy and go-vcr write.
enum VCRVersion {
    static func check(_ root: CassetteField<some FieldValue>) throws {
        guard let field = root["version"] else { return }
        guard 1...2 ~= (try field.integer()) else {
            throw field.problem("this version is not known, 1 and 2 are")
        }
    }
}
