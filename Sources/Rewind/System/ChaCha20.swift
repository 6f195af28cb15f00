import Foundation

/// The stream cipher ChaCha20 (RFC 8439). A key must encrypt only one text, because the nonce is always zero.
struct ChaCha20 {
    static let keySize = 32

    private let start: [UInt32]

    /// Creates a cipher; `nil` unless the key has 32 bytes.
    init?(key: Data, nonce: Data = Data(count: 12), counter: UInt32 = 0) {
        guard key.count == Self.keySize, nonce.count == 12 else { return nil }
        let constants = Array("expand 32-byte k".utf8)
        start = Self.words(constants) + Self.words(Array(key)) + [counter] + Self.words(Array(nonce))
    }

    /// Encrypts a text, or decrypts an encrypted one.
    func applied(to data: Data) -> Data {
        var result = data
        var state = start
        result.withUnsafeMutableBytes { bytes in
            var block = start
            for position in stride(from: 0, to: bytes.count, by: 64) {
                Self.fill(&block, from: state)
                state[12] &+= 1
                for index in 0..<min(64, bytes.count - position) {
                    bytes[position + index] ^= UInt8(
                        truncatingIfNeeded: block[index / 4] >> (8 * UInt32(index % 4))
                    )
                }
            }
        }
        return result
    }

    private static func fill(_ block: inout [UInt32], from state: [UInt32]) {
        block = state
        block.withUnsafeMutableBufferPointer { words in
            for _ in 0..<10 {
                for column in 0..<4 { mix(words, column, column + 4, column + 8, column + 12) }
                for column in 0..<4 {
                    mix(words, column, 4 + (column + 1) % 4, 8 + (column + 2) % 4, 12 + (column + 3) % 4)
                }
            }
            for index in 0..<16 { words[index] &+= state[index] }
        }
    }

    /// A quarter round.
    @inline(__always)
    private static func mix(_ words: UnsafeMutableBufferPointer<UInt32>, _ a: Int, _ b: Int, _ c: Int, _ d: Int)
    {
        var (first, second, third, fourth) = (words[a], words[b], words[c], words[d])
        first &+= second
        fourth ^= first
        fourth = fourth << 16 | fourth >> 16
        third &+= fourth
        second ^= third
        second = second << 12 | second >> 20
        first &+= second
        fourth ^= first
        fourth = fourth << 8 | fourth >> 24
        third &+= fourth
        second ^= third
        second = second << 7 | second >> 25
        (words[a], words[b], words[c], words[d]) = (first, second, third, fourth)
    }

    private static func words(_ bytes: [UInt8]) -> [UInt32] {
        stride(from: 0, to: bytes.count, by: 4).map { index in
            (0..<4).reduce(0) { $0 | UInt32(bytes[index + $1]) << UInt32(8 * $1) }
        }
    }
}
