import Rewind
import Testing

struct MediaTypeTests {
    @Test(
        "The type and subtype are in lower case",
        arguments: [
            ("application/json", "application/json"), ("Text/HTML", "text/html"),
            (" text/plain ", "text/plain"),
            ("text/plain;", "text/plain"), ("text/plain ; charset=utf-8", "text/plain"),
            ("application/vnd.api+json; v=1", "application/vnd.api+json"), ("*/*", "*/*"),
            ("\ttext/css\t;x", "text/css"),
        ]
    )
    func essence(_ value: String, _ essence: String) {
        #expect(MediaType(value)?.essence == essence)
    }

    @Test(
        "Text without a type is not a media type",
        arguments: [nil, "", " ", ";", "json", "charset=utf-8", "; charset=utf-8"]
    )
    func none(_ value: String?) {
        #expect(MediaType(value) == nil)
    }

    @Test(
        "Parameter names are in lower case, values without quotes",
        arguments: [
            ("", [:]), (";charset=UTF-8", ["charset": "UTF-8"]), ("; Charset = utf-8", ["charset": "utf-8"]),
            (#"; charset="utf-8""#, ["charset": "utf-8"]), ("; a=1; b=2", ["a": "1", "b": "2"]),
            ("; boundary=a=b==", ["boundary": "a=b=="]), (#"; boundary="--=_x y""#, ["boundary": "--=_x y"]),
            ("; flag; a=1", ["a": "1"]), (";;; a=1 ;", ["a": "1"]), ("; a=1; A=2", ["a": "1"]),
            (#"; a="""#, ["a": ""]),
            (#"; a=""#, ["a": "\""]), (#"; a="x"#, ["a": "\"x"]),
        ] as [(String, [String: String])]
    )
    func parameters(_ suffix: String, _ parameters: [String: String]) {
        #expect(MediaType("multipart/mixed" + suffix)?.parameters == parameters)
    }

    @Test("A semicolon in quotes is part of the value")
    func quotedSemicolon() {
        let type = MediaType(#"text/plain; title="a; b=c"; charset=utf-8"#)
        #expect(type?.parameters == ["title": "a; b=c", "charset": "utf-8"])
    }

    @Test("An escaped quote in quotes is part of the value")
    func quotedPair() {
        #expect(MediaType(#"text/plain; title="a\"b\\c""#)?.parameters == ["title": #"a"b\c"#])
    }

    @Test("Equivalent spellings are equal, and different parameters are not")
    func equality() {
        #expect(MediaType("Text/Plain;Charset=\"x\"") == MediaType("text/plain; charset=x"))
        #expect(MediaType("text/plain; charset=x") != MediaType("text/plain"))
        #expect(MediaType("text/plain; charset=x") != MediaType("text/plain; charset=X"))
    }

    @Test(
        "Only spaces and tabs are trimmed at both ends",
        arguments: [
            ("", ""), (" \t ", ""), ("a", "a"), (" a b\t", "a b"), ("\na\n", "\na\n"), ("\u{A0}a", "\u{A0}a"),
        ]
    )
    func trimmingSpaces(_ text: String, _ trimmed: String) {
        #expect(text.trimmingSpaces() == trimmed)
    }
}
