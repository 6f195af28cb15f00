import Rewind
import Testing

struct ConditionPathTests {
    @Test(
        "A path condition ignores the query and the fragment",
        arguments: [
            ("/a/b", "https://h/a/b", true), ("/a/b", "https://h/a/b?q=1", true),
            ("/a/b", "https://h/a/b#c", true),
            ("a/b", "https://h/a/b", true), ("/a/b", "https://h/a", false), ("/a/b", "https://h/a/b/", false),
            ("/a/b", "https://h/a/b/c", false), ("/a/b", "https://h/x/a/b", false),
            ("/a/b", "https://a/b", false),
            ("/a/b", "https://h/x?/a/b", false), ("/a/b", "https://h/x#/a/b", false),
            ("/a/b", "https://h/x;/a/b", false),
            ("/a/b", "https://h/a/b;c", false), ("/A", "https://h/a", false), ("/", "https://h", true),
            ("", "https://h/", true), ("/", "custom:", true), ("/a", "custom:/a", true), ("/a", "", false),
            ("/café", "https://h/caf%c3%a9", true), ("/a b", "https://h/a%20b", true),
            ("/a%20b", "https://h/a b", true),
            ("/%7Eu", "https://h/~u", true), ("/a/b", "https://h/a%2Fb", false),
            ("/a%2fb", "https://h/a%2Fb", true),
            ("/*/b", "https://h/a/b", true), ("/**/b", "https://h/x/y/b", true), ("/**", "https://h", true),
            ("/a%2A", "https://h/ab", false), ("/e\u{301}", "https://h/\u{E9}", false),
        ]
    )
    func path(_ pattern: String, _ url: String, _ holds: Bool) {
        #expect(RequestCondition.path(pattern).holds(forURL: url) == holds)
    }

    @Test(
        "A path prefix may end within a segment, in any encoding",
        arguments: [
            ("/a/b", "https://h/a/b", true), ("/a/b", "https://h/a/bc?q#f", true),
            ("/a/b", "https://h/a", false),
            ("/a/b", "https://h/x/a/b", false), ("/a/b", "https://h/x?/a/b", false),
            ("a/", "https://h/a/b", true),
            ("", "https://h", true), ("/", "custom:", true), ("/é", "https://h/%C3%A9t%C3%A9", true),
            ("/a%2", "https://h/a%2Fb", false), ("/a%", "https://h/a%2Fb", false),
            ("/a%2f", "https://h/a%2Fb", true),
            ("/a/", "https://h/a%2Fb", false), ("/\u{C3}", "https://h/%C3%A9", false),
            ("/*", "https://h/a", false),
            ("/A", "https://h/a", false), ("/a", "https://h/%61bc", true), ("/100%", "https://h/100%zz", true),
        ]
    )
    func prefix(_ prefix: String, _ url: String, _ holds: Bool) {
        #expect(RequestCondition.path(prefix: prefix).holds(forURL: url) == holds)
    }

    @Test(
        "A path suffix may begin within a segment, in any encoding",
        arguments: [
            ("/b", "https://h/b", true), ("/b", "https://h/a/b?q=/c", true), ("b", "https://h/ab", true),
            ("/b", "https://h/a/b/", false), ("/b", "https://h/a/bc", false), ("/b", "https://h/a?/b", false),
            ("/b", "https://h/a#/b", false), ("/b", "https://h/a;/b", true), ("", "https://h/a", true),
            ("a/b/c", "https://h/c", false), ("é", "https://h/caf%c3%a9", true),
            ("2F", "https://h/a%2F", false),
            ("F", "https://h/a%2F", false), ("%2f", "https://h/a%2F", true), ("/", "https://h/a%2F", false),
            (".JSON", "https://h/a.json", false), ("/", "https://h", true), ("F", "https://h/%zF", true),
        ]
    )
    func suffix(_ suffix: String, _ url: String, _ holds: Bool) {
        #expect(RequestCondition.path(suffix: suffix).holds(forURL: url) == holds)
    }

    @Test(
        "A regular expression searches the decoded path and captures its groups",
        arguments: [
            ("/b/[0-9]+/c$", "https://h/a/b/12/c?q#f", []), ("/b/[0-9]+/c$", "https://h/a/b/12", nil),
            ("/b/[0-9]+/c$", "https://h/b/12/C", nil), ("(?i)/b/[0-9]+/c$", "https://h/B/12/C", []),
            ("^/b", "https://h/a/b", nil), ("b", "https://h/a/b", []), ("q", "https://h/a?q", nil),
            ("^/users/(\\d+)(/posts)?$", "https://h/users/42/posts", ["42", "/posts"]),
            ("^/users/(\\d+)(/posts)?$", "https://h/users/42", ["42", ""]),
            ("^/(.*)$", "https://h/a%20%F0%9F%98%80", ["a 😀"]),
            ("é", "https://h/caf%C3%A9", []), ("^/(.)$", "https://h/%F0%9F%98%80", ["😀"]),
            ("%FF", "https://h/%ff", []),
            ("^$", "custom:", []), ("^/a/b$", "https://h/a%2Fb", []),
        ] as [(String, String, [String]?)]
    )
    func matching(_ expression: String, _ url: String, _ captures: [String]?) {
        #expect(
            RequestCondition.path(matching: expression).captures(in: Interaction.Request(url: url)) == captures
        )
        #expect(RequestCondition.path(matching: expression).holds(forURL: url) == (captures != nil))
    }

    @Test(
        "A path extension follows a dot at the end of the last segment",
        arguments: [
            ("txt", "https://h/a/b.txt", true), ("txt", "https://h/a/b.txt?q=1#f", true),
            ("txt", "https://h/b.png", false),
            ("txt", "https://h/b.png?q=c.txt", false), ("txt", "https://h/b.png#c.txt", false),
            ("txt", "https://h/txt", false),
            ("txt", "txt://txt.txt/txt", false), ("txt", "txt:", false), ("txt", "https://h.txt", false),
            ("txt", "https://h/a.txt/b", false), ("txt", "https://h/a.txt/", false),
            ("txt", "https://h/.txt", false),
            ("txt", "https://h/a..txt", true), ("txt", "https://h/a.TXT", false),
            ("gz", "https://h/a.tar.gz", true),
            ("tar.gz", "https://h/a.tar.gz", true), ("tar", "https://h/a.tar.gz", false),
            ("é", "https://h/a.%C3%A9", true),
            ("txt", "https://h/a%2Etxt", true), ("txt", "https://h/a.mytxt", false),
            ("txt", "https://h/a.txt;v=1", false),
        ]
    )
    func pathExtension(_ name: String, _ url: String, _ holds: Bool) {
        #expect(RequestCondition.pathExtension(name).holds(forURL: url) == holds)
    }
}
