import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct HARArchiveTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func archive(
        _ interactions: [Interaction],
        isFree: @escaping (String, Data) -> Bool = { _, _ in true }
    ) -> HARArchive {
        HARFormat.archive(
            Cassette(interactions: interactions),
            bodiesIn: "talk.bodies",
            beside: Attachments(in: folder.url),
            isFree: isFree
        )
    }

    /// Writes an archive with its bodies, and reads it back.
    private func throughFiles(_ archive: HARArchive) throws -> [Interaction] {
        try FileManager.default.createDirectory(
            at: folder["talk.bodies"],
            withIntermediateDirectories: true
        )
        for (path, data) in archive.bodies { try data.write(to: folder[path], options: .atomic) }
        try archive.document.write(to: folder["talk.har"])
        return try Cassette(contentsOf: folder["talk.har"]).interactions
    }

    private func answer(_ data: Data, type: String? = nil, url: String = "https://h/a") -> Interaction {
        var response = Interaction.Response(body: Interaction.Body(data))
        if let type { response.headers.append("Content-Type", type) }
        return Interaction(request: Interaction.Request(url: url), outcome: .response(response))
    }

    @Test(
        "Text up to 16 KiB and bytes up to 1 KiB are in the archive, larger bodies in files",
        arguments: [
            (0x61, 0, false), (0x61, 1024, false), (0x61, 16384, false), (0x61, 16385, true),
            (0xFF, 1, false), (0xFF, 1024, false), (0xFF, 1025, true), (0x00, 1025, true), (0xFF, 16385, true),
        ] as [(UInt8, Int, Bool)]
    )
    func sizes(_ byte: UInt8, _ count: Int, _ isInFile: Bool) throws {
        let data = Data(repeating: byte, count: count)
        let archive = archive([answer(data)])
        #expect(archive.bodies == (isInFile ? ["talk.bodies/001-GET-a.bin": data] : [:]))
        #expect(archive.paths == Set(archive.bodies.keys))
        #expect(try throughFiles(archive).first?.response?.body.data == data)
    }

    @Test("A large request body has its own file, and each entry names its files")
    func entry() throws {
        let (sent, received) = (Data(repeating: 0x61, count: 20_000), Data(repeating: 0, count: 2000))
        let request = Interaction.Request(
            method: "POST",
            url: "https://h/v1/upload?x=1",
            headers: ["Content-Type": "application/json"],
            body: Interaction.Body(sent)
        )
        let response = Interaction.Response(
            headers: ["Content-Type": "image/png"],
            body: Interaction.Body(received)
        )
        let interaction = Interaction(request: request, outcome: .response(response))
        let archive = archive([.page("https://h/"), interaction])
        let bodies = [
            "talk.bodies/002-POST-upload-request.json": sent, "talk.bodies/002-POST-upload.png": received,
        ]
        #expect(archive.bodies == bodies)
        let entries = try JSON(parsing: archive.document)["log"]?["entries"]
        let entry = try #require(entries?[1])
        #expect(
            entry["request"]?["postData"]
                == [
                    "mimeType": "application/json", "params": [],
                    "_file": "talk.bodies/002-POST-upload-request.json",
                ]
        )
        #expect(
            entry["response"]?["content"]
                == ["size": 2000, "mimeType": "image/png", "_file": "talk.bodies/002-POST-upload.png"]
        )
        #expect(try throughFiles(archive).last == interaction)
    }

    @Test("A partial body before a failure has a file, and chunks are preserved")
    func failure() throws {
        let body = Interaction.Body(
            Data(repeating: 7, count: 3000),
            chunks: [.init(offset: 0, count: 1), .init(offset: 2, count: 2999)]
        )
        let interaction = Interaction(
            request: Interaction.Request(url: "https://h/a"),
            outcome: .failure(Interaction.Failure(code: -1005), after: Interaction.Response(body: body))
        )
        let archive = archive([interaction])
        #expect(archive.bodies.count == 1)
        #expect(try throughFiles(archive) == [interaction])
    }

    @Test("Equal bodies share one file")
    func equalBodies() throws {
        let data = Data(repeating: 0xFE, count: 5000)
        let interactions = (1...3).map { answer(data, url: "https://h/\($0)") }
        let archive = archive(interactions + [answer(data + [1])])
        #expect(archive.bodies.keys.sorted() == ["talk.bodies/001-GET-1.bin", "talk.bodies/004-GET-a.bin"])
        #expect(try throughFiles(archive).prefix(3) == interactions[...])
    }

    @Test("A name that is taken, or differs only in letter case, is not used")
    func names() throws {
        let data = Data(repeating: 0xFE, count: 5000)
        let taken = archive([answer(data)]) { path, _ in !path.hasSuffix("a.bin") }
        #expect(Array(taken.bodies.keys) == ["talk.bodies/001-GET-a-2.bin"])
        let request = Interaction.Request(method: "PUT", url: "https://h/X", body: Interaction.Body(data))
        let clash = Interaction(
            request: request,
            outcome: .response(Interaction.Response(body: Interaction.Body(data + [1])))
        )
        var other = clash
        other.request.url = "https://h/x-request"
        #expect(archive([clash, other]).bodies.count == 2)
        #expect(
            archive([clash]).bodies.keys.sorted() == [
                "talk.bodies/001-PUT-X-request.bin", "talk.bodies/001-PUT-X.bin",
            ]
        )
        #expect(
            archive([other]).bodies.keys.sorted()
                == ["talk.bodies/001-PUT-x-request-request.bin", "talk.bodies/001-PUT-x-request.bin"]
        )
    }

    @Test("If no name is free, the body is in the archive")
    func noName() throws {
        let interactions = [answer(Data(repeating: 0xFE, count: 5000))]
        let archive = archive(interactions) { _, _ in false }
        #expect(archive.bodies.isEmpty && archive.paths.isEmpty)
        #expect(archive.document == HARFormat.write(Cassette(interactions: interactions)))
    }

    @Test("Body files of other tools stay in place until the entry changes")
    func otherFiles() throws {
        try Data(repeating: 1, count: 5000).write(to: folder["a1b2.dat"])
        try Data("[1]".utf8).write(to: folder["c3d4.json"])
        let entries = ["a1b2.dat", "c3d4.json", "gone.txt"].map {
            HARSamples.entry(response: #"{ "status": 200, "content": { "size": 9, "_file": "\#($0)" } }"#)
        }
        try HARSamples.archive(entries).write(to: folder["other.har"])
        var interactions = try Cassette(contentsOf: folder["other.har"]).interactions
        let archive = archive(interactions)
        let text = String(decoding: archive.document, as: UTF8.self)
        #expect(entries.allSatisfy(text.contains))
        #expect(archive.bodies.isEmpty)
        #expect(archive.paths == ["a1b2.dat", "c3d4.json", "gone.txt"])
        // The size, for example, is not preserved when the entry is written again.
        interactions[0].request.headers.append("Accept", "*/*")
        interactions[1].request.headers.append("Accept", "*/*")
        let changed = self.archive(interactions)
        #expect(changed.bodies.isEmpty)
        #expect(changed.paths == ["a1b2.dat", "gone.txt"])
        #expect(try throughFiles(changed).map(\.response?.body) == interactions.map(\.response?.body))
    }

    @Test("A body file of another cassette is not shared")
    func othersBodies() throws {
        let interactions = [answer(Data(repeating: 0xFE, count: 5000))]
        let first = archive(interactions)
        let read = try throughFiles(first)
        let other = HARFormat.archive(
            Cassette(interactions: read),
            bodiesIn: "talk.failed.bodies",
            beside: Attachments(in: folder.url)
        ) { _, _ in true }
        #expect(Array(other.bodies.keys) == ["talk.failed.bodies/001-GET-a.bin"])
        #expect(other.paths == Set(other.bodies.keys))
    }

    @Test(
        "Random interactions survive separate body files, with identical output",
        arguments: 0..<60 as Range<UInt64>
    )
    func roundTrip(seed: UInt64) throws {
        var source = RandomSource(seed: seed)
        var interactions = (0..<5).map { _ in source.interaction() }
        for index in interactions.indices where source.below(2) == 0 {
            let byte = UInt8(truncatingIfNeeded: source.below(256))
            let data = Data(repeating: byte, count: 900 + source.below(20_000)) + source.data()
            interactions[index].request.body = source.below(2) == 0 ? Interaction.Body(data) : nil
            interactions[index].outcome = .response(
                Interaction.Response(headers: source.headers(), body: Interaction.Body(data + [0]))
            )
        }
        let written = archive(interactions)
        let read = try throughFiles(written)
        #expect(read == interactions)
        let again = archive(read)
        #expect(again.document == written.document)
        #expect(again.bodies == written.bodies)
        // Also without the original texts.
        let forgotten = read.map { interaction in
            var interaction = interaction
            interaction.original = nil
            return interaction
        }
        #expect(archive(forgotten).document == written.document)
    }

    @Test("A body keeps its file if its entry changes, moves or loses earlier entries")
    func stability() throws {
        let (one, two) = (Data(repeating: 0xFE, count: 5000), Data(repeating: 0xFD, count: 5000))
        var read = try throughFiles(
            archive([answer(one, url: "https://h/1"), answer(two, url: "https://h/2")])
        )
        read.removeFirst()
        read[0].response.map {
            read[0].outcome = .response(Interaction.Response(status: 201, headers: $0.headers, body: $0.body))
        }
        let added = answer(one + [1], url: "https://h/2")
        let archive = archive(read + [added])
        #expect(archive.bodies == ["talk.bodies/002-GET-2.bin": two, "talk.bodies/002-GET-2-2.bin": one + [1]])
        #expect(try throughFiles(archive).map(\.response?.status) == [201, 200])
    }
}
