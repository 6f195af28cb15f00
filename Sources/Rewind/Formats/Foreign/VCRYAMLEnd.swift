import Foundation

/// Tells a cassette in YAML that is whole from one that was cut off, as a part of YAML is YAML as well.
///
/// Ruby's VCR ends a file with `recorded_with`, vcrpy with `version`. go-vcr begins with `version`, so there the last
/// answer has to have what all answers end with. All of them end the last line.
struct VCRYAMLEnd {
    private let root: CassetteField<YAMLNode>
    private let entries: [YAMLNode]

    init(_ root: CassetteField<YAMLNode>, entries: [YAMLNode]) {
        self.root = root
        self.entries = entries
    }

    /// - Throws: ``CassetteProblem`` where the end is missing.
    func check(in data: Data) throws {
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
