import Foundation
import Testing

@testable import Rewind

/// Recorded requests that differ only in the credentials of their header fields.
struct CredentialMatchingTests {
    private static let first = "Bearer REDACTEDaccessTokenN1X"
    private static let second = "Bearer REDACTEDaccessTokenN2X"

    private static func page(_ credential: String?, _ text: String, header: String = "Authorization")
        -> Interaction
    {
        var page = Interaction.page("https://h/me", text)
        if let credential { page.request.headers[header] = credential }
        return page
    }

    private func stubber(_ interactions: [Interaction]) throws -> Stubber {
        let studio = try Studio()
        try studio.put(interactions)
        return try studio.stubber(.never)
    }

    private func answer(_ stubber: Stubber, _ credential: String?, header: String = "Authorization") -> Decision
    {
        Decision(stubber.answer(to: Self.page(credential, "", header: header).request))
    }

    @Test(
        "Each user is answered with their own response, in any order",
        arguments: ["Authorization", "X-Api-Key"]
    )
    func users(_ header: String) throws {
        let (first, second) = ("REDACTEDaccessTokenN1X", "REDACTEDaccessTokenN2X")
        let stubber = try stubber([
            Self.page(first, "a", header: header), Self.page(second, "b", header: header),
        ])
        #expect(answer(stubber, second, header: header) == .replays("b"))
        #expect(answer(stubber, first, header: header) == .replays("a"))
    }

    @Test("A user is never answered with the response of another one")
    func exhausted() throws {
        let stubber = try stubber([Self.page(Self.first, "a"), Self.page(Self.second, "b")])
        #expect(answer(stubber, Self.first) == .replays("a"))
        #expect(answer(stubber, Self.first) != .replays("b"))
        #expect(answer(stubber, Self.second) == .replays("b"))
    }

    @Test("Other credentials than those that were recorded are bound to them in order")
    func otherCredentials() throws {
        let recorded = ["REDACTEDauthorizationN1X", "REDACTEDauthorizationN2X"].map { "Bearer \($0)" }
        let stubber = try stubber([
            Self.page(recorded[0], "a1"), Self.page(recorded[1], "b1"), Self.page(recorded[1], "b2"),
            Self.page(recorded[0], "a2"),
        ])
        #expect(answer(stubber, "Bearer 4f9a7c21e0b84d5f") == .replays("a1"))
        #expect(answer(stubber, "Bearer c2b1a09f8e7d6c5b") == .replays("b1"))
        #expect(answer(stubber, "Bearer 4f9a7c21e0b84d5f") == .replays("a2"))
        #expect(answer(stubber, "Bearer c2b1a09f8e7d6c5b") == .replays("b2"))
    }

    @Test("A request without a credential is answered in recorded order")
    func noCredential() throws {
        let stubber = try stubber([Self.page(Self.first, "a"), Self.page(Self.second, "b")])
        #expect(answer(stubber, nil) == .replays("a"))
        #expect(answer(stubber, nil) == .replays("b"))
    }

    @Test("Credentials are not compared if all recorded requests have the same one")
    func sameCredential() throws {
        let stubber = try stubber([Self.page(Self.first, "a"), Self.page(Self.first, "b")])
        #expect(answer(stubber, Self.second) == .replays("a"))
        #expect(answer(stubber, "Bearer c2b1a09f8e7d6c5b") == .replays("b"))
    }

    @Test("Users of basic authentication differ by their names, with any passwords")
    func basic() throws {
        func basic(_ text: String) -> String { "Basic \(Data(text.utf8).base64EncodedString())" }
        let redactor = Redactor(.default)
        let recorded = [("ann:hunter2-hunter2", "a"), ("bob:correct-horse-7", "b")].map { credential, text in
            redactor.redact(Self.page(basic(credential), text))
        }
        #expect(recorded.allSatisfy { !"\($0)".contains("hunter2") && !"\($0)".contains("horse") })
        let stubber = try stubber(recorded)
        #expect(answer(stubber, basic("bob:another-horse-8")) == .replays("b"))
        #expect(answer(stubber, basic("ann:hunter3-hunter3")) == .replays("a"))
    }
}
