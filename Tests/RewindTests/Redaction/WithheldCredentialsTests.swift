import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct WithheldCredentialsTests {
    private static let key = "AKIA" + "QJ7ZK3M5XW2PLB4T"
    private static let token = "ghp_" + "x7Kq2mZ9vB4nR6tY8wL1cF3hJ5pD0sG2aE4u"

    private let check = CredentialCheck()

    private func answer(
        _ text: String,
        to request: Interaction.Request = Interaction.Request(url: "https://h/a")
    ) -> Interaction {
        Interaction(
            request: request,
            outcome: .response(
                Interaction.Response(
                    headers: ["Content-Type": "text/plain", "Content-Length": "\(text.utf8.count)"],
                    body: Interaction.Body(text)
                )
            ),
            startedAt: Date(timeIntervalSince1970: 1_700_000_000)
        )
    }

    private func isClean(_ interaction: Interaction) -> Bool { check.findings(in: [interaction]).isEmpty }

    @Test("An interaction without findings stays unchanged")
    func nothing() {
        let interaction = answer("Grüße, AKIA is a prefix")
        #expect(check.withholding(in: interaction) == interaction)
    }

    @Test("Only the finding is withheld in a body, and Content-Length is updated")
    func body() throws {
        let safe = check.withholding(in: answer("a \(Self.key) b \(Self.token) c"))
        #expect(safe.text == "a REDACTEDwithheld b REDACTEDwithheld c")
        #expect(safe.response?.headers["Content-Length"] == "39")
        #expect(safe.redactedPlaces == [CredentialCheck.withheldNote])
        #expect(isClean(safe))
    }

    @Test("A finding is withheld in every part of an interaction")
    func places() {
        let places: [Interaction] = [
            answer(
                "",
                to: Interaction.Request(url: "https://h/\(Self.key)/list?key=\(Self.token)#\(Self.key)")
            ),
            answer("", to: Interaction.Request(url: "https://h/a", headers: ["X-Note": "my \(Self.key)"])),
            answer(
                "",
                to: Interaction.Request(method: "POST", url: "https://h/a", body: Interaction.Body(Self.token))
            ),
            answer(Data("user:\(Self.key) and more".utf8).base64EncodedString()),
            Interaction(
                request: Interaction.Request(url: "https://h/a"),
                outcome: .failure(
                    Interaction.Failure(domain: NSURLErrorDomain, code: -1, message: "no \(Self.key)"),
                    after: Interaction.Response(
                        headers: ["X-Key": Self.key],
                        body: Interaction.Body("cut \(Self.token)")
                    )
                )
            ),
        ]
        for interaction in places {
            #expect(!isClean(interaction))
            let safe = check.withholding(in: interaction)
            #expect(isClean(safe))
            #expect(!"\(safe)".contains(Self.key))
            #expect(!"\(safe)".contains(Self.token))
        }
    }

    @Test("A URL stays valid after withholding")
    func url() throws {
        let safe = check.withholding(
            in: answer("", to: Interaction.Request(url: "https://h/\(Self.key)/list?page=2"))
        )
        #expect(safe.request.url == "https://h/REDACTEDwithheld/list?page=2")
    }

    @Test("Nothing that looks like a credential remains, in any context")
    func anywhere() {
        var generator = SplitMix64(seed: 7)
        for _ in 0..<300 {
            let parts = (0..<6).map { _ in
                [Self.key, Self.token, generator.text(5, of: "=: \"'/+ab\n")].randomElement(using: &generator)
                    ?? ""
            }
            #expect(isClean(check.withholding(in: answer(parts.joined()))))
        }
    }
}
