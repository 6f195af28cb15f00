import Foundation

/// The YAML files of VCR (Ruby and R), vcrpy and go-vcr. Objects of Python, which vcrpy 0 wrote, are rejected. They compare
/// method and URL: `matching = [.method, .url]`.
package enum VCRYAMLFormat: InflatingCassetteReader {
    package static let name = "VCR YAML"

    /// Whether one of the first top-level keys is that of the interactions.
    package static func recognizes(_ data: Data) -> Bool {
        var indentation: Int?
        for line in data.prefix(1 << 16).split(whereSeparator: {
            $0 == JSONByte.lineFeed || $0 == JSONByte.carriageReturn
        }) {
            let line = line.starts(with: JSONLocation.byteOrderMark) ? line.dropFirst(3) : line
            let content = line.drop { $0 == JSONByte.space }
            guard let first = content.first, first != UInt8(ascii: "#") else { continue }
            if indentation == nil, content.starts(with: "---".utf8) || first == UInt8(ascii: "%") { continue }
            // Lines that are indented deeper belong to a value before the interactions.
            let column = content.startIndex - line.startIndex
            guard column <= indentation ?? column else { continue }
            indentation = indentation ?? column
            if beginnings.contains(where: { content.starts(with: $0.utf8) }) { return true }
            guard column == indentation, isOrdinary(content, first) else { return false }
        }
        return false
    }

    private static let beginnings = [
        "interactions:", "http_interactions:", "\"interactions\":", "\"http_interactions\":", "'interactions':",
        "'http_interactions':", "- request:", "- !ruby/",
    ]

    /// Whether a line may come before the interactions: a key, or an element of its value.
    private static func isOrdinary(_ line: Data, _ first: UInt8) -> Bool {
        if first == UInt8(ascii: "-") { return true }
        let key = line.prefix { $0 == UInt8(ascii: "_") || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
        return !key.isEmpty && line.dropFirst(key.count).first == JSONByte.colon
    }

    package static func read(_ data: Data, limits: CassetteLimits) throws -> Cassette {
        let (node, endsOpen) = try YAMLParser.documentAndEnd([UInt8](data))
        let root = CassetteField(node, place: .root)
        let elements: [YAMLNode]
        if let list = node.arrayValue {
            // VCR 1 wrote a list of Ruby objects. vcrpy 0 and PHP-VCR wrote lists with other members.
            guard list.allSatisfy({ $0["request"]?["uri"] != nil }) else {
                throw root.problem(
                    "expected a mapping with interactions; YAML of vcrpy 0 and PHP-VCR is not supported"
                )
            }
            elements = list
        } else {
            guard root.value.isObject else { throw root.problem("expected a mapping with interactions") }
            try VCRVersion.check(root)
            let field = try root["http_interactions"] ?? root.required("interactions")
            guard let list = field.value.arrayValue else { throw field.problem("expected a list") }
            elements = list
        }
        try VCRYAMLEnd(root: node, entries: elements, endsOpen: endsOpen, data: data).check()
        let entries = elements.enumerated().map { CassetteField($1, place: .entry($0)) }
        return try Cassette(vcr: entries, VCRConvention(root, entries), limits)
    }
}

/// The end of a YAML cassette. The beginning of a YAML document is often valid YAML, so a truncated cassette is detected by
/// what is missing.
private struct VCRYAMLEnd {
    let root: YAMLNode
    let entries: [YAMLNode]
    /// Whether more text could have followed the last value.
    let endsOpen: Bool
    let data: Data

    /// VCR ends a file with `recorded_with`, vcrpy with `version`, and VCR 1 for R ends each interaction with
    /// `recorded_with`. go-vcr begins with `version`; VCR 1 for Ruby, and a serializer of vcrpy that writes `parsed_body`,
    /// may have no such member. Then the last response must have the members at the end of the other responses, and the
    /// last line must be complete.
    func check() throws {
        let names = root.members.map(\.name)
        let isMark = { (name: String) in name == "recorded_with" || name == "version" }
        if let last = names.last(where: { isMark($0) || $0.hasSuffix("interactions") }), isMark(last) { return }
        if entries.last?["recorded_with"] != nil { return }
        let isParsed = entries.contains { $0["response"]?["parsed_body"] != nil }
        guard root.arrayValue != nil || isParsed || names.contains(where: isMark) else {
            throw truncated("`recorded_with` or `version` is missing")
        }
        guard let last = entries.last else { return }
        guard let response = last["response"], response.isObject else {
            throw truncated("the last interaction has no `response`")
        }
        for name in ["code", "duration", "http_version"] where response[name] == nil {
            guard !entries.contains(where: { $0["response"]?[name] != nil }) else {
                throw truncated("the last response has no `\(name)`")
            }
        }
        guard ["status", "status_code", "code"].contains(where: { response[$0] != nil }) else {
            throw truncated("the last response has no `status`")
        }
        // Only go-vcr writes members after the body.
        guard ["body", "parsed_body", "content", "code"].contains(where: { response[$0] != nil }) else {
            throw truncated("the last response has no `body`")
        }
        let isWhole = data.last == JSONByte.lineFeed || data.last == JSONByte.carriageReturn
        if !isWhole, endsOpen, !isSafeToEnd(last, response) {
            throw truncated("the last line has no line feed")
        }
    }

    /// Whether the last member is complete enough: a shorter duration or message does no harm, and a code has three digits.
    private func isSafeToEnd(_ entry: YAMLNode, _ response: YAMLNode) -> Bool {
        guard entry.members.last?.name == "response", let member = response.members.last else {
            return entry.members.last?.name != "request"
        }
        let code = member.name == "status" ? member.value["code"] : member.name == "code" ? member.value : nil
        return member.name == "duration" || code?.integerValue.map { 100...999 ~= $0 } ?? false
    }

    private func truncated(_ cause: String) -> CassetteError.Problem {
        let breaks = data.count { $0 == JSONByte.lineFeed }
        let line = max(1, data.last == JSONByte.lineFeed ? breaks : breaks + 1)
        return .structure(
            place: "line \(line), the end of the file",
            cause: cause + ", so the file may be truncated"
        )
    }
}
