import Foundation
import Rewind
import RewindTestSupport
import Testing

/// Creates random conditions and requests from a few hosts and paths, so that many match.
struct RandomConditions {
    private static let hosts = ["h", "H", "a.h", "b.a.h", "bücher.h", "xn--bcher-kva.h", "[::1]"]
    private static let paths = [
        "/", "/a", "/%61", "/a/b", "/a/", "//a", "/é", "/%c3%a9", "/%%34%31", "/A", "/%2A", "/a%2Fb",
    ]
    private static let methods = ["GET", "POST"]
    private static let queries = ["", "?q=1", "?q=2&r", "?q=+"]

    private var generator: SplitMix64

    init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
    }

    mutating func request() -> Interaction.Request {
        let port = pick(["", "", ":8080"])
        return Interaction.Request(
            method: pick(Self.methods),
            url: pick(["http", "https"]) + "://" + pick(Self.hosts) + port + pick(Self.paths)
                + pick(Self.queries),
            headers: pick([[:], ["X-A": "1"]]),
            body: pick([nil, Interaction.Body("q=1"), Interaction.Body("[1]")])
        )
    }

    /// A condition composed of others up to a depth.
    mutating func condition(depth: Int = 3) -> RequestCondition {
        guard depth > 0 else { return part() }
        switch number(below: 8) {
        case 0, 1: return condition(depth: depth - 1) && condition(depth: depth - 1)
        case 2: return condition(depth: depth - 1) || condition(depth: depth - 1)
        case 3: return !condition(depth: depth - 1)
        case 4: return .host(pick(Self.hosts)) && .path(pick(Self.paths)) && condition(depth: depth - 1)
        default: return part()
        }
    }

    private mutating func part() -> RequestCondition {
        let path = pick(Self.paths + ["/*", "/**", "/a/*", "/*a"])
        switch number(below: 12) {
        case 0: return .method(pick(Self.methods))
        case 1, 2: return .host(pick(Self.hosts + ["*.h", "*"]))
        case 3, 4: return .path(pick([path, String(path.dropFirst())]))
        case 5: return .get("https://" + pick(Self.hosts) + path + pick(Self.queries))
        case 6: return .post("//" + pick(Self.hosts) + ":*" + path)
        case 7: return .url(path + pick(Self.queries))
        case 8: return .path(prefix: pick(Self.paths))
        case 9: return .header("x-a", pick(["1", "2"]))
        case 10: return pick([.body(form: ["q": "1"]), .body(json: "[1]"), .body(Data())])
        default: return pick([.any, .any, .request { $0.body != nil }, .scheme("https"), .host("no host")])
        }
    }

    mutating func number(below limit: Int) -> Int {
        Int.random(in: 0..<limit, using: &generator)
    }

    mutating func pick<Value>(_ choices: [Value]) -> Value {
        choices[number(below: choices.count)]
    }
}

extension RequestCondition {
    /// What its wildcards match in a request; `nil` if the condition is not satisfied.
    func captures(in request: Interaction.Request) -> [String]? {
        captures(in: ConditionSubject(request))
    }

    /// The first part that a request does not satisfy.
    func mismatch(with request: Interaction.Request) -> String? {
        mismatch(with: ConditionSubject(request))
    }

    /// Whether a request satisfies the condition. Checks that all functions agree.
    func holds(for request: Interaction.Request) -> Bool {
        let holds = matches(request)
        let mismatch = mismatch(with: request)
        let subject = ConditionSubject(request)
        #expect((captures(in: request) != nil) == holds, "\(self) of \(request)")
        #expect((mismatch == nil) == holds, "\(self) of \(request)")
        #expect(mismatch?.isEmpty != true, "\(self) of \(request)")
        #expect(captures(in: subject) == captures(in: request), "\(self) of \(request)")
        #expect(self.mismatch(with: subject) == mismatch, "\(self) of \(request)")
        return holds
    }

    /// Whether a `GET` of a URL satisfies the condition. Checks that all functions agree.
    func holds(forURL url: String) -> Bool {
        holds(for: Interaction.Request(url: url))
    }
}
