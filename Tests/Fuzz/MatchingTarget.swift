import Foundation

@testable import Rewind

/// The index, the matchers in either order, and the differences agree on whether two requests match.
func fuzzMatching(_ data: Data) {
    var input = FuzzInput(data)
    let (left, right) = (input.request(), input.request())
    for matchers in families {
        check(matchers.allSatisfy { $0.matches(left, left) }, "a request does not match itself")
        let agree = matchers.allSatisfy { $0.matches(left, right) }
        check(agree == matchers.allSatisfy { $0.matches(right, left) }, "the order of the two matters")
        let recorded = Interaction(
            request: right,
            outcome: .response(Interaction.Response()),
            startedAt: .distantPast
        )
        let index = InteractionIndex([recorded], matchers: matchers)
        let isFound = index.place(of: left) != nil
        // The index ignores the numbers of placeholders, so it may find more.
        if agree { check(isFound, "the index does not find what matches") }
        if isFound, !Placeholder.isPresent(in: data) { check(agree, "the index finds what does not match") }
        let differences = Difference.between(left, and: right, matchers: matchers)
        check(differences.isEmpty == agree, "the differences disagree: \(differences)")
    }
}

private let families: [[RequestMatcher]] = [
    .default, .approximate, [.headers], [.json, .path, .query], [.form], [.multipart], [.graphQL],
    .default.ignoring(.queryItems("a*"), .jsonPaths("$..id"), .formFields("t"), .headers("X-*")),
]
