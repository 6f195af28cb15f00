import Foundation
import Rewind
import RewindTestSupport
import Testing

struct PseudoHeaderTests {
    private let request = Interaction.Request(
        url: "http://browser.invalid/",
        headers: [":authority": "browser.invalid", ":method": "GET", "X-Token": "1"]
    )

    @Test("Pseudo header fields are stored in the archive but not delivered")
    func delivery() async throws {
        let folder = try TemporaryDirectory()
        let response = Interaction.Response(
            headers: [":status": "200", "Content-Type": "text/plain", ":odd": "1"],
            body: Interaction.Body("hello")
        )
        let interactions = [Interaction(request: request, outcome: .response(response))]
        try Cassette(interactions: interactions).write(to: folder["talk.har"])
        let outcome = try await withCassette("talk", in: folder.url, mode: .never) { _ in
            await Outcome(of: try #require(URL(string: "http://browser.invalid/")))
        }
        #expect(outcome.headers == ["Content-Type": "text/plain"])
        #expect(outcome.text == "hello")
        let kept = try Cassette(contentsOf: folder["talk.har"]).interactions
        #expect(kept.first?.response?.headers.count == 3)
    }

    @Test(
        "Matchers ignore pseudo header fields",
        arguments: [.headers, .headers(":*"), .headers("*")] as [RequestMatcher]
    )
    func matching(_ matcher: RequestMatcher) {
        let asked = Interaction.Request(url: request.url, headers: ["X-Token": "1"])
        #expect(matcher.matches(asked, request))
        #expect(matcher.differences(asked, from: request).isEmpty)
    }

    @Test("Matchers compare the other fields")
    func others() {
        let asked = Interaction.Request(
            url: request.url,
            headers: [":authority": "browser.invalid", "X-Token": "2"]
        )
        #expect(!RequestMatcher.headers.matches(asked, request))
    }
}
