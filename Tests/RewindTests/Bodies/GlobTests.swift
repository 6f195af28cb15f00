import RewindTestSupport
import Rewind
import Testing

struct GlobTests {
    @Test(
        "A star matches any run of characters",
        arguments: [
            ("", ""), ("*", ""), ("*", "anything"), ("**", ""), ("a", "a"), ("a*", "a"), ("a*", "abc"),
            ("*c", "abc"),
            ("a*c", "ac"), ("a*c", "abcbc"), ("*b*", "abc"), ("a*b*c", "a-b-b-c"), ("x-*-id", "x-request-id"),
            ("*token*", "access_token"), ("a.c", "a.c"), ("[a]", "[a]"), ("a?", "a?"), ("*é", "café"),
            ("*ab", "aab"), ("a*ab", "aaab"), ("😀*", "😀😀"), ("*\n*", "a\nb"),
        ]
    )
    func matches(_ pattern: String, _ text: String) {
        #expect(Glob(pattern).matches(text))
    }

    @Test(
        "Other characters match only themselves, and the whole text has to match",
        arguments: [
            ("", "a"), ("a", ""), ("a", "ab"), ("a", "ba"), ("a*", "ba"), ("*a", "ab"), ("a*a", "a"),
            ("ab*ba", "aba"),
            ("a*b*c", "a-c-b"), ("a.c", "abc"), ("a?", "ab"), ("A", "a"), ("[a]", "a"), ("*x*", "abc"),
            ("a*b*b", "ab"), ("é", "e\u{301}"),
        ]
    )
    func refuses(_ pattern: String, _ text: String) {
        #expect(!Glob(pattern).matches(text))
    }

    @Test(
        "Letter case can be ignored",
        arguments: [
            ("x-api-*", "X-API-Key"), ("AUTHORIZATION", "authorization"), ("É*", "école"), ("*İ", "aİ"),
        ]
    )
    func ignoringCase(_ pattern: String, _ text: String) {
        #expect(Glob(pattern, ignoringCase: true).matches(text))
        #expect(!Glob(pattern).matches(text) || pattern == "*İ")
    }

    @Test("A pattern with many near matches is rejected quickly")
    func noBacktracking() {
        let text = String(repeating: "a", count: 5000)
        let glob = Glob(String(repeating: "a*", count: 200) + "b")
        #expect(!glob.matches(text))
    }

    @Test("Captures are as short as possible from left to right")
    func captures() {
        #expect(Glob("*-*").captures(in: "a-b-c") == ["a", "b-c"])
        #expect(Glob("a*", ignoringCase: true).captures(in: "ABC") == ["BC"])
        #expect(Glob("a").captures(in: "a") == [])
        #expect(Glob("a*").captures(in: "b") == nil)
    }

    @Test("Matching agrees with a simple reference implementation")
    func definition() {
        var generator = SplitMix64(seed: 2)
        for _ in 0..<3000 {
            let pattern = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                "ab*".randomElement(using: &generator)
            }
            let text = (0..<Int.random(in: 0...7, using: &generator)).map { _ in
                "ab".randomElement(using: &generator)
            }
            let (left, right) = (pattern.compactMap { $0 }, text.compactMap { $0 })
            #expect(Glob(String(left)).matches(String(right)) == Self.matches(left[...], right[...]))
        }
    }

    private static func matches(_ pattern: ArraySlice<Character>, _ text: ArraySlice<Character>) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        if first == "*" {
            return matches(pattern.dropFirst(), text) || !text.isEmpty && matches(pattern, text.dropFirst())
        }
        return text.first == first && matches(pattern.dropFirst(), text.dropFirst())
    }

    @Test("A name pattern can be a string literal, and its description is the pattern")
    func literal() {
        let glob: Glob = "X-*"
        #expect("\(glob)" == "X-*")
        #expect(glob == Glob("X-*"))
        #expect(glob != Glob("X-*", ignoringCase: true))
    }
}
