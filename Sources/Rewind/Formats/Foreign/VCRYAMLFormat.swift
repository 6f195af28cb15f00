import Foundation

/// The YAML files of VCR (Ruby), vcrpy and go-vcr. Only the subset of YAML that these tools write is supported. Ruby and
/// Python objects, which VCR 1 and vcrpy 0 wrote, are rejected. They compare method and URL:
/// `matching = [.method, .url]`.
package enum VCRYAMLFormat: InflatingCassetteReader {
    package static let name = "VCR YAML"

    /// Whether one of the first top-level keys is that of the interactions.
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

    /// Whether a line may come before the interactions: the start of a document, a comment, a key, or part of its value.
    private static func isOrdinary(_ line: Data) -> Bool {
        guard let first = line.first else { return true }
        if [JSONByte.space, JSONByte.carriageReturn, UInt8(ascii: "#"), UInt8(ascii: "-")].contains(first) {
            return true
        }
        let key = line.prefix { $0 == UInt8(ascii: "_") || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
        return !key.isEmpty && line.dropFirst(key.count).first == JSONByte.colon
    }

    package static func read(_ data: Data, limits: CassetteLimits) throws -> Cassette {
        let root = CassetteField(try YAMLParser.document([UInt8](data)), place: .root)
        guard root.value.isObject else {
            throw root.problem(
                "expected a mapping with interactions; YAML of VCR 1 and vcrpy 0 is not supported"
            )
        }
        try VCRVersion.check(root)
        let field = try root["http_interactions"] ?? root.required("interactions")
        guard let entries = field.value.arrayValue else { throw field.problem("expected a list") }
        var budget = InflationBudget(limits)
        let interactions = try entries.enumerated().map { index, entry in
            try CassetteField(entry, place: .entry(index)).vcrInteraction(&budget)
        }
        try checkEnd(of: root, entries, in: data)
        return Cassette(interactions: interactions)
    }

    /// Rejects a truncated cassette, because the beginning of a YAML document is often valid YAML. VCR ends a file with
    /// `recorded_with`, vcrpy with `version`. go-vcr begins with `version`, so its last response must have the members at
    /// the end of the other responses. All of them end the last line with a line feed.
    private static func checkEnd(of root: CassetteField<YAMLNode>, _ entries: [YAMLNode], in data: Data) throws
    {
        guard data.last == JSONByte.lineFeed else {
            throw Self.truncated("the last line has no line feed")
        }
        let names = root.value.members.map(\.name)
        guard let mark = names.first(where: { $0 == "recorded_with" || $0 == "version" }) else {
            throw Self.truncated("`recorded_with` or `version` is missing")
        }
        guard mark == names.first, let last = entries.last else { return }
        let ends = ["code", "duration"].filter { end in entries.contains { $0["response"]?[end] != nil } }
        guard let end = ends.first(where: { last["response"]?[$0] == nil }) else { return }
        throw Self.truncated("the last response has no `\(end)`")
    }

    private static func truncated(_ cause: String) -> CassetteError.Problem {
        .structure(place: "the end of the file", cause: cause + ", so the file may be truncated")
    }
}
