import Foundation
import Rewind
import Testing

struct DifferenceTests {
    @Test("Equal requests do not differ")
    func none() {
        let request = Interaction.Request(
            method: "POST",
            url: "https://u@h/a?b=1&c",
            body: Interaction.Body("x")
        )
        #expect(told(request, request, .default) == [])
        let other = Interaction.Request(
            method: "POST",
            url: "HTTPS://u@H:443/%61?c&b=1#top",
            body: Interaction.Body("x")
        )
        #expect(told(request, other, .default) == [])
    }

    @Test(
        "A URL differs part by part",
        arguments: [
            ("http://h:1/", "https://h:1/", [ToldDifference("scheme", "https", "http")]),
            ("https://one/", "https://two/", [ToldDifference("host", "two", "one")]),
            ("https://h/", "https://h:8443/", [ToldDifference("port", "8443", "443")]),
            ("https://h/", "https://u@h/", [ToldDifference("user", "u", nil)]),
            ("https://h/a", "https://h/b/c", [ToldDifference("path", "/b/c", "/a")]),
            (
                "http://one/a?x=1", "https://two/b?x=2",
                [
                    ToldDifference("scheme", "https", "http"), ToldDifference("host", "two", "one"),
                    ToldDifference("port", "443", "80"), ToldDifference("path", "/b", "/a"),
                    ToldDifference("query item", "x=2", "x=1"),
                ]
            ),
        ] as [(String, String, [ToldDifference])]
    )
    func urls(_ requested: String, _ recorded: String, _ expected: [ToldDifference]) {
        #expect(
            told(Interaction.Request(url: requested), Interaction.Request(url: recorded), .default) == expected
        )
    }

    @Test(
        "A query differs item by item, an item by its name",
        arguments: [
            ("?a=1", "?a=2", [ToldDifference("query item", "a=2", "a=1")]),
            ("?a=1&b=2", "?b=2", [ToldDifference("query item", nil, "a=1")]),
            ("?b=2", "?a=1&b=2", [ToldDifference("query item", "a=1", nil)]),
            ("?a", "?a=", [ToldDifference("query item", "a=", "a")]),
            (
                "?a=1", "?b=1",
                [ToldDifference("query item", nil, "a=1"), ToldDifference("query item", "b=1", nil)]
            ),
            ("?a=1&a=1", "?a=1", [ToldDifference("query item", nil, "a=1")]),
            ("?a=1", "?a=1&a=1", [ToldDifference("query item", "a=1", nil)]),
            (
                "?a=1&b=1&c=3", "?c=3&b=2&a=2",
                [ToldDifference("query item", "a=2", "a=1"), ToldDifference("query item", "b=2", "b=1")]
            ),
            ("?a=1", "", [ToldDifference("query", nil, "a=1")]),
            ("", "?a=1", [ToldDifference("query", "a=1", nil)]),
            ("?", "", [ToldDifference("query", nil, "")]),
            ("", "?", [ToldDifference("query", "", nil)]),
            ("?", "?a", [ToldDifference("query item", "a", nil)]),
        ] as [(String, String, [ToldDifference])]
    )
    func queries(_ requested: String, _ recorded: String, _ expected: [ToldDifference]) {
        let (one, other) = (
            Interaction.Request(url: "https://h/\(requested)"),
            Interaction.Request(url: "https://h/\(recorded)")
        )
        #expect(told(one, other, [.url]) == expected)
        #expect(told(one, other, [.query]) == expected)
    }

    @Test("Only the parts that matchers name are told")
    func matchers() {
        let one = Interaction.Request(method: "GET", url: "https://one/a?x=1", body: Interaction.Body("1"))
        let other = Interaction.Request(method: "PUT", url: "http://two/b?x=2", body: Interaction.Body("2"))
        func parts(_ matchers: [RequestMatcher]) -> [String] {
            told(one, other, matchers).map(\.part)
        }
        #expect(parts([]) == [])
        #expect(parts([.method]) == ["method"])
        #expect(parts([.host, .path]) == ["host", "path"])
        #expect(parts([.query, .body]) == ["query item", "body"])
        #expect(parts([.custom("length") { "\($0.url.count)" }]) == ["length"])
    }

    @Test("A part of your own is told by its name and texts")
    func custom() {
        let tenant = RequestMatcher.custom("tenant") { $0.headers["X-Tenant"] ?? "nobody" }
        let one = Interaction.Request(url: "https://h/", headers: ["X-Tenant": "a"])
        #expect(
            told(one, Interaction.Request(url: "https://h/"), [tenant]) == [
                ToldDifference("tenant", "nobody", "a")
            ]
        )
    }

    @Test(
        "A body shows where it differs and how long it is",
        arguments: [
            ("x=1", "x=2", "\"x=2\" (3 bytes)", "\"x=1\" (3 bytes)"),
            ("x", "", "no bytes", "\"x\" (1 bytes)"),
            ("", "a\nb", "\"a\\nb\" (3 bytes)", "no bytes"),
        ] as [(String, String, String, String)]
    )
    func bodies(_ requested: String, _ recorded: String, _ had: String, _ asked: String) throws {
        let difference = try bodyDifference(Data(requested.utf8), Data(recorded.utf8))
        #expect(difference.requested == asked)
        #expect(difference.recorded == had)
    }

    @Test("A long body shows only the neighbourhood of the first difference")
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

    @Test("A body that is a part of another differs at its end")
    func prefixes() throws {
        let text = String(repeating: "b", count: 60)
        let difference = try bodyDifference(Data((text + "!").utf8), Data(text.utf8))
        #expect(difference.requested?.contains("!\" (61 bytes)") == true)
        #expect(difference.recorded?.hasSuffix("b\" (60 bytes)") == true)
    }

    @Test("Text beyond ASCII is shown as text, wherever the excerpt begins", arguments: 0..<4)
    func unicode(_ shift: Int) throws {
        let text = String(repeating: "x", count: shift) + String(repeating: "日", count: 40)
        let difference = try bodyDifference(Data("\(text)1\(text)".utf8), Data("\(text)2\(text)".utf8))
        #expect(difference.requested?.contains("日1") == true, "\(difference)")
        #expect(difference.recorded?.contains("日2") == true, "\(difference)")
    }

    @Test("Bytes that are not text are shown in hexadecimal digits")
    func binary() throws {
        let difference = try bodyDifference(Data([0x89, 0x50, 0xFF]), Data([0x89, 0x50, 0x00]))
        #expect(difference.requested == "89 50 ff (3 bytes)")
        #expect(difference.recorded == "89 50 00 (3 bytes)")
    }

    private func told(
        _ request: Interaction.Request,
        _ recorded: Interaction.Request,
        _ matchers: [RequestMatcher]
    ) -> [ToldDifference] {
        Difference.between(request, and: recorded, matchers: matchers).map(ToldDifference.init)
    }

    private func bodyDifference(_ requested: Data, _ recorded: Data) throws -> ToldDifference {
        let differences = told(
            Interaction.Request(method: "POST", url: "https://h/", body: Interaction.Body(requested)),
            Interaction.Request(method: "POST", url: "https://h/", body: Interaction.Body(recorded)),
            .default
        )
        try #require(differences.map(\.part) == ["body"])
        return differences[0]
    }
}

/// A difference, in a form that a table can hold.
struct ToldDifference: Hashable {
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
