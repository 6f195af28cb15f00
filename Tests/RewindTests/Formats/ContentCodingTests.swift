import Foundation
import Testing

@testable import Rewind

@Suite("Undoing content codings")
struct ContentCodingTests {

    @Test("A body that was kept as it came is decoded", arguments: CodingSamples.all)
    func decoded(_ sample: CodingSamples.Sample) throws {
        let data = try #require(Data(base64Encoded: sample.base64))
        #expect(try ContentCoding.decoded(data, ["content-encoding": sample.coding]) == sample.plain)
        #expect(try ContentCoding.decoded(data, [:]) == data, "without the header nothing is coded")
        for count in 0..<data.count {
            let cut = data.prefix(count)
            let result = try ContentCoding.decoded(cut, ["Content-Encoding": sample.coding])
            #expect(result == cut || result == sample.plain, "what is cut off is left as it is")
        }
    }

    @Test("Bytes that are changed anywhere never stop the reader")
    func mutated() throws {
        var source = RandomSource(seed: 11)
        for sample in CodingSamples.all {
            let data = try #require(Data(base64Encoded: sample.base64))
            for _ in 0..<400 {
                var changed = data
                for _ in 0...source.below(3) { changed[source.below(changed.count)] = UInt8(source.below(256)) }
                let result = try ContentCoding.decoded(changed, ["Content-Encoding": sample.coding])
                #expect(result.count <= ContentCoding.maximumSize)
            }
        }
    }

    @Test(
        "A body that the recorder decoded, though it kept the header, is left as it is",
        arguments: ["gzip", "deflate", "br", "zstd", "identity", "x"]
    )
    func plain(_ coding: String) throws {
        let data = Data("{\"plain\": \"téxt\"}".utf8)
        #expect(try ContentCoding.decoded(data, ["Content-Encoding": coding]) == data)
        #expect(try ContentCoding.decoded(Data(), ["Content-Encoding": coding]).isEmpty)
    }

    @Test("Bytes in a coding that cannot be undone are no body", arguments: ["br", "ZSTD "])
    func unknown(_ coding: String) {
        #expect(throws: BodyAbsence.self) {
            try ContentCoding.decoded(Data([0x0B, 0xFF, 0x80]), ["Content-Encoding": coding])
        }
    }

    @Test("What would grow beyond the limit is not decoded")
    func bomb() {
        // A block of fixed codes that repeats one byte 258 times a word.
        let bytes = [UInt8](Data(base64Encoded: CodingSamples.zeros.base64) ?? Data())
        #expect(Inflation.inflated(bytes[2...], maximumSize: 19_999) == nil)
        #expect(Inflation.inflated(bytes[2...], maximumSize: 20_000)?.count == 20_000)
    }
}
