import Foundation
import Testing

@testable import Rewind

struct ContentCodingTests {

    private func decoded(_ data: Data, _ headers: HeaderList) throws -> Data {
        var budget = InflationBudget(.default)
        return try ContentCoding.decoded(data, headers, &budget)
    }

    @Test("A compressed body is decompressed", arguments: CodingSamples.all)
    func decoded(_ sample: CodingSamples.Sample) throws {
        let data = try #require(Data(base64Encoded: sample.base64))
        #expect(try decoded(data, ["content-encoding": sample.coding]) == sample.plain)
        #expect(try decoded(data, [:]) == data, "without the header nothing is coded")
        for count in 0..<data.count {
            let cut = data.prefix(count)
            let result = try decoded(cut, ["Content-Encoding": sample.coding])
            #expect(result == cut || result == sample.plain, "what is cut off is left as it is")
        }
    }

    @Test("Changed compressed bytes never trap")
    func mutated() throws {
        var source = RandomSource(seed: 11)
        for sample in CodingSamples.all {
            let data = try #require(Data(base64Encoded: sample.base64))
            for _ in 0..<400 {
                var changed = data
                for _ in 0...source.below(3) { changed[source.below(changed.count)] = UInt8(source.below(256)) }
                let result = try decoded(changed, ["Content-Encoding": sample.coding])
                #expect(result.count <= CassetteLimits.default.maximumInflatedBody)
            }
        }
    }

    @Test(
        "A body that the recorder already decompressed stays unchanged",
        arguments: ["gzip", "deflate", "br", "zstd", "identity", "x"]
    )
    func plain(_ coding: String) throws {
        let data = Data("{\"plain\": \"téxt\"}".utf8)
        #expect(try decoded(data, ["Content-Encoding": coding]) == data)
        #expect(try decoded(Data(), ["Content-Encoding": coding]).isEmpty)
    }

    @Test("Nested codings stay encoded", arguments: ["gzip, gzip", "gzip,br", "identity, gzip"])
    func nested(_ codings: String) throws {
        let sample = try #require(CodingSamples.all.first { $0.coding == "gzip" })
        let data = try #require(Data(base64Encoded: sample.base64))
        #expect(try decoded(data, ["Content-Encoding": codings]) == data)
    }

    @Test("A body with an unsupported content coding is not replayable", arguments: ["br", "ZSTD "])
    func unknown(_ coding: String) {
        #expect(throws: BodyAbsence.self) {
            try decoded(Data([0x0B, 0xFF, 0x80]), ["Content-Encoding": coding])
        }
    }

    @Test("Bytes that would decompress to more than the limit are not decompressed")
    func bomb() throws {
        // A block with fixed codes, in which each code word repeats a byte 258 times.
        let bytes = [UInt8](Data(base64Encoded: CodingSamples.zeros.base64) ?? Data())
        func inflated(atMost limit: Int) throws -> Int? {
            var budget = InflationBudget(CassetteLimits(maximumInflatedBody: limit))
            return try budget.inflated(bytes[2...])?.count
        }
        #expect(throws: InflationExcess.self) { try inflated(atMost: 19_999) }
        #expect(try inflated(atMost: 20_000) == 20_000)
    }
}
