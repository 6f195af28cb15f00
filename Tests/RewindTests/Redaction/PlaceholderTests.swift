import Rewind
import Testing

struct PlaceholderTests {
    @Test(
        "A placeholder has four spellings",
        arguments: [
            (Placeholder(name: "user"), ["<user>", "%3Cuser%3E", "%253Cuser%253E", "&lt;user&gt;"]),
            (
                Placeholder(name: "access_token", number: 12),
                [
                    "<access_token:12>", "%3Caccess_token%3A12%3E", "%253Caccess_token%253A12%253E",
                    "&lt;access_token:12&gt;",
                ]
            ),
        ]
    )
    func spellings(_ placeholder: Placeholder, _ texts: [String]) {
        #expect(Placeholder.Spelling.allCases.map(placeholder.text) == texts)
        #expect(placeholder.text == texts[0])
        #expect(Placeholder(placeholder.text) == placeholder)
    }

    @Test(
        "A name contains letters, digits and three marks; other characters become underscores",
        arguments: [
            ("X-Api.Key_2", "X-Api.Key_2"), ("a b", "a_b"), ("user[name]", "user_name_"), ("é<>:%", "_____"),
            ("a\r\nb", "a_b"), ("", "_"), ("👩‍👧", "_"),
        ]
    )
    func names(_ name: String, _ kept: String) {
        #expect(Placeholder(name: name).name == kept)
        #expect(Placeholder(Placeholder(name: name, number: 1).text)?.name == kept)
    }

    @Test("A placeholder number is never negative")
    func negative() {
        #expect(Placeholder(name: "a", number: -4).text == "<a:0>")
    }

    @Test(
        "Other text is not a placeholder",
        arguments: [
            "", "<", "<>", "user", "<user", "user>", "<user:>", "<:1>", "<user:1:2>", "<user:-1>", "<user:01>",
            "<user:+1>", "<user:99999999999999999999>", "<us er>", "<user >", " <user>", "<user>\n", "</user>",
            "<<user>>", "<é>", "%3Cuser%3E", "<user:x>", "<user: 1>",
        ]
    )
    func others(_ text: String) {
        #expect(Placeholder(text) == nil)
    }

    @Test("A substring is parsed like a string")
    func substring() {
        #expect(Placeholder("x<a:7>y".dropFirst().dropLast()) == Placeholder(name: "a", number: 7))
    }

    @Test("A placeholder without its number matches all secrets of its name")
    func withoutNumber() {
        #expect(Placeholder(name: "a", number: 7).withoutNumber == Placeholder(name: "a"))
    }
}
