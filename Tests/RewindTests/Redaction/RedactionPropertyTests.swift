import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct RedactionPropertyTests {
    private static let names = SecretNames.fields.map { $0.replacingOccurrences(of: "*", with: "my_") }
        .sorted()
    private static let alphabet = "abcdefghijKLMNOPQRS0123456789-._~+/=&%<\"é ßあ'\\;"

    /// A message with one named secret, encoded copies of it, and other values.
    private struct Sample {
        let secret: String
        let interaction: Interaction
        let isJSON: Bool

        init(seed: UInt64) {
            var random = SplitMix64(seed: seed)
            var documents = RandomJSON(seed: seed)
            let secret =
                random.text(Int.random(in: 8...40, using: &random), of: RedactionPropertyTests.alphabet) + "x9"
            let name = RedactionPropertyTests.names.randomElement(using: &random) ?? "password"
            isJSON = Bool.random(using: &random)
            let encoded = PercentEncoding.encoded(secret)
            let base64 = Data("u:\(secret):v".utf8).base64EncodedString()
            let json: JSON = [
                "a": documents.value(),
                "deep": ["list": [["k": 1, "\(name)": .string(secret)]]],
                "copies": [.string(secret), .string(encoded), .string(base64), .string("say \(secret)!")],
            ]
            let form =
                "a=1&\(PercentEncoding.encoded(name))=\(encoded)&b=\(encoded)&c=\(PercentEncoding.encoded(base64))"
            let response: JSON = ["echo": .string("\(secret)\(base64)"), "b": documents.value()]
            interaction = Interaction(
                request: Interaction.Request(
                    method: "POST",
                    url: "https://h/x/\(encoded)?q=\(encoded)&r=1",
                    headers: [
                        "Content-Type": isJSON ? "application/json" : "application/x-www-form-urlencoded",
                        "X-Copy": base64, "X-Encoded": "a \(encoded) b",
                    ],
                    body: Interaction.Body(isJSON ? json.lineText : Data(form.utf8))
                ),
                outcome: .response(
                    Interaction.Response(
                        headers: ["Content-Type": "application/json"],
                        body: Interaction.Body(response.lineText)
                    )
                )
            )
            self.secret = secret
        }
    }

    @Test(
        "No spelling of a secret survives, and the document still parses",
        arguments: 0..<300 as Range<UInt64>
    )
    func absence(_ seed: UInt64) throws {
        let sample = Sample(seed: seed)
        let redacted = Redactor(.default).redact([sample.interaction])
        let search = SecretSearch([sample.secret])
        let file = HARFormat.write(Cassette(interactions: redacted))
        #expect(search.findings(in: file) == [], "\(sample.secret)")
        let request = try #require(redacted.first?.request)
        let body = try #require(request.body)
        if sample.isJSON {
            #expect(try JSON(parsing: body.data)["deep"] != nil)
        } else {
            #expect(FormFields(body.data)?.fields.map(\.name).first == "a")
        }
        #expect(URL(string: request.url)?.host == "h")
        #expect(throws: Never.self) { try JSON(parsing: redacted[0].response?.body.data ?? Data()) }
        #expect(try HARFormat.read(file).interactions == redacted)
    }

    @Test(
        "A repeated request matches its recording even if its secret has changed",
        arguments: 0..<100 as Range<UInt64>
    )
    func matching(_ seed: UInt64) throws {
        let recorded = Redactor(.default).redact([Sample(seed: seed).interaction])
        let redactor = Redactor(.default) { Placeholder.placeholders(in: recorded) }
        var playback = Playback(recorded, matchers: .default, repeats: .never, ledger: redactor.ledger)
        guard case .found = playback.play(redactor.redact(Sample(seed: seed).interaction.request)) else {
            Issue.record("it is a miss")
            return
        }
    }

    @Test("A second redaction of broken JSON changes nothing")
    func brokenJSON() throws {
        let text =
            #"{"password":"hunt{"password":"hunter2","k":"a\/e: b"#
            + "\nSet-Cookie: sid=xyzxyzxyz; Path=/\n"
        let request = Interaction.Request.post(text, Types.json)
        let response = Interaction.Response()
        let once = Redactor(.default).redact([Interaction(request: request, outcome: .response(response))])
        #expect(once.first?.request.body?.data != Data(text.utf8))
        #expect(Redactor(.default).redact(once) == once)
    }
}
