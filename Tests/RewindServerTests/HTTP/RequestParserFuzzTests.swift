import RewindServer
import RewindTestSupport
import Testing

struct RequestParserFuzzTests {
    private static let pipeline = Array(
        ("POST /1?a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\none"
            + "PUT http://b/2 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "3;a=\"b\"\r\ntwo\r\n0\r\nX: y\r\n\r\n"
            + "GET /3 HTTP/1.0\r\n\r\n").utf8
    )

    @Test("Damaged bytes are parsed the same in parts of any size", arguments: UInt64(1)...40)
    func readsAlikeInPieces(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        for _ in 0..<25 {
            let bytes = damaged(using: &generator)
            let whole = ParserOutcome(feeding: bytes, inPiecesOf: bytes.count)
            for size in [1, 2, Int.random(in: 3...60, using: &generator)] {
                #expect(ParserOutcome(feeding: bytes, inPiecesOf: size) == whole, "pieces of \(size): \(bytes)")
            }
        }
    }

    private func damaged(using generator: inout SplitMix64) -> [UInt8] {
        let interesting = Array("\r\n\0 \t:;,\"09afGET/*".utf8) + [0x80, 0xFF]
        var bytes = Self.pipeline
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            let position = Int.random(in: 0..<bytes.count, using: &generator)
            let octet = interesting.randomElement(using: &generator) ?? 0
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: bytes[position] = octet
            case 1: bytes.insert(octet, at: position)
            case 2: bytes.remove(at: position)
            default: bytes.removeLast(min(bytes.count - 1, position / 8))
            }
        }
        return bytes
    }
}
