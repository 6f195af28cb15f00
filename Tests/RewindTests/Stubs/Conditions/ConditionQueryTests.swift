import Rewind
import Testing

struct ConditionQueryTests {
    @Test(
        "A query condition requires its items in any order, among others",
        arguments: [
            ("https://h", false), ("https://h?q=test", false), ("https://h?lang=en", false),
            ("https://h?q=test&lang=en&empty=&flag", true), ("https://h?lang=en&flag&empty=&q=test", true),
            ("https://h?q=test&lang=en&empty=&flag#anchor", true),
            ("https://h#q=test&lang=en&empty=&flag", false),
            ("https://h;q=test&lang=en&empty=&flag", false), ("https://h?q=test&lang=en&empty&flag", false),
            ("https://h?q=test&lang=en&empty=&flag=", false), ("https://h?q=en&lang=test&empty=&flag", false),
            ("https://h?q=test&lang=en&empty=&flag&&x=y", true),
            ("https://h?x=y&empty=&lang=en&flag&&q=test", true),
            ("https://h?q=other&q=test&lang=en&empty=&flag", true),
            ("https://h?Q=test&lang=en&empty=&flag", false),
            ("?q=test&lang=en&empty=&flag", true), ("https://h?%71=%74est&lang=en&empty=&flag", true),
        ]
    )
    func all(_ url: String, _ holds: Bool) {
        #expect(
            RequestCondition.query(["q": "test", "lang": "en", "empty": "", "flag": nil]).holds(forURL: url)
                == holds
        )
    }

    @Test(
        "An item without a value differs from one with an empty value",
        arguments: [
            (nil, "?q", true), (nil, "?q=", false), (nil, "?q=1", false), ("", "?q=", true), ("", "?q", false),
            ("", "?q=1", false), (nil, "?q=&q", true), ("", "?q&q=", true), (nil, "", false), (nil, "?", false),
            (nil, "?qq", false), ("1", "?q=1=", false), ("1=", "?q=1=", true),
        ] as [(String?, String, Bool)]
    )
    func values(_ value: String?, _ query: String, _ holds: Bool) {
        #expect(RequestCondition.query(["q": value]).holds(forURL: "https://h/" + query) == holds)
    }

    @Test(
        "Query items are compared decoded, with `+` as plus or space",
        arguments: [
            ("a b", "a%20b", true), ("a b", "a+b", true), ("a+b", "a+b", true), ("a+b", "a%2Bb", true),
            ("a b", "a%2Bb", false), ("a&b=c", "a%26b%3dc", true), ("é", "%C3%A9", true), ("é", "é", true),
            ("e\u{301}", "%C3%A9", false), ("*", "*", true), ("*", "%2a", true), ("*", "x", false),
            ("%41", "A", false),
            ("%41", "%2541", true), ("100%", "100%25", true), ("100%", "100%", true),
            ("\u{FFFD}", "%FF", false),
            ("%FF", "%ff", true), ("[1]", "[1]", true), ("😀", "%F0%9F%98%80", true), ("a\nb", "a%0Ab", true),
        ]
    )
    func encoding(_ text: String, _ spelled: String, _ holds: Bool) {
        #expect(RequestCondition.query(["k": text]).holds(forURL: "https://h/?x&k=\(spelled)") == holds)
        #expect(RequestCondition.query([text: nil]).holds(forURL: "https://h/?x&\(spelled)") == holds)
    }

    @Test("Two items of one name must both exist, and an empty query condition matches everything")
    func many() {
        let both = RequestCondition.query(["id": "1", "id": "2"])
        #expect(both.holds(forURL: "https://h/?id=2&id=3&id=1"))
        #expect(!both.holds(forURL: "https://h/?id=1&id=1"))
        #expect(RequestCondition.query([:]).holds(forURL: "https://h/"))
        #expect(RequestCondition.query([:]).holds(forURL: "https://h/?a"))
        #expect(RequestCondition.query(["": "1"]).holds(forURL: "https://h/?=1"))
    }
}
