import Foundation
import Testing

@testable import Rewind

struct PlainBodiesTests {
    private static let secret = "4f9a7c21e0b84d5f"

    /// A table with a secret in a column, which only its media type makes one.
    private static let table = Data(
        ("name,password\n" + String(repeating: "ann,\(secret)\n", count: 2_000)).utf8
    )

    private static func interaction(_ body: Data, _ type: String, host: String = "h") -> Interaction {
        let headers: HeaderList = ["Content-Type": type]
        return Interaction(
            request: Interaction.Request(url: "https://\(host)/a"),
            outcome: .response(
                Interaction.Response(status: 200, headers: headers, body: Interaction.Body(body))
            )
        )
    }

    private static func redactor(_ redaction: Redaction = .default) -> Redactor {
        var redaction = redaction
        redaction.plainBodies = PlainBodies()
        return Redactor(redaction)
    }

    @Test("A body without secrets is searched once")
    func searchedOnce() {
        let bodies = PlainBodies()
        let body = Data(count: 20_000)
        var searches = 0
        for _ in 0..<3 {
            let edited = bodies.edited(body, mediaType: nil, of: .response, host: "") {
                searches += 1
                return nil
            }
            #expect(edited == nil)
        }
        #expect(searches == 1)
        // Equal bytes in other memory are another body.
        _ = bodies.edited(Data(count: 20_000), mediaType: nil, of: .response, host: "") {
            searches += 1
            return nil
        }
        #expect(searches == 2)
    }

    @Test("A body with secrets is searched each time")
    func secretsAgain() {
        let redactor = Self.redactor()
        let body =
            Data((#"{"password":""# + Self.secret + #"","text":""#).utf8) + Data(repeating: 0x61, count: 20_000)
            + Data(#""}"#.utf8)
        for _ in 0..<2 {
            let redacted = redactor.redact([Self.interaction(body, "application/json")])
            #expect(redacted[0].response?.body.contains(Self.secret) == false)
        }
    }

    @Test("The same body is searched again if it has another media type or belongs to another host")
    func otherMessages() {
        let redactor = Self.redactor()
        let plain = redactor.redact([Self.interaction(Self.table, "text/plain")])
        #expect(plain[0].response?.body.data == Self.table)
        let table = redactor.redact([Self.interaction(Self.table, "text/csv")])
        #expect(table[0].response?.body.contains(Self.secret) == false)

        var rules = Redaction.default
        rules.add(.field("colour").on(host: "b"))
        let hosts = Self.redactor(rules)
        let body =
            Data((#"{"colour":""# + Self.secret + #"","text":""#).utf8)
            + Data(repeating: 0x61, count: 20_000) + Data(#""}"#.utf8)
        let other = hosts.redact([Self.interaction(body, "application/json", host: "a")])
        #expect(other[0].response?.body.data == body)
        let own = hosts.redact([Self.interaction(body, "application/json", host: "b")])
        #expect(own[0].response?.body.contains(Self.secret) == false)
    }

    @Test("A secret that a later message reveals is removed from a body without named secrets")
    func revealedLater() {
        let redactor = Self.redactor()
        let body = Data(String(repeating: "text ", count: 5_000).utf8) + Data(Self.secret.utf8)
        let first = Self.interaction(body, "text/plain")
        #expect(redactor.redact([first])[0].response?.body.data == body)
        let login = Self.interaction(Data(#"{"password":"\#(Self.secret)"}"#.utf8), "application/json")
        let redacted = redactor.redact([first, login])
        #expect(redacted[0].response?.body.contains(Self.secret) == false)
    }

    @Test("A finder is asked again")
    func finders() {
        let known = Locked(false)
        var rules = Redaction.default
        rules.add(.values(name: "code") { _ in known.withLock { $0 } ? [Self.secret] : [] })
        let redactor = Self.redactor(rules)
        let body = Data(String(repeating: "text ", count: 5_000).utf8) + Data(Self.secret.utf8)
        let interaction = Self.interaction(body, "text/plain")
        #expect(redactor.redact([interaction])[0].response?.body.data == body)
        known.withLock { $0 = true }
        #expect(redactor.redact([interaction])[0].response?.body.contains(Self.secret) == false)
    }
}

extension Interaction.Body {
    fileprivate func contains(_ text: String) -> Bool { data.range(of: Data(text.utf8)) != nil }
}
