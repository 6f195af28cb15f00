import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct ByteSetTests {
    @Test("A set contains its characters, and those of other sets after a union")
    func members() {
        let set = ByteSet("az0ü ").union(ByteSet("_"))
        #expect((0...255 as ClosedRange<UInt8>).filter(set.contains) == Array(" 0_az".utf8))
        #expect((0...255 as ClosedRange<UInt8>).filter(set.withOthers.contains).count == 5 + 128)
        #expect(set == ByteSet("_ z0a"))
        #expect(set != set.withOthers)
        #expect(Set([set, ByteSet("a0z_ "), ByteSet("a")]).count == 2)
    }

    @Test("Searches agree with a loop over all bytes, at each end of the bytes")
    func searches() {
        var generator = SplitMix64(seed: 71)
        let set = ByteSet("ab")
        for count in 0..<24 {
            for _ in 0..<20 {
                let text = (0..<count).map { _ in UInt8(ascii: generator.next() % 3 == 0 ? "x" : "a") }
                text.withUnsafeBytes { bytes in
                    let start = Int(generator.next() % UInt64(count + 1))
                    let limit = Int(generator.next() % 30)
                    let rest = bytes[start...]
                    #expect(set.first(in: bytes, from: start) == rest.firstIndex(where: set.contains))
                    let end = min(count, start + limit)
                    #expect(
                        set.first(in: bytes, from: start, to: start + limit)
                            == bytes[start..<end].firstIndex(where: set.contains)
                    )
                    #expect(
                        set.end(in: bytes, from: start, atMost: limit)
                            == bytes[start..<end].firstIndex { !set.contains($0) } ?? end
                    )
                    let first = max(0, start - limit)
                    #expect(
                        set.start(in: bytes, before: start, atMost: limit)
                            == bytes[first..<start].lastIndex { !set.contains($0) }.map { $0 + 1 } ?? first
                    )
                }
            }
        }
    }
}
