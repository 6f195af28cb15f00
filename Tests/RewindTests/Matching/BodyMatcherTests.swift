import Foundation
import Rewind
import Testing

struct BodyMatcherTests {
    @Test("Without a boundary in the media type, the first line of the body gives it")
    func findsBoundary() {
        func request(_ boundary: String, _ text: String) -> Interaction.Request {
            let part = "Content-Disposition: form-data; name=\"a\"\r\n\r\n\(text)"
            return Interaction.Request(
                method: "POST",
                url: "https://h/",
                headers: ["Content-Type": "multipart/form-data"],
                body: Interaction.Body("--\(boundary)\r\n\(part)\r\n--\(boundary)--\r\n")
            )
        }
        #expect(RequestMatcher.body.matches(request("one", "1"), request("other", "1")))
        #expect(!RequestMatcher.body.matches(request("one", "1"), request("other", "2")))
    }

    @Test(
        "JSON is compared by structure",
        arguments: [
            (#"{"a":1,"b":2}"#, " {\n\t\"b\" : 2 , \"a\" : 1 }\r\n", true),
            ("1", "1.0", true), ("[1e0]", "[10E-1]", true), ("0", "-0.0e9", true), ("[100]", "[1E+2]", true),
            ("1", "1.0000000000000000000001", false), ("1", #""1""#, false), ("0", "false", false),
            ("[9007199254740992]", "[9007199254740993]", false),
            ("[12345678901234567890123456789]", "[12345678901234567890123456788]", false),
            ("1e400", "1e401", false), ("1e400", "10e399", true),
            (#"{"a":null}"#, "{}", false), ("null", "{}", false), ("[]", "{}", false), ("[]", "[[]]", false),
            ("[1,2]", "[2,1]", false), ("[1,1]", "[1]", false),
            (#"{"a":"é/"}"#, #"{"a":"\u00e9\/"}"#, true), (#"["é"]"#, "[\"e\u{301}\"]", false),
            (#"{"é":1}"#, "{\"e\u{301}\":1}", false), (#"{"a":1}"#, #"{"A":1}"#, false),
            (#"["\ud83d\ude00"]"#, #"["😀"]"#, true), (#"[""]"#, "[null]", false),
            (#"{"a":{"b":[{"c":1,"d":2}]}}"#, #"{"a":{"b":[{"d":2,"c":1}]}}"#, true),
            ("\u{FEFF}{}", "{}", true),
        ]
    )
    func json(_ left: String, _ right: String, _ expected: Bool) {
        for type in [
            Types.json, "application/json; charset=utf-8", "APPLICATION/JSON", "text/json",
            "application/problem+json", "application/vnd.api+json; ext=x",
        ] {
            #expect(isMatch(.post(left, type), .post(right, type), [.body]) == expected, "\(type)")
        }
        #expect(isMatch(.post(left), .post(right, "text/plain"), [.json]) == expected)
        #expect(!isMatch(.post(left), .post(right), [.bodyBytes]))
    }

    @Test(
        "`unorderedArrays` ignores the order of array elements at any depth",
        arguments: [
            ("[1,2,2.0]", "[2e0,1,2]", true), ("[1,2,2]", "[1,1,2]", false), ("[1]", "[1,1]", false),
            (#"{"a":[[1,2],[3]]}"#, #"{"a":[[3],[2,1]]}"#, true), ("[[1,2],[3]]", "[[1,3],[2]]", false),
            (#"[{"b":1,"a":[1,2]},0]"#, #"[0,{"a":[2,1],"b":1}]"#, true),
        ]
    )
    func unorderedArrays(_ left: String, _ right: String, _ expected: Bool) {
        #expect(isMatch(.post(left), .post(right), [.json(unorderedArrays: true)]) == expected)
        #expect(!isMatch(.post(left), .post(right), [.json]))
    }

    @Test(
        "Invalid or ambiguous JSON is compared byte for byte, and the difference says why",
        arguments: [
            (#"{"a":1,"a":2}"#, #"{"a":1, "a":2}"#, "has duplicate keys"),
            (#"[{"b":{"a":1,"\u0061":2}}]"#, "[]", "has duplicate keys"),
            ("{}", "{", "is not valid JSON"), ("{", "{ ", "is not valid JSON"),
            ("[1,]", "[1]", "is not valid JSON"), ("{'a':1}", #"{"a":1}"#, "is not valid JSON"),
            ("NaN", "1", "is not valid JSON"),
        ]
    )
    func brokenJSON(_ left: String, _ right: String, _ reason: String) throws {
        for matcher in [RequestMatcher.body, .json] {
            #expect(isMatch(.post(left, Types.json), .post(left, Types.json), [matcher]))
            #expect(!isMatch(.post(left, Types.json), .post(right, Types.json), [matcher]))
            let differences = matcher.differences(.post(left, Types.json), from: .post(right, Types.json))
            #expect(differences.map(\.remark) == ["compared byte for byte, as the body \(reason)"])
            #expect(differences.map(\.part) == ["body"])
            #expect(differences.map(\.suggestion) == [nil])
        }
    }

    @Test(
        "A body without a media type, or with the default one of URLSession, is recognized by its bytes",
        arguments: [
            (#"{"a":1,"b":[1]}"#, #"{ "b": [1.0], "a": 1 }"#, true), ("[1,2]", "[1, 2]", true),
            ("[1,2]", "[2,1]", false), ("[]", " []", true), ("{}", "\n{ }\n", true),
            ("{a}", "{a} ", false), ("1", "1.0", false), ("a\nb", "b\na", false),
        ]
    )
    func plain(_ left: String, _ right: String, _ expected: Bool) {
        for type in [nil, Types.form, "", "json"] {
            #expect(isMatch(.post(left, type), .post(right, type), [.body]) == expected, "\(type ?? "none")")
        }
        #expect(isMatch(.post(left), .post(right, Types.form), [.body]) == expected)
    }

    @Test(
        "Forms are compared by their fields",
        arguments: [
            ("a=1&b=2", "b=2&a=1", true), ("q=a+b", "q=a%20b", true), ("q=a+b", "q=a%2Bb", false),
            ("%61=%31", "a=1", true), ("q=%c3%bc", "q=%C3%BC", true), ("q=ü", "q=%C3%BC", true),
            ("a=1&a=2", "a=2&a=1", true), ("a=1&a=1", "a=1", false), ("a&b", "b&a", true),
            ("a", "a=", false), ("a=1&&b=2&", "a=1&b=2", true), ("a=", "a=%20", false),
            ("a=1=2", "a=1%3D2", true), ("a=1%26b=2", "a=1&b=2", false), ("A=1", "a=1", false),
            ("q=%C3%A9", "q=e%CC%81", false), ("q=%zz", "q=%zz&q", false),
            ("a[]=1&a[]=2", "a%5B%5D=2&a%5B%5D=1", true),
            ("[a]=1&b", "b&[a]=1", true), ("-a=1&b", "b&-a=1", true),
        ]
    )
    func forms(_ left: String, _ right: String, _ expected: Bool) {
        for type in [Types.form, "Application/X-WWW-Form-Urlencoded; charset=utf-8"] {
            #expect(isMatch(.post(left, type), .post(right, type), [.body]) == expected)
        }
        #expect(isMatch(.post(left), .post(right, "text/plain"), [.form]) == expected)
        #expect(!isMatch(.post(left, "text/plain"), .post(right, "text/plain"), [.body]))
    }

    @Test(
        "Bodies with other media types are compared byte for byte",
        arguments: [
            BodyPair("text/plain", "a b", "a b", true), BodyPair("text/plain", "a b", "a  b", false),
            BodyPair("text/plain", "{\"a\":1}", "{ \"a\":1}", false),
            BodyPair("text/plain", "a\n", "a\r\n", false),
            BodyPair("text/plain", "e\u{301}", "\u{E9}", false),
            BodyPair("application/xml", "<a b='1' c='2'/>", "<a c='2' b='1'/>", false),
            BodyPair("application/octet-stream", "a=1&b=2", "b=2&a=1", false),
            BodyPair("application/json-seq", "{}", "{ }", false),
            BodyPair("text/plain", nil, "", true), BodyPair(nil, nil, "", true),
            BodyPair(Types.json, nil, "", true), BodyPair(Types.json, "", "{}", false),
            BodyPair(Types.json, "", "null", false), BodyPair(Types.form, nil, "", true),
            BodyPair(Types.form, "", "a", false), BodyPair("multipart/form-data; boundary=x", nil, "", true),
            BodyPair("text/plain", nil, "\0", false),
            BodyPair(.post("a", "text/plain"), .post("a", "text/html"), true),
            BodyPair(.post("{}", Types.json), .post("{ }", "text/plain"), false),
            BodyPair(.post("a=1&b=2", Types.form), .post("b=2&a=1"), false),
            BodyPair(.post("{}", Types.json), .post("{}", "text/plain"), true),
            BodyPair(.post("a=1", Types.form), .post("a=1"), true),
            BodyPair(.post("{", Types.json), .post("{", Types.form), true),
            BodyPair(.post(#"{"a":1}"#, Types.json), .post(#"{"a": 1}"#), true),
        ]
    )
    func bytes(_ pair: BodyPair) {
        #expect(isMatch(pair.left, pair.right, [.body]) == pair.isEqual)
        #expect(isMatch(pair.left, pair.right, .default) == pair.isEqual)
    }

    @Test(
        "`bodyBytes` ignores the media type, and an empty body equals no body",
        arguments: [
            (nil, nil, true), (nil, [], true), ([], [], true), ([1, 2], [1, 2], true),
            (nil, [0], false), ([], [0], false), ([1, 2], [2, 1], false), ([1], [1, 0], false),
            (Array(repeating: 7, count: 200), Array(repeating: 7, count: 199) + [8], false),
        ] as [([UInt8]?, [UInt8]?, Bool)]
    )
    func bodyBytes(_ left: [UInt8]?, _ right: [UInt8]?, _ expected: Bool) {
        func request(_ bytes: [UInt8]?, _ type: String) -> Interaction.Request {
            var request = Interaction.Request.post(nil, type)
            // A slice has indices that do not begin at zero.
            request.body = bytes.map { Interaction.Body(Data([0] + $0).dropFirst()) }
            return request
        }
        #expect(isMatch(request(left, "a/b"), request(right, "c/d"), [.bodyBytes]) == expected)
        #expect(isMatch(request(left, Types.json), request(right, Types.form), [.bodyBytes]) == expected)
        #expect(isMatch(request(left, "a/b"), request(right, "c/d"), .default) == expected)
    }

    @Test("The chunks of a body are not compared")
    func chunks() {
        let pieces = Interaction.Body(
            Data("abcd".utf8),
            chunks: [.init(offset: 0, count: 2), .init(offset: 5, count: 2)]
        )
        let one = Interaction.Request(method: "POST", url: "https://h/", body: pieces)
        #expect(
            isMatch(
                one,
                Interaction.Request(method: "POST", url: "https://h/", body: Interaction.Body("abcd")),
                .default
            )
        )
    }

    @Test(
        "A difference between two kinds of bodies names both kinds",
        arguments: [
            ("{}", Types.json, "a", "text/plain", "recorded as bytes, requested as JSON"),
            ("a=1", Types.form, "{}", Types.json, "recorded as JSON, requested as a form"),
            ("a", "text/plain", nil, "text/plain", "recorded as nothing, requested as bytes"),
            ("a\nb\nc", "text/plain", "a\nb\nd", "text/plain", "from line 3"),
            ("a", "text/plain", "b", "text/plain", nil),
        ] as [(String?, String, String?, String, String?)]
    )
    func kinds(_ requested: String?, _ type: String, _ recorded: String?, _ other: String, _ remark: String?) {
        let differences = RequestMatcher.body.differences(.post(requested, type), from: .post(recorded, other))
        #expect(differences.map(\.remark) == [remark])
    }

    @Test("The JSON and form matchers ignore parts with any media type")
    func ignoring() {
        for type in [nil, Types.json, Types.form, "text/plain", "application/octet-stream"] {
            let (one, other) = (#"{"a":1,"t":1}"#, #"{ "t":2, "a":1}"#)
            #expect(
                isMatch(.post(one, type), .post(other, type), [.json.ignoring(.jsonPaths("$.t"))]),
                "\(type ?? "none")"
            )
            #expect(!isMatch(.post(one, type), .post(other, type), [.json.ignoring(.jsonPaths("$.a"))]))
            #expect(isMatch(.post("a=1&t=1", type), .post("t=2&a=1", type), [.form.ignoring(.formFields("t"))]))
            #expect(
                !isMatch(.post("a=1&t=1", type), .post("t=2&a=1", type), [.form.ignoring(.formFields("a"))])
            )
        }
        let unordered = RequestMatcher.json(unorderedArrays: true).ignoring(.jsonPaths("$..t", "$.u"))
        #expect(isMatch(.post(#"{"a":[{"t":1},2],"u":1}"#), .post(#"{"a":[2,{}]}"#), [unordered]))
        #expect(isMatch(.post("t=1"), .post(""), [.form.ignoring(.formFields("t"))]))
    }

    @Test(
        "The form matcher compares a body that is not a form byte for byte",
        arguments: [("{}", "{}", true), ("{}", "{ }", false), ("a b", "a+b", false), ("<a>", "<a> ", false)]
    )
    func noForm(_ left: String, _ right: String, _ expected: Bool) {
        #expect(isMatch(.post(left), .post(right), [.form]) == expected)
        guard !expected else { return }
        let remarks = RequestMatcher.form.differences(.post(left), from: .post(right)).map(\.remark)
        #expect(remarks == ["compared byte for byte, as the body is not a valid form"])
    }
}
