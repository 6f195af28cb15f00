import Foundation
import Testing

@testable import Rewind

/// Real cassettes of other tools, in the folder that `REWIND_CORPUS` names.
enum Corpus {
    static let folder = ProcessInfo.processInfo.environment["REWIND_CORPUS"].map {
        URL(fileURLWithPath: $0, isDirectory: true)
    }

    /// A file and its expected contents.
    struct File: CustomTestStringConvertible, Sendable {
        var name: String
        var expected: JSON
        var testDescription: String { name }

        func cassette() throws -> Cassette { try Corpus.cassette(name) }
    }

    static func cassette(_ name: String) throws -> Cassette {
        try Cassette(contentsOf: #require(folder).appendingPathComponent(name))
    }

    /// The files in one of the two lists of expectations.
    static func files(_ list: String) -> [File] {
        guard let folder, let data = try? Data(contentsOf: folder.appendingPathComponent(list)),
            let members = try? JSON(parsing: data).objectValue?.members
        else { return [] }
        return members.map { File(name: $0.name, expected: $0.value) }
    }

    static func files(format: Set<String>) -> [File] {
        files("expected-seeds.json").filter { format.contains($0.expected["format"]?.stringValue ?? "") }
    }

    static func hash(_ body: Interaction.Body?) -> String { SHA256Digest(body?.data ?? Data()).hexadecimal }
}

@Suite(
    .enabled(
        if: Corpus.folder != nil,
        "needs files of other programs, and what they hold: name their folder in REWIND_CORPUS"
    )
)
struct CorpusTests {
    @Test(
        "Every archive in the corpus loads with its replayable interactions, or is rejected",
        arguments: Corpus.files("expected-archives.json")
    )
    func archive(_ file: Corpus.File) throws {
        if file.expected["verdict"] == "must-refuse" {
            let error = try #require(throws: CassetteError.self) { try file.cassette() }
            #expect(
                error.description.contains("invalid at") || error.description.contains("is invalid:")
                    || error.description.contains("not in a format")
            )
            return
        }
        let interactions = try file.cassette().interactions
        let entries = try #require(file.expected["entries"]?.arrayValue)
        try #require(interactions.count == entries.count)
        for (interaction, entry) in zip(interactions, entries) { try check(interaction, entry) }
    }

    private func check(_ interaction: Interaction, _ entry: JSON) throws {
        let isWithoutText = entry["flags"]?.arrayValue?.contains("missing-text") == true
        #expect(interaction.request.method == entry["method"]?.stringValue)
        #expect(interaction.request.url == entry["url"]?.stringValue)
        if let count = entry["request_header_count"]?.integerValue {
            #expect(interaction.request.headers.count == count)
        }
        if let length = entry["request_body_len"]?.integerValue {
            #expect(interaction.request.body?.count ?? 0 == length)
        }
        if let hash = entry["request_body_sha256"]?.stringValue {
            #expect(Corpus.hash(interaction.request.body) == hash)
        }
        // An entry without the text of its body cannot answer, unless the body is not visible.
        if isWithoutText, interaction.response == nil {
            #expect(interaction.outcome == .unknown(reason: "the body was not recorded"))
            return
        }
        // A compressed body that is damaged is not what the app would get.
        if case .unknown(let reason) = interaction.outcome, reason.hasPrefix("the gzip body ") { return }
        #expect(interaction.isReplayable == entry["replayable"]?.boolValue ?? true)
        guard let response = interaction.response else { return }
        #expect(response.status == entry["status"]?.integerValue)
        if let hash = entry["response_headers_sha256"]?.stringValue {
            let text = response.headers.map { "\($0.name): \($0.value)\n" }.joined()
            #expect(SHA256Digest(text.utf8).hexadecimal == hash)
        }
        for prefix in ["response_body", "decoded"] {
            if let length = entry[prefix + "_len"]?.integerValue { #expect(response.body.count == length) }
            if let hash = entry[prefix + "_sha256"]?.stringValue { #expect(Corpus.hash(response.body) == hash) }
        }
    }

    @Test(
        "Every DVR and Vinyl cassette in the corpus is read",
        arguments: Corpus.files(format: ["dvr", "vinyl"])
    )
    func dvr(_ file: Corpus.File) throws {
        let interactions = try file.cassette().interactions
        let entries = try #require(file.expected["interactions"]?.arrayValue)
        try #require(interactions.count == entries.count)
        for (interaction, entry) in zip(interactions, entries) {
            #expect(interaction.request.method == entry["method"]?.stringValue)
            #expect(interaction.request.url == entry["url"]?.stringValue)
            #expect(interaction.response?.status == entry["status"]?.integerValue)
            let headers = entry["request_headers"]?.objectValue?.members ?? []
            #expect(interaction.request.headers.map(\.name) == headers.map(\.name))
            #expect(interaction.request.headers.map(\.value) == headers.compactMap(\.value.stringValue))
            #expect(
                interaction.response?.headers["Content-Type"] == entry["response_content_type"]?.stringValue
            )
            let date = entry["recorded_at"]?.doubleValue.map {
                Date(timeIntervalSince1970: $0).roundedToMilliseconds
            }
            #expect(interaction.startedAt == date ?? .distantPast)
            check(interaction.request.body, entry["request_body"])
            check(interaction.response?.body, entry["response_body"])
        }
    }

    private func check(_ body: Interaction.Body?, _ expected: JSON?) {
        guard let expected, expected != .null else {
            #expect(body?.isEmpty ?? true)
            return
        }
        if let length = expected["len"]?.integerValue { #expect(body?.count == length) }
        if let hash = expected["sha256"]?.stringValue { #expect(Corpus.hash(body) == hash) }
        guard let value = expected["value"] else { return }
        let json = body.flatMap { try? JSON(parsing: $0.data) }
        if let words = value.stringValue {
            #expect(words == "<\(json?.objectValue?.members.count ?? 0) top-level keys>")
        } else {
            let names = json?.objectValue?.members.map(\.name).sorted()
            #expect(names == value.objectValue?.members.map(\.name).sorted())
            for name in names ?? [] { #expect(json?[name] == value[name]) }
        }
    }

    @Test("Every BeKindRewind cassette in the corpus is read", arguments: Corpus.files(format: ["bkr"]))
    func beKindRewind(_ file: Corpus.File) throws {
        let scenes = try #require(file.expected["scenes_in_play_order"]?.arrayValue)
        var interactions = try file.cassette().interactions[...]
        for scene in scenes {
            let hops = scene["redirects"]?.arrayValue?.count ?? 0
            try #require(interactions.count > hops)
            let (first, last) = (
                interactions[interactions.startIndex], interactions[interactions.startIndex + hops]
            )
            #expect(interactions.prefix(hops).allSatisfy { $0.response?.redirectTarget != nil })
            #expect(first.request.method == scene["method"]?.stringValue)
            #expect(first.request.url == scene["url"]?.stringValue)
            #expect(last.request.url == scene["final_url"]?.stringValue)
            #expect(first.request.body?.data.base64EncodedString() == scene["request_body_b64"]?.stringValue)
            #expect(last.response?.status == scene["status"]?.integerValue)
            #expect(last.failure?.code == scene["error"]?["code"]?.integerValue)
            #expect(last.failure?.domain == scene["error"]?["domain"]?.stringValue)
            let hash = scene["body_sha256_by_order"] ?? scene["body_sha256_bkr_rule"]
            if let hash = hash?.stringValue { #expect(Corpus.hash(last.response?.body) == hash) }
            if let wait = scene["recorded_request_time"]?.doubleValue {
                #expect(abs(last.timing.wait - wait * 1000) < 0.01)
            }
            if let receive = scene["recorded_response_time"]?.doubleValue {
                #expect(abs(last.timing.receive - receive * 1000) < 0.01)
            }
            interactions = interactions.dropFirst(hops + 1)
        }
        #expect(interactions.isEmpty)
    }

    @Test("Every JSZVCR cassette in the corpus is read", arguments: Corpus.files(format: ["jszvcr"]))
    func jszvcr(_ file: Corpus.File) throws {
        let interactions = try file.cassette().interactions
        let recordings = try #require(file.expected["recordings"]?.arrayValue)
        try #require(interactions.count == recordings.count)
        for (interaction, recording) in zip(interactions, recordings) {
            #expect(interaction.request.method == recording["method"]?.stringValue)
            #expect(interaction.request.url == recording["original_url"]?.stringValue)
            #expect(interaction.response?.status == recording["status"]?.integerValue)
            #expect(interaction.response?.headers["Date"] == recording["date_header"]?.stringValue)
            #expect(interaction.response?.body.count == recording["body_len"]?.integerValue)
            #expect(Corpus.hash(interaction.response?.body) == recording["body_sha256"]?.stringValue)
        }
    }

    @Test(
        "A property list that is not a cassette is rejected",
        arguments: Corpus.files(format: ["not-a-cassette"])
    )
    func foreign(_ file: Corpus.File) {
        #expect(throws: CassetteError.self) { try file.cassette() }
    }

    @Test("Other files in the corpus are read by the rules of their formats")
    func others() throws {
        let images = try Corpus.cassette("synthetic/dvr-image-binary-empty.SYNTHETIC.json").interactions
        #expect(images.compactMap { $0.response?.body.count } == [25_727, 256, 0])
        let laserDisc = try Corpus.cassette("laserdisc/testExample.SYNTHETIC.json").interactions
        #expect(laserDisc.compactMap(\.response?.status) == [200, 404])
        #expect(
            laserDisc.compactMap { $0.response.map { [UInt8]($0.body.data.suffix(2)) } } == [
                [0x22, 0x7D], [0x66, 0xE9],
            ]
        )
        let tails = ["cards": 372, "login": 80, "login_content_type_and_headers": 79]
        for (name, count) in tails {
            let interactions = try Corpus.cassette("mocktail/\(name).tail").interactions
            #expect(interactions.map(\.request.method) == (name == "cards" ? ["GET"] : ["GET", "POST"]))
            #expect(interactions.first?.response?.body.count == count)
        }
    }
}
