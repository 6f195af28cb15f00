import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

/// Archives that store bodies as they were sent, played by a real client.
struct StoredEncodingTests {
    private func outcome(of url: String, _ file: String, in folder: TemporaryDirectory) async throws -> Outcome
    {
        var configuration = Stubber.Configuration()
        configuration.unplayed = .ignore
        configuration.requestMatchingFailed = { _ in }
        let url = try #require(URL(string: url))
        return try await withCassette(file, in: folder.url, mode: .never, configuration: configuration) { _ in
            await Outcome(of: url)
        }
    }

    private static let files = ["polly-node-2.har", "polly-node-5.har", "polly-node-6.har"]
    private static let orders = #"{"orders": [1, 2, 3], "note": "grün"}"#

    @Test(
        "A client gets the decoded body of a Polly.js archive, also after it is written again",
        arguments: files
    )
    func polly(_ file: String) async throws {
        let folder = try TemporaryDirectory()
        let source = ProducerFilesTests.folder.appendingPathComponent(file)
        try FileManager.default.copyItem(at: source, to: folder[file])
        var cassette = try Cassette(contentsOf: source)
        // An archive of Rewind with entries of another tool.
        try Cassette(interactions: cassette.interactions).write(to: folder["copied.har"])
        cassette.interactions[0].changeResponse { $0.headers.append("X-New", "1") }
        for index in cassette.interactions.indices { cassette.interactions[index].startedAt += 1 }
        try cassette.write(to: folder["changed.har"])
        for index in cassette.interactions.indices { cassette.interactions[index].original = nil }
        try cassette.write(to: folder["new.har"])
        for name in [file, "copied.har", "changed.har", "new.har"] {
            let all = try await outcome(of: "https://orders.example/all", name, in: folder)
            #expect(all.text == Self.orders, "\(name)")
            #expect(all.headers["Content-Length"].map { $0 == "\(Self.orders.utf8.count)" } ?? true)
            let logo = try await outcome(of: "https://orders.example/logo.png", name, in: folder)
            #expect(logo.body == Data([0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 255]), "\(name)")
        }
    }

    @Test("A compressed file that Rewind recorded with a content coding is never decoded again")
    func own() async throws {
        let folder = try TemporaryDirectory()
        let file = try #require(
            Data(base64Encoded: "H4sIAAAAAAACA0tUSMvMSVXIzFNIBKKi5IzMslQAgGmTbxQAAAA=")
        )
        let response = Interaction.Response(
            headers: ["Content-Encoding": "gzip", "Content-Type": "application/gzip"],
            body: Interaction.Body(file)
        )
        let request = Interaction.Request(url: "https://h/a.tar.gz")
        var cassette = Cassette(interactions: [Interaction(request: request, outcome: .response(response))])
        try cassette.write(to: folder["own.har"])
        cassette = try Cassette(contentsOf: folder["own.har"])
        #expect(cassette.interactions.first?.response?.body.data == file)
        cassette.interactions[0].startedAt += 1
        try cassette.write(to: folder["changed.har"])
        // The archive of another tool to which Rewind added its recording.
        var foreign = try Cassette(
            contentsOf: ProducerFilesTests.folder.appendingPathComponent("polly-node-6.har")
        )
        foreign.interactions += cassette.interactions
        try foreign.write(to: folder["added.har"])
        // An archive of a version that did not mark such bodies.
        let text = try String(contentsOf: folder["own.har"], encoding: .utf8)
        #expect(text.contains("\"decoded\": true"))
        try folder.put("old.har", text.replacingOccurrences(of: "\"decoded\"", with: "\"other\""))
        for name in ["own.har", "changed.har", "added.har", "old.har"] {
            #expect(try await outcome(of: "https://h/a.tar.gz", name, in: folder).body == file, "\(name)")
        }
    }

    @Test("A request fails if the bytes of the recorded body are not known")
    func unknown() async throws {
        let folder = try TemporaryDirectory()
        let file = "raw-proxy.har"
        let source = ProducerFilesTests.folder.appendingPathComponent(file)
        try FileManager.default.copyItem(at: source, to: folder[file])
        for path in ["quoted", "gzipped", "image", "latin"] {
            let outcome = try await outcome(of: "http://raw.example/" + path, file, in: folder)
            #expect(outcome.failure == "Rewind 2", "\(outcome)")
        }
        #expect(try await outcome(of: "http://raw.example/gzip", file, in: folder).text == Self.orders)
    }

    @Test("Compressed bodies of an archive share the limits of decompression")
    func bomb() throws {
        let file = ProducerFilesTests.folder.appendingPathComponent("polly-node-6.har")
        let data = try Data(contentsOf: file)
        let whole = CassetteLimits(maximumInflatedBody: 1000, maximumInflatedSize: 40)
        #expect(throws: CassetteError.Problem.self) {
            try HARFormat.open(data, attachments: nil, limits: whole)
        }
        let each = CassetteLimits(maximumInflatedBody: 20, maximumInflatedSize: 1000)
        let opened = try HARFormat.open(data, attachments: nil, limits: each)
        #expect(opened.interactions.isReplayable(at: 0) == false)
        #expect(opened.interactions.isReplayable(at: 1))
    }
}
