import RewindTestSupport
import Testing

@testable import Rewind

struct BloomFilterTests {
    private static let names = SecretNames.fields.union(SecretNames.headers)

    @Test("No name in the set is rejected, in any spelling", arguments: names.sorted())
    func spellings(_ name: String) {
        let filter = BloomFilter(Set(Self.names.map(SecretNames.normalized)))
        let words = name.split { "-_. ".contains($0) }.map(String.init)
        let capitalized = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        let spellings =
            ["-", "_", ".", " ", ""].map(words.joined(separator:)) + [
                name.uppercased(), capitalized.joined(), "-" + name + "_",
            ]
            + ["user[\(name)]", "user[\(name)][]", "\\u0070" + name]
        for spelling in spellings { #expect(filter.mayContain(spelling.utf8), "\(spelling)") }
    }

    @Test("Almost all other names are rejected")
    func others() {
        let filter = BloomFilter(Set(Self.names.map(SecretNames.normalized)))
        var random = SplitMix64(seed: 1)
        let words = (0..<2000).map { _ in
            random.text(Int.random(in: 1...12, using: &random), of: "abcdefghijklmnopqrstuvwxyz_")
        }
        let held = words.filter { filter.mayContain($0.utf8) && !Self.names.contains($0) }
        #expect(held.count < 200)
        #expect(
            ["id", "name", "items", "created_at", "url", "seen"].allSatisfy { !filter.mayContain($0.utf8) }
        )
    }

    @Test("A name that the filter rejects is not in the set", arguments: 1...20)
    func agreement(_ seed: UInt64) {
        let normalized = Set(Self.names.map(SecretNames.normalized))
        let filter = BloomFilter(normalized)
        var random = SplitMix64(seed: seed)
        let names = Self.names.sorted()
        var count = 0
        for _ in 0..<500 {
            var name = Array((names.randomElement(using: &random) ?? "").utf8)
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let letter = Array("aA-_. []\\é".utf8).randomElement(using: &random) ?? 0
                name.insert(letter, at: Int.random(in: 0...name.count, using: &random))
            }
            let text = String(decoding: name, as: UTF8.self)
            if normalized.contains(SecretNames.normalized(text)) {
                #expect(filter.mayContain(text.utf8), "\(text)")
                count += 1
            }
        }
        #expect(count > 100, "many spellings are names of the set")
    }
}
