import Foundation
import Testing

@testable import Rewind

/// The time to read and write a cassette is linear in its size, whatever it contains very often.
struct FormatGrowthTests {
    private static let size = 2_000

    @Test("Reading an archive is linear", arguments: GrowingCassettes.archives.indices)
    func reading(_ index: Int) throws {
        let sample = GrowingCassettes.archives[index]
        let ratio = try Growth.ratio(Self.size) { count in
            let cassette = try HARFormat.read(Data(sample.text(count).utf8))
            #expect(!cassette.interactions.isEmpty)
        }
        #expect(ratio <= Growth.limit, "\(sample.name)")
    }

    @Test("Writing an archive that was read is linear", arguments: GrowingCassettes.archives.indices)
    func writing(_ index: Int) throws {
        let sample = GrowingCassettes.archives[index]
        let cassettes = try [1, 4].map { try HARFormat.read(Data(sample.text(Self.size * $0).utf8)) }
        let ratio = Growth.ratio(Self.size) { count in
            _ = HARFormat.write(cassettes[count == Self.size ? 0 : 1])
        }
        #expect(ratio <= Growth.limit, "\(sample.name)")
    }

    @Test("Writing an archive after a change is linear", arguments: GrowingCassettes.archives.indices)
    func changing(_ index: Int) throws {
        let sample = GrowingCassettes.archives[index]
        let cassettes = try [1, 4].map { factor in
            var cassette = try HARFormat.read(Data(sample.text(Self.size * factor).utf8))
            for position in cassette.interactions.indices {
                cassette.interactions[position].request.method = "PUT"
                // Every header field differs from the recorded one, but their number is the same.
                for field in cassette.interactions[position].request.headers.indices {
                    cassette.interactions[position].request.headers.fields[field].value += "2"
                }
            }
            return cassette
        }
        let ratio = Growth.ratio(Self.size) { count in
            _ = HARFormat.write(cassettes[count == Self.size ? 0 : 1])
        }
        #expect(ratio <= Growth.limit, "\(sample.name)")
    }

    @Test("Reading a file of another system is linear", arguments: GrowingCassettes.others.indices)
    func others(_ index: Int) throws {
        let sample = GrowingCassettes.others[index]
        let ratio = try Growth.ratio(Self.size) { count in
            let data = Data(sample.text(count).utf8)
            #expect(CassetteFormat(recognizing: data) == sample.format)
            let cassette = try sample.format.reader.read(data)
            #expect(!cassette.interactions.isEmpty)
        }
        #expect(ratio <= Growth.limit, "\(sample.name)")
    }
}
