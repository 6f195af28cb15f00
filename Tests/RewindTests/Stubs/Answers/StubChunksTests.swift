import Foundation
import Rewind
import RewindTestSupport
import Testing

struct StubChunksTests {
    private let words = ["one ", "two ", "three"].map { Data($0.utf8) }

    @Test("The first chunk arrives with the header fields, the others at the interval")
    func every() throws {
        let play = try StubAnswer.chunks(words, every: .milliseconds(20), contentType: "text/plain").play()
        #expect(play.text == "one two three")
        #expect(
            play.chunks == [(0, 4), (20, 4), (40, 5)].map { Interaction.Body.Chunk(offset: $0, count: $1) }
        )
        #expect(play.interaction.timing == Interaction.Timing(receive: 40))
        #expect(play.response?.headers == ["Content-Type": "text/plain"])
        #expect(play.timeScale == 1)
    }

    @Test("Chunks without a pause stay chunks and arrive at once")
    func noPause() throws {
        let play = try StubAnswer.chunks(words, every: .zero).play()
        #expect(play.chunks.map(\.count) == [4, 4, 5])
        #expect(play.timeScale == 0)
        #expect(play.response?.headers == [:])
    }

    @Test("Each chunk has its own pause")
    func own() throws {
        let pieces = [
            StubAnswer.Chunk("a", after: .milliseconds(5)), .init("bc"), .init(Data([100]), after: .seconds(1)),
        ]
        let play = try StubAnswer.chunks(pieces, status: 206, headers: ["X": "y"]).play()
        #expect(play.text == "abcd")
        #expect(
            play.chunks == [(5, 1), (5, 2), (1005, 1)].map { Interaction.Body.Chunk(offset: $0, count: $1) }
        )
        #expect(play.interaction.timing.receive == 1005)
        #expect(play.response?.status == 206)
    }

    @Test("A chunk without bytes is a pause")
    func pauses() throws {
        let pieces: [StubAnswer.Chunk] = [
            .init("a"), .init("", after: .milliseconds(7)), .init("b", after: .milliseconds(3)),
            .init("", after: .milliseconds(90)),
        ]
        let play = try StubAnswer.chunks(pieces).play()
        #expect(play.offsets == [0, 10])
        #expect(play.interaction.timing.receive == 100)
    }

    @Test("No chunks are an empty body, and one chunk arrives after its pause")
    func few() throws {
        #expect(try StubAnswer.chunks([Data](), every: .seconds(1)).play().response?.body == Interaction.Body())
        let single = try StubAnswer.chunks([.init("a", after: .milliseconds(9))]).play()
        #expect(single.response?.body == Interaction.Body("a"))
        #expect(single.interaction.timing.receive == 9)
    }

    @Test("Data slices and endless pauses are safe")
    func odd() throws {
        let slice = Data("xxabc".utf8)[2...]
        #expect(try StubAnswer.chunks([slice, slice[3...]], every: .zero).play().text == "abcbc")
        let long = (0..<3).map { _ in StubAnswer.Chunk("a", after: .seconds(Int64.max)) }
        let play = try StubAnswer.chunks(long).play()
        #expect(play.offsets == play.offsets.sorted())
        #expect(play.interaction.timing.receive.isFinite)
    }

    @Test("Random chunks add up to the body in order", arguments: 0..<50 as Range<UInt64>)
    func property(_ seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let pieces = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
            StubAnswer.Chunk(
                Data(generator.bytes(upTo: 6, from: "abc")),
                after: .microseconds(Int64.random(in: 0...5_000_000, using: &generator))
            )
        }
        let play = try StubAnswer.chunks(pieces).play()
        let body = try #require(play.response?.body)
        #expect(body.data == pieces.reduce(Data()) { $0 + $1.data })
        #expect(play.offsets == play.offsets.sorted())
        #expect(play.offsets.allSatisfy { $0 <= play.interaction.timing.receive + 0.001 })
        let filled = pieces.map(\.data).filter { !$0.isEmpty }
        #expect(body.pieces == filled)
        let total = pieces.reduce(Duration.zero) { $0 + $1.pause }
        #expect(abs(play.interaction.timing.receive - total / .milliseconds(1)) < 0.01)
    }
}
