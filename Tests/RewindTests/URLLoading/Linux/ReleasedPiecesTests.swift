#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import RewindTestSupport
    import Testing

    @testable import Rewind

    struct ReleasedPiecesTests {
        private func bytes(_ count: Int) -> Data {
            var random = SplitMix64(seed: UInt64(count))
            var data = Data(capacity: count + 8)
            while data.count < count { withUnsafeBytes(of: random.next()) { data.append(contentsOf: $0) } }
            return data.prefix(count)
        }

        @Test(
            "The chunks have the bytes of the body after others were released",
            arguments: [0, 1, 1 << 20, (3 << 20) + 5]
        )
        func whole(_ count: Int) {
            let body = bytes(count)
            for body in [body, (Data([1, 2, 3]) + body)[3...]] {
                var joined = Data()
                for piece in ReleasedPieces(body) {
                    #expect(!piece.isEmpty && piece.count <= 1 << 20)
                    joined.append(piece)
                }
                #expect(joined == body)
                #expect(Array(ReleasedPieces(body)).reduce(Data(), +) == body)
                #expect(SHA256Digest(body).hexadecimal == SHA256Digest(bytes(count)).hexadecimal)
            }
        }

        @Test("A chunk outlives its body")
        func outlives() throws {
            let expected = bytes(2 << 20)
            let pieces = Array(ReleasedPieces(bytes(2 << 20)))
            #expect(pieces.reduce(Data(), +) == expected)
        }

        @Test("Releasing the chunks of a body in a file does not change the body")
        func file() throws {
            let folder = try TemporaryDirectory()
            let expected = bytes(5 << 20)
            try expected.write(to: folder["body.bin"])
            let attachments = Attachments(in: folder.url)
            let body = try #require(attachments.data(at: "body.bin"))
            for _ in 0..<2 {
                var sum = 0
                for piece in ReleasedPieces(body) { sum += piece.reduce(0) { $0 + Int($1) } }
                #expect(sum == expected.reduce(0) { $0 + Int($1) })
            }
            #expect(body == expected)
        }

        @Test("Only large bodies are divided")
        func suit() {
            #expect(!ReleasedPieces.suit(Data(count: (16 << 20) - 1)))
            #expect(ReleasedPieces.suit(Data(count: 16 << 20)))
        }
    }
#endif
