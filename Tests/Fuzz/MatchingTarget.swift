import Foundation

@testable import Rewind

/// Whoever is asked whether two requests match says the same: the index, the matchers, in either order, the differences.
func fuzzMatching(_ data: Data) {
    var input = FuzzInput(data)
    let (left, right) = (input.request(), input.request())
    for matchers in families {
        hold(matchers.allSatisfy { $0.matches(left, left) }, "a request does not match itself")
        let agree = matchers.allSatisfy { $0.matches(left, right) }
        hold(agree == matchers.allSatisfy { $0.matches(right, left) }, "the order of the two matters")
        let recorded = Interaction(
            request: right,
            outcome: .response(Interaction.Response()),
            startedAt: .distantPast
        )
        let index = InteractionIndex([recorded], matchers: matchers)
        let isFound = index.place(of: left) != nil
        // The index is blind to the numbers of placeholders, so that it may find more.
        if agree { hold(isFound, "the index does not find what matches") }
        if isFound, !Placeholder.isPresent(in: data) { hold(agree, "the index finds what does not match") }
        let differences = Difference.between(left, and: right, matchers: matchers)
        hold(differences.isEmpty == agree, "the differences say otherwise: \(differences)")
    }
}

private let families: [[RequestMatcher]] = [
    .default, .approximate, [.headers], [.json, .path, .query], [.form], [.multipart], [.graphQL],
    .default.ignoring(.queryItems("a*"), .jsonPaths("$..id"), .formFields("t"), .headers("X-*")),
]
