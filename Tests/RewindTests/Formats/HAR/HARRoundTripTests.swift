import Foundation
import Rewind
import RewindTestSupport
import Testing

struct HARRoundTripTests {
    private func random(seed: UInt64, count: Int = 4) -> [Interaction] {
        var source = RandomSource(seed: seed)
        return (0..<count).map { _ in source.interaction() }
    }

    /// The interactions after writing and reading an archive, without their original texts.
    private func throughArchive(_ interactions: [Interaction]) throws -> [Interaction] {
        let written = interactions.map { interaction in
            var interaction = interaction
            interaction.original = nil
            return interaction
        }
        return try HARFormat.read(HARFormat.write(Cassette(interactions: written))).interactions
    }

    @Test("Random interactions survive writing and reading", arguments: 0..<200 as Range<UInt64>)
    func interactions(seed: UInt64) throws {
        let interactions = random(seed: seed)
        let data = HARFormat.write(Cassette(interactions: interactions))
        let read = try HARFormat.read(data)
        #expect(read.interactions == interactions)
        #expect(HARFormat.write(read) == data, "what was not touched is written as it was")
        #expect(try HARFormat.write(Cassette(interactions: throughArchive(read.interactions))) == data)
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: data) }
    }

    @Test("Every byte survives, alone and next to a letter", arguments: 0...255 as ClosedRange<UInt8>)
    func bytes(_ byte: UInt8) throws {
        let interactions = [Data([byte]), Data([byte, 0x61]), Data([0x61, byte]), Data([byte, 0x80])].map {
            data in
            Interaction(
                request: Interaction.Request(method: "POST", url: "x:", body: Interaction.Body(data)),
                outcome: .response(Interaction.Response(body: Interaction.Body(data)))
            )
        }
        #expect(try throughArchive(interactions) == interactions)
    }

    @Test(
        "Headers survive byte for byte, without Unicode normalization",
        arguments: ["\u{E9}", "e\u{301}", "\u{2126}", "\u{3A9}", "\r\n", "\0", "", "\u{FFFF}", "\u{10FFFF}"]
    )
    func headers(_ text: String) throws {
        let interaction = Interaction(
            request: Interaction.Request(url: "x:" + text, headers: ["X" + text: text]),
            outcome: .response(Interaction.Response(statusText: text, headers: [text: text]))
        )
        let read = try #require(try throughArchive([interaction]).first)
        #expect(read == interaction)
        let texts = [
            read.request.headers.first?.value, read.response?.headers.first?.name, read.response?.statusText,
        ]
        #expect(texts.allSatisfy { $0.map { Array($0.utf8) } == Array(text.utf8) })
    }

    @Test(
        "Any code of a failure survives",
        arguments: [0, -1, 61, Int(Int32.max), Int(Int32.min), 1 << 53 + 1, Int.max, Int.min]
    )
    func failureCode(_ code: Int) throws {
        let failure = Interaction.Failure(domain: "D", code: code)
        let interaction = Interaction(
            request: Interaction.Request(url: "x:"),
            outcome: .failure(failure, after: nil)
        )
        #expect(try throughArchive([interaction]) == [interaction])
    }

    @Test(
        "The start of a request survives to the millisecond",
        arguments: [
            0, 0.001, -0.001, 1e9 + 0.999, -1e9 - 0.5, 4e9 + 0.123, Date.distantPast.timeIntervalSince1970,
        ]
    )
    func start(_ seconds: Double) throws {
        let interaction = Interaction(
            request: Interaction.Request(url: "x:"),
            outcome: .response(Interaction.Response()),
            startedAt: Date(timeIntervalSince1970: seconds)
        )
        #expect(try throughArchive([interaction]) == [interaction])
    }

    @Test("Every millisecond of a second survives")
    func milliseconds() throws {
        let interactions = (0..<1000).map { millisecond in
            Interaction(
                request: Interaction.Request(url: "x:"),
                outcome: .response(Interaction.Response()),
                startedAt: Date(timeIntervalSince1970: 1_714_979_289 + Double(millisecond) / 1000)
            )
        }
        #expect(try throughArchive(interactions) == interactions)
    }

    @Test("A cassette survives writing to a file")
    func file() throws {
        let folder = try TemporaryDirectory()
        let interactions = random(seed: 77, count: 10)
        let data = HARFormat.write(Cassette(interactions: interactions))
        try data.write(to: folder["no name matters.txt"])
        let read = try Cassette(contentsOf: folder["no name matters.txt"])
        #expect(read.interactions == interactions)
        #expect(HARFormat.write(read) == data)
    }

    @Test("Removing, adding and moving interactions preserves the others byte for byte")
    func editing() throws {
        let data = HARFormat.write(Cassette(interactions: random(seed: 5, count: 6)))
        var cassette = try HARFormat.read(data)
        let added = random(seed: 6, count: 1)
        cassette.interactions.remove(at: 2)
        cassette.interactions.swapAt(0, 3)
        cassette.interactions += added
        let written = HARFormat.write(cassette)
        let read = try HARFormat.read(written)
        #expect(read.interactions == cassette.interactions)
        let texts = read.interactions.dropLast().map { $0.original?.text }
        #expect(texts == cassette.interactions.dropLast().map { $0.original?.text })
        #expect(texts.allSatisfy { $0.map { data.range(of: $0) != nil } ?? false })
    }
}
