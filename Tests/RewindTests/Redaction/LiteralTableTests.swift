import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct LiteralTableTests {
    /// Each place with a literal, and the first literal there.
    private static func matches(_ literals: [String], _ text: String) -> [[Int]] {
        let table = LiteralTable(literals.map { Array($0.utf8) })
        return Data(text.utf8).withUnsafeBytes { bytes in
            var matches: [[Int]] = []
            var position = 0
            while let place = table.candidate(in: bytes, from: position) {
                if let index = table.first(in: bytes, at: place, { $0 }) { matches.append([place, index]) }
                position = place + 1
            }
            return matches
        }
    }

    @Test("The longest literal at a place comes first, and every place is searched")
    func longest() {
        #expect(
            Self.matches(["ab", "abc", "abcdefghij", "bc"], "xabcabcdefghijab") == [
                [1, 1], [2, 3], [4, 2], [5, 3], [14, 0],
            ]
        )
    }

    @Test(
        "A literal longer than the remaining text is not found",
        arguments: ["", "a", "abcdefgh", "xabcdefgh"]
    )
    func rest(_ text: String) {
        #expect(Self.matches(["abcdefghi"], text).isEmpty)
    }

    @Test("Literals of equal length are distinguished", arguments: 2...12)
    func lengths(_ count: Int) {
        let text = String("abcdefghijkl".prefix(count))
        let other = String(text.dropLast()) + "z"
        #expect(Self.matches([other, text], text) == [[0, 1]])
        #expect(Self.matches([other, text], "é\(other)0123456789") == [[2, 0]])
    }

    @Test("Repeated literals count once, and literals shorter than two bytes are ignored")
    func useless() {
        #expect(Self.matches(["", "a", "aa", "aa"], "aaa") == [[0, 2], [1, 2]])
    }

    @Test("If the closure declines a literal, the next shorter one follows")
    func declined() {
        let table = LiteralTable(["abc", "ab"].map { Array($0.utf8) })
        let found = Data("abc".utf8).withUnsafeBytes { bytes in
            table.first(in: bytes, at: 0) { $0 == 1 ? $0 : nil }
        }
        #expect(found == 1)
    }

    @Test("All literals at each place are found, longest first", arguments: 1...40)
    func random(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func text(_ counts: ClosedRange<Int>, _ letters: [UInt8]) -> [UInt8] {
            (0..<Int.random(in: counts, using: &random)).map { _ in
                letters[Int.random(in: 0..<letters.count, using: &random)]
            }
        }
        let letters: [UInt8] = seed % 4 == 0 ? [0, 1, 255] : [97, 98]
        let literals = (0..<60).map { _ in text(0...12, letters) }
        // Some literals at once, some in groups, some one by one.
        var table = LiteralTable(Array(literals.prefix(Int(seed))))
        var added = min(Int(seed), literals.count)
        while added < literals.count {
            let end = min(literals.count, added + Int.random(in: 1...5, using: &random))
            table.append(Array(literals[added..<end]))
            added = end
        }
        let searched = text(0...200, letters)
        let firsts = Dictionary(
            literals.indices.map { (literals[$0], $0) },
            uniquingKeysWith: { first, _ in first }
        )
        searched.withUnsafeBytes { bytes in
            for place in searched.indices.dropLast() {
                let rest = searched[place...]
                let expected = firsts.filter { $0.key.count >= 2 && rest.starts(with: $0.key) }
                    .sorted { $0.key.count > $1.key.count }.map(\.value)
                var found: [Int] = []
                let none: Int? = table.first(in: bytes, at: place) {
                    found.append($0)
                    return nil
                }
                #expect(none == nil)
                #expect(found == expected)
                #expect(expected.isEmpty || table.candidate(in: bytes, from: place) == place)
            }
        }
    }
}
