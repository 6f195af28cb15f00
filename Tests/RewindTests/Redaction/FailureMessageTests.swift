import Rewind
import Testing

struct FailureMessageTests {
    @Test("A secret in a URL inside a failure message is redacted")
    func namedOnlyThere() {
        let failure = Interaction.Failure(
            code: -1004,
            message: "https://h/b?access_token=4f9a7c21e0b84d5f&page=2"
        )
        let request = Interaction.Request(url: "https://h/a")
        let redacted = Redactor(.default).redact(
            Interaction(request: request, outcome: .failure(failure, after: nil))
        )
        #expect(redacted.failure?.message.contains("4f9a7c21e0b84d5f") == false)
        #expect(redacted.failure?.message.hasSuffix("&page=2") == true)
    }
}
