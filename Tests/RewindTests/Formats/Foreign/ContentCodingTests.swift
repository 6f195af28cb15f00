import Foundation
import Testing

@testable import Rewind

struct ContentCodingTests {
    private func decoded(_ data: Data, _ headers: HeaderList) throws -> Data {
        var budget = InflationBudget(.default)
        return try ContentCoding.decoded(data, headers, &budget)
    }

    /// Decodes a body, or tells why it cannot be decoded.
    private func outcome(_ data: Data, _ coding: String) throws -> String {
        do {
            return String(decoding: try decoded(data, ["Content-Encoding": coding]), as: UTF8.self)
        } catch let absence as BodyAbsence { return absence.reason }
    }

    @Test("A compressed body is decompressed", arguments: CodingSamples.all)
    func decoded(_ sample: CodingSamples.Sample) throws {
        let data = try #require(Data(base64Encoded: sample.base64))
        #expect(try decoded(data, ["content-encoding": sample.coding]) == sample.plain)
        #expect(try decoded(data, [:]) == data, "without the header nothing is coded")
        let hasSignature = CompressedContent.isGzip(data) || CompressedContent.isZlib(data)
        for count in 0..<data.count {
            let cut = data.prefix(count)
            let result = try outcome(cut, sample.coding)
            let isTold = result.hasSuffix("body is cut off after \(count) \(count == 1 ? "byte" : "bytes")")
            let isText = result == String(decoding: cut, as: UTF8.self)
            #expect(hasSignature && count > 1 ? isTold : isTold || isText, "\(result)")
        }
    }

    @Test("A changed compressed body is never decoded to something else")
    func mutated() throws {
        var source = RandomSource(seed: 11)
        for sample in CodingSamples.all {
            let data = try #require(Data(base64Encoded: sample.base64))
            let isChecked = CompressedContent.isGzip(data) || CompressedContent.isZlib(data)
            for _ in 0..<400 {
                var changed = data
                for _ in 0...source.below(3) { changed[source.below(changed.count)] = UInt8(source.below(256)) }
                let result = try? decoded(changed, ["Content-Encoding": sample.coding])
                let hasSignature =
                    sample.coding == "deflate"
                    ? CompressedContent.isZlib(changed) : CompressedContent.isGzip(changed)
                guard isChecked, hasSignature else { continue }
                #expect(result == nil || result == sample.plain)
            }
        }
    }

    @Test(
        "A body that the recorder already decompressed stays unchanged",
        arguments: [
            "gzip", "deflate", "br", "zstd", "compress", "identity", "x", "gzip, br", "br, gzip",
            "zstd,deflate",
        ]
    )
    func plain(_ coding: String) throws {
        let texts = [
            "{\"plain\": \"téxt\"}", "K", "{}", "x^2 + HK = {", "\u{FEFF}a", "\u{1B}[1mbold\u{1B}[0m",
        ]
        for text in texts { #expect(try outcome(Data(text.utf8), coding) == text) }
        let images: [[UInt8]] = [
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0], [0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 0x4A],
            Array("GIF89a\u{1}\u{0}\u{1}".utf8), Array("PK\u{3}\u{4}\u{14}\u{0}".utf8),
            [0x0, 0x61, 0x73, 0x6D, 1],
            [0, 0, 0, 0x20] + Array("ftypisom\u{0}".utf8),
        ]
        for image in images { #expect(try decoded(Data(image), ["Content-Encoding": coding]) == Data(image)) }
        // Text of an old encoding.
        let latin = Data(String(repeating: "gr\u{FC}n ", count: 40).unicodeScalars.map { UInt8($0.value) })
        #expect(try decoded(latin, ["Content-Encoding": coding]) == latin)
        #expect(try decoded(Data(), ["Content-Encoding": coding]).isEmpty)
    }

    private static let text = String(repeating: "Every member has a checksum. ", count: 4)

    @Test(
        "All members, header fields and codings are read",
        arguments: [
            ("gzip", two, "Every member has a checksum. "), ("gzip", head, text), ("GZip ", one, text),
            ("gzip, gzip", twice, text), ("gzip, gzip", one, text), ("x-gzip,identity ,, GZIP", twice, text),
            ("gzip, gzip, gzip, br", twice, text), ("deflate, gzip", gzipOfDeflate, text),
            ("deflate, gzip", zlib, text), ("gzip, deflate", deflateOfGzip, text), ("gzip, deflate", one, text),
            ("deflate", zlib, text), ("deflate", raw, text), ("none, deflate", raw, text),
            ("br, gzip", one, text),
        ]
    )
    func complete(_ coding: String, _ base64: String, _ text: String) throws {
        let data = try #require(Data(base64Encoded: base64))
        #expect(try outcome(data, coding) == text)
        // The same codings in fields of their own.
        let headers = HeaderList(
            coding.split(separator: ",").map { HeaderList.Field(name: "content-ENCODING", value: String($0)) }
        )
        #expect(try String(decoding: decoded(data, headers), as: UTF8.self) == text)
    }

    @Test("Zeros and other bytes after the last member are ignored, as gzip, curl and urllib3 do")
    func trailing() throws {
        let data = try #require(Data(base64Encoded: Self.two))
        for rest in [Data(count: 512), Data("garbage".utf8), Data([0, 0, 7]), Data([0x1E, 0x8B])] {
            #expect(try outcome(data + rest, "gzip") == "Every member has a checksum. ")
        }
        let padded = try #require(Data(base64Encoded: Self.one))
        #expect(try outcome(padded + Data(count: 8) + padded, "gzip") == Self.text + Self.text)
        let zlib = try #require(Data(base64Encoded: Self.zlib))
        #expect(try outcome(zlib + Data("garbage".utf8), "deflate") == Self.text)
    }

    @Test(
        "A damaged body is missing, and the reason names the coding and the cause",
        arguments: [
            ("gzip", oneCut, "the gzip body is cut off after 45 bytes"),
            ("gzip", twoCut, "the gzip body is cut off after 64 bytes"),
            ("gzip", wrongChecksum, "the gzip body is damaged: its checksum is wrong"),
            ("gzip", wrongSize, "the gzip body is damaged: its size is wrong"),
            ("gzip", wrongBlock, "the gzip body is damaged: a compressed block is invalid"),
            ("gzip", wrongMethod, "the gzip body has an unknown compression method"),
            ("gzip", wrongFlags, "the gzip body has unknown flags in its header"),
            ("gzip", wrongHead, "the gzip body is damaged: the checksum of its header is wrong"),
            ("deflate", zlibWrongChecksum, "the deflate body is damaged: its checksum is wrong"),
            ("deflate", dictionary, "the deflate body needs a preset dictionary, which is not supported"),
            ("gzip, gzip", wrongChecksum, "the gzip body is damaged: its checksum is wrong"),
            ("gzip, br", wrongSize, "the gzip body is damaged: its size is wrong"),
            ("br", "C/+AAAAA", "the body is compressed with br, which is not supported"),
            (" ZSTD", "KLUv/SAD", "the body is compressed with zstd, which is not supported"),
            ("x-compress", "H52QYA==", "the body is compressed with x-compress, which is not supported"),
            ("unheard", "C/+AAAAA", "the body is compressed with unheard, which is not supported"),
            (
                "br, gzip", "H4sIAAAAAAACA+P+38DAAAB928KOBQAAAA==",
                "the body is compressed with br, which is not supported"
            ),
        ]
    )
    func damaged(_ coding: String, _ base64: String, _ reason: String) throws {
        let data = try #require(Data(base64Encoded: base64))
        #expect(try outcome(data, coding) == reason)
    }

    @Test("Bytes that would decompress to more than the limit are not decompressed")
    func bomb() throws {
        // A block with fixed codes, in which each code word repeats a byte 258 times.
        let bytes = [UInt8](Data(base64Encoded: CodingSamples.zeros.base64) ?? Data())
        func inflated(atMost limit: Int) throws -> Int? {
            var budget = InflationBudget(body: limit, total: 1 << 30)
            return try budget.inflation(of: bytes[2...], after: 0).output.count
        }
        #expect(throws: InflationExcess.self) { try inflated(atMost: 19_999) }
        #expect(try inflated(atMost: 20_000) == 20_000)
    }

    @Test("The members of a body share its limit")
    func bombInMembers() throws {
        let data = try #require(Data(base64Encoded: Self.two))
        for (limit, isRead) in [(28, false), (29, true)] {
            var budget = InflationBudget(body: limit, total: 1 << 30)
            let content = try? ContentCoding.decoded(data, ["Content-Encoding": "gzip"], &budget)
            #expect((content != nil) == isRead)
        }
    }

    @Test("The layers of a body share the limit of the cassette")
    func bombInLayers() throws {
        let data = try #require(Data(base64Encoded: Self.twice))
        // 52 bytes of gzip in gzip, and 116 bytes of text.
        for (total, isRead) in [(167, false), (168, true)] {
            var budget = InflationBudget(body: 1 << 20, total: total)
            let content = try? ContentCoding.decoded(data, ["Content-Encoding": "gzip, gzip"], &budget)
            #expect((content != nil) == isRead)
        }
    }

    private static let one = "H4sIAAAAAAAA/3MtSy2qVMhNzU1KLVLISCxWSFRIzkhNzi4uzdVTcKWNJAAVPpRJdAAAAA=="
    private static let oneCut = "H4sIAAAAAAAA/3MtSy2qVMhNzU1KLVLISCxWSFRIzkhNzi4uzdVTcKWNJAAV"
    private static let two =
        "H4sIAAAAAAAA/3MtSy2qVMhNzU1KLVIAAOY1RjgNAAAAH4sIAAAAAAAA/8tILFZIVEjOSE3OLi7N1VMAAJqVz0IQAAAA"
    private static let twoCut =
        "H4sIAAAAAAAA/3MtSy2qVMhNzU1KLVIAAOY1RjgNAAAAH4sIAAAAAAAA/8tILFZIVEjOSE3OLi7N1VMAAJqVzw=="
    /// A member with extra bytes, the name of a file, a comment and the checksum of its header.
    private static let head =
        "H4sIHwAAAAAA/wcAQUIDAHh5em5hbWUudHh0AEtvbW1lbnRhciDpACxwcy1LLapUyE3NTUotUshILFZIVEjOSE3OLi7N1VNw"
        + "pY0kABU+lEl0AAAA"
    private static let wrongChecksum =
        "H4sIAAAAAAAA/3MtSy2qVMhNzU1KLVLISCxWSFRIzkhNzi4uzdVTcKWNJAAAAAAAdAAAAA=="
    private static let wrongSize =
        "H4sIAAAAAAAA/3MtSy2qVMhNzU1KLVLISCxWSFRIzkhNzi4uzdVTcKWNJAAVPpRJAAAAAA=="
    private static let wrongBlock =
        "H4sIAAAAAAAA/3ctSy2qVMhNzU1KLVLISCxWSFRIzkhNzi4uzdVTcKWNJAAVPpRJdAAAAA=="
    private static let wrongMethod =
        "H4sHAAAAAAAA/3MtSy2qVMhNzU1KLVLISCxWSFRIzkhNzi4uzdVTcKWNJAAVPpRJdAAAAA=="
    private static let wrongFlags =
        "H4sI4AAAAAAA/3MtSy2qVMhNzU1KLVLISCxWSFRIzkhNzi4uzdVTcKWNJAAVPpRJdAAAAA=="
    private static let wrongHead =
        "H4sIAgAAAAAA/wEAcy1LLapUyE3NTUotUshILFZIVEjOSE3OLi7N1VNwpY0kABU+lEl0AAAA"
    private static let zlib = "eNpzLUstqlTITc1NSi1SyEgsVkhUSM5ITc4uLs3VU3CljSQAchEpBQ=="
    private static let zlibWrongChecksum = "eNpzLUstqlTITc1NSi1SyEgsVkhUSM5ITc4uLs3VU3CljSQAAAAAAA=="
    private static let dictionary = "ePkzEAYAc0XjKyQqJGekJmcXl+bqKdBIEgByESkF"
    private static let raw = "cy1LLapUyE3NTUotUshILFZIVEjOSE3OLi7N1VNwpY0kAA=="
    private static let twice =
        "H4sIAAAAAAAA/5Pv5mAAg//Fut66q0JO+J719dINOuGhE+YR4nHOw/ecnt7Zq8EFS3tVGETtpniWAJUCACPXsXg0AAAA"
    private static let gzipOfDeflate =
        "H4sIAAAAAAAA/6u4Vazrrbsq5ITvWV8v3aATHjphHiEe5zx8z+npnb0aXLC0V4WhSFCTFQBsiFyGKAAAAA=="
    private static let deflateOfGzip =
        "eJyT7+ZgAIP/xbreuqtCTvie9fXSDTrhoRPmEeJxzsP3nJ7e2avBBUt7VRhE7aZ4lgCVAgC1CxEi"
}
