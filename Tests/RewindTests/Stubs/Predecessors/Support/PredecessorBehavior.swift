import Foundation
import Rewind
import RewindTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A behavior that a test of OHHTTPStubs, Mocker, Mockingjay or LaserDisc checks, and what Rewind does.
struct PredecessorBehavior: Sendable, CustomTestStringConvertible {
    enum Verdict: Sendable {
        /// Rewind does the same. The check runs on real sessions, in a scope whose clock advances itself.
        case same(@Sendable (PredecessorScope) async throws -> Void)
        /// Rewind differs on purpose. The article contains the text.
        case different(String, article: String)
        /// Rewind has nothing for it, for this reason.
        case missing(String)
    }

    /// The test of the other suite.
    let test: String
    let behavior: String
    let verdict: Verdict

    var testDescription: String { "\(test): \(behavior)" }

    static func same(
        _ test: String,
        _ behavior: String,
        _ check: @escaping @Sendable (PredecessorScope) async throws -> Void
    ) -> Self {
        Self(test: test, behavior: behavior, verdict: .same(check))
    }

    static func different(_ test: String, _ behavior: String, _ sentence: String, in article: String) -> Self {
        Self(test: test, behavior: behavior, verdict: .different(sentence, article: article))
    }

    static func missing(_ test: String, _ behavior: String, _ reason: String) -> Self {
        Self(test: test, behavior: behavior, verdict: .missing(reason))
    }

    func check() async throws {
        switch verdict {
        case .same(let check):
            let clock = PlaybackClock(advancesItself: true)
            var configuration = Stubber.Configuration()
            configuration.clock = clock
            try await withStubs(configuration: configuration) { stubber in
                try await check(PredecessorScope(stubber: stubber, clock: clock))
            }
        case .different(let sentence, let article):
            let text = try Self.text(of: article)
            #expect(text.contains(Self.joined(sentence)), "\(article) does not say: \(sentence)")
        case .missing(let reason): #expect(reason.hasSuffix("."))
        }
    }

    /// The text of an article in one line, as the place of line ends does not matter.
    private static func text(of article: String) throws -> String {
        var root = URL(fileURLWithPath: #filePath)
        while root.lastPathComponent != "Tests" { root.deleteLastPathComponent() }
        let path = "Sources/Rewind/Rewind.docc/\(article).md"
        let file = root.deletingLastPathComponent().appendingPathComponent(path)
        return joined(try String(contentsOf: file, encoding: .utf8))
    }

    private static func joined(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

/// The scope of a check.
struct PredecessorScope: Sendable {
    let stubber: Stubber
    let clock: PlaybackClock

    /// The request of a URL, with changes.
    func request(_ text: String, _ change: (inout URLRequest) -> Void = { _ in }) -> URLRequest {
        let url = URL(string: text)
        #expect(url != nil, "\(text)")
        var request = URLRequest(url: url ?? URL(fileURLWithPath: "/"))
        change(&request)
        return request
    }

    /// The outcome of a request with `data(for:)`.
    func load(
        _ url: String,
        in session: URLSession = .shared,
        _ change: (inout URLRequest) -> Void = { _ in }
    ) async -> Outcome {
        await Outcome(of: request(url, change), in: session)
    }

    /// The arguments of a completion handler.
    func handled(_ url: String, in session: URLSession = .shared) async -> HandledAnswer {
        await withCheckedContinuation { continuation in
            session.dataTask(with: request(url)) { data, response, error in
                continuation.resume(returning: HandledAnswer(data: data, response: response, error: error))
            }.resume()
        }
    }

    /// Which of some requests satisfy a condition, found out by making them.
    func matches(_ condition: RequestCondition, _ requests: [URLRequest]) async -> [Bool] {
        let otherwise = stubber.stub(.any, respond: .status(404))
        let stub = stubber.stub(condition, respond: .status(204))
        defer { for stub in [otherwise, stub] { stub.remove() } }
        var matches: [Bool] = []
        for request in requests { matches.append(await Outcome(of: request).status == 204) }
        return matches
    }

    /// Expects that a condition matches the requests of some URLs, and not those of others.
    func expect(_ condition: RequestCondition, matches: [String], not others: [String]) async {
        for (urls, expected) in [(matches, true), (others, false)] {
            let found = await self.matches(condition, urls.map { request($0) })
            for (url, isMatch) in zip(urls, found) { #expect(isMatch == expected, "\(condition) \(url)") }
        }
    }

    /// The time of the clock that passes while the body runs.
    func elapsed(_ body: () async -> Void) async -> Duration {
        let start = clock.now
        await body()
        return start.duration(to: clock.now)
    }
}

struct HandledAnswer: @unchecked Sendable {
    // Sound as @unchecked Sendable: Foundation does not change a response after it was delivered.
    let data: Data?
    let response: URLResponse?
    let error: (any Error)?

    var text: String { String(decoding: data ?? Data(), as: UTF8.self) }
    var head: HTTPURLResponse? { response as? HTTPURLResponse }
}
