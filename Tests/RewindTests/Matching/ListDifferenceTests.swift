import RewindTestSupport
import Testing

@testable import Rewind

struct ListDifferenceTests {
    private func difference(_ left: String, _ right: String) -> ListDifference<Character> {
        ListDifference(of: Array(left), and: Array(right)) { $0 }
    }

    @Test(
        "Elements that only one list contains are found in order, and equal elements are counted",
        arguments: [
            ("", "", "", ""), ("abc", "cab", "", ""), ("abc", "", "abc", ""), ("", "ab", "", "ab"),
            ("aab", "ab", "a", ""), ("abca", "ax", "bca", "x"), ("ab", "bbcb", "a", "bcb"),
        ]
    )
    func lacking(_ left: String, _ right: String, _ surplus: String, _ missing: String) {
        let difference = difference(left, right)
        #expect(String(difference.left) == surplus)
        #expect(String(difference.right) == missing)
    }

    @Test("Elements with the same name are paired in order, and the others come last")
    func pairs() {
        let difference = ListDifference(of: ["a1", "b1", "a2", "c1"], and: ["x1", "a3", "b2", "a4", "a5"]) {
            $0
        }
        let pairs = difference.pairs { $0.prefix(1) }.map { "\($0 ?? "-") \($1 ?? "-")" }
        #expect(pairs == ["a1 a3", "b1 b2", "a2 a4", "c1 -", "- x1", "- a5"])
    }

    @Test("The list difference equals the result of a quadratic comparison")
    func bruteForce() {
        var random = SplitMix64(seed: 3)
        for _ in 0..<300 {
            let lists = (0..<2).map { _ in
                (0..<Int.random(in: 0..<9, using: &random)).map { _ in Int.random(in: 0..<4, using: &random) }
            }
            var rest = lists[1]
            let left = lists[0].filter { element in
                guard let place = rest.firstIndex(of: element) else { return true }
                rest.remove(at: place)
                return false
            }
            let difference = ListDifference(of: lists[0], and: lists[1]) { $0 }
            #expect(difference.left == left)
            #expect(difference.right.sorted() == rest.sorted())
        }
    }

    @Test("Very long lists are compared")
    func long() {
        let numbers = Array(0..<200_000)
        let difference = ListDifference(of: numbers, and: Array(numbers.reversed()) + [1, -1]) { $0 }
        #expect(difference.left.isEmpty)
        #expect(difference.right == [1, -1])
        #expect(difference.pairs { $0 % 2 }.count == 2)
    }
}
