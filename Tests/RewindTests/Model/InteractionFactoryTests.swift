import Foundation
import Rewind
import Testing

struct InteractionFactoryTests {
    private static let url = "https://example.com/a?b=c"

    private struct User: Encodable {
        var name = "Ada"
        var id = 42
    }

    private struct Broken: Encodable {
        func encode(to encoder: any Encoder) throws {
            throw CocoaError(.coderInvalidValue)
        }
    }

    @Test("A created interaction is a GET request for its URL, started now")
    func requests() throws {
        let interactions: [Interaction] = [
            try .succeeded(url: Self.url), try .succeeded(url: Self.url, text: "x"),
            try .succeeded(url: Self.url, json: User()),
            try .succeeded(url: Self.url, json: [1]),
            try .rejected(url: Self.url, status: 500), try .failed(url: Self.url, error: URLError(.timedOut)),
        ]
        for interaction in interactions {
            #expect(interaction.request == Interaction.Request(url: Self.url))
            #expect(abs(interaction.startedAt.timeIntervalSinceNow) < 60)
            #expect(interaction.timing == Interaction.Timing())
            #expect(interaction.isReplayable)
        }
    }

    @Test("A succeeded interaction has the given body and headers")
    func valid() throws {
        let bytes = try Interaction.succeeded(url: Self.url, body: Data([1, 2]), headers: ["A": "b"])
        #expect(
            bytes.outcome
                == .response(Interaction.Response(headers: ["A": "b"], body: Interaction.Body(Data([1, 2]))))
        )
        #expect(try Interaction.succeeded(url: Self.url).outcome == .response(Interaction.Response()))
    }

    @Test("Text and JSON are encoded with a matching media type")
    func bodies() throws {
        let cases: [(Interaction, String, String?)] = [
            (try .succeeded(url: Self.url, text: "é"), "é", "text/plain; charset=utf-8"),
            (try .succeeded(url: Self.url, json: User()), #"{"id":42,"name":"Ada"}"#, "application/json"),
            (
                try .succeeded(url: Self.url, json: ["b": 1, "a": [nil]]), #"{"b":1,"a":[null]}"#,
                "application/json"
            ),
        ]
        for (interaction, text, type) in cases {
            let response = try #require(interaction.response)
            #expect(response.status == 200)
            #expect(response.body == Interaction.Body(text))
            #expect(response.headers["Content-Type"] == type)
        }
    }

    @Test("A custom media type is preserved")
    func ownType() throws {
        let own: HeaderList = ["content-type": "x/y"]
        for interaction in [
            try Interaction.succeeded(url: Self.url, text: "x", headers: own),
            try .succeeded(url: Self.url, json: User(), headers: own),
        ] {
            #expect(interaction.response?.headers == own)
        }
    }

    @Test("A rejected interaction has the given status and body", arguments: [100, 404, 503, 999])
    func rejected(_ status: Int) throws {
        #expect(
            try Interaction.rejected(url: Self.url, status: status).outcome
                == .response(Interaction.Response(status: status))
        )
        let told = try Interaction.rejected(
            url: Self.url,
            status: status,
            body: Data("no".utf8),
            headers: ["A": "b"]
        )
        #expect(
            told.response
                == Interaction.Response(status: status, headers: ["A": "b"], body: Interaction.Body("no"))
        )
    }

    @Test("A failed interaction has the domain and code of the error")
    func failed() throws {
        let error = NSError(domain: "Test", code: 7, userInfo: [NSLocalizedDescriptionKey: "seven"])
        let interaction = try Interaction.failed(url: Self.url, error: error)
        #expect(
            interaction.outcome
                == .failure(Interaction.Failure(domain: "Test", code: 7, message: "seven"), after: nil)
        )
        #expect(
            try Interaction.failed(url: Self.url, error: URLError(.timedOut)).failure?.code
                == NSURLErrorTimedOut
        )
    }

    @Test(
        "An invalid URL is an error",
        arguments: [
            "", "/a", "example.com", "https://", "https:///a", "ftp://example.com/", "file:///a", "http://[",
        ]
    )
    func badURL(_ url: String) {
        #expect(throws: Interaction.InputError.url(url)) { try Interaction.succeeded(url: url) }
        #expect(throws: Interaction.InputError.url(url)) { try Interaction.succeeded(url: url, text: "") }
        #expect(throws: Interaction.InputError.url(url)) { try Interaction.succeeded(url: url, json: User()) }
        #expect(throws: Interaction.InputError.url(url)) { try Interaction.succeeded(url: url, json: []) }
        #expect(throws: Interaction.InputError.url(url)) { try Interaction.rejected(url: url, status: 404) }
        #expect(throws: Interaction.InputError.url(url)) {
            try Interaction.failed(url: url, error: URLError(.badURL))
        }
    }

    @Test("A status out of range is an error", arguments: [-1, 0, 99, 1000, Int.max])
    func badStatus(_ status: Int) {
        #expect(throws: Interaction.InputError.status(status)) {
            try Interaction.rejected(url: Self.url, status: status)
        }
    }

    @Test("A value that cannot be encoded is an error with the cause")
    func badJSON() throws {
        let error = try #require(throws: Interaction.InputError.self) {
            try Interaction.succeeded(url: Self.url, json: ["a": Double.nan])
        }
        guard case .json(let cause) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(cause.hasPrefix("a: "))
        #expect(throws: Interaction.InputError.self) {
            try Interaction.succeeded(url: Self.url, json: Broken())
        }
        #expect(throws: Interaction.InputError.json(cause: cause)) {
            try Interaction.succeeded(url: Self.url, json: ["x": .value(["a": Double.nan])])
        }
    }

    @Test(
        "The description of each input error names the problem and the fix",
        arguments: [
            (.url("x"), "Invalid URL 'x'.\n  Use"), (.status(7), "Invalid status code 7.\n  Use"),
            (.json(cause: "a: no"), "The body cannot be encoded as JSON: a: no.\n  Change"),
        ] as [(Interaction.InputError, String)]
    )
    func descriptions(_ error: Interaction.InputError, _ beginning: String) {
        #expect("\(error)".hasPrefix(beginning))
        #expect("\(error)".hasPrefix(error.localizedDescription + "\n  "))
    }
}
