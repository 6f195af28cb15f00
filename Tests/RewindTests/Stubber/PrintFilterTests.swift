import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct PrintFilterTests {
    @Test("An allowed value is printed")
    func allowed() {
        let credential = "ghp_" + "x7Kq2mZ9vB4nR6tY8wL1cF3hJ5pD0sG2aE4u"
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

    @Test("Any number of secrets is hidden")
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

    @Test("A secret of a replayed file of another system is not printed")
    func foreign() throws {
        let studio = try Studio()
        let archive = """
            {"log": {"version": "1.2", "creator": {"name": "Browser", "version": "1"}, "entries": [{
              "startedDateTime": "2024-01-01T00:00:00Z", "time": 1,
              "request": {"method": "GET", "url": "https://h/login", "headers": []},
              "response": {"status": 200, "headers": [{"name": "Content-Type", "value": "application/json"}],
                "content": {"mimeType": "application/json", "text": "{\\"access_token\\": \\"tok-8f14e45fceea167a5a36\\"}"}}}]}}
            """
        try Data(archive.utf8).write(to: studio.file)
        let stubber = try studio.stubber(.never)
        guard case .play = stubber.answer(to: Interaction.Request(url: "https://h/login")),
            case .refuse(let miss) = stubber.answer(
                to: Interaction.Request(url: "https://h/users/tok-8f14e45fceea167a5a36")
            )
        else {
            Issue.record("no replay or no miss")
            return
        }
        #expect(miss.description.contains("https://h/users/"))
        for text in [miss.description, miss.request.url, miss.reminder] { #expect(!text.contains("8f14e45f")) }
    }
}
