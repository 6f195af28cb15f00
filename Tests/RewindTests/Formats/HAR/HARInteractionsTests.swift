import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct HARInteractionsTests {
    /// Checks that an opened archive agrees with its parsed JSON, and is rejected if it is not valid JSON.
    private func check(_ data: Data, _ attachments: Attachments? = nil) throws {
        let text = String(decoding: data, as: UTF8.self)
        let tree: JSON
        do {
            tree = try JSON(parsing: data)
        } catch {
            let problem = #expect(throws: CassetteError.Problem.self) {
                try HARFormat.open(data, attachments: attachments)
            }
            #expect(problem == CassetteError.Problem(error), "\(text)")
            return
        }
        let list: any InteractionList
        do {
            list = try HARFormat.open(data, attachments: attachments).interactions
        } catch CassetteError.Problem.structure(let place, let cause) {
            #expect(!cause.isEmpty && place.contains("log") || place.hasPrefix("entry "), "\(text)")
            return
        }
        let entries = try #require(tree["log"]?["entries"]?.arrayValue, "\(text)")
        try #require(list.count == entries.count)
        let ranges = try JSONEntries.ranges(in: data, at: ["log", "entries"])
        for (position, entry) in entries.enumerated() {
            let interaction = list[position]
            #expect(interaction.original?.text == data[ranges[position]])
            try compare(interaction, with: entry)
            compare(interaction, with: list, at: position)
        }
    }

    /// Checks an interaction against the parsed members of its entry.
    private func compare(_ interaction: Interaction, with entry: JSON) throws {
        let (sent, received) = (entry["request"], entry["response"])
        #expect(interaction.outcome != .unknown(reason: "the entry cannot be read"), "\(entry)")
        #expect(interaction.request.method == spelled(sent?["method"]) ?? "")
        #expect(interaction.request.url.hasPrefix(sent?["url"]?.stringValue ?? ""))
        if sent?.objectValue != nil {
            #expect(interaction.request.httpVersion == unimportant(sent?["httpVersion"]))
        }
        #expect(interaction.timing.wait == max(0, entry["timings"]?["wait"]?.doubleValue ?? 0))
        #expect(interaction.timing.receive == max(0, entry["timings"]?["receive"]?.doubleValue ?? 0))
        #expect(
            interaction.redactedPlaces == entry["_rewind"]?["redacted"]?.arrayValue?.compactMap(\.stringValue)
                ?? []
        )
        if interaction.isReplayable {
            #expect(pairs(interaction.request.headers) == pairs(sent?["headers"]))
        }
        if let text = sent?["postData"]?["text"]?.stringValue, let body = interaction.request.body,
            !text.isEmpty
        {
            let encoding =
                sent?["postData"]?["_encoding"]?.stringValue ?? sent?["postData"]?["encoding"]?.stringValue
            #expect(body.data == self.data(text, encoding))
        }
        guard let response = interaction.response else { return }
        #expect(Double(response.status) == received?["status"]?.doubleValue?.rounded(.towardZero))
        #expect(response.statusText == unimportant(received?["statusText"]))
        #expect(pairs(response.headers) == pairs(received?["headers"]))
        let chunks = entry["_rewind"]?["chunks"]?.arrayValue ?? []
        // Chunks that do not add up to the body are ignored.
        if !response.body.chunks.isEmpty {
            #expect(response.body.chunks.map(\.offset) == chunks.map { $0[0]?.doubleValue })
        }
        // `StoredEncodingTests` reads bodies that other tools store in their own ways.
        let encoding = received?["content"]?["encoding"]?.stringValue?.lowercased() ?? ""
        let isEncoded = response.headers["Content-Encoding"] != nil || !["", "base64"].contains(encoding)
        if entry["_order"] == nil, !isEncoded, let text = received?["content"]?["text"]?.stringValue,
            text.utf8.allSatisfy({ $0 < 0x80 })
        {
            #expect(response.body.data == data(text, received?["content"]?["encoding"]?.stringValue))
        }
    }

    /// Checks that the queries of a list agree with the complete interaction.
    private func compare(_ interaction: Interaction, with list: any InteractionList, at position: Int) {
        #expect(list.request(at: position, withHeaders: true).headers == interaction.request.headers)
        #expect(list.request(at: position, withHeaders: false).body == interaction.request.body)
        #expect(list.answer(at: position, to: interaction.request).outcome == interaction.outcome)
        #expect(list.answer(at: position, to: interaction.request).timing == interaction.timing)
        #expect(list.isReplayable(at: position) == interaction.isReplayable)
        #expect(list.beginning(at: position) == (interaction.request.url, interaction.startedAt))
    }

    private func pairs(_ headers: HeaderList) -> [String] { headers.map { "\($0.name): \($0.value)" } }

    private func pairs(_ headers: JSON?) -> [String] {
        if let object = headers?.objectValue {
            return object.members.flatMap { member in values(member.value).map { "\(member.name): \($0)" } }
        }
        return headers?.arrayValue?.filter { $0 != .null }.flatMap { field -> [String] in
            let pair = field.arrayValue
            let name = pair == nil ? field["name"] : pair?[0]
            let value = pair == nil ? field["value"] : pair?[1]
            return values(value).map { "\(spelled(name) ?? ""): \($0)" }
        } ?? []
    }

    private func values(_ value: JSON?) -> [String] {
        value?.arrayValue.map { $0.map { spelled($0) ?? "" } } ?? [spelled(value) ?? ""]
    }

    /// The text of a string, a number or a boolean.
    private func spelled(_ value: JSON?) -> String? {
        switch value {
        case .string(let text): text
        case .number(let number): number.literal
        case .bool(let flag): "\(flag)"
        default: nil
        }
    }

    private func unimportant(_ value: JSON?) -> String {
        if case .bool = value { return "" }
        return spelled(value) ?? ""
    }

    private func data(_ text: String, _ encoding: String?) -> Data? {
        guard encoding?.lowercased() == "base64" else { return Data(text.utf8) }
        return Data(base64Encoded: text.filter { !$0.isWhitespace })
    }

    /// The number of entries that are decoded on demand, and the number that are decoded when the archive is opened.
    private func count(_ data: Data) throws -> (later: Int, atOnce: Int) {
        let entries = try ArchiveScanner.archive(data, atMost: .max).entries
        let later = entries.count { $0.isPlain }
        return (later, entries.count - later)
    }

    private static func sample(_ seed: UInt64, count: Int = 6) -> Data {
        var source = RandomSource(seed: seed)
        return HARFormat.write(Cassette(interactions: (0..<count).map { _ in source.interaction() }))
    }

    @Test("Archives written by Rewind are decoded completely", arguments: 1...60)
    func own(_ seed: UInt64) throws {
        try check(Self.sample(seed))
    }

    @Test("Typical recorded interactions are decoded on demand")
    func plain() throws {
        #expect(try count(HARSamples.foreign) == (0, 2))
        var interactions = (1...40).map { RandomSource(seed: $0) }.map { source -> Interaction in
            var source = source
            var interaction = source.interaction()
            interaction.request.url = "https://example.com/\(source.below(9))"
            interaction.redactedPlaces = ["request header Cookie"]
            return interaction
        }
        interactions.removeAll { $0.failure != nil }
        let data = HARFormat.write(Cassette(interactions: interactions))
        #expect(try count(data) == (interactions.count, 0))
        try check(data)
    }

    @Test("An archive of another tool is decoded completely, or rejected if truncated or changed")
    func foreign() throws {
        try check(HARSamples.foreign)
        try check([0xEF, 0xBB, 0xBF] + HARSamples.foreign)
        for count in stride(from: 0, to: HARSamples.foreign.count, by: 7) {
            try check(HARSamples.foreign.prefix(count))
        }
        var random = SplitMix64(seed: 11)
        for _ in 0..<400 { try check(changed(HARSamples.foreign, &random)) }
    }

    @Test("Archives with changed bytes are decoded completely or rejected", arguments: 1...24)
    func changedBytes(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let data = Self.sample(seed, count: 2)
        for _ in 0..<40 { try check(changed(data, &random)) }
    }

    private func changed(_ data: Data, _ random: inout SplitMix64) -> Data {
        var data = data
        let letters = Array(#"{}[]",:\u0193e+-.tfn _=/"#.utf8) + [0x0A, 0x00, 0x80, 0xC3, 0xFF]
        for _ in 0...Int.random(in: 0..<2, using: &random) {
            let index = Int.random(in: 0..<data.count, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: data.remove(at: index)
            case 1: data.insert(letters.randomElement(using: &random) ?? 0, at: index)
            default: data[index] = letters.randomElement(using: &random) ?? 0
            }
        }
        return data
    }

    @Test(
        "Archives with changed, repeated or removed members are decoded completely or rejected",
        arguments: 1...80
    )
    func changedMembers(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for data in [Self.sample(seed, count: 2), HARSamples.foreign] {
            let json = try JSON(parsing: data)
            for _ in 0..<12 { try check(changed(json, &random).serialized()) }
        }
    }

    private static let values: [JSON] = [
        nil, true, 1, 0, -1, 1.5, "", "x", "base64", "BASE64", "aGk=", "aGk", "a\u{301}", [], [1], [[1, 2]],
        [[1.5, 2], ["a"]],
        [["name": "a", "value": "b"]], [["name": "a"]], [["a", "b"]], [:], ["text": "x"], ["a": 1],
        .number(JSONNumber(checkedLiteral: "1e400")), .number(JSONNumber(checkedLiteral: "200.0")),
        .number(JSONNumber(checkedLiteral: "123456789012345678901234567890")),
    ]

    private static let names = [
        "text", "encoding", "_encoding", "_file", "params", "size", "headers", "chunks", "redacted", "failure",
        "fragment",
        "status", "method", "url", "wait", "request", "response", "content", "postData", "_rewind", "log",
        "entries",
    ]

    /// A value that is changed at a random place.
    private func changed(_ json: JSON, _ random: inout SplitMix64) -> JSON {
        let value = Self.values.randomElement(using: &random) ?? .null
        switch json {
        case .array(var elements) where !elements.isEmpty:
            let index = Int.random(in: 0..<elements.count, using: &random)
            elements[index] = changed(elements[index], &random)
            return .array(elements)
        case .object(var object) where !object.members.isEmpty:
            let index = Int.random(in: 0..<object.members.count, using: &random)
            switch Int.random(in: 0..<24, using: &random) {
            case 0: object.members.remove(at: index)
            case 1: object.members.append(object.members[index])
            case 2: object.append(Self.names.randomElement(using: &random) ?? "", value)
            case 3: object.append(object.members[index].name, value)
            case 4...7: object.members[index].value = value
            default: object.members[index].value = changed(object.members[index].value, &random)
            }
            return .object(object)
        default: return value
        }
    }

    @Test("An odd type of any member leaves the same interaction", arguments: OddMemberTests.samples)
    func oddTypes(_ sample: OddMemberTests.Odd) throws {
        try check(HARSamples.archive([HARSamples.entry(), sample.entry, HARSamples.entry()]))
    }

    @Test(
        "Separate, encoded and unusual bodies are decoded",
        arguments: [
            #""text": "aGk=", "encoding": "base64""#, #""text": "aGk=", "encoding": "Base64""#,
            #""text": "aGk", "encoding": "base64""#, #""text": "aG\nk=", "encoding": "base64""#,
            #""text": "\u0061Gk=", "encoding": "base64""#, #""text": "aGk=", "encoding": "b\u0061se64""#,
            #""text": "====", "encoding": "base64""#, #""text": "", "encoding": "base64""#,
            #""text": "aR==", "encoding": "base64""#, #""text": "a=k=", "encoding": "base64""#,
            #""text": "aGk=", "_encoding": "base64""#,
            #""text": "aGk=", "_encoding": "x", "encoding": "base64""#,
            #""text": "aGk=", "encoding": "gzip""#, #""text": "aGk=", "encoding": 1"#,
            #""text": null, "size": 3"#,
            #""size": 0"#, #""size": -1"#, #""size": 3"#, #""size": 0.5"#, #""size": "3""#, #""size": null"#,
            #""_file": "nowhere.txt""#, #""_file": "there.txt""#, #""_file": null"#,
            #""text": "a", "_file": 1"#,
            #""text": "a", "params": [1]"#, #""text": "", "params": [{"name": "a"}]"#,
            #""text": "", "params": [ ]"#,
            #""params": {}"#, #""t\u0065xt": "a""#, #""text": "a", "text": "b""#, #""text": "a", "text": null"#,
            "",
            #""text": "Gr\u00fc\u00dfe \ud800""#,
        ]
    )
    func bodies(_ members: String) throws {
        let folder = try TemporaryDirectory()
        try Data("there".utf8).write(to: folder["there.txt"])
        let attachments = Attachments(in: folder["there.txt"].deletingLastPathComponent())
        for type in ["text/plain", "text/html; charset=iso-8859-1", "application/x-www-form-urlencoded"] {
            let head =
                #""method": "POST", "url": "https://h/", "headers": [{"name": "Content-Type", "value": "\#(type)"}]"#
            let request = #"{ \#(head), "postData": { \#(members) } }"#
            let response = #"{ "status": 200, \#(head), "content": { \#(members) } }"#
            try check(
                HARSamples.archive([
                    HARSamples.entry(request: request), HARSamples.entry(response: response),
                    HARSamples.entry(),
                ]),
                attachments
            )
        }
    }

    @Test(
        "Archives with unusual members around the entries are decoded",
        arguments: [
            #"{"log": {"entries": []}, "log": {"entries": [1]}}"#, #"{"log": {"entries": [], "entries": [1]}}"#,
            #"{"l\u006fg": {"entries": []}}"#, #"{"log": {"entries": []}, "l\u006fg": 1}"#,
            #"{"log": {"entries": []}} x"#,
            #"{"log": {"entries": [null]}}"#, #"{"log": {"version": "2", "entries": []}}"#,
            #"{"log": {"entries": [{}]}}"#,
            #"{"a": {"log": {"entries": []}}, "log": {"a": [1, {"entries": 1}], "entries": []}, "b": 1}"#, "[]",
            "{}",
        ]
    )
    func frames(_ text: String) throws {
        try check(Data(text.utf8))
    }

    @Test("A data slice is decoded like other data")
    func slice() throws {
        let data = Self.sample(4)
        let slice = (Data("xxx".utf8) + data)[3...]
        #expect(try HARFormat.read(slice).interactions == HARFormat.read(data).interactions)
        #expect(
            try HARFormat.open(slice, attachments: nil).interactions[2].original?.text
                == HARFormat.read(data).interactions[2].original?.text
        )
    }

    @Test(
        "Every archive of other tools is decoded completely",
        arguments: [ProducerFilesTests.folder] + [Corpus.folder].compactMap { $0 }
    )
    func producers(_ folder: URL) throws {
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var random = SplitMix64(seed: 7)
        for case let url as URL in files where ["har", "json"].contains(url.pathExtension) {
            let data = try Data(contentsOf: url)
            let attachments = Attachments(in: url.deletingLastPathComponent())
            try check(data, attachments)
            for _ in 0..<6 where !data.isEmpty { try check(changed(data, &random), attachments) }
        }
    }
}
