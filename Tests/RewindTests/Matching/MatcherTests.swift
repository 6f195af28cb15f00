import Foundation
import Rewind
import Testing

@Suite("Matchers")
struct MatcherTests {
    @Test(
        "URLs that a server cannot tell apart are equal",
        arguments: [
            ("https://h/a", "https://h/a"),
            ("HTTPS://h/a", "https://h/a"),
            ("https://API.Example.com/a", "https://api.example.com/a"),
            ("https://h", "https://h/"),
            ("https://h?a=1", "https://h/?a=1"),
            ("https://h:443/a", "https://h/a"),
            ("http://h:80/a", "http://h/a"),
            ("https://h:/a", "https://h/a"),
            ("http://[::1]:80/a", "http://[::1]/a"),
            ("http://[FE80::1]/a", "http://[fe80::1]/a"),
            ("https://h/a#top", "https://h/a"),
            ("https://h/a?b=1#top", "https://h/a?b=1#end"),
            ("https://h/%7Euser", "https://h/~user"),
            ("https://h/%61%2d%5f", "https://h/a-_"),
            ("https://h/%c3%a9", "https://h/%C3%A9"),
            ("https://h/?q=%61+b%2f", "https://h/?q=a+b%2F"),
            ("https://h/?a=1&b=2", "https://h/?b=2&a=1"),
            ("https://h/?a=1&a=2&a=1", "https://h/?a=2&a=1&a=1"),
            ("https://h/?b=%7E&a", "https://h/?a&b=~"),
        ] as [(String, String)]
    )
    func equalURLs(_ left: String, _ right: String) {
        #expect(isMatch(Request(url: left), Request(url: right), [.url]))
        #expect(isMatch(Request(url: left), Request(url: right), .default))
    }

    @Test(
        "URLs that a server may tell apart differ",
        arguments: [
            ("http://h/", "https://h/"),
            ("https://h/", "https://g/"),
            ("https://h:8443/", "https://h/"),
            ("http://h:443/", "http://h/"),
            ("http://[::1]:8080/", "http://[::1]/"),
            ("https://user@h/", "https://h/"),
            ("https://user:a@h/", "https://user:b@h/"),
            ("https://h/a", "https://h/A"),
            ("https://h/a", "https://h/a/"),
            ("https://h/a%2Fb", "https://h/a/b"),
            ("https://h/a+b", "https://h/a%20b"),
            ("https://h/%3Fa", "https://h/?a"),
            ("https://h/?a", "https://h/?a="),
            ("https://h/?a", "https://h/"),
            ("https://h/?a=", "https://h/"),
            ("https://h/?", "https://h/"),
            ("https://h/?a", "https://h/?"),
            ("https://h/?a=1", "https://h/?a=1&a=1"),
            ("https://h/?a=1&b=2", "https://h/?a=2&b=1"),
            ("https://h/?a=1&", "https://h/?a=1"),
            ("https://h/?a=1%262", "https://h/?a=1&2"),
            ("https://h/?A=1", "https://h/?a=1"),
            ("https://h/?q=a+b", "https://h/?q=a%20b"),
        ] as [(String, String)]
    )
    func differentURLs(_ left: String, _ right: String) {
        #expect(!isMatch(Request(url: left), Request(url: right), [.url]))
        #expect(!isMatch(Request(url: left), Request(url: right), .default))
    }

    @Test("`?a`, `?a=`, `?` and no query are four different queries")
    func queries() {
        let requests = ["?a", "?a=", "?", ""].map { Request(url: "https://h/\($0)") }
        for (left, one) in requests.enumerated() {
            for (right, other) in requests.enumerated() {
                #expect(isMatch(one, other, [.query]) == (left == right), "\(one) and \(other)")
            }
        }
    }

    @Test(
        "Methods are compared letter by letter",
        arguments: [
            ("GET", "GET", true), ("GET", "POST", false), ("GET", "get", false), ("GET", "HEAD", false),
        ]
            as [(String, String, Bool)]
    )
    func methods(_ left: String, _ right: String, _ expected: Bool) {
        let (one, other) = (Request(method: left, url: "https://h/"), Request(method: right, url: "https://h/"))
        #expect(isMatch(one, other, [.method]) == expected)
        #expect(isMatch(one, other, .default) == expected)
    }

    @Test(
        "Bodies are compared byte by byte, and no body equals an empty one",
        arguments: [
            (nil, nil, true), (nil, [], true), ([], [], true), ([1, 2], [1, 2], true),
            (nil, [0], false), ([], [0], false), ([1, 2], [2, 1], false), ([1], [1, 0], false),
            (Array(repeating: 7, count: 200), Array(repeating: 7, count: 199) + [8], false),
        ] as [([UInt8]?, [UInt8]?, Bool)]
    )
    func bodies(_ left: [UInt8]?, _ right: [UInt8]?, _ expected: Bool) {
        let one = Request(method: "POST", url: "https://h/", body: left.map { Body(Data($0)) })
        let other = Request(method: "POST", url: "https://h/", body: right.map { Body(Data($0)) })
        #expect(isMatch(one, other, [.body]) == expected)
        #expect(isMatch(one, other, .default) == expected)
    }

    @Test("The pieces a body arrived in are no part of what is compared")
    func chunks() {
        let pieces = Body(Data("abcd".utf8), chunks: [.init(offset: 0, count: 2), .init(offset: 5, count: 2)])
        let one = Request(method: "POST", url: "https://h/", body: pieces)
        let other = Request(method: "POST", url: "https://h/", body: Body("abcd"))
        #expect(isMatch(one, other, .default))
    }

    @Test("Neither the header fields nor the version of the protocol are compared unless asked for")
    func headers() {
        let one = Request(url: "https://h/", headers: ["Accept": "text/plain"])
        let other = Request(url: "https://h/", httpVersion: "HTTP/2")
        #expect(isMatch(one, other, .default))
        let accept = Matcher.custom("accept") { $0.headers["Accept"] ?? "" }
        #expect(!isMatch(one, other, .default + [accept]))
        #expect(isMatch(one, one, .default + [accept]))
    }

    @Test("Header fields are asked for only by matchers that compare them, as they cost more than the rest")
    func headersAreExpensive() {
        let others: [Matcher] = [
            .method, .scheme, .url, .host, .port, .path, .query, .fragment, .body, .graphQL,
        ]
        #expect(!others.parts.contains(.headers))
        #expect([Matcher.headers("Accept")].parts.contains(.headers))
        #expect([Matcher.custom("tenant") { $0.headers["X-Tenant"] ?? "" }].parts.contains(.headers))
    }

    @Test("A matcher compares its part and no other")
    func singleParts() {
        let one = Request(method: "GET", url: "https://one/a?x=1", body: Body("1"))
        let others: [(Matcher, Request)] = [
            (.method, Request(method: "GET", url: "http://two/b?y=2", body: Body("2"))),
            (.host, Request(method: "PUT", url: "http://ONE:81/b?y=2", body: Body("2"))),
            (.path, Request(method: "PUT", url: "http://two/%61?y=2", body: Body("2"))),
            (.query, Request(method: "PUT", url: "http://two/b?x=1#f", body: Body("2"))),
            (.body, Request(method: "PUT", url: "http://two/b?y=2", body: Body("1"))),
        ]
        for (matcher, other) in others {
            #expect(isMatch(one, other, [matcher]), "\(matcher.name)")
            for rest in others.map(\.0) where rest.name != matcher.name {
                #expect(!isMatch(one, other, [rest]), "\(rest.name) of \(other)")
            }
        }
    }

    @Test("Without matchers every request is answered by what comes next")
    func noMatchers() {
        #expect(isMatch(Request(url: "https://h/a"), Request(method: "PUT", url: "http://g/b"), []))
    }

    @Test("The index gives the places of all that match, in recorded order, and of nothing that cannot answer")
    func index() {
        var silent = Interaction.page("https://h/a")
        silent.outcome = .unknown(reason: "no body was recorded")
        let refused = Interaction(
            request: Request(url: "https://h/a"),
            outcome: .failure(Failure(code: -1004), after: nil)
        )
        let interactions = [
            .page("https://h/a"), .page("https://h/b"), silent, refused, .page("https://H:443/a#x"),
        ]
        let index = InteractionIndex(interactions, matchers: .default)
        #expect(index.positions(under: index.key(of: Request(url: "https://h/a"))) == [0, 3, 4])
        #expect(index.positions(under: index.key(of: Request(url: "https://h/b"))) == [1])
        #expect(index.positions(under: index.key(of: Request(url: "https://h/c"))) == [])
    }

    private func isMatch(_ request: Request, _ recorded: Request, _ matchers: [Matcher]) -> Bool {
        let index = InteractionIndex(
            [Interaction(request: recorded, outcome: .response(Response()))],
            matchers: matchers
        )
        return index.positions(under: index.key(of: request)) == [0]
    }
}

@Suite("Properties of matching")
struct MatchingPropertyTests {
    @Test("A request always matches itself, however it is spelled", arguments: 0..<8 as Range<UInt64>)
    func reflexivity(_ seed: UInt64) {
        var generator = SeededGenerator(seed)
        let index = InteractionIndex([], matchers: .default)
        for _ in 0..<200 {
            let parts = Parts.random(using: &generator)
            let (one, other) = (parts.request(using: &generator), parts.request(using: &generator))
            #expect(index.key(of: one) == index.key(of: one))
            #expect(index.key(of: one) == index.key(of: other), "\(one) and \(other)")
        }
    }

    @Test("Two keys are equal exactly when all parts are", arguments: 0..<8 as Range<UInt64>)
    func keysStandForParts(_ seed: UInt64) {
        var generator = SeededGenerator(seed)
        let index = InteractionIndex([], matchers: .default)
        var partsOfKey: [InteractionIndex.Key: Parts] = [:]
        var seen: Set<Parts> = []
        for _ in 0..<600 {
            let parts = Parts.random(using: &generator)
            let request = parts.request(using: &generator)
            seen.insert(parts)
            let first = partsOfKey.updateValue(parts, forKey: index.key(of: request))
            #expect(first == nil || first == parts, "\(request)")
        }
        #expect(partsOfKey.count == seen.count)
        #expect(seen.count < 600, "the requests are so few that some must be alike")
    }
}

/// What the default matchers compare, known without taking a URL apart.
private struct Parts: Hashable {
    var method: String
    var scheme: String
    var user: String?
    var host: String
    var port: Int
    var path: String
    var query: [String]?
    var body: String

    static func random(using generator: inout SeededGenerator) -> Parts {
        let scheme = generator.pick("http", "https")
        let items = ["", "a", "a=", "a=1", "b=1", "%2Fc"]
        let count = Int.random(in: 0...2, using: &generator)
        let query = (0..<count).map { _ in items.randomElement(using: &generator) ?? "" }.sorted()
        return Parts(
            method: generator.pick("GET", "POST"),
            scheme: scheme,
            user: generator.pick(nil, nil, "u:p"),
            host: generator.pick("h.example", "[::1]"),
            port: generator.pick(scheme == "http" ? 80 : 443, 8080),
            path: generator.pick("/", "/a", "/a/", "/%2F"),
            query: query.isEmpty ? nil : query,
            body: generator.pick("", "x")
        )
    }

    /// One of the many spellings of the same request.
    func request(using generator: inout SeededGenerator) -> Request {
        let isDefaultPort = port == (scheme == "http" ? 80 : 443)
        var url = generator.pick(scheme, scheme.uppercased()) + "://"
        url += user.map { "\($0)@" } ?? ""
        url += generator.pick(host, host.uppercased())
        url += isDefaultPort && generator.pick(true, false) ? "" : ":\(port)"
        url += path == "/" && generator.pick(true, false) ? "" : spelled(path, &generator)
        if let query {
            let items = query.shuffled(using: &generator).map { spelled($0, &generator) }
            url += "?" + items.joined(separator: "&")
        }
        url += generator.pick("", "#a", "#")
        let noBody: Body? = generator.pick(nil, Body())
        return Request(method: method, url: url, body: body.isEmpty ? noBody : Body(body))
    }

    private func spelled(_ text: String, _ generator: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: text.replacingOccurrences(of: "a", with: "%61")
        case 1: text.replacingOccurrences(of: "%2F", with: "%2f")
        default: text
        }
    }
}

/// Random numbers that are the same in every run.
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func pick<Value>(_ first: Value, _ others: Value...) -> Value {
        ([first] + others).randomElement(using: &self) ?? first
    }
}
