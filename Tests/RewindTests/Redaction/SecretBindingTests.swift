import Testing

@testable import Rewind

struct SecretBindingTests {
    private let studio: Studio

    init() throws {
        studio = try Studio()
        try studio.put([
            .page("https://h/a?access_token=REDACTEDaccessTokenN1X", "a"),
            .page("https://h/b?access_token=REDACTEDaccessTokenN1X", "b"),
            .page("https://h/c?access_token=REDACTEDaccessTokenN2X", "c"),
        ])
    }

    @Test("A placeholder cannot match two different secrets")
    func isTaken() throws {
        let stubber = try studio.stubber(.never)
        #expect(stubber.decision(on: "https://h/a?access_token=4f9a7c21e0b84d5f") == .replays("a"))
        #expect(stubber.decision(on: "https://h/b?access_token=c2b1a09f8e7d6c5b") == .findsNoMatch)
        #expect(stubber.decision(on: "https://h/b?access_token=4f9a7c21e0b84d5f") == .replays("b"))
    }

    @Test("A secret cannot match two different placeholders")
    func isBound() throws {
        let stubber = try studio.stubber(.never)
        #expect(stubber.decision(on: "https://h/a?access_token=4f9a7c21e0b84d5f") == .replays("a"))
        #expect(stubber.decision(on: "https://h/c?access_token=4f9a7c21e0b84d5f") == .findsNoMatch)
        #expect(stubber.decision(on: "https://h/c?access_token=c2b1a09f8e7d6c5b") == .replays("c"))
    }

    @Test(
        "Only a response with redacted places is searched for the secrets that the app sent",
        arguments: [true, false]
    )
    func isSearched(_ isRedacted: Bool) throws {
        let url = "https://h/a?access_token="
        var page = Interaction.page(url + "REDACTEDaccessTokenN1X", "REDACTEDaccessTokenN1X")
        page.redactedPlaces = ["request query access_token"] + (isRedacted ? ["response body"] : [])
        try studio.put([page])
        let decision = try studio.stubber(.never).decision(on: url + "4f9a7c21e0b84d5f")
        #expect(decision == .replays(isRedacted ? "4f9a7c21e0b84d5f" : "REDACTEDaccessTokenN1X"))
    }
}
