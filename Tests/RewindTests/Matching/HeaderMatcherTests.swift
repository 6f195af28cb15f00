import Foundation
import Rewind
import Testing

struct HeaderMatcherTests {
    /// A matcher and two lists of header fields, one `Name: value` per line.
    struct Pair: Sendable, CustomTestStringConvertible {
        let matcher: RequestMatcher
        let left: String
        let right: String
        let isEqual: Bool

        init(_ matcher: RequestMatcher, _ left: String, _ right: String, _ isEqual: Bool) {
            (self.matcher, self.left, self.right, self.isEqual) = (matcher, left, right, isEqual)
        }

        var testDescription: String { "\(left.debugDescription) and \(right.debugDescription)" }

        static func request(_ lines: String) -> Interaction.Request {
            let fields = lines.split(separator: "\n").map { line in
                let parts = line.split(separator: ":", maxSplits: 1)
                return HeaderList.Field(name: String(parts[0]), value: parts[1].trimmingSpaces())
            }
            return Interaction.Request(url: "https://h/", headers: HeaderList(fields))
        }
    }

    @Test(
        "Named header fields are compared by exact value, repeated fields in order",
        arguments: [
            Pair(.headers("Accept"), "Accept: a", "ACCEPT: a", true),
            Pair(.headers("ACCEPT"), "accept: a\nX: 1", "Y: 2\naccept: a", true),
            Pair(.headers("Accept"), "Accept: a", "Accept: A", false),
            Pair(.headers("Accept"), "Accept: a", "X: 1", false),
            Pair(.headers("Accept"), "X: 1", "", true),
            Pair(.headers("Accept"), "Accept: a\nAccept: b", "accept: a\nX: 1\nACCEPT: b", true),
            Pair(.headers("Accept"), "Accept: a\nAccept: b", "Accept: b\nAccept: a", false),
            Pair(.headers("Accept"), "Accept: a\nAccept: a", "Accept: a", false),
            Pair(.headers("Accept"), "Accept: a\nAccept: b", "Accept: a, b", false),
            Pair(.headers("Accept", "X"), "Accept: a\nX: 1", "X: 1\nAccept: a", true),
            Pair(.headers("Accept", "X"), "Accept: a\nX: 1", "Accept: a\nX: 2", false),
            Pair(.headers("Accept"), "Accept: e\u{301}", "Accept: \u{E9}", false),
            Pair(.headers("Accept"), "Accept-Language: de", "Accept-Language: en", true),
        ]
    )
    func named(_ pair: Pair) {
        check(pair)
    }

    @Test(
        "A `*` matches any characters of a header name",
        arguments: [
            Pair(.headers("X-*"), "X-A: 1\nx-b: 2\nY: 3", "x-B: 2\nX-a: 1\nZ: 4", true),
            Pair(.headers("X-*"), "X-A: 1", "X-B: 1", false),
            Pair(.headers("x-*"), "X-: 1", "X-: 2", false),
            Pair(.headers("X-*"), "X: 1", "X: 2", true),
            Pair(.headers("*-Id", "A*"), "A-Id: 1\nX-ID: 2", "X-ID: 2\nA-Id: 1", true),
            Pair(.headers("*"), "A: 1", "", false),
        ]
    )
    func patterns(_ pair: Pair) {
        check(pair)
    }

    @Test(
        "All header fields are compared, or all except ignored ones",
        arguments: [
            Pair(.headers, "A: 1\nB: 2", "b: 2\na: 1", true),
            Pair(.headers, "A: 1\nB: 2", "A: 1", false),
            Pair(.headers, "", "", true),
            Pair(.headers.ignoring(.headers("Date")), "A: 1\nDate: x", "DATE: y\na: 1", true),
            Pair(.headers.ignoring(.headers("Date")), "A: 1\nDate: x", "A: 2\nDate: x", false),
            Pair(.headers.ignoring(.headers("X-*", "date")), "X-A: 1", "Date: x\nDate: y", true),
            Pair(.headers.ignoring(.headers("X-*")), "X: 1", "", false),
            Pair(.headers.ignoring(.headers("*")), "A: 1", "B: 2", true),
            Pair(.headers("X-*").ignoring(.headers("X-Time")), "X-A: 1\nX-Time: 2", "X-A: 1", true),
            Pair(.headers("X-*").ignoring(.headers("X-Time")), "X-A: 1", "X-A: 2", false),
        ]
    )
    func whole(_ pair: Pair) {
        check(pair)
    }

    private func check(_ pair: Pair) {
        let (left, right) = (Pair.request(pair.left), Pair.request(pair.right))
        #expect(isMatch(left, right, [pair.matcher]) == pair.isEqual)
        #expect(isMatch(left, right, .default + [pair.matcher]) == pair.isEqual)
    }

    @Test("Header differences are sorted by name, with each repeated value on its own line")
    func differences() {
        let requested = Pair.request("B: 1\nC: 2\nC: 3\nD: 4\nE: 5")
        let recorded = Pair.request("A: 0\nb: 2\nc: 2\nd: 4")
        let differences = Difference.between(
            requested,
            and: recorded,
            matchers: [.headers.ignoring(.headers("e"))]
        )
        #expect(
            differences.map(ShownDifference.init) == [
                ShownDifference("header a", "0", nil), ShownDifference("header b", "2", "1"),
                ShownDifference("header c", "2", "2\n3"),
            ]
        )
        #expect(differences.map(\.suggestion) == ["a", "b", "c"].map { .headers($0) })
        #expect(differences.allSatisfy { $0.matcher == "headers" })
    }

    @Test("Header fields and the HTTP version are not compared by default")
    func defaults() {
        let one = Interaction.Request(url: "https://h/", headers: ["Accept": "text/plain"])
        let other = Interaction.Request(url: "https://h/", httpVersion: "HTTP/2")
        #expect(isMatch(one, other, .default))
        let accept = RequestMatcher.custom("accept") { $0.headers["Accept"] ?? "" }
        #expect(!isMatch(one, other, .default + [accept]))
        #expect(isMatch(one, one, .default + [accept]))
    }

    @Test("Only matchers that compare header fields read them")
    func cost() {
        let others: [RequestMatcher] = [
            .method, .scheme, .url, .host, .port, .path, .query, .fragment, .body, .bodyBytes, .json, .form,
            .multipart, .graphQL,
        ]
        #expect(!others.parts.contains(.headers))
        #expect([RequestMatcher.headers("Accept")].parts.contains(.headers))
        #expect([RequestMatcher.custom("owner") { $0.headers["X-Owner"] ?? "" }].parts.contains(.headers))
    }
}
