import Foundation
import Rewind
import Testing

struct DifferenceTests {
    @Test("Equal requests have no differences")
    func none() {
        let request = Interaction.Request(
            method: "POST",
            url: "https://u@h/a?b=1&c",
            body: Interaction.Body("x")
        )
        #expect(differences(request, request, .default) == [])
        let other = Interaction.Request(
            method: "POST",
            url: "HTTPS://u@H:443/%61?c&b=1#top",
            body: Interaction.Body("x")
        )
        #expect(differences(request, other, .default) == [])
    }

    @Test(
        "URL differences are listed by component",
        arguments: [
            ("http://h:1/", "https://h:1/", [ShownDifference("scheme", "https", "http")]),
            ("https://one/", "https://two/", [ShownDifference("host", "two", "one")]),
            ("https://h/", "https://h:8443/", [ShownDifference("port", "8443", "443")]),
            ("https://h/", "https://u@h/", [ShownDifference("user", "u", nil)]),
            ("https://h/a", "https://h/b/c", [ShownDifference("path", "/b/c", "/a")]),
            (
                "http://one/a?x=1", "https://two/b?x=2",
                [
                    ShownDifference("scheme", "https", "http"), ShownDifference("host", "two", "one"),
                    ShownDifference("port", "443", "80"), ShownDifference("path", "/b", "/a"),
                    ShownDifference("query item", "x=2", "x=1"),
                ]
            ),
        ] as [(String, String, [ShownDifference])]
    )
    func urls(_ requested: String, _ recorded: String, _ expected: [ShownDifference]) {
        #expect(
            differences(Interaction.Request(url: requested), Interaction.Request(url: recorded), .default)
                == expected
        )
    }

    @Test(
        "Query differences are listed by item and paired by name",
        arguments: [
            ("?a=1", "?a=2", [ShownDifference("query item", "a=2", "a=1")]),
            ("?a=1&b=2", "?b=2", [ShownDifference("query item", nil, "a=1")]),
            ("?b=2", "?a=1&b=2", [ShownDifference("query item", "a=1", nil)]),
            ("?a", "?a=", [ShownDifference("query item", "a=", "a")]),
            (
                "?a=1", "?b=1",
                [ShownDifference("query item", nil, "a=1"), ShownDifference("query item", "b=1", nil)]
            ),
            ("?a=1&a=1", "?a=1", [ShownDifference("query item", nil, "a=1")]),
            ("?a=1", "?a=1&a=1", [ShownDifference("query item", "a=1", nil)]),
            (
                "?a=1&b=1&c=3", "?c=3&b=2&a=2",
                [ShownDifference("query item", "a=2", "a=1"), ShownDifference("query item", "b=2", "b=1")]
            ),
            ("?a=1", "", [ShownDifference("query", nil, "a=1")]),
            ("", "?a=1", [ShownDifference("query", "a=1", nil)]),
            ("?", "", [ShownDifference("query", nil, "")]),
            ("", "?", [ShownDifference("query", "", nil)]),
            ("?", "?a", [ShownDifference("query item", "a", nil)]),
        ] as [(String, String, [ShownDifference])]
    )
    func queries(_ requested: String, _ recorded: String, _ expected: [ShownDifference]) {
        let (one, other) = (
            Interaction.Request(url: "https://h/\(requested)"),
            Interaction.Request(url: "https://h/\(recorded)")
        )
        #expect(differences(one, other, [.url]) == expected)
        #expect(differences(one, other, [.query]) == expected)
    }

    @Test("Only differences in compared parts are listed")
    func matchers() {
        let one = Interaction.Request(method: "GET", url: "https://one/a?x=1", body: Interaction.Body("1"))
        let other = Interaction.Request(method: "PUT", url: "http://two/b?x=2", body: Interaction.Body("2"))
        func parts(_ matchers: [RequestMatcher]) -> [String] {
            differences(one, other, matchers).map(\.part)
        }
        #expect(parts([]) == [])
        #expect(parts([.method]) == ["method"])
        #expect(parts([.host, .path]) == ["host", "path"])
        #expect(parts([.query, .body]) == ["query item", "body"])
        #expect(parts([.custom("length") { "\($0.url.count)" }]) == ["length"])
    }

    @Test("The difference of a custom matcher has its name and both texts")
    func custom() {
        let owner = RequestMatcher.custom("owner") { $0.headers["X-Owner"] ?? "nobody" }
        let one = Interaction.Request(url: "https://h/", headers: ["X-Owner": "a"])
        #expect(
            differences(one, Interaction.Request(url: "https://h/"), [owner]) == [
                ShownDifference("owner", "nobody", "a")
            ]
        )
    }

    @Test(
        "A body difference shows the place of the difference and both lengths",
        arguments: [
            ("x=1", "x=2", "\"x=2\" (3 bytes)", "\"x=1\" (3 bytes)"),
            ("x", "", "(empty)", "\"x\" (1 byte)"),
            ("", "a\nb", "\"a\\nb\" (3 bytes)", "(empty)"),
        ] as [(String, String, String, String)]
    )
    func bodies(_ requested: String, _ recorded: String, _ recordedText: String, _ requestedText: String) throws
    {
        let difference = try bodyDifference(Data(requested.utf8), Data(recorded.utf8))
        #expect(difference.requested == requestedText)
        #expect(difference.recorded == recordedText)
    }

    @Test("The excerpt of a long body surrounds the first difference")
    func longBodies() throws {
        let common = String(repeating: "a", count: 100_000)
        let difference = try bodyDifference(
            Data("\(common)ONE\(common)".utf8),
            Data("\(common)TWO\(common)".utf8)
        )
        let requested = try #require(difference.requested)
        let recorded = try #require(difference.recorded)
        #expect(requested.contains("ONE"))
        #expect(recorded.contains("TWO"))
        for text in [requested, recorded] {
            #expect(text.hasPrefix("…"))
            #expect(text.hasSuffix("… (200003 bytes)"))
            #expect(text.count < 100)
        }
    }

    @Test("A body that begins with the other one differs at its end")
    func prefixes() throws {
        let text = String(repeating: "b", count: 60)
        let difference = try bodyDifference(Data((text + "!").utf8), Data(text.utf8))
        #expect(difference.requested?.contains("!\" (61 bytes)") == true)
        #expect(difference.recorded?.hasSuffix("b\" (60 bytes)") == true)
    }

    @Test("An excerpt never splits a character", arguments: 0..<4)
    func unicode(_ shift: Int) throws {
        let text = String(repeating: "x", count: shift) + String(repeating: "日", count: 40)
        let difference = try bodyDifference(Data("\(text)1\(text)".utf8), Data("\(text)2\(text)".utf8))
        #expect(difference.requested?.contains("日1") == true, "\(difference)")
        #expect(difference.recorded?.contains("日2") == true, "\(difference)")
    }

    @Test("Binary data is shown as hexadecimal digits")
    func binary() throws {
        let difference = try bodyDifference(Data([0x89, 0x50, 0xFF]), Data([0x89, 0x50, 0x00]))
        #expect(difference.requested == "89 50 ff (3 bytes)")
        #expect(difference.recorded == "89 50 00 (3 bytes)")
    }

    private func differences(
        _ request: Interaction.Request,
        _ recorded: Interaction.Request,
        _ matchers: [RequestMatcher]
    ) -> [ShownDifference] {
        Difference.between(request, and: recorded, matchers: matchers).map(ShownDifference.init)
    }

    private func bodyDifference(_ requested: Data, _ recorded: Data) throws -> ShownDifference {
        let differences = differences(
            Interaction.Request(method: "POST", url: "https://h/", body: Interaction.Body(requested)),
            Interaction.Request(method: "POST", url: "https://h/", body: Interaction.Body(recorded)),
            .default
        )
        try #require(differences.map(\.part) == ["body"])
        return differences[0]
    }
}

/// A difference, in a form that a table can hold.
struct ShownDifference: Hashable {
    var part: String
    var recorded: String?
    var requested: String?

    init(_ part: String, _ recorded: String?, _ requested: String?) {
        (self.part, self.recorded, self.requested) = (part, recorded, requested)
    }

    init(_ difference: Difference) {
        self.init(difference.part, difference.recorded, difference.requested)
    }
}
