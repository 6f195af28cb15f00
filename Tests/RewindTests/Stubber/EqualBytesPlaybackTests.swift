import Foundation
import Testing

@testable import Rewind

struct EqualBytesPlaybackTests {
    private static let body = #"{"b": 1, "a": 2}"#
    private static let respelled = #"{"a":2,"b":1}"#

    @Test("Identical requests replay in recorded order even with different media types")
    func order() {
        var playback = Self.playback([
            (Self.respelled, Types.json), (Self.body, "text/plain"), (Self.body, Types.json),
            ("x", "text/plain"),
            (Self.body, Types.form), (Self.respelled, "text/plain"),
        ])
        let request = Interaction.Request.post(Self.body, Types.json)
        #expect((0..<5).map { _ in playback.text(for: request) } == ["0", "1", "2", "4", "all 4 played"])
        #expect(playback.text(for: .post(Self.respelled, "text/plain")) == "5")
    }

    @Test("An interaction found by its bytes is not played again by its parsed body, and vice versa")
    func once() {
        var playback = Self.playback([(Self.body, Types.json), (Self.respelled, Types.json)])
        #expect(playback.text(for: .post(Self.respelled, "text/plain")) == "1")
        #expect(playback.text(for: .post(Self.respelled, Types.json)) == "0")
        #expect(playback.text(for: .post(Self.body, Types.json)) == "all 2 played")
        #expect(playback.text(for: .post(Self.body, "text/plain")) == "all 1 played")
    }

    @Test(
        "Repeats include matches by bytes and by parsed body",
        arguments: [(.last, ["0", "1", "2", "2", "2", "2"]), (.all, ["0", "1", "2", "0", "1", "2"])]
            as [(Stubber.Configuration.Repeats, [String])]
    )
    func repeats(_ repeats: Stubber.Configuration.Repeats, _ expected: [String]) {
        let recorded = [(Self.respelled, Types.json), (Self.body, "text/plain"), (Self.respelled, Types.json)]
        var playback = Self.playback(recorded, repeats: repeats)
        #expect(expected.indices.map { _ in playback.text(for: .post(Self.body, Types.json)) } == expected)
    }

    @Test("In sequential order, equal bytes match too")
    func sequential() {
        var playback = Self.playback([(Self.body, Types.json), ("x", "text/plain")], order: .sequential)
        #expect(playback.text(for: .post("x", Types.form)) == "#1 is next")
        #expect(playback.text(for: .post(Self.body, "image/png")) == "0")
        #expect(playback.text(for: .post("x", Types.json)) == "1")
    }

    @Test("Placeholder numbers may differ in equal bytes, but one secret has one recorded number")
    func placeholders() {
        func body(_ secrets: [Placeholder]) -> String {
            "{\"b\": \"\(secrets[0].text)\", \"a\": \"\(secrets[1].text)\"}"
        }
        let known = [1, 2].map { Placeholder(name: "token", number: $0) }
        let ledger = SecretLedger { known }
        let live = ["first", "second"].map { ledger.placeholder(for: $0, name: "token") }
        #expect(live != known)
        let recorded = [(body(known.reversed()), Types.json), (body(known), Types.json)]
        // A comparison of JSON sorts the members, so that "a" comes first; in these bytes it does not.
        var playback = Self.playback(recorded, ledger: ledger)
        #expect(playback.text(for: .post(body(live), "text/plain")) == "0")
        #expect(playback.text(for: .post(body(live), "text/plain")) == "all 1 played")
        #expect(playback.text(for: .post(body(known), "text/plain")) == "1")
        #expect(playback.text(for: .post(body(known), Types.json)) == "all 1 played")
        #expect(ledger.placeholder(for: "first", name: "token") == known[1])
    }

    @Test("A new recording replaces one with the same bytes and another media type")
    func renewal() {
        func interaction(_ type: String, _ answer: String) -> Interaction {
            Interaction(
                request: .post(Self.body, type),
                outcome: .response(Interaction.Response(body: Interaction.Body(answer)))
            )
        }
        let present = [interaction(Types.json, "old"), interaction("text/plain", "older")]
        let recorded = [interaction(Types.form, "new")]
        let renewed = SavePolicy.renew.interactions(of: present, with: recorded, matchers: .default)
        #expect(renewed.map { $0.response?.body } == [Interaction.Body("older"), Interaction.Body("new")])
        #expect(SavePolicy.addMissing.interactions(of: present, with: recorded, matchers: .default) == present)
    }

    private static func playback(
        _ bodies: [(String, String)],
        repeats: Stubber.Configuration.Repeats = .never,
        order: Stubber.Configuration.PlaybackOrder = .perRequest,
        ledger: SecretLedger = SecretLedger()
    ) -> Playback {
        let interactions = bodies.enumerated().map { number, body in
            Interaction(
                request: .post(body.0, body.1),
                outcome: .response(Interaction.Response(body: Interaction.Body("\(number)")))
            )
        }
        return Playback(interactions, matchers: .default, repeats: repeats, order: order, ledger: ledger)
    }
}

extension Playback {
    /// The result of playing a request, as text.
    fileprivate mutating func text(for request: Interaction.Request) -> String {
        switch play(request) {
        case .found(let found):
            String(decoding: found.made().interaction.response?.body.data ?? Data(), as: UTF8.self)
        case .noMatch: "no match"
        case .allPlayed(let positions): "all \(positions.count) played"
        case .outOfOrder(let due): "#\(due + 1) is next"
        }
    }
}
