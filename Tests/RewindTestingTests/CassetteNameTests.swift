import Testing

@testable import RewindTesting

struct CassetteNameTests {
    @Test(
        "A part of a name is readable, and gets a suffix if it was changed",
        arguments: [
            ("timeline", "timeline"), ("fooBar", "fooBar"), ("Grüße", "Grüße"), ("a b", "a_b~"),
            ("a/b", "a_b~"),
            ("..", ".."), (":", "_~"), ("日本", "日本"), ("", ""),
        ]
    )
    func parts(value: String, expected: String) {
        let text = FileNamePart(value).text
        #expect(expected.hasSuffix("~") ? text.hasPrefix(expected) : text == expected)
        #expect(!text.contains("/"))
    }

    @Test("Different values have different names, also on case-insensitive file systems")
    func differ() {
        let values = [
            "a", "A", "a b", "a_b", "a/b", "a:b", "é", "e", "É", String(repeating: "x", count: 50),
            String(repeating: "x", count: 51),
        ]
        let names = Set(values.map { FileNamePart(argument: $0).text.lowercased() })
        #expect(names.count == values.count)
    }

    @Test("A name is the same in every run")
    func stable() {
        #expect(FileNamePart(argument: "Admin").text == "Admin~bc6a82ba")
    }

    @Test("The name of a function is separated from its labels, also if it contains parentheses")
    func functions() {
        for (function, base, labels) in [
            ("page()", "page", []), ("page(number:_:)", "page", ["number", "_"]),
            ("`it (only) works`()", "it (only) works", []), ("`page (big)`(of:)", "page (big)", ["of"]),
        ] as [(String, String, [String])] {
            #expect(CassetteName.parts(of: function).base == base)
            #expect(CassetteName.parts(of: function).labels == labels)
        }
    }

    @Test("A long name is cut and gets a suffix")
    func long() {
        let one = FileNamePart.shortened(String(repeating: "日", count: 100) + "1")
        let other = FileNamePart.shortened(String(repeating: "日", count: 100) + "2")
        #expect(one != other)
        #expect(one.utf8.count < 200)
    }

    @Test(arguments: [(1, "x"), (2, "y")]) func argumentsOfATestCase(number: Int, text: String) throws {
        let testCase = try #require(Test.Case.current)
        #expect(CaseArguments(testCase)?.values == ["\(number)", text])
    }
}

@Test("A test function outside of a suite has its cassettes in a folder named after its file")
func aFunctionOutsideOfSuites() throws {
    let name = try CassetteName(try #require(Test.current), nil, own: nil)
    #expect(name.test == "aFunctionOutsideOfSuites()")
    let location = try name.location(in: nil)
    #expect(location.source.deletingLastPathComponent().lastPathComponent == "CassetteNameTests")
    #expect(location.recorder?.module == "RewindTestingTests")
    #expect(name.file == "aFunctionOutsideOfSuites")
}
