#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Testing

    @testable import Rewind

    /// Only a response in which Foundation finds a challenge needs a substitute.
    struct UnchallengedResponseTests {
        @Test(
            "Only a 401 with a Basic challenge needs a substitute",
            arguments: [
                (401, "Basic realm=\"x\"", true), (401, "bAsIc", true), (401, "Digest realm=\"x\"", false),
                (401, "Bearer", false), (401, nil, false), (403, "Basic realm=\"x\"", false),
            ]
        )
        func needs(_ status: Int, _ challenge: String?, _ isNeeded: Bool) throws {
            let url = try #require(URL(string: "http://h/"))
            let fields = challenge.map { ["WWW-Authenticate": $0] } ?? [:]
            let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: fields)
            #expect((UnchallengedResponse(try #require(response)) != nil) == isNeeded)
        }
    }
#endif
