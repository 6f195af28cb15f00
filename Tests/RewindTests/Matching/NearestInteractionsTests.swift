import Foundation
import Rewind
import Testing

struct NearestInteractionsTests {
    /// A request, the recorded requests, and the number of the nearest one.
    struct Choice: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let request: Interaction.Request
        let recorded: [Interaction.Request]
        let number: Int

        init(
            _ what: String,
            _ request: Interaction.Request,
            among recorded: [Interaction.Request],
            _ number: Int
        ) {
            (testDescription, self.request, self.recorded, self.number) = (what, request, recorded, number)
        }

        init(_ what: String, _ url: String, among urls: [String], _ number: Int) {
            self.init(
                what,
                Interaction.Request(url: url),
                among: urls.map { Interaction.Request(url: $0) },
                number
            )
        }

        init(_ what: String, json: String, among bodies: [String], _ number: Int) {
            self.init(what, .post(json, Types.json), among: bodies.map { .post($0, Types.json) }, number)
        }
    }

    @Test(
        "The nearest interaction is the one a person would choose",
        arguments: [
            Choice(
                "another item is nearer than another server or path",
                "https://h/users?page=1",
                among: ["https://g/users?page=1", "https://h/users?page=2", "https://h/posts?page=1"],
                2
            ),
            Choice(
                "the path that begins alike",
                "https://h/users/1",
                among: ["https://h/posts", "https://h/users/2"],
                2
            ),
            Choice(
                "the same path of another server",
                "https://h/users",
                among: ["https://h/x", "https://g/users"],
                2
            ),
            Choice(
                "fewer items",
                "https://h/?a=1&b=1&c=1",
                among: ["https://h/?a=2&b=2&c=1", "https://h/?c=1&b=1&a=2"],
                2
            ),
            Choice(
                "an item more, not all others",
                "https://h/?a=1",
                among: ["https://h/?b=1&c=1", "https://h/?a=1&b"],
                2
            ),
            Choice(
                "another method of the same URL",
                Interaction.Request(method: "PUT", url: "https://h/users/1"),
                among: [
                    Interaction.Request(method: "PUT", url: "https://h/posts"),
                    Interaction.Request(url: "https://h/users/1"),
                ],
                2
            ),
            Choice(
                "the same method before an older version of the query",
                Interaction.Request(method: "POST", url: "https://h/a?v=1"),
                among: [
                    Interaction.Request(url: "https://h/a?v=1"),
                    Interaction.Request(method: "POST", url: "https://h/a?v=2"),
                ],
                2
            ),
            Choice(
                "the body with fewer changes",
                json: #"{"a":1,"b":2,"c":3}"#,
                among: [#"{"a":1,"b":0,"c":0}"#, #"{"c":3,"b":2.0,"a":9}"#, #"{}"#],
                2
            ),
            Choice(
                "an item after one that is different every time",
                "https://h/?ts=999&page=77",
                among: (1...100).map { "https://h/?ts=\($0)&page=\($0)" },
                77
            ),
            Choice(
                "an item in another place",
                "https://h/?page=77&ts=0",
                among: (1...100).map { "https://h/?ts=\($0)&page=\($0)" },
                77
            ),
            Choice(
                "a member after one that is different every time",
                json: #"{"id":"x","page":77}"#,
                among: (1...100).map { "{\"id\":\"\($0)\",\"page\":\($0)}" },
                77
            ),
        ]
    )
    func choice(_ choice: Choice) {
        let interactions = choice.recorded.map(Self.interaction)
        #expect(Self.nearest(choice.request, interactions).first?.number == choice.number)
        // The recorded order does not matter.
        let reversed = Self.nearest(choice.request, interactions.reversed()).first?.number
        #expect(reversed == choice.recorded.count + 1 - choice.number)
    }

    @Test("Equally near interactions stay in recorded order up to the limit")
    func limit() {
        let interactions = (1...5).map { Interaction.page("https://h/?n=\($0)") }
        let request = Interaction.Request(url: "https://h/?n=0")
        #expect(Self.nearest(request, interactions).map(\.number) == [1, 2, 3])
        for limit in [0, 1, 5, 9] {
            let numbers = Self.nearest(request, interactions, limit: limit).map(\.number)
            #expect(numbers == Array(1...5).prefix(limit).map { $0 })
        }
        #expect(Self.nearest(request, []).isEmpty)
    }

    @Test("Only interactions at the given positions are considered")
    func positions() {
        let interactions = (0..<5).map { Interaction.page("https://h/?n=\($0)") }
        let request = Interaction.Request(url: "https://h/?n=0")
        #expect(Self.nearest(request, interactions, at: [3, 1]).map(\.number) == [2, 4])
        #expect(Self.nearest(request, interactions, at: []).isEmpty)
        let played = Self.nearest(request, interactions, at: [0])
        #expect(played.map(\.number) == [1])
        #expect(played.map(\.differences.count) == [0])
    }

    @Test("A match that cannot be replayed is the nearest and says why")
    func obstacle() {
        var silent = Interaction.page("https://h/a")
        silent.outcome = .unknown(reason: "the body was not recorded")
        let nearest = Self.nearest(Interaction.Request(url: "https://h/a"), [.page("https://h/b"), silent])
        #expect(nearest.map(\.number) == [2, 1])
        #expect(nearest.map(\.obstacle) == ["the body was not recorded", nil])
        #expect(nearest.first?.differences.isEmpty == true)
    }

    @Test("The nearest interactions depend on the matchers")
    func matchers() {
        let interactions = ["https://h/a?x=1&y=1&z=1", "https://h/a?x=2&y=2&z=0"].map { Interaction.page($0) }
        let request = Interaction.Request(url: "https://h/a?x=2&y=2&z=1")
        #expect(Self.nearest(request, interactions).first?.number == 2)
        let matchers: [RequestMatcher] = .default.ignoring(.queryItems("x", "y"))
        let nearest = Self.nearest(request, interactions, matchers: matchers)
        #expect(nearest.first?.number == 1)
        #expect(nearest.first?.differences.isEmpty == true)
    }

    @Test("The nearest of ten thousand interactions is found quickly")
    func many() {
        let large = String(repeating: "a", count: 1_000_000)
        let interactions = (0..<10_000).map { number in
            var interaction = Interaction.page("https://h/items/\(number % 100)?n=\(number)")
            if number >= 9000 { interaction.request.body = Interaction.Body(large) }
            return interaction
        }
        let request = Interaction.Request(url: "https://h/items/42?n=5042&x", body: Interaction.Body(large))
        #expect(
            Self.nearest(Interaction.Request(url: "https://h/items/42?n=5042&x"), interactions).first?.number
                == 5043
        )
        #expect(Self.nearest(request, interactions).first?.number == 9043)
    }

    private static func interaction(_ request: Interaction.Request) -> Interaction {
        Interaction(request: request, outcome: .response(Interaction.Response()))
    }

    private static func nearest(
        _ request: Interaction.Request,
        _ interactions: [Interaction],
        at positions: [Int]? = nil,
        matchers: [RequestMatcher] = .default,
        limit: Int = 3
    ) -> [NearestInteractions.Candidate] {
        NearestInteractions(
            to: request,
            among: interactions,
            at: positions,
            matchers: matchers,
            limit: limit
        ).candidates
    }
}
