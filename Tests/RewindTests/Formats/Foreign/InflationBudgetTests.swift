import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

/// Compressed bodies, each of which is small, but which are large together.
struct InflationBudgetTests {
    private let folder: TemporaryDirectory
    private let limits = CassetteLimits(maximumInflatedBody: 400_000, maximumInflatedSize: 1_000_000)

    init() throws { folder = try TemporaryDirectory() }

    private func read(_ data: Data) throws -> [Interaction] {
        try data.write(to: folder["talk"])
        return try Cassette(contentsOf: folder["talk"], limits: limits).interactions
    }

    private func bodies(_ interactions: [Interaction]) -> [Int?] {
        interactions.map { $0.response?.body.count }
    }

    @Test("Compressed bodies up to the limit are read", arguments: CompressedCassettes.System.allCases)
    func within(_ system: CompressedCassettes.System) throws {
        let cassette = CompressedCassettes.cassette(system, Array(repeating: Bomb.gzip(250_000), count: 4))
        let interactions = try read(cassette)
        #expect(bodies(interactions) == [250_000, 250_000, 250_000, 250_000])
        #expect(interactions.last?.response?.body.data == Data(count: 250_000))
    }

    @Test(
        "More compressed data is rejected, and the error names the file, the entry, the cause and the fix",
        arguments: CompressedCassettes.System.allCases
    )
    func beyond(_ system: CompressedCassettes.System) throws {
        let cassette = CompressedCassettes.cassette(system, Array(repeating: Bomb.gzip(300_000), count: 5))
        let error = try #require(throws: CassetteError.self) { try read(cassette) }
        let text = error.description
        #expect(
            text.hasPrefix("The cassette \(folder["talk"].path) is too large: its body and those before it")
        )
        #expect(text.contains("more than 1000000 bytes in total (entry 4 (line "))
        #expect(text.contains("The file was not changed. Record less in one test, or split the test."))
        #expect(try Data(contentsOf: folder["talk"]) == cassette)
        guard case .tooLarge = error.problem else {
            Issue.record("\(error.problem)")
            return
        }
    }

    @Test("A body that exceeds the limit alone never answers, and the other interactions do")
    func oneBody() throws {
        let cassette = CompressedCassettes.cassette(.ruby, [1000, 400_001, 1000].map(Bomb.gzip))
        let interactions = try read(cassette)
        #expect(bodies(interactions) == [1000, nil, 1000])
        guard case .unknown(let reason) = interactions[1].outcome else {
            Issue.record("\(interactions[1].outcome)")
            return
        }
        #expect(reason == "the body decompresses to more than 400000 bytes")
    }

    @Test("A curl file that exceeds the limit is rejected with the cause")
    func curl() throws {
        let head = Data("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n".utf8)
        #expect(bodies(try read(head + Bomb.gzip(400_000))) == [400_000])
        let error = try #require(throws: CassetteError.self) { try read(head + Bomb.gzip(400_001)) }
        #expect(error.description.contains("its body decompresses to more than 400000 bytes"))
    }

    @Test("Bodies that are invalid after decompressing many bytes count toward the limit")
    func broken() throws {
        // The end of the last block is missing.
        let torn = Bomb.gzip(Bomb.deflate(390_000).dropLast(4))
        #expect(
            bodies(try read(CompressedCassettes.cassette(.ruby, [torn, torn]))) == [nil, nil]
        )
        #expect(throws: CassetteError.self) {
            try read(CompressedCassettes.cassette(.ruby, Array(repeating: torn, count: 4)))
        }
    }

    @Test("Uncompressed bodies do not count toward the limit")
    func plain() throws {
        let text = Data(String(repeating: "plain text ", count: 30_000).utf8)
        for coding in ["gzip", "deflate", "identity"] {
            let cassette = CompressedCassettes.cassette(
                .ruby,
                Array(repeating: text, count: 8),
                coding: coding
            )
            #expect(bodies(try read(cassette)) == Array(repeating: text.count, count: 8))
        }
    }

    @Test("Each cassette has its own budget")
    func afresh() throws {
        let cassette = CompressedCassettes.cassette(.ruby, [300_000, 300_000, 300_000].map(Bomb.gzip))
        for _ in 0..<3 { #expect(try read(cassette).count == 3) }
    }

    @Test("The limits of a file and of its decompressed bodies are equal")
    func figures() {
        #expect(CassetteLimits.default.maximumInflatedSize == CassetteLimits.default.maximumSize)
        #expect(CassetteLimits.default.maximumInflatedBody == 256 << 20)
    }
}
