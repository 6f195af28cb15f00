import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct CredentialPlacesTests {
    @Test("Every credential with a format is long enough to be found")
    func leastCounts() {
        let short = CredentialPatterns.all.filter {
            $0.leastCount > 0 && $0.leastCount < CredentialPlaces.leastRun
        }
        #expect(short.map(\.rule).isEmpty)
        // Their lengths are in their code; `patterns` tests that they are found.
        let others = Set(CredentialPatterns.all.filter { $0.leastCount == 0 }.map(\.rule))
        #expect(
            others == [
                "azure-key", "azure-secret", "basic-credentials", "bearer-token", "discord-token",
                "discord-webhook", "facebook-token", "json-web-token", "mailchimp-key", "maxmind-key",
                "named-secret", "new-relic-key", "private-key", "rapidapi-key", "salesforce-token",
                "slack-webhook", "teams-webhook", "telegram-token", "terraform-token", "url-password",
                "zapier-webhook",
            ]
        )
    }

    @Test("Only the prefixes before other signs contain what no run contains")
    func characters() {
        let set = CredentialPlaces.runCharacters
        let others = CredentialPatterns.all.filter { !$0.prefix.allSatisfy(set.contains) }.map(\.rule)
        #expect(Set(others) == ["basic-credentials", "bearer-token", "okta-token", "private-key"])
    }

    /// Pieces of texts, some of which are credentials together.
    private static let pieces: [String] = [
        "AKIAQWERTYUIOP2345AB ", "123456789:AAhA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q ", "Basic YW5uOnNlY3JldA== ",
        "\"client_secret\": \"aB3dE5gH7jK9mN1pQ3sT5v\"", "xoxb-a1B2c3D4e5 ",
        "https://ann:pa55w0rd@example.net/",
        "AKIA", "QWERTYUIOP2345AB", "ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8", "client_secret", "Secret",
        "TOKEN",
        "\"", "\\\"", "%22", ":", " : ", "=", "=>", " = ", ",", ",                    \"value\":", "value",
        "%3D", "%3A",
        "Basic ", "basic ", "YW5uOnNlY3JldA==", "Bearer ", "bearer ", "://", "https",
        "ann:pa55w0rd@example.org/",
        "a:b@", "u:p@h", "@", "-----BEGIN ", "PRIVATE KEY-----\n", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", "\n",
        "-----END PRIVATE KEY-----", "123456789:AA", "hA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q",
        "eyJhbGciOiJIUzI1NiJ9.",
        "eyJzdWIiOiIxIn0.", "c2lnbmF0dXJl", "LTAI", "4a5b6c7d8e9f", "abc8Q~", "-us12", "hooks.slack.com",
        "/services/",
        "\\/", "T00000000/B00000000/aB3dE5gH7jK9mN1pQ3sT5vW7", " ", "  ", "word ", "Grüße ", "x", "<", ">",
        "\u{0}", "|",
        "1234567890123456789", "s.", "key", "api_key", "private-key",
        "                                        ",
    ]

    private static let table = LiteralTable(CredentialPatterns.all.map(\.prefix))

    @Test("Each place at which a pattern matches is in a range", arguments: 1...8 as ClosedRange<UInt64>)
    func patterns(_ seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var found: Set<String> = []
        for _ in 0..<150 {
            var text = Data()
            for _ in 0..<Int(generator.next() % 24) {
                let piece = Self.pieces[Int(generator.next() % UInt64(Self.pieces.count))]
                text += generator.next() % 8 == 0 ? Data(piece.utf8.dropLast()) : Data(piece.utf8)
            }
            text.withUnsafeBytes { bytes in
                let places = Self.places(in: bytes)
                for place in bytes.indices {
                    let _: Bool? = Self.table.first(in: bytes, at: place) { number in
                        let prefix = CredentialPatterns.all[number].prefix
                        for pattern in CredentialPatterns.all where pattern.prefix == prefix {
                            var memory = RunMemory()
                            guard pattern.match(bytes, place, &memory) != nil else { continue }
                            found.insert(pattern.rule)
                            let isFound = places.contains(place)
                            #expect(isFound, "\(pattern.rule) in \(String(decoding: text, as: UTF8.self))")
                        }
                        return nil
                    }
                }
            }
        }
        #expect(found.count > 3)
    }

    private static func places(in bytes: UnsafeRawBufferPointer) -> Set<Int> {
        var (places, set, position) = (CredentialPlaces(bytes), Set<Int>(), 0)
        while let range = places.next(from: position) {
            set.formUnion(range)
            position = range.upperBound
        }
        return set
    }

    @Test("Text without long words has no place")
    func prose() {
        let text = Data(String(repeating: "a few words, and {\"id\": 12345678}\n", count: 100).utf8)
        #expect(text.withUnsafeBytes { Self.places(in: $0) }.isEmpty)
    }
}
