import Foundation
import Testing

@testable import Rewind

struct PrintedTextTests {
    private static let credentials = [
        "ghp_" + "x7Kq2mZ9vB4nR6tY8wL1cF3hJ5pD0sG2aE4u", "AIza" + "SyD3kLm9QwErTyUiOpAsDfGhJkLzXcVbNm1",
        "110201543:AA" + "HdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1",
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
    ]

    private static func isHidden(_ credential: String, in text: String) -> Bool {
        !text.contains(credential) && !text.contains(PercentEncoding.encoded(credential))
            && !text.contains(credential.suffix(20))
    }

    @Test("What looks like a credential is replaced in any context", arguments: credentials)
    func formats(_ credential: String) {
        let once = PercentEncoding.encoded("a=\(credential)")
        let contexts = [
            credential, "GET https://h/p/\(credential)/x", "https://h/q?z=\(credential)&b=1",
            "https://h/q?z=\(once)",
            "https://h/q?u=" + PercentEncoding.encoded("https://h/r?z=\(once)"),
            #"{"url": "https://h/?a=1\u0026z=\#(credential)"}"#, "a \(credential), b \(credential)\nc",
        ]
        for context in contexts {
            let text = PrintedText.withoutCredentials(context)
            #expect(Self.isHidden(credential, in: text), "\(text)")
            #expect(text.contains(CredentialCheck.withheld.text), "\(text)")
        }
    }

    @Test(
        "Other text stays, byte for byte",
        arguments: ["", "100 % of Grüße \\u00", "GET https://h/a%20b?c=%C3%A9 → 200"]
    )
    func others(_ text: String) { #expect(PrintedText.withoutCredentials(text) == text) }

    @Test("An allowed value is printed")
    func allowed() {
        let credential = Self.credentials[0]
        var redaction = Redaction.default
        redaction.allow(CredentialFinding.fingerprint(of: credential.utf8))
        #expect(PrintFilter(redaction).printable("see \(credential)") == "see \(credential)")
        #expect(PrintFilter(.off).printable("see \(credential)") == "see \(credential)")
        #expect(PrintFilter(.default).printable("see \(credential)") != "see \(credential)")
    }

    @Test("A secret of a request or a response is not printed later")
    func learned() {
        let filter = PrintFilter(.default)
        let (sent, received) = ("key-9c1185a5c5e9fc54612808977ee8f548", "tok-8f14e45fceea167a5a36")
        filter.add(
            IncomingRequest(Interaction.Request(url: "https://h/a", headers: ["X-API-Key": sent])),
            isKept: true
        )
        filter.add(
            Interaction(
                request: Interaction.Request(url: "https://h/login"),
                outcome: .response(
                    Interaction.Response(body: Interaction.Body(#"{"access_token": "\#(received)"}"#))
                )
            ),
            isKept: true
        )
        let encoded = Data("a:\(received)".utf8).base64EncodedString()
        let text = filter.printable("GET /users/\(sent)?next=\(received)&b=\(encoded)")
        for value in [sent, received, encoded] { #expect(!text.contains(value), "\(text)") }
    }

    @Test("Any number of secrets is hidden, and learning one takes the same time")
    func many() {
        let filter = PrintFilter(.default)
        let secrets = (0..<700).map { "secret-value-\($0 * 7919)-end" }
        for secret in secrets {
            filter.add(
                IncomingRequest(Interaction.Request(url: "https://h/?access_token=\(secret)")),
                isKept: true
            )
        }
        let text = filter.printable(secrets.joined(separator: " "))
        #expect(secrets.allSatisfy { !text.contains($0) })
    }

    @Test("Of requests that are not kept, only the latest are read")
    func latest() {
        let filter = PrintFilter(.default)
        for number in 0..<200 {
            let url = "https://h/?access_token=secret-value-\(number)-end"
            filter.add(IncomingRequest(Interaction.Request(url: url)), isKept: false)
        }
        #expect(filter.printable("secret-value-199-end") != "secret-value-199-end")
        #expect(filter.printable("secret-value-0-end") == "secret-value-0-end")
    }
}
