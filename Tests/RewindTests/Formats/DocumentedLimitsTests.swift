import Foundation
import Testing

@testable import Rewind

/// Checks that the articles state the limits and the fields of cassettes as they are.
struct DocumentedLimitsTests {
    private func article(_ name: String) throws -> String {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/Rewind/Rewind.docc")
        let text = try String(contentsOf: folder.appendingPathComponent("\(name).md"), encoding: .utf8)
        // Lines are wrapped anywhere.
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test("The sizes that a cassette may have") func sizes() throws {
        let (cassettes, reliability) = (try article("Cassettes"), try article("Reliability"))
        let limits = CassetteLimits.default
        #expect(limits.maximumInteractions == 1_000_000)
        #expect(
            cassettes.contains("more than \(limits.maximumSize >> 30) GiB, more than a million interactions")
        )
        #expect(
            cassettes.contains(
                "more than \(limits.maximumInflatedSize >> 30) GiB of bodies after decompression"
            )
        )
        #expect(reliability.contains("at most \(limits.maximumSize >> 30) GiB and a million interactions"))
        #expect(reliability.contains("more than \(limits.maximumInflatedBody >> 20) MiB"))
    }

    @Test("The depths to which the formats may be nested") func depths() throws {
        let json = JSONLimits.default.maximumDepth
        #expect(YAMLParser.maximumDepth == PropertyListCheck.maximumDepth)
        let others = YAMLParser.maximumDepth
        #expect(
            try article("Cassettes").contains(
                "nesting deeper than \(json) levels (\(others) levels in YAML and property lists)"
            )
        )
        #expect(
            try article("Reliability").contains(
                "JSON is nested at most \(json) levels deep, YAML and property lists at most \(others)"
            )
        )
    }

    @Test("The sizes from which bodies are in files of their own") func bodyFiles() throws {
        #expect(try article("Cassettes").contains("Text bodies above 16 KiB and other bodies above 1 KiB"))
        #expect(HARBody.isSmall(Data(count: 1024)) && !HARBody.isSmall(Data(count: 1025)))
        let text = Data(repeating: UInt8(ascii: "a"), count: 16 * 1024)
        #expect(HARBody.isSmall(text) && !HARBody.isSmall(text + text.prefix(1)))
    }

    @Test("The fields that HAR does not have") func fields() throws {
        let chunks = [0.0, 1].map { Interaction.Body.Chunk(offset: $0, count: 1) }
        var response = Interaction.Response(body: Interaction.Body(Data("ab".utf8), chunks: chunks))
        response.url = "https://h/b"
        var failure = Interaction.Failure(code: -1)
        failure.bodyWasSent = true
        let request = Interaction.Request(
            method: "POST",
            url: "https://h/a#b",
            body: Interaction.Body(Data([0xFF]))
        )
        var interaction = Interaction(request: request, outcome: .failure(failure, after: response))
        interaction.redactedPlaces = ["request.url"]
        let unanswered = Interaction(
            request: Interaction.Request(url: "https://h/b"),
            outcome: .unknown(reason: "a")
        )
        let compressed = Interaction(
            request: Interaction.Request(url: "https://h/c"),
            outcome: .response(
                Interaction.Response(
                    headers: ["Content-Encoding": "gzip"],
                    body: Interaction.Body(Data([0x1F, 0x8B, 8, 0]))
                )
            )
        )
        var cassette = Cassette(interactions: [interaction, unanswered, compressed])
        cassette.recorder = RecordingTest(module: "AppTests", suite: "UserTests", test: "testPage")
        let document = String(decoding: HARFormat.write(cassette), as: UTF8.self)
        let log = try #require(try JSON(parsing: Data(document.utf8))["log"])
        let own = ([log["_rewind"]] + (0...2).map { log["entries"]?[$0]?["_rewind"] }).compactMap {
            $0?.objectValue
        }
        let names =
            own.flatMap { $0.members.map { "_rewind.\($0.name)" } } + ["_file", "_encoding", "_unknown"]
        #expect(document.contains("\"_encoding\""))
        let article = try article("FileFormat")
        for name in names { #expect(article.contains("| `\(name)` |"), "\(name)") }
        #expect(article.components(separatedBy: "| `_").count - 1 == names.count)
    }

    @Test("The numbers of malicious files, entries and responses are those of the tests") func cases() throws {
        let reliability = try article("Reliability")
        let readers = try FileManager.default.contentsOfDirectory(
            atPath: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../Fuzz/Seeds").path
        )
        for text in [
            "\(HostileCassetteTests.refused.count) files that are refused",
            "\(HostileCassetteTests.harmless.count) entries with false data",
            "\(HostileBodyFileTests.paths.count) paths of body files",
            "(\(HostileBombs.all.count) small files that expand",
            "(\(HostileReplayTests.rows.count) responses, in a session and in the server)",
            "libFuzzer tests \(readers.filter { !$0.hasPrefix(".") }.count) readers",
        ] {
            #expect(reliability.contains(text), "\(text)")
        }
    }

    @Test("The number of comparisons without Rewind is that of their table") func comparisons() throws {
        let total = try #require(
            try article("WhatWasCompared").components(separatedBy: "The total is ").last?.prefix { $0.isNumber }
        )
        #expect(!total.isEmpty)
        #expect(
            try article("Fidelity").contains("is the evidence: \(total) combinations of task, form and outcome")
        )
    }

    @Test("The limits of locks, journals and body files") func storage() throws {
        let reliability = try article("Reliability")
        #expect(reliability.contains("the lock is not free within \(Int(DirectoryLock.patience)) seconds"))
        #expect(reliability.contains("writes together what ends within \(JournalBacklog.delay) ms"))
        #expect(reliability.contains("than it writes in \(Int(JournalBacklog.greatestBacklog * 1000)) ms"))
        #expect(reliability.contains("more than \(Journal.secretLimit) secrets"))
        #expect(Stubber.Configuration().inFlightTimeout == 10)
    }
}
