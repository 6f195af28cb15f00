import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct HARCompletionTests {
    private func archive(_ cassette: Cassette, isInline: Bool = false, in folder: URL) throws -> JSON {
        let style = HARStyle(isInline: isInline, isComplete: true)
        return try JSON(parsing: CassetteRewrite(cassette, to: nil, from: folder, as: style).document)
    }

    @Test(
        "A file of each tool becomes an archive with all that HAR 1.2 requires, and reads the same",
        arguments: try FileManager.default.contentsOfDirectory(atPath: ProducerFilesTests.folder.path)
            .filter { !$0.hasSuffix(".html") && $0 != "refused" }.sorted()
    )
    func files(_ name: String) throws {
        let cassette = try Cassette(contentsOf: ProducerFilesTests.folder.appendingPathComponent(name))
        let archive = try archive(cassette, in: ProducerFilesTests.folder)
        let log = try #require(archive["log"])
        #expect(HARSchema.log.accepts(log))
        #expect(log["version"] == "1.2")
        for entry in try #require(log["entries"]?.arrayValue) { #expect(HARSchema.entry.accepts(entry)) }
        let read = try HARFormat.read(archive.serialized()).interactions
        #expect(read.map(\.outcome) == cassette.interactions.map(\.outcome))
        #expect(read.map(\.recordedResponse) == cassette.interactions.map(\.recordedResponse))
        #expect(read.map(\.request.url) == cassette.interactions.map(\.request.url))
        #expect(read.map(\.request.body?.data) == cassette.interactions.map(\.request.body?.data))
        #expect(read.map(\.timing) == cassette.interactions.map(\.timing))
    }

    @Test(
        "What is missing is added, and a value of a wrong type stays under a custom name",
        arguments: [
            (#""timings": { "wait": 5 }"#, "timings", #"{ "wait": 5, "receive": 0, "send": 0 }"#),
            (#""timings": null"#, "timings", #"{ "send": 0, "wait": 0, "receive": 0 }"#),
            (#""cache": null"#, "cache", "{}"), (#""time": -1"#, "time", "0"),
            (#""connection": 7, "comment": "mine""#, "_connection", "7"),
            (#""_priority": "High""#, "_priority", "\"High\""),
        ]
    )
    func members(_ members: String, _ name: String, _ expected: String) throws {
        let data = HARSamples.archive([HARSamples.entry(members: members)])
        let archive = try archive(HARFormat.read(data), in: FileManager.default.temporaryDirectory)
        let entry = try #require(archive["log"]?["entries"]?.arrayValue?.first)
        #expect(HARSchema.entry.accepts(entry))
        #expect(try entry[name] == JSON(parsing: Data(expected.utf8)))
    }

    @Test(
        "A date and a time are complete with a time zone",
        arguments: [
            ("2026-01-02T03:04:05Z", true), ("2026-01-02T03:04:05.123456+01:00", true),
            ("2026-01-02T03:04:05-01:00", true), ("2026-01-02T03:04:05", false), ("2026-01-02", false),
            ("2026-01-02T03:04:05.Z", false), ("2026-01-02T03:04:05+0100", false), ("", false),
            ("2026-01-02 03:04:05Z", false), ("2026-01-02T03:04:05Zx", false),
        ]
    )
    func dates(_ text: String, _ isComplete: Bool) {
        #expect(HARSchema.date.accepts(.string(text)) == isComplete)
    }

    @Test("An archive with all that HAR 1.2 requires is written with the same bytes")
    func complete() throws {
        var source = RandomSource(seed: 11)
        let data = HARFormat.write(Cassette(interactions: (0..<20).map { _ in source.interaction() }))
        let style = HARStyle(isComplete: true)
        let folder = FileManager.default.temporaryDirectory
        let rewrite = CassetteRewrite(try HARFormat.read(data), to: nil, from: folder, as: style)
        #expect(rewrite.document == data)
    }
}
