import Foundation
import Testing

@testable import Rewind

struct ContentCodingTests {

    private func decoded(_ data: Data, _ headers: HeaderList) throws -> Data {
        var budget = InflationBudget(.default)
        return try ContentCoding.decoded(data, headers, &budget)
    }

    @Test("A body that was kept as it came is decoded", arguments: CodingSamples.all)
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

    @Test("Compressed bytes that are changed anywhere never stop the reader")
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
        "A body that the recorder decoded, though it kept the header, is left as it is",
        arguments: ["gzip", "deflate", "br", "zstd", "identity", "x"]
    )
    func plain(_ coding: String) throws {
        let data = Data("{\"plain\": \"téxt\"}".utf8)
        #expect(try decoded(data, ["Content-Encoding": coding]) == data)
        #expect(try decoded(Data(), ["Content-Encoding": coding]).isEmpty)
    }

    @Test("Bytes in a coding that cannot be undone are no body", arguments: ["br", "ZSTD "])
    func unknown(_ coding: String) {
        #expect(throws: BodyAbsence.self) {
            try decoded(Data([0x0B, 0xFF, 0x80]), ["Content-Encoding": coding])
        }
    }

    @Test("What would grow beyond the limit is not decoded")
    func bomb() throws {
        // A block of fixed codes that repeats one byte 258 times a word.
        let bytes = [UInt8](Data(base64Encoded: CodingSamples.zeros.base64) ?? Data())
        func inflated(atMost limit: Int) throws -> Int? {
            var budget = InflationBudget(CassetteLimits(maximumInflatedBody: limit))
            return try Inflation.inflated(bytes[2...], &budget)?.count
        }
        #expect(throws: InflationExcess.self) { try inflated(atMost: 19_999) }
        #expect(try inflated(atMost: 20_000) == 20_000)
    }
}
