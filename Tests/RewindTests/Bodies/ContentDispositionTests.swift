import Rewind
import Testing

struct ContentDispositionTests {
    @Test(
        "Parameters are read with and without quotes",
        arguments: [
            (#"form-data; name="a""#, "a", nil), ("form-data; name=a", "a", nil),
            ("FORM-DATA;NAME=a;FileName=b", "a", "b"),
            (#"form-data; name="a;b"; filename="c=d""#, "a;b", "c=d"),
            (#"form-data; name="a\"b\\c""#, #"a"b\c"#, nil),
            (#"form-data; name="f"; filename="C:\new\a.txt""#, "f", #"C:\new\a.txt"#), ("form-data", nil, nil),
            ("", nil, nil),
            (#"form-data; name="""#, "", nil), (#"form-data; name="a"#, "\"a", nil),
            ("form-data; name", nil, nil),
            ("form-data; name=a; NAME=b", "a", nil), (#"form-data; name="é""#, "é", nil),
            ("; name=a", "a", nil),
            ("form-data; name=\"\u{301}\"", "\u{301}", nil), (#"form-data; name="a%22b""#, "a%22b", nil),
            (#"form-data; name="items[0][id]"; filename="""#, "items[0][id]", ""),
            (#"form-data; name="\"#, #""\"#, nil),
        ] as [(String, String?, String?)]
    )
    func names(_ value: String, _ name: String?, _ fileName: String?) {
        #expect(ContentDisposition(value).name == name)
        #expect(ContentDisposition(value).fileName == fileName)
    }

    @Test(
        "A valid UTF-8 file name takes precedence over the plain one",
        arguments: [
            ("a; filename=x; filename*=UTF-8''%e2%82%ac%20rates", "€ rates"),
            ("a; filename*=utf-8'en'a.txt; filename=x", "a.txt"),
            ("a; filename=x; filename*=UTF-8''%E9", "x"), ("a; filename=x; filename*=ISO-8859-1''%E9", "x"),
            ("a; filename=x; filename*=UTF-8''%", "x"), ("a; filename=x; filename*=a", "x"),
            ("a; filename*=UTF-8''a'b+c", "a'b+c"),
        ]
    )
    func extendedName(_ value: String, _ fileName: String) {
        #expect(ContentDisposition(value).fileName == fileName)
    }

    @Test("The disposition is read in lower case")
    func kind() {
        #expect(ContentDisposition(" Form-Data ; name=a").kind == "form-data")
        #expect(ContentDisposition("attachment").kind == "attachment")
    }
}
