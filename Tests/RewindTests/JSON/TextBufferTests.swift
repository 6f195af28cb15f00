import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct TextBufferTests {
    @Test("Appended bytes of any size are in the result", arguments: [0, 1, 100, 100_000])
    func pieces(_ capacity: Int) {
        var random = SplitMix64(seed: UInt64(capacity))
        var buffer = TextBuffer(capacity: capacity)
        var expected = Data()
        for _ in 0..<300 {
            let piece = random.bytes(upTo: 700, from: "abc")
            switch Int.random(in: 0..<3, using: &random) {
            case 0: piece.withUnsafeBytes { buffer.append(contentsOf: $0) }
            case 1: for byte in piece { buffer.append(byte) }
            default:
                buffer.append(atMost: piece.count + 8) { room in
                    room.copyBytes(from: piece)
                    return piece.count
                }
            }
            expected.append(contentsOf: piece)
            #expect(buffer.count == expected.count)
        }
        let data = buffer.data()
        #expect(data == expected)
    }

    @Test("An empty buffer results in empty data")
    func nothing() {
        let buffer = TextBuffer()
        #expect(buffer.count == 0)
        let data = buffer.data()
        #expect(data.isEmpty)
    }
}
