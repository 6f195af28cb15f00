import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct ChecksumTests {
    @Test("The checksum of gzip is that of its definition, for any length and start")
    func crc32() {
        var generator = SplitMix64(seed: 73)
        let bytes = (0..<80).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        for start in 0..<9 {
            for end in start..<bytes.count {
                var value: UInt32 = ~0
                for byte in bytes[start..<end] {
                    value ^= UInt32(byte)
                    for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
                }
                #expect(CRC32.checksum(of: bytes[start..<end]) == ~value)
            }
        }
        #expect(CRC32.checksum(of: Array("123456789".utf8)[...]) == 0xCBF4_3926)
    }

    @Test("The checksum of files is FNV-1a")
    func fnv() {
        var checksum = Checksum()
        checksum.add(Data("foobar".utf8))
        #expect(checksum.text == "85944171f73967e8")
    }
}
