import Testing

@testable import Rewind

struct IncomingRequestTests {
    @Test("Expensive parts of a request are computed on demand and once")
    func completion() {
        let reads = Locked(0)
        let stubber = Stubber(stubsOnly: Stubber.Configuration())
        let request = IncomingRequest(Interaction.Request(url: "https://h/a")) {
            reads.withLock { $0 += 1 }
            return Interaction.Request(
                url: "https://h/a",
                headers: ["Authorization": "Bearer 5up3rs3cr3tvalue"]
            )
        }
        _ = request.redacted(by: stubber.redactor, full: false)
        #expect(reads.withLock { $0 } == 0)
        let told = request.redacted(by: stubber.redactor, full: true).headers["Authorization"]
        #expect(told?.contains("5up3rs3cr3tvalue") == false)
        #expect(request.full.headers["Authorization"] == "Bearer 5up3rs3cr3tvalue")
        _ = stubber.answer(to: request)
        #expect(stubber.requests.count == 1)
        #expect(reads.withLock { $0 } == 1)
    }
}
