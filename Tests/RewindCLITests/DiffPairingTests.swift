import Foundation
import Rewind
import RewindTestSupport
import Testing

@testable import RewindCLI

struct DiffPairingTests {
    private typealias Samples = CassetteSamples

    /// The pairs of two cassettes whose interactions are written as `METHOD URL BODY → ANSWER`.
    private func pair(_ left: [String], _ right: [String]) throws -> InteractionPairing {
        func interactions(_ lines: [String]) -> [Interaction] {
            lines.map { line in
                let sides = line.components(separatedBy: " → ")
                let words = sides[0].split(separator: " ", maxSplits: 2).map(String.init)
                return Samples.interaction(
                    words.prefix(2).joined(separator: " "),
                    sending: words.count > 2 ? words[2] : nil,
                    [:],
                    sides.last ?? ""
                )
            }
        }
        return InteractionPairing(interactions(left), interactions(right), try ComparedParts())
    }

    private func expect(
        _ left: [String],
        _ right: [String],
        _ pairs: [[Int]],
        moved: [Int] = [],
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let pairing = try pair(left, right)
        #expect(pairing.pairs.map { [$0.left, $0.right] } == pairs, sourceLocation: location)
        #expect(pairing.pairs.filter(\.isMoved).map(\.right) == moved, sourceLocation: location)
        let paired = Set(pairs.map { $0[0] }), partners = Set(pairs.map { $0[1] })
        #expect(pairing.removed == left.indices.filter { !paired.contains($0) }, sourceLocation: location)
        #expect(pairing.added == right.indices.filter { !partners.contains($0) }, sourceLocation: location)
    }

    @Test("An added or removed interaction does not shift the others")
    func insertions() throws {
        try expect(["GET /a", "GET /b"], ["GET /a", "GET /new", "GET /b"], [[0, 0], [1, 2]])
        try expect(["GET /a", "GET /x", "GET /b"], ["GET /a", "GET /b"], [[0, 0], [2, 1]])
        try expect(
            ["GET /job → 1", "GET /job → 2", "GET /job → 3"],
            ["GET /job → 1", "GET /job → new", "GET /job → 2", "GET /job → 3"],
            [[0, 0], [1, 2], [2, 3]]
        )
        try expect(
            ["GET /job → a", "GET /job → 1", "GET /job → b"],
            ["GET /job → a", "GET /job → 2", "GET /job → b"],
            [[0, 0], [1, 1], [2, 2]]
        )
        try expect([], ["GET /a"], [])
        try expect(["GET /a"], [], [])
    }

    @Test("Equal requests are paired before similar ones")
    func prefersTheSame() throws {
        try expect(
            ["GET /a?n=1", "GET /a?n=2", "GET /a?n=3"],
            ["GET /a?n=2", "GET /a?n=3", "GET /a?n=4"],
            [[1, 0], [2, 1], [0, 2]],
            moved: [2]
        )
        try expect(["GET /users/1"], ["GET /users/2", "GET /users/1"], [[0, 1]])
    }

    static let similar: [(String, String, Bool)] = [
        ("GET /a?n=1", "GET /a?n=2", true),
        ("POST /a {\"n\":1}", "POST /a {\"n\":2}", true),
        ("GET https://staging.example.com/a", "GET https://api.example.com/a", true),
        ("POST /a", "PUT /a", true),
        ("GET /users/1/posts", "GET /users/22/posts", true),
        ("GET /users/1", "DELETE /users/2", false),
        ("GET /users", "GET /posts", false),
        ("GET /users/ada", "GET /users/bob", false),
        ("POST /graphql {\"query\":\"query A { a }\"}", "POST /graphql {\"query\":\"query A { b }\"}", true),
        ("POST /graphql {\"query\":\"query A { a }\"}", "POST /graphql {\"query\":\"query B { a }\"}", false),
    ]

    @Test("Requests that differ in one part are paired", arguments: similar)
    func pairsSimilar(_ left: String, _ right: String, _ isSimilar: Bool) throws {
        try expect([left], [right], isSimilar ? [[0, 0]] : [])
    }

    @Test("Of several similar requests, the most similar are paired")
    func findsNearest() throws {
        try expect(
            ["POST /a {\"user\":1,\"page\":1,\"t\":1}", "POST /a {\"user\":2,\"page\":7,\"t\":1}"],
            ["POST /a {\"user\":2,\"page\":7,\"t\":2}", "POST /a {\"user\":1,\"page\":1,\"t\":2}"],
            [[1, 0], [0, 1]],
            moved: [0]
        )
    }

    @Test("The smallest possible number of interactions counts as moved")
    func findsMoves() throws {
        try expect(
            ["GET /a", "GET /b", "GET /c", "GET /d"],
            ["GET /d", "GET /a", "GET /b", "GET /c"],
            [[3, 0], [0, 1], [1, 2], [2, 3]],
            moved: [0]
        )
        #expect(CommonElements.longestIncreasingSubsequence(in: []) == [])
        #expect(
            CommonElements.longestIncreasingSubsequence(in: [3, 0, 1, 9, 2]).map { [3, 0, 1, 9, 2][$0] } == [
                0, 1, 2,
            ]
        )
    }

    @Test("Every interaction is paired, added or removed exactly once")
    func pairsEachOnce() throws {
        var random = SplitMix64(seed: 11)
        for _ in 0..<200 {
            func lines() -> [String] {
                (0..<Int.random(in: 0...9, using: &random)).map { _ in
                    "\(["GET", "POST"].randomElement(using: &random) ?? "") /\(Int.random(in: 0...3, using: &random))"
                        + " → \(Int.random(in: 0...2, using: &random))"
                }
            }
            let (left, right) = (lines(), lines())
            let pairing = try pair(left, right)
            #expect((pairing.pairs.map(\.left) + pairing.removed).sorted() == Array(left.indices))
            #expect((pairing.pairs.map(\.right) + pairing.added).sorted() == Array(right.indices))
            let rest = pairing.pairs.filter { !$0.isMoved }.map(\.left)
            #expect(rest == rest.sorted())
            #expect(try pair(left, left).pairs.allSatisfy { $0.left == $0.right && !$0.isMoved })
        }
    }

    @Test("The common elements of two lists are a longest common subsequence")
    func findsTheLongest() {
        var random = SplitMix64(seed: 3)
        for _ in 0..<300 {
            let left = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                Int.random(in: 0...3, using: &random)
            }
            let right = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                Int.random(in: 0...3, using: &random)
            }
            let pairs = CommonElements.pairs(of: left[...], and: right[...])
            #expect(pairs.allSatisfy { left[$0.left] == right[$0.right] })
            #expect(zip(pairs, pairs.dropFirst()).allSatisfy { $0.left < $1.left && $0.right < $1.right })
            #expect(pairs.count == Self.longest(left[...], right[...]), "\(left) \(right)")
        }
    }

    @Test("Long lists are split at unique elements, and parts without one count as replaced")
    func dividesLongLists() {
        let other = [0] + Array(5000..<8000) + [2999]
        let replaced = CommonElements.pairs(of: Array(0..<3000)[...], and: other[...])
        #expect(replaced.map { [$0.left, $0.right] } == [[0, 0], [2999, 3001]])
        let left = Array(0..<10_000)
        let right = left.filter { $0 % 100 != 7 }.flatMap { $0 % 1000 == 8 ? [$0, -1] : [$0] } + [10_001]
        let pairs = CommonElements.pairs(of: left[...], and: right[...])
        #expect(pairs.count == 9900)
        #expect(pairs.allSatisfy { left[$0.left] == right[$0.right] })
        #expect(zip(pairs, pairs.dropFirst()).allSatisfy { $0.left < $1.left && $0.right < $1.right })
    }

    @Test("Comparing two long texts without common lines is fast")
    func boundsLongTexts() {
        func text(_ name: String) -> String { (0..<10_000).map { "\(name) \($0 % 5000)\n" }.joined() }
        let start = ContinuousClock.now
        #expect(ChangedLine.between(text("left"), text("right")).count == 20_001)
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    /// The length of the longest common subsequence, by its definition.
    private static func longest(_ left: ArraySlice<Int>, _ right: ArraySlice<Int>) -> Int {
        var row = [Int](repeating: 0, count: right.count + 1)
        for element in left {
            var diagonal = 0
            for (column, other) in right.enumerated() {
                let above = row[column + 1]
                row[column + 1] = element == other ? diagonal + 1 : max(above, row[column])
                diagonal = above
            }
        }
        return row[right.count]
    }

    @Test("Applying the changed lines to one text produces the other")
    func appliesLines() {
        var random = SplitMix64(seed: 8)
        for _ in 0..<300 {
            func text() -> [String] {
                (0..<Int.random(in: 0...30, using: &random)).map { _ in
                    "\(Int.random(in: 0...20, using: &random))"
                }
            }
            var left = text()
            let right = Bool.random(using: &random) ? text() : left.filter { $0 != "7" } + ["end"]
            let expected = right
            var shift = 0
            var position = 0
            for line in ChangedLine.between(left.map { $0 + "\n" }.joined(), right.map { $0 + "\n" }.joined()) {
                switch line {
                case .hunk(let range, let other):
                    position = range.lowerBound + shift
                    #expect(position == other.lowerBound)
                case .same(let line):
                    #expect(left[position] == line)
                    position += 1
                case .removed(let line):
                    #expect(left.remove(at: position) == line)
                    shift -= 1
                case .added(let line):
                    left.insert(line, at: position)
                    position += 1
                    shift += 1
                }
            }
            #expect(left == expected)
        }
        #expect(ChangedLine.between("a", "a\n").isEmpty)
        #expect(
            ChangedLine.between("", "a").map(\.text) == ["@@ -0,0 +1 @@", "+a"]
        )
    }
}
