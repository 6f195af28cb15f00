import Rewind
import Testing

struct SetCookieTests {
    @Test(
        "A cookie with commas is not split",
        arguments: [
            "", "a", "a=", "a=1", "a=1; Path=/; HttpOnly", "a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
            "a=1; expires=Thursday, 01-Jan-70 00:00:00 GMT; path=/", "a=1,2,3", "a=1, 2", "a=x,", "a=,", ",",
            #"prefs={"dark":true,"size":2}; Path=/"#, #"a="x, y""#, "a=1,;b=2", "a=Wed, 09 Jun; b=2", "a=1,=2",
        ]
    )
    func single(_ cookie: String) {
        #expect(SetCookie.split(cookie) == [cookie])
    }

    @Test(
        "A comma before a name and an equals sign starts a new cookie",
        arguments: [
            ("a=1,b=2", ["a=1", "b=2"]), ("a=1, b=2", ["a=1", "b=2"]), ("a=1 ,\t b=2 ", ["a=1", "b=2"]),
            ("a=1, b=", ["a=1", "b="]), ("a=1, b=2, c=3", ["a=1", "b=2", "c=3"]),
            ("a=1; Path=/, b=2; Secure", ["a=1; Path=/", "b=2; Secure"]),
            ("a=1,2, b=3", ["a=1,2", "b=3"]), ("a=1,, b=2", ["a=1,", "b=2"]), ("a=1, a=1", ["a=1", "a=1"]),
            (#"a={"x":1,"y":2}, b=3"#, [#"a={"x":1,"y":2}"#, "b=3"]),
            ("a=1, __Host-b=2", ["a=1", "__Host-b=2"]),
            (
                "a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT, b=2; Expires=Fri, 02-Jan-70 00:00:00 GMT, c=3",
                [
                    "a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "b=2; Expires=Fri, 02-Jan-70 00:00:00 GMT",
                    "c=3",
                ]
            ),
        ] as [(String, [String])]
    )
    func several(_ joined: String, _ cookies: [String]) {
        #expect(SetCookie.split(joined) == cookies)
    }

    @Test("Joined cookies are split into the same cookies")
    func rejoined() {
        let headers: HeaderList = [
            "Set-Cookie": "id=7; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/", "Date": "Thu, 01 Jan 1970",
            "set-cookie": "theme=dark", "Set-cookie": "n=1,2; Domain=example.com",
        ]
        let joined = headers.joined["Set-Cookie"] ?? ""
        #expect(SetCookie.split(joined) == headers.values(for: "Set-Cookie"))
    }

    @Test(
        "Cookies that crash Foundation are detected",
        arguments: [
            ("a=b", true), ("", true), ("=", true), ("a", true), ("é=1", true), ("a=😀", true),
            ("a=b; Expires=Thu, 01 Jan 2026 00:00:00 GMT; Path=/", true), ("😀", true), ("😀=", false),
            ("ab😀=1", false), ("a\r\n=", false), ("a=1, 😀=", false), ("🇩🇪=1", false), ("a=b; 😀=c", false),
        ]
    )
    func isReadable(_ cookie: String, _ isReadable: Bool) {
        #expect(SetCookie.isReadable(cookie) == isReadable)
    }

    @Test("Random dates in cookies are not split", arguments: 0..<50)
    func dates(_ number: Int) {
        let days = ["Mon", "Tuesday", "Wed", "Thu", "Friday", "Sat", "Sun"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let mark = number % 2 == 0 ? " " : "-"
        let date = [String(number % 28 + 1), months[number % 12], String(1970 + number)]
            .joined(separator: mark)
        let cookies = (0..<number % 4 + 1).map { index in
            "c\(index)=\(number); Expires=\(days[(number + index) % 7]), \(date) 10:00:00 GMT; Secure"
        }
        #expect(SetCookie.split(cookies.joined(separator: ", ")) == cookies)
    }
}
