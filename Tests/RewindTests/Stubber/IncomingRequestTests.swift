import Testing

@testable import Rewind

struct IncomingRequestTests {
    @Test("What costs something is found out when it is asked for, and once")
    func completion() {
        let asked = Locked(0)
        let stubber = Stubber(stubsOnly: Stubber.Configuration())
        let request = IncomingRequest(Interaction.Request(url: "https://h/a")) {
            asked.withLock { $0 += 1 }
            return Interaction.Request(
                url: "https://h/a",
                headers: ["Authorization": "Bearer 5up3rs3cr3tvalue"]
            )
        }
        _ = request.redacted(by: stubber.redactor, full: false)
        #expect(asked.withLock { $0 } == 0)
        let told = request.redacted(by: stubber.redactor, full: true).headers["Authorization"]
        #expect(told?.contains("5up3rs3cr3tvalue") == false)
        #expect(request.full.headers["Authorization"] == "Bearer 5up3rs3cr3tvalue")
        _ = stubber.answer(to: request)
        #expect(stubber.requests.count == 1)
        #expect(asked.withLock { $0 } == 1)
    }
}
