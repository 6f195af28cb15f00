import Foundation

/// The YAML of Ruby's VCR, vcrpy and go-vcr.
///
/// Only the part of YAML that these write is read. VCR 1 and vcrpy 0 wrote objects of Ruby and Python, which are refused.
///
/// They compare method and URL:
///
/// ```swift
/// configuration.matching = [.method, .url]
/// ```
package enum VCRYAMLFormat: InflatingCassetteFormat {
    /// The format's name.
    package static let name = "VCR YAML"

    /// Whether the text is lines of keys, among the first of which is one of interactions.
    package static func recognizes(_ data: Data) -> Bool {
        for line in data.prefix(1 << 16).split(separator: JSONByte.lineFeed) {
            let line = line.starts(with: JSONLocation.byteOrderMark) ? line.dropFirst(3) : line
            if ["interactions:", "http_interactions:", "- request:", "- !ruby/"].contains(where: {
                line.starts(with: $0.utf8)
            }) {
                return true
            }
            guard isOrdinary(line) else { return false }
        }
        return false
    }

    /// Whether a line may stand before the interactions: the start of a document, a comment, a key, or part of its value.
    private static func isOrdinary(_ line: Data) -> Bool {
        guard let first = line.first else { return true }
        if [JSONByte.space, JSONByte.carriageReturn, UInt8(ascii: "#"), UInt8(ascii: "-")].contains(first) {
            return true
        }
        let key = line.prefix { $0 == UInt8(ascii: "_") || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
        return !key.isEmpty && line.dropFirst(key.count).first == JSONByte.colon
    }

    /// Reads a cassette.
    /// - Throws: ``CassetteProblem`` for what is wrong and where.
    package static func read(_ data: Data) throws -> Cassette {
        try read(data, limits: .default)
    }

    /// Reads a cassette that may ask for no more than the limits.
    package static func read(_ data: Data, limits: CassetteLimits) throws -> Cassette {
        let root = CassetteField(try YAMLParser.document([UInt8](data)), place: .root)
        guard root.value.isObject else {
            throw root.problem("expected a map with interactions; cassettes of VCR 1 and vcrpy 0 are not read")
        }
        try VCRVersion.check(root)
        let field = try root["http_interactions"] ?? root.required("interactions")
        guard let entries = field.value.arrayValue else { throw field.problem("expected a list") }
        var budget = InflationBudget(limits)
        let interactions = try entries.enumerated().map { index, entry in
            try VCRInteraction.interaction(CassetteField(entry, place: .entry(index)), &budget)
        }
        try VCRYAMLEnd(root, entries: entries).check(in: data)
        return Cassette(interactions: interactions)
    }
}
