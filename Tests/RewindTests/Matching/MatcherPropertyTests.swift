import Foundation
import Testing

@testable import Rewind

struct MatcherPropertyTests {
    private static let all: [RequestMatcher] =
        [
            .method, .url, .scheme, .host, .port, .path, .query, .fragment, .headers, .headers("X-A*"), .body,
            .bodyBytes, .json, .json(unorderedArrays: true), .form, .multipart, .graphQL,
            .custom("path") { URLParts($0.url).path },
            .custom("count") { ($0.body?.count ?? 0) == ($1.body?.count ?? 0) },
        ] + .approximate

    private static let noise: [RequestMatcher] = (.default + [.headers("X-*"), .graphQL]).ignoring(
        .queryItems("t"),
        .headers("x-t"),
        .formFields("t"),
        .multipartParts("t"),
        .jsonPaths("$..t")
    )

    @Test("Every request matches itself with every matcher", arguments: 0..<8)
    func reflexivity(_ seed: UInt64) {
        var requests = RandomRequests(seed: seed)
        for _ in 0..<40 {
            let request = requests.spelled(requests.meaning())
            for matcher in Self.all + Self.noise { #expect(isMatch(request, request, [matcher])) }
        }
    }

    @Test(
        "All ways to compare two requests agree and are symmetric",
        arguments: 0..<8
    )
    func agreement(_ seed: UInt64) {
        var requests = RandomRequests(seed: seed, areFew: true)
        var answers: Set<Bool> = []
        for _ in 0..<40 {
            let (one, other) = (requests.spelled(requests.meaning()), requests.spelled(requests.meaning()))
            for matcher in Self.all + Self.noise {
                let answer = isMatch(one, other, [matcher])
                if !matcher.isComparison {
                    let isEqual = matcher.projection(one) == matcher.projection(other)
                    #expect((isEqual || matcher.comparesBodies && one.hasSameBody(as: other)) == answer)
                }
                answers.insert(answer)
            }
        }
        #expect(answers.count == 2)
    }

    @Test("Equivalent spellings of a request match by default", arguments: 0..<8)
    func spellings(_ seed: UInt64) {
        var requests = RandomRequests(seed: seed)
        for _ in 0..<100 {
            let meaning = requests.meaning()
            let (one, other) = (requests.spelled(meaning), requests.spelled(meaning))
            #expect(isMatch(one, other, .default), "\(one.debugText) and \(other.debugText)")
        }
    }

    @Test("Every single change of a request is a mismatch by default", arguments: 0..<8)
    func changes(_ seed: UInt64) {
        var requests = RandomRequests(seed: seed)
        for _ in 0..<100 {
            let meaning = requests.meaning()
            let changed = requests.changed(meaning)
            let (one, other) = (requests.spelled(meaning), requests.spelled(changed))
            #expect(!isMatch(one, other, .default), "\(one.debugText) and \(other.debugText)")
        }
    }

    @Test("Equal bytes match with any media types and ignored parts", arguments: 0..<8)
    func equalBytes(_ seed: UInt64) {
        var requests = RandomRequests(seed: seed)
        let bodies: [RequestMatcher] = [
            .body, .bodyBytes, .json, .json(unorderedArrays: true), .json.ignoring(.jsonPaths("$..a")), .form,
            .form.ignoring(.formFields("a")), .multipart, .multipart.ignoring(.multipartParts("a")), .graphQL,
        ]
        for _ in 0..<60 {
            let request = requests.spelled(requests.meaning())
            guard request.body?.isEmpty == false else { continue }
            let (one, other) = (requests.retyped(request), requests.retyped(request))
            for matcher in bodies + [RequestMatcher.body.ignoring(.jsonPaths("$.*"), .formFields("*"))] {
                #expect(isMatch(one, other, [matcher]), "\(one.debugText) and \(other.debugText)")
            }
            #expect(isMatch(one, other, .default))
        }
    }

    @Test("Two keys are equal if, and only if, the requests are equivalent", arguments: 0..<4)
    func keysStandForMeanings(_ seed: UInt64) {
        var requests = RandomRequests(seed: seed, areFew: true)
        let index = InteractionIndex([], matchers: .default)
        var meanings: [InteractionIndex.Key: String] = [:]
        var seen: Set<String> = []
        for _ in 0..<400 {
            let meaning = requests.meaning()
            let request = requests.spelled(meaning)
            seen.insert(meaning.text)
            let first = meanings.updateValue(meaning.text, forKey: index.keys(of: request)[0])
            #expect(first == nil || first == meaning.text, "\(request.debugText)")
        }
        #expect(meanings.count == seen.count)
        #expect(seen.count < 400, "the requests are so few that some must be alike")
    }

    @Test("Random ignored parts never count, others still do", arguments: 0..<8)
    func noise(_ seed: UInt64) {
        var requests = RandomRequests(seed: seed)
        let matchers: [RequestMatcher] = Self.noise.dropLast()
        for _ in 0..<60 {
            let meaning = requests.meaning()
            let (one, other) = (
                requests.spelled(requests.noisy(meaning)), requests.spelled(requests.noisy(meaning))
            )
            #expect(isMatch(one, other, matchers), "\(one.debugText) and \(other.debugText)")
            let changed = requests.spelled(requests.noisy(requests.changed(meaning)))
            #expect(!isMatch(one, changed, matchers), "\(one.debugText) and \(changed.debugText)")
        }
    }

    @Test("An ignored URL component never counts, the others still do", arguments: 0..<8)
    func components(_ seed: UInt64) {
        var requests = RandomRequests(seed: seed)
        for _ in 0..<60 {
            let meaning = requests.meaning()
            let other = requests.meaning()
            var mixed = meaning
            (mixed.host, mixed.port, mixed.user) = (other.host, other.port, other.user)
            let order: [RequestMatcher.Ignored] = requests.pick(
                [.component(.host), .component(.user), .component(.port)],
                [.component(.port), .component(.host), .component(.user)]
            )
            let matchers: [RequestMatcher] = order.reduce(.default) { $0.ignoring($1) }
            #expect(isMatch(requests.spelled(meaning), requests.spelled(mixed), matchers))
            mixed.path.append("c")
            #expect(!isMatch(requests.spelled(meaning), requests.spelled(mixed), matchers))
        }
    }

    @Test("Applying all suggestions makes two requests match", arguments: 0..<8)
    func remedies(_ seed: UInt64) {
        var requests = RandomRequests(seed: seed)
        var count = 0
        for _ in 0..<60 {
            let meaning = requests.meaning()
            let (one, other) = (requests.spelled(meaning), requests.spelled(requests.changed(meaning)))
            for matcher in [RequestMatcher.url, .body, .headers, .json, .form, .multipart] {
                let remedies = matcher.differences(one, from: other).compactMap(\.suggestion)
                guard !remedies.isEmpty else { continue }
                count += 1
                #expect(remedies.reduce(matcher) { $0.ignoring($1) }.matches(one, other))
            }
        }
        #expect(count > 0)
    }

    @Test("The index finds the same interactions as a linear search", arguments: 0..<10)
    func index(_ seed: UInt64) {
        var requests = RandomRequests(seed: seed, areFew: true)
        for _ in 0..<20 {
            let meanings = (0..<24).map { _ in requests.meaning() }
            let interactions = meanings.map { meaning in
                let isKnown = requests.pick(true, true, true, false)
                let outcome =
                    isKnown ? Interaction.Outcome.response(Interaction.Response()) : .unknown(reason: "lost")
                return Interaction(request: requests.sometimesRetyped(meaning), outcome: outcome)
            }
            let matchers: [RequestMatcher] = requests.pick(
                .default,
                .approximate,
                [.host, .path],
                [],
                [.json],
                Self.noise,
                [.method, .graphQL],
                .default.overriding(.host) { _, _ in true },
                [.path, .custom("same") { $0.body == $1.body }]
            )
            let index = InteractionIndex(interactions, matchers: matchers)
            for meaning in meanings.prefix(12) + [requests.meaning(), requests.changed(meanings[0])] {
                let request = requests.sometimesRetyped(meaning)
                let expected = interactions.indices.filter { position in
                    interactions[position].isReplayable
                        && matchers.allSatisfy { $0.matches(request, interactions[position].request) }
                }
                let found = index.positions(for: request).filter { index.agrees(request, at: $0) }
                #expect(found == expected)
            }
        }
    }
}

extension Interaction.Request {
    /// The requests of a failed check.
    fileprivate var debugText: String {
        let body = body.map { String(decoding: $0.data, as: UTF8.self).debugDescription } ?? "none"
        return "\(self) \(headers["Content-Type"] ?? "none") \(body)"
    }
}
