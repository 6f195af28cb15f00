import Foundation
import Rewind
import Testing

struct BodyTests {
    private static func chunks(_ counts: [Int]) -> [Interaction.Body.Chunk] {
        counts.enumerated().map { Interaction.Body.Chunk(offset: Double($0) * 10, count: $1) }
    }

    @Test("An empty body has no pieces")
    func empty() {
        #expect(Interaction.Body().isEmpty)
        #expect(Interaction.Body().count == 0)
        #expect(Interaction.Body().pieces == [])
        #expect(Interaction.Body("") == Interaction.Body(Data()))
    }

    @Test("Text is stored as UTF-8")
    func text() {
        #expect(Interaction.Body("é😀").data == Data([0xC3, 0xA9, 0xF0, 0x9F, 0x98, 0x80]))
        #expect(Interaction.Body("é😀").count == 6)
    }

    @Test("A body without chunks is one piece")
    func onePiece() {
        #expect(Interaction.Body("hello").chunks == [])
        #expect(Interaction.Body("hello").pieces == [Data("hello".utf8)])
    }

    @Test(
        "Chunks that add up split the body into pieces",
        arguments: [
            ([2, 3], ["he", "llo"]), ([1, 1, 1, 1, 1], ["h", "e", "l", "l", "o"]), ([4, 1], ["hell", "o"]),
        ] as [([Int], [String])]
    )
    func pieces(_ counts: [Int], _ pieces: [String]) {
        let body = Interaction.Body(Data("hello".utf8), chunks: Self.chunks(counts))
        #expect(body.chunks == Self.chunks(counts))
        #expect(body.pieces == pieces.map { Data($0.utf8) })
    }

    @Test(
        "Chunks that do not add up, or a single chunk, are ignored",
        arguments: [
            [], [5], [2, 2], [3, 3], [0, 5], [5, 0], [-1, 6], [6, -1], [Int.max, 1], [Int.max, Int.max, 7],
            [2, 0, 3],
        ]
    )
    func ignored(_ counts: [Int]) {
        let body = Interaction.Body(Data("hello".utf8), chunks: Self.chunks(counts))
        #expect(body.chunks == [])
        #expect(body == Interaction.Body("hello"))
        #expect(body.pieces == [Data("hello".utf8)])
    }

    @Test("An empty body ignores chunks")
    func noChunksOfNothing() {
        #expect(Interaction.Body(Data(), chunks: Self.chunks([0, 0])).pieces == [])
    }

    @Test("A data slice is split at its own start index")
    func slice() {
        let data = Data("xxhelloxx".utf8)[2..<7]
        let body = Interaction.Body(data, chunks: Self.chunks([1, 4]))
        #expect(body.pieces == [Data("h".utf8), Data("ello".utf8)])
        #expect(body == Interaction.Body(Data("hello".utf8), chunks: Self.chunks([1, 4])))
    }

    @Test("Setting data of another length removes the chunks")
    func otherLength() {
        var body = Interaction.Body(Data("hello".utf8), chunks: Self.chunks([2, 3]))
        body.data = Data("hello!".utf8)
        #expect(body == Interaction.Body("hello!"))
        body.data = Data()
        #expect(body.pieces == [])
    }

    @Test("Setting data of the same length preserves the chunks")
    func sameLength() {
        var body = Interaction.Body(Data("hello".utf8), chunks: Self.chunks([2, 3]))
        body.data = Data("HELLO".utf8)
        #expect(body.pieces == [Data("HE".utf8), Data("LLO".utf8)])
    }

    @Test("Bodies differ by bytes and by chunks")
    func inequality() {
        let data = Data("hello".utf8)
        #expect(Interaction.Body("hello") != Interaction.Body("hellO"))
        #expect(Interaction.Body("hello") != Interaction.Body(data, chunks: Self.chunks([2, 3])))
        #expect(
            Interaction.Body(data, chunks: Self.chunks([3, 2]))
                != Interaction.Body(data, chunks: Self.chunks([2, 3]))
        )
    }

    @Test(
        "The offset of a chunk is rounded to microseconds",
        arguments: [(0, 0), (1.2345, 1.235), (0.0004, 0), (1_000_000.0006, 1_000_000.001)] as [(Double, Double)]
    )
    func offset(_ given: Double, _ kept: Double) {
        #expect(Interaction.Body.Chunk(offset: given, count: 1).offset == kept)
    }
}
