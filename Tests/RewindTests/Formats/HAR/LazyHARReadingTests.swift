import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

/// What a reader says of an archive, in all that it can tell.
private enum Reading: Equatable {
    case cassette([Interaction], originals: [Data?], surroundings: JSONObject)
    case problem(CassetteProblem)

    init(_ read: () throws -> Cassette) throws {
        do {
            let cassette = try read()
            let originals = cassette.interactions.map { $0.original?.text }
            self = .cassette(cassette.interactions, originals: originals, surroundings: cassette.surroundings)
        } catch let error as JSONError {
            self = .problem(CassetteProblem(error))
        } catch let problem as CassetteProblem {
            self = .problem(problem)
        }
    }
}

struct LazyHARReadingTests {
    /// Checks that an archive opened means what it means to the reader that takes its time.
    private func check(_ data: Data, _ attachments: Attachments? = nil) throws {
        let careful = try Reading { try HARReader(data, attachments).cassette() }
        let text = String(decoding: data, as: UTF8.self)
        #expect(
            try Reading { try HARFormat.open(data, attachments: attachments).cassette } == careful,
            "\(text)"
        )
        guard case .cassette(let interactions, _, _) = careful else { return }
        let reel = try HARFormat.open(data, attachments: attachments).reel
        #expect(reel.count == interactions.count)
        for (position, interaction) in interactions.enumerated() {
            #expect(reel.request(at: position, withHeaders: true) == interaction.request)
            var light = interaction.request
            if light.body == nil { light.headers = HeaderList() }
            var request = reel.request(at: position, withHeaders: false)
            if request.body == nil { request.headers = HeaderList() }
            #expect(request == light)
            #expect(reel.isReplayable(at: position) == interaction.isReplayable)
            let beginning = reel.beginning(at: position)
            #expect(beginning == (interaction.request.url, interaction.startedAt))
        }
    }

    /// How many entries of an archive have outlines, and how many have not.
    private func count(_ data: Data) throws -> (usual: Int, unusual: Int) {
        let entries = try #require(try data.withUnsafeBytes { try HARScanner.archive(in: $0) }).entries
        let usual = entries.count { if case .usual = $0 { true } else { false } }
        return (usual, entries.count - usual)
    }

    private static func sample(_ seed: UInt64, count: Int = 6) -> Data {
        var source = RandomSource(seed: seed)
        return HARFormat.write(Cassette(interactions: (0..<count).map { _ in source.interaction() }))
    }

    @Test("Archives of our own mean the same", arguments: 1...60)
    func own(_ seed: UInt64) throws {
        try check(Self.sample(seed))
    }

    @Test("What is recorded mostly, and what browsers export, has outlines")
    func usual() throws {
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

    @Test("An archive that others wrote means the same, cut off anywhere and with any byte changed")
    func foreign() throws {
        try check(HARSamples.foreign)
        try check([0xEF, 0xBB, 0xBF] + HARSamples.foreign)
        for count in stride(from: 0, to: HARSamples.foreign.count, by: 7) {
            try check(HARSamples.foreign.prefix(count))
        }
        var random = SplitMix64(seed: 11)
        for _ in 0..<400 { try check(changed(HARSamples.foreign, &random)) }
    }

    @Test("Archives of our own mean the same when bytes were changed", arguments: 1...24)
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

    @Test("Archives mean the same when members were changed, doubled or taken away", arguments: 1...80)
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

    /// A value of which something, at a random depth, is another.
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

    @Test("A member of any wrong type is told as by the reader", arguments: HARErrorsTests.wrongTypes)
    func wrongTypes(_ sample: HARErrorsTests.WrongType) throws {
        try check(HARSamples.archive([HARSamples.entry(), sample.entry, HARSamples.entry()]))
    }

    @Test(
        "Bodies that stand elsewhere, are encoded or odd are read alike",
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
        "Archives whose frame is odd are read alike",
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

    @Test("Data that does not begin at zero is read alike")
    func slice() throws {
        let data = Self.sample(4)
        let slice = (Data("xxx".utf8) + data)[3...]
        #expect(try HARFormat.read(slice).interactions == HARFormat.read(data).interactions)
        #expect(
            try HARFormat.open(slice, attachments: nil).reel[2].original?.text
                == HARFormat.read(data).interactions[2].original?.text
        )
    }

    @Test(
        "Every archive of other programs means the same",
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
