import Testing

@testable import Rewind

extension InteractionIndex {
    /// The positions of the interactions that a request's keys lead to, in recorded order.
    func positions(for request: Request) -> [Int] {
        place(of: request).map { candidates(at: $0).map(\.position) } ?? []
    }
}

/// Whether a request is answered by a recorded one, asked in every way there is, which must agree: through the
/// index, through each matcher, the other way round, and by the differences that are told.
func isMatch(
    _ request: Request,
    _ recorded: Request,
    _ matchers: [Matcher],
    sourceLocation: SourceLocation = #_sourceLocation
) -> Bool {
    let interactions = [Interaction(request: recorded, outcome: .response(Response()))]
    let index = InteractionIndex(interactions, matchers: matchers)
    let isFound = !index.positions(for: request).isEmpty
    let agrees = matchers.filter(\.isComparison).allSatisfy { $0.agrees(request, with: recorded) }
    let answer = isFound && agrees
    #expect(
        matchers.allSatisfy { $0.matches(request, recorded) } == answer,
        "\(request) and \(recorded)",
        sourceLocation: sourceLocation
    )
    #expect(
        matchers.allSatisfy { $0.matches(recorded, request) } == answer,
        "\(request) and \(recorded), the other way round",
        sourceLocation: sourceLocation
    )
    #expect(
        Difference.between(request, and: recorded, matchers: matchers).isEmpty == answer,
        "the differences of \(request) and \(recorded)",
        sourceLocation: sourceLocation
    )
    return answer
}

extension Request {
    /// A request with a body, and with a media type where one is given.
    static func post(_ body: String?, _ type: String? = nil) -> Request {
        Request(
            method: "POST",
            url: "https://h/",
            headers: type.map { ["Content-Type": $0] } ?? [:],
            body: body.map { Body($0) }
        )
    }
}

/// The media types of the bodies in tests.
enum Types {
    static let all = [
        nil, json, form, "text/plain", "image/png", "application/a+json", "multipart/form-data",
        "multipart/form-data; boundary=x", "multipart/mixed; boundary=elsewhere",
    ]
    static let json = "application/json"
    static let form = "application/x-www-form-urlencoded"
}
