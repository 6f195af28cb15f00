import Foundation
import Testing

@testable import Rewind

/// What the article on secrets says of names, values and providers.
struct SecretsArticleTests {
    private static let random = "q8Zk3mX7vB2nR9tY5wQ7"

    /// The text of some interactions after redaction.
    private static func text(_ interactions: Interaction...) -> String {
        let redacted = Redactor(.default).redact(interactions)
        return String(decoding: HARFormat.write(Cassette(interactions: redacted)), as: UTF8.self)
    }

    private static func sent(_ body: String, _ type: String = "application/json") -> Interaction {
        Interaction(
            request: Interaction.Request(
                method: "POST",
                url: "https://h/a",
                headers: ["Content-Type": type],
                body: Interaction.Body(body)
            ),
            outcome: .response(Interaction.Response())
        )
    }

    private static func received(_ body: String, _ type: String = "application/json") -> Interaction {
        Interaction(
            request: Interaction.Request(url: "https://h/a"),
            outcome: .response(
                Interaction.Response(headers: ["Content-Type": type], body: Interaction.Body(body))
            )
        )
    }

    private static func requested(_ url: String, headers: HeaderList = [:]) -> Interaction {
        Interaction(
            request: Interaction.Request(url: url, headers: headers),
            outcome: .response(Interaction.Response())
        )
    }

    private static func json(_ name: String, _ value: String) -> String {
        let members = [name: value]
        return (try? JSONEncoder().encode(members)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    // MARK: Values under a secret name

    @Test("In a response, text for people is not secret under a name such as password; in a request it is")
    func textForPeople() {
        for value in ["is too short", "Passwort eingeben", "********"] {
            #expect(Self.text(Self.received(Self.json("password", value))).contains(value), "\(value)")
            #expect(!Self.text(Self.sent(Self.json("password", value))).contains(value), "\(value)")
        }
        #expect(!Self.text(Self.requested("https://h/a?password=tooshort")).contains("tooshort"))
    }

    @Test(
        "Under a name such as token, only a value that looks generated is secret",
        arguments: ["token", "session", "signature"]
    )
    func generated(_ name: String) {
        for value in ["Concurrency-Deep-Dive", "apache-2.0", "9161", "a1b2c3d"] {
            #expect(Self.text(Self.received(Self.json(name, value))).contains(value), "\(value)")
        }
        for value in ["a1b2c3d4", Self.random] {
            #expect(!Self.text(Self.received(Self.json(name, value))).contains(value), "\(value)")
        }
    }

    @Test("In a path, a value is secret after certain parts if it looks generated")
    func paths() {
        #expect(!Self.text(Self.requested("https://h/reset/f3k9sQ2mZx81LpQw")).contains("f3k9sQ2mZx81LpQw"))
        #expect(Self.text(Self.requested("https://h/reset/instructions")).contains("instructions"))
        let hook = "x1Y2z3A4b5C6d7E8f9G0h1J2"
        let url = "https://hooks.slack.com/services/T0ABCDEF1/B0ABCDEF1/\(hook)"
        #expect(!Self.text(Self.requested(url)).contains(hook))
    }

    @Test("A common value is replaced under its name only")
    func commonValues() {
        func texts(_ value: String) -> (named: Bool, elsewhere: Bool) {
            let text = Self.text(
                Self.requested("https://h/a?access_token=\(value)"),
                Self.received("see \(value) here", "text/plain")
            )
            return (!text.contains("access_token=\(value)"), !text.contains("see \(value) here"))
        }
        for value in ["abc12", "aaaaaaa", "example", "password", "123456789"] {
            #expect(texts(value) == (true, false), "\(value)")
        }
        for value in ["abc1234", "1234567890", "hunter22"] { #expect(texts(value) == (true, true), "\(value)") }
    }

    @Test("A short cookie, or one without both a letter and a digit, is replaced under its name only")
    func commonCookies() {
        for (value, everywhere) in [
            ("a1b2c3d4e5f", false), ("a1b2c3d4e5f6", true), ("abcdefghijklmnop", false),
            ("12345678901234", false),
        ] {
            let text = Self.text(
                Self.requested("https://h/a", headers: ["Cookie": "sid=\(value)"]),
                Self.received("see \(value) here", "text/plain")
            )
            #expect(!text.contains("sid=\(value)"), "\(value)")
            #expect(text.contains("see \(value) here") != everywhere, "\(value)")
        }
    }

    // MARK: Names

    @Test(
        "Spelling, digits at the end, the plural and an environment at the end do not matter",
        arguments: [
            "access_token", "accessToken", "access-token", "access.token", "access token", "ACCESS_TOKEN",
            "access_token_2", "accessToken2", "access_tokens", "API_KEY_PROD", "API_KEY_STAGING",
            "x_access_token",
            "user[password]",
        ]
    )
    func spellings(_ name: String) {
        #expect(!Self.text(Self.received(Self.json(name, Self.random))).contains(Self.random))
        let item = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        #expect(!Self.text(Self.requested("https://h/a?\(item)=\(Self.random)")).contains(Self.random))
    }

    private static func concrete(_ name: String) -> String { name.replacingOccurrences(of: "*", with: "x_") }

    @Test("No field is in two lists")
    func lists() {
        let lists = [
            SecretNames.fields, SecretNames.likelyFields, SecretNames.possibleFields,
            SecretNames.harmlessFields,
        ]
        let names: [String] = lists.flatMap { $0 }
        #expect(Set(names).count == names.count)
        #expect(
            SecretNames.headers.isDisjoint(with: SecretNames.likelyHeaders.union(SecretNames.harmlessHeaders))
        )
    }

    @Test("Every field of the first list is secret with any value in a request")
    func fields() {
        for name in SecretNames.fields.map(Self.concrete) {
            #expect(!Self.text(Self.sent(Self.json(name, "bluewater"))).contains("bluewater"), "\(name)")
        }
    }

    @Test("Every field of the second list is secret if the value looks generated, and not otherwise")
    func likelyFields() {
        for name in SecretNames.likelyFields.map(Self.concrete) {
            #expect(!Self.text(Self.received(Self.json(name, Self.random))).contains(Self.random), "\(name)")
            #expect(Self.text(Self.received(Self.json(name, "bluewater"))).contains("bluewater"), "\(name)")
        }
    }

    @Test("Every field of the third list is secret if the value is random, and five are secret in every form")
    func possibleFields() {
        let inForms: Set = ["clave", "mdp", "pass", "psw", "pw"]
        for name in SecretNames.possibleFields {
            #expect(!Self.text(Self.received(Self.json(name, Self.random))).contains(Self.random), "\(name)")
            #expect(Self.text(Self.received(Self.json(name, "bluewater"))).contains("bluewater"), "\(name)")
            let form = Self.text(Self.sent("\(name)=bluewater&x=1", "application/x-www-form-urlencoded"))
            #expect(form.contains("bluewater") == !inForms.contains(name), "\(name)")
        }
    }

    @Test("Every field and header field of the last list keeps its value")
    func harmlessNames() {
        for name in SecretNames.harmlessFields.map(Self.concrete) {
            #expect(Self.text(Self.received(Self.json(name, Self.random))).contains(Self.random), "\(name)")
        }
        for name in SecretNames.harmlessHeaders.map({ $0.replacingOccurrences(of: "*", with: "x-") }) {
            let headers = HeaderList([.init(name: name, value: Self.random)])
            #expect(Self.text(Self.requested("https://h/", headers: headers)).contains(Self.random), "\(name)")
        }
    }

    @Test("Every header field of the second list is secret if its value looks generated, and not otherwise")
    func likelyHeaders() {
        for name in SecretNames.likelyHeaders.map({ $0.replacingOccurrences(of: "*", with: "x-my-") }) {
            for (value, isSecret) in [(Self.random, true), ("bluewater", false)] {
                let headers = HeaderList([.init(name: name, value: value)])
                let text = Self.text(Self.requested("https://h/", headers: headers))
                #expect(text.contains(value) != isSecret, "\(name): \(value)")
            }
        }
    }

    @Test("Every cookie of the list is secret with any value, and others if the value looks generated")
    func cookies() {
        for name in SecretNames.cookies.map(Self.concrete) {
            let text = Self.text(Self.requested("https://h/", headers: ["Cookie": "\(name)=bluewater"]))
            #expect(!text.contains("bluewater"), "\(name)")
        }
        for (value, isSecret) in [(Self.random, true), ("dark", false)] {
            let text = Self.text(Self.requested("https://h/", headers: ["Cookie": "theme=\(value)"]))
            #expect(text.contains(value) != isSecret)
        }
    }

    @Test("Some fields are secret only beside certain others")
    func siblings() {
        let cases: [(String, secret: String, alone: String)] = [
            (
                #"{"kty":"RSA","n":"abc","e":"AQAB","d":"aGVsbG8td29ybGQtMTIz"}"#, "aGVsbG8td29ybGQtMTIz",
                #"{"d":"aGVsbG8td29ybGQtMTIz"}"#
            ),
            (#"{"number":"4111111111111111","exp_month":1,"cvc":"123"}"#, "4111111111111111", ""),
            (#"{"user":"ann","pin":"4711"}"#, "4711", #"{"pin":"4711"}"#),
            (#"{"key":"k3yv4lu3","secret":"s3cr3tv4lu3"}"#, "k3yv4lu3", #"{"key":"k3yv4lu3"}"#),
        ]
        for (body, secret, alone) in cases {
            #expect(!Self.text(Self.received(body)).contains(secret), "\(body)")
            if !alone.isEmpty { #expect(Self.text(Self.received(alone)).contains(secret), "\(alone)") }
        }
        let code = "4_0AX4XfWh"
        #expect(
            !Self.text(Self.requested("https://h/t?code=\(code)&client_id=a&redirect_uri=x")).contains(code)
        )
        #expect(Self.text(Self.requested("https://h/t?code=\(code)")).contains(code))
    }

    // MARK: Rules

    @Test("A pattern and a closure redact values in URLs, header values and text bodies")
    func rulesByValue() {
        let found: @Sendable (String) -> [String] = { text in
            text.split { !$0.isLetter && !$0.isNumber && $0 != "-" }.filter { $0.hasPrefix("order-") }.map(
                String.init
            )
        }
        for rule in [
            Redaction.Rule.pattern("order-[a-z]+-[0-9]+", name: "order"), .values(name: "order", in: found),
        ] {
            var redaction = Redaction.off
            redaction.add(rule)
            let response = Interaction.Response(
                headers: ["Content-Type": "text/plain", "X-Note": "see order-response-22"],
                body: Interaction.Body("it was order-received-33.")
            )
            let interaction = Interaction(
                request: Interaction.Request(
                    method: "POST",
                    url: "https://h/orders/order-path-44?a=order-query-55",
                    headers: ["Content-Type": "text/plain", "X-Note": "see order-request-66"],
                    body: Interaction.Body("it is order-sent-77.")
                ),
                outcome: .response(response)
            )
            let redacted = Cassette(interactions: [Redactor(redaction).redact(interaction)])
            let text = String(decoding: HARFormat.write(redacted), as: UTF8.self)
            #expect(!text.contains("order-"), "\(text)")
            // The query is written twice.
            #expect(text.components(separatedBy: "REDACTEDorderN").count == 8)
        }
    }

    // MARK: Replay

    @Test("A value that several requests share cannot match values that differ, unless it is ignored")
    func signatures() throws {
        let studio = try Studio()
        let recording = try studio.stubber(.once)
        for page in 1...2 { try recording.record("https://h/a?page=\(page)&sig=a1b2c3d4e5f6", "\(page)") }
        try recording.eject()
        let urls = ["https://h/a?page=1&sig=b2c3d4e5f6a7", "https://h/a?page=2&sig=c3d4e5f6a7b8"]
        let plain = try studio.stubber(.never)
        #expect(urls.map(plain.decision) == [.replays("1"), .findsNoMatch])
        var configuration = Stubber.Configuration()
        configuration.matching = .default.ignoring(.queryItems("sig"))
        let ignoring = try studio.stubber(.never, configuration: configuration)
        #expect(urls.map(ignoring.decision) == [.replays("1"), .replays("2")])
    }

    @Test("A secret that a later request reveals is removed from earlier ones, which need a rule to match")
    func revealedLater() throws {
        let urls = ["https://h/status?q=a1b2c3d4e5f6", "https://h/login?access_token=a1b2c3d4e5f6"]
        for hasRule in [false, true] {
            let studio = try Studio()
            var configuration = Stubber.Configuration()
            if hasRule { configuration.redaction.add(.field("q")) }
            let recording = try studio.stubber(.once, configuration: configuration)
            for url in urls { try recording.record(url, "ok") }
            try recording.eject()
            #expect(try !studio.contents.contains("a1b2c3d4e5f6"))
            let replay = try studio.stubber(.never, configuration: configuration)
            #expect(replay.decision(on: urls[0]) == (hasRule ? .replays("ok") : .findsNoMatch))
        }
    }

    // MARK: Providers

    @Test("The list of providers is that of the rules")
    func providers() throws {
        let article = try String(
            contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../../Sources/Rewind/Rewind.docc/Secrets.md"),
            encoding: .utf8
        )
        let section = try #require(article.components(separatedBy: "\n## Providers\n").last)
            .components(separatedBy: "\n## ")[0]
        let lists = section.replacingOccurrences(of: "\n  ", with: " ").split(separator: "\n")
            .filter { $0.hasPrefix("- ") }
        func plain(_ name: some StringProtocol) -> String {
            name.lowercased().filter { $0.isLetter || $0.isNumber }
        }
        let listed = lists.flatMap { $0.drop { $0 != ":" }.split(separator: ",").map(plain) }
        #expect(listed.count > 80)
        let rules = Set(
            ProviderTokens.patterns.map { plain($0.rule.split(separator: "-").dropLast().joined()) }
        )
        func agree(_ rule: String, _ provider: String) -> Bool {
            rule.hasPrefix(provider) || provider.hasPrefix(rule)
        }
        let formats = Set(
            CredentialFormats.patterns.map { plain($0.rule.split(separator: "-").dropLast().joined()) }
        )
        for rule in rules where !listed.contains(where: { agree(rule, $0) }) {
            Issue.record("\(rule) is not listed")
        }
        for provider in listed
        where !rules.union(formats).contains(where: { !$0.isEmpty && agree($0, provider) }) {
            Issue.record("\(provider) has no rule")
        }
    }
}
