import Foundation
import Testing

@testable import Rewind

struct RedactedCassetteTests {
    private static let secret = "4f9a7c21e0b84d5f"

    @Test("Each changed interaction is listed with its places and without its secrets")
    func changes() {
        let cassette = Cassette(interactions: [
            .page("https://h/a"), .page("https://h/b?access_token=\(Self.secret)"),
            .page("https://h/c", "copy of \(Self.secret)"),
        ])
        let redacted = RedactedCassette(cassette, .default)
        #expect(redacted.changes.map(\.number) == [2, 3])
        #expect(redacted.changes.allSatisfy { !$0.places.isEmpty })
        #expect(!"\(redacted.changes)\(redacted.cassette)".contains(Self.secret))
        #expect(redacted.findings.isEmpty)
    }

    @Test("Redacting a redacted cassette changes nothing")
    func again() {
        let cassette = Cassette(interactions: [
            .page("https://h/b?access_token=\(Self.secret)"),
            .page("https://h/c", #"{"pin": \#(Self.secret)}"#),
        ])
        let once = RedactedCassette(cassette, .default)
        let twice = RedactedCassette(once.cassette, .default)
        #expect(twice.changes.isEmpty)
        #expect(twice.cassette == once.cassette)
    }

    @Test("Findings in other members of the file have line numbers")
    func findings() {
        let token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
        let redacted = RedactedCassette(Cassette(interactions: [.page("https://h/a", token)]), .default)
        #expect(redacted.findings.map(\.number) == [1])
        let clean = RedactedCassette(Cassette(), .default)
        let found = clean.findings(in: Data("one\ntwo\n \(token)".utf8))
        #expect(found.map(\.line) == [3])
        #expect(RedactedCassette(Cassette(), .off).findings(in: Data(token.utf8)).isEmpty)
    }
}
