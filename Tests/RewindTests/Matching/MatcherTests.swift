import Foundation
import Rewind
import Testing

struct MatcherTests {
    @Test("A matcher compares only its part")
    func singleParts() {
        let one = Interaction.Request(method: "GET", url: "https://one/a?x=1", body: Interaction.Body("1"))
        let others: [(RequestMatcher, Interaction.Request)] = [
            (.method, Interaction.Request(method: "GET", url: "http://two/b?y=2", body: Interaction.Body("2"))),
            (
                .host,
                Interaction.Request(method: "PUT", url: "http://ONE:81/b?y=2", body: Interaction.Body("2"))
            ),
            (.path, Interaction.Request(method: "PUT", url: "http://two/%61?y=2", body: Interaction.Body("2"))),
            (
                .query,
                Interaction.Request(method: "PUT", url: "http://two/b?x=1#f", body: Interaction.Body("2"))
            ),
            (.body, Interaction.Request(method: "PUT", url: "http://two/b?y=2", body: Interaction.Body("1"))),
        ]
        for (matcher, other) in others {
            #expect(isMatch(one, other, [matcher]), "\(matcher.name)")
            for rest in others.map(\.0) where rest.name != matcher.name {
                #expect(!isMatch(one, other, [rest]), "\(rest.name) of \(other)")
            }
        }
    }

    @Test("Without matchers the next interaction answers any request")
    func noMatchers() {
        #expect(
            isMatch(
                Interaction.Request(url: "https://h/a"),
                Interaction.Request(method: "PUT", url: "http://g/b"),
                []
            )
        )
    }

    @Test("The text of a custom matcher is compared byte for byte")
    func customProjection() {
        let owner = RequestMatcher.custom("owner") { $0.headers["X-Owner"] ?? "" }
        func request(_ owner: String) -> Interaction.Request {
            Interaction.Request(url: "https://h/", headers: ["X-Owner": owner])
        }
        #expect(isMatch(request("a"), request("a"), .default + [owner]))
        #expect(isMatch(request(""), Interaction.Request(url: "https://h/"), [owner]))
        #expect(!isMatch(request("a"), request("b"), [owner]))
        #expect(!isMatch(request("e\u{301}"), request("\u{E9}"), [owner]))
    }

    @Test("A custom comparison receives the live request first and the recorded one second")
    func customComparison() {
        let prefix = RequestMatcher.custom("prefix") { $0.url.hasPrefix($1.url) }
        let (long, short) = (Interaction.Request(url: "https://h/a/b"), Interaction.Request(url: "https://h/a"))
        #expect(prefix.matches(long, short))
        #expect(!prefix.matches(short, long))
        #expect(prefix.differences(long, from: short).isEmpty)
        let differences = prefix.differences(short, from: long)
        #expect(differences.map(\.part) == ["prefix"])
        #expect(differences.map(\.remark) == ["the custom comparison returned false"])
    }

    @Test("A custom comparison does not see ignored parts")
    func customComparisonIgnoring() {
        let same = [RequestMatcher.custom("same") { $0.url == $1.url && $0.headers == $1.headers }]
        let one = Interaction.Request(url: "https://h/?t=1", headers: ["X-T": "1"])
        let other = Interaction.Request(url: "https://h/?t=2", headers: ["X-T": "2"])
        #expect(!isMatch(one, other, same))
        #expect(!isMatch(one, other, same.ignoring(.queryItems("t"))))
        #expect(isMatch(one, other, same.ignoring(.queryItems("t"), .headers("x-*"))))
    }

    @Test("The index finds all replayable matches in recorded order")
    func index() {
        var silent = Interaction.page("https://h/a")
        silent.outcome = .unknown(reason: "the body was not recorded")
        let refused = Interaction(
            request: Interaction.Request(url: "https://h/a"),
            outcome: .failure(Interaction.Failure(code: -1004), after: nil)
        )
        let interactions = [
            .page("https://h/a"), .page("https://h/b"), silent, refused, .page("https://H:443/a#x"),
        ]
        let index = InteractionIndex(interactions, matchers: .default)
        #expect(index.positions(for: Interaction.Request(url: "https://h/a")) == [0, 3, 4])
        #expect(index.positions(for: Interaction.Request(url: "https://h/b")) == [1])
        #expect(index.positions(for: Interaction.Request(url: "https://h/c")) == [])
    }

    @Test("Requests with the same bytes and another media type are found in recorded order")
    func sameBytes() {
        func request(_ body: String, _ type: String) -> Interaction.Request {
            Interaction.Request(
                method: "POST",
                url: "https://h/",
                headers: ["Content-Type": type],
                body: Interaction.Body(body)
            )
        }
        let recorded = [
            request(#"{"a":1}"#, "text/plain"), request(#"{"a": 1}"#, Types.json),
            request(#"{"a":1}"#, Types.json), request(#"{"a":1}"#, "text/plain"),
        ]
        let index = InteractionIndex(
            recorded.map { Interaction(request: $0, outcome: .response(Interaction.Response(status: 200))) },
            matchers: .default + [.body]
        )
        #expect(index.positions(for: recorded[0]) == [0, 2, 3])
        #expect(index.positions(for: recorded[1]) == [1, 2])
        #expect(index.positions(for: recorded[2]) == [0, 1, 2, 3])
        #expect(index.positions(for: request(#"{ "a":1}"#, Types.json)) == [1, 2])
    }

    @Test("Canonically equivalent Unicode texts are different requests")
    func unicodeSpellings() {
        let interactions = ["https://h/e\u{301}", "https://h/\u{E9}"].map { Interaction.page($0) }
        var playback = Playback(interactions, matchers: .default, repeats: .all)
        for (position, spelling) in ["https://h/e\u{301}", "https://h/\u{E9}", "https://h/%C3%A9"].enumerated()
        {
            guard case .found(let found) = playback.play(Interaction.Request(url: spelling)) else {
                Issue.record("nothing found")
                continue
            }
            #expect(found.position == min(position, 1))
        }
    }

    @Test("A lookup costs the same in a small and in a large cassette", arguments: [100, 10_000])
    func lookupCost(_ count: Int) throws {
        let calls = Locked(0)
        var configuration = Stubber.Configuration()
        configuration.matching = [
            .url,
            .custom("text") { request in
                calls.withLock { $0 += 1 }
                return request.method
            },
            .custom("comparison") { _, _ in
                calls.withLock { $0 += 1 }
                return true
            },
        ]
        let studio = try Studio()
        try studio.put((0..<count).map { .page("https://h/\($0)", "\($0)") })
        let stubber = try studio.stubber(.never, configuration: configuration)
        #expect(stubber.decision(on: "https://h/1") == .replays("1"))
        calls.withLock { $0 = 0 }
        for number in [count / 2, count - 1, 0] {
            #expect(stubber.decision(on: "https://h/\(number)") == .replays("\(number)"))
        }
        // Each lookup computes the text of the request once, and compares the one interaction with the same keys.
        #expect(calls.withLock { $0 } == 6)
    }
}
