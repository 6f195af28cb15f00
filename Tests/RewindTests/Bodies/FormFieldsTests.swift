import Foundation
import RewindTestSupport
import Rewind
import Testing

struct FormFieldsTests {
    @Test(
        "Names and values of form fields are decoded",
        arguments: [
            ("a=1", "a", "1"), ("a", "a", nil), ("a=", "a", ""), ("=", "", ""), ("=b", "", "b"),
            ("a=b=c", "a", "b=c"), ("a+b=c+d", "a b", "c d"), ("a%20b=c%20d", "a b", "c d"),
            ("q=1%2B1", "q", "1+1"), ("q=1+1", "q", "1 1"), ("%C3%A9=%e2%82%ac", "é", "€"), ("é=€", "é", "€"),
            ("a%3Db=%26", "a=b", "&"), ("x=%00", "x", "\0"), ("x=%F0%9F%98%80", "x", "😀"),
        ] as [(String, String, String?)]
    )
    func decoding(_ text: String, _ name: String, _ value: String?) throws {
        let field = try #require(FormFields(spelled: text).fields.first)
        #expect(field.name == name)
        #expect(field.value == value)
    }

    @Test(
        "Text that cannot be decoded stays unchanged",
        arguments: ["%", "%4", "%zz", "100%", "a+%", "%E9", "%C3%28", "%ED%A0%80", "%F5%80%80%80", "+%C0%80"]
    )
    func malformed(_ text: String) throws {
        let field = try #require(FormFields(spelled: text + "=" + text).fields.first)
        #expect(field.name == text)
        #expect(field.value == text)
    }

    @Test(
        "The text of a form is the text that was read",
        arguments: [
            "", "&", "&&", "a", "a=", "=", "a&&b", "&a=1&", "a=1&a=1", "a=b=c", "%zz=%",
            "a+b=%20&é=\u{65}\u{301}",
            "\r\n=\r\n&\r\n", "a&\u{301}b", "a=\u{301}",
        ]
    )
    func roundTrip(_ text: String) {
        let form = FormFields(spelled: text)
        #expect(Array(form.text.utf8) == Array(text.utf8))
        #expect(form.fields.count == (text.isEmpty ? 0 : text.utf8.count { $0 == UInt8(ascii: "&") } + 1))
    }

    @Test("Replacing one value preserves every other byte")
    func replacement() {
        var form = FormFields(spelled: "grant_type=password&&password=s%65cret+1&scope=a%20b")
        for index in form.fields.indices where form.fields[index].name == "password" {
            form.fields[index].spelledValue = "REDACTED"
        }
        #expect(form.text == "grant_type=password&&password=REDACTED&scope=a%20b")
    }

    @Test(
        "A body that no encoder could have written is not a form",
        arguments: [
            #"{"a":1}"#, "<a/>", "a b", "a\tb", "a=1\n", "a=\"", "a}", "a>b", "\0", "a\u{7F}", "hello world",
            "mutation { a }",
        ]
    )
    func notAForm(_ text: String) {
        #expect(FormFields(Data(text.utf8)) == nil)
    }

    @Test(
        "A body that is not UTF-8 is not a form",
        arguments: [[0xFF], [0x61, 0x3D, 0xE9], [0xC3]] as [[UInt8]]
    )
    func notUTF8(_ bytes: [UInt8]) {
        #expect(FormFields(Data(bytes)) == nil)
    }

    @Test("Forms of real clients are read, also from data slices")
    func realForms() throws {
        let text = "grant_type=client_credentials&client_id=a%2Fb&scope=read+write&items%5B%5D=1&items%5B%5D=2"
        let form = try #require(FormFields(Data("skip".utf8 + Array(text.utf8)).dropFirst(4)))
        #expect(form.fields.map(\.name) == ["grant_type", "client_id", "scope", "items[]", "items[]"])
        #expect(form.fields.map(\.value) == ["client_credentials", "a/b", "read write", "1", "2"])
        #expect(FormFields(Data())?.fields.isEmpty == true)
    }

    @Test("Fields that URLComponents encoded are decoded to the same values")
    func components() throws {
        var components = URLComponents()
        components.queryItems = [
            URLQueryItem(name: "naïve name", value: "a&b=c#d%"), URLQueryItem(name: "plain", value: nil),
        ]
        let form = FormFields(spelled: try #require(components.percentEncodedQuery))
        #expect(form.fields.map(\.name) == ["naïve name", "plain"])
        #expect(form.fields.map(\.value) == ["a&b=c#d%", nil])
    }

    @Test(
        "Forms with the same fields are equal",
        arguments: [
            ("", ""), ("", "&&"), ("a=1&b=2", "b=2&a=1"), ("a=1&a=2", "a=2&a=1"), ("a=x+y", "a=x%20y"),
            ("a=%e2%82%ac", "a=%E2%82%AC"), ("a&&b", "b&a&"), ("%61=%62", "a=b"), ("a=~", "a=%7E"),
            ("a=%zz", "a=%25zz"),
        ]
    )
    func equal(_ left: String, _ right: String) {
        #expect(FormFields(spelled: left).canonicalText() == FormFields(spelled: right).canonicalText())
    }

    @Test(
        "Forms with different fields differ",
        arguments: [
            ("a", "a="), ("", "="), ("a=1", "a=1&a=1"), ("a=1", "A=1"), ("a=+", "a=%2B"),
            ("a=1&b=2", "a=2&b=1"),
            ("a=b&c", "a=b%26c"), ("a=b=c", "a%3Db=c"), ("é=1", "e\u{301}=1"), ("a=é", "a=e\u{301}"),
            ("a-=1&a=2", "a=1&a-=2"), ("a=1", "a=01"),
        ]
    )
    func different(_ left: String, _ right: String) {
        #expect(FormFields(spelled: left).canonicalText() != FormFields(spelled: right).canonicalText())
    }

    @Test("Ignored fields are compared by their decoded names")
    func ignored() {
        let form = FormFields(spelled: "t%73=1&b=2&ts=3&a=x%20y")
        #expect(form.canonicalText(ignoring: { $0 == "ts" }) == "a=x%20y&b=2")
    }

    @Test("Shuffling fields does not change the canonical text, and reading it results in the same text")
    func shuffling() {
        var generator = SplitMix64(seed: 1)
        for _ in 0..<500 {
            let bytes = generator.bytes(upTo: 40, from: "ab&&==%2B+%4é")
            let form = FormFields(spelled: String(decoding: bytes, as: UTF8.self))
            var shuffled = form
            shuffled.fields.shuffle(using: &generator)
            #expect(form.canonicalText() == shuffled.canonicalText())
            #expect(FormFields(spelled: form.canonicalText()).canonicalText() == form.canonicalText())
        }
    }
}
