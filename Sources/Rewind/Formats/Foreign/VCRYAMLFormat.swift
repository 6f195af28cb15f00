import Foundation

/// The YAML of Ruby's VCR, vcrpy and go-vcr. Only the part of YAML that these write is read. Objects of Ruby and
/// Python, as VCR 1 and vcrpy 0 wrote, are refused. They compare method and URL: `matching = [.method, .url]`.
package enum VCRYAMLFormat: InflatingCassetteReader {
    package static let name = "VCR YAML"

    /// The text is lines of keys, among the first of which is one of interactions.
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

    /// Whether a line may precede the interactions: the start of a document, a comment, a key, or part of its value.
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
            throw root.problem("expected a map with interactions; cassettes of VCR 1 and vcrpy 0 are not read")
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

    /// Refuses a truncated cassette, as a part of YAML is YAML as well. Ruby's VCR ends a file with `recorded_with`,
    /// vcrpy with `version`. go-vcr begins with `version`, so its last answer must have the members that all answers
    /// end with. All of them end the last line.
    private static func checkEnd(of root: CassetteField<YAMLNode>, _ entries: [YAMLNode], in data: Data) throws
    {
        guard data.last == JSONByte.lineFeed else {
            throw root.problem("the last line has no end, so the file may have been cut off")
        }
        let names = root.value.members.map(\.name)
        guard let mark = names.first(where: { $0 == "recorded_with" || $0 == "version" }) else {
            throw root.problem("`recorded_with` or `version` is missing, so the file may have been cut off")
        }
        guard mark == names.first, let last = entries.last else { return }
        let ends = ["code", "duration"].filter { end in entries.contains { $0["response"]?[end] != nil } }
        guard let end = ends.first(where: { last["response"]?[$0] == nil }) else { return }
        throw root.problem("the last response has no `\(end)`, so the file may have been cut off")
    }
}
