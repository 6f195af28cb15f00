import Foundation
import Testing

@testable import Rewind

struct JSONWebTokenPlaceholderTests {
    private let placeholder = Placeholder(name: "id_token", number: 2)

    private static func base64(_ text: String) -> String {
        String(decoding: Base64Alphabet.url.encoded(text.utf8, padded: false), as: UTF8.self)
    }

    private static func token(header: String = #"{"alg":"HS256"}"#, _ payload: String, _ end: String = "c2ln")
        -> String
    {
        "\(base64(header)).\(base64(payload)).\(end)"
    }

    private func claims(_ text: String) throws -> JSON {
        let parts = text.split(separator: ".")
        let payload = try #require(parts.count == 3 ? Base64Alphabet.decoded(parts[1].utf8) : nil)
        return try JSON(parsing: Data(payload))
    }

    @Test("A token placeholder has no algorithm, contains its text as a claim and ends with it")
    func format() throws {
        let parts = placeholder.jwtText().split(separator: ".")
        let texts = parts.prefix(2).map { part in
            String(decoding: Base64Alphabet.decoded(part.utf8) ?? [], as: UTF8.self)
        }
        #expect(texts == [#" {"alg":"none","typ":"JWT"}"#, #" {"placeholder":"REDACTEDidTokenN2X"}"#])
        #expect(parts.last?.hasPrefix("REDACTEDidTokenN2X") == true)
    }

    @Test("A token placeholder copies the numbers of registered claims with their spelling, and no other value")
    func copied() throws {
        let token = Self.token(#"{"sub":"me","iat":1.5e9,"exp":1700000000,"nbf":"soon","role":"admin"}"#)
        let text = placeholder.text(for: token)
        let expected: JSON = [
            "placeholder": "REDACTEDidTokenN2X", "sub": "REDACTED", "exp": 1_700_000_000, "nbf": "REDACTED",
        ]
        var object = try #require(expected.objectValue)
        object.append("iat", try JSON(parsing: Data("1.5e9".utf8)))
        #expect(try claims(text) == .object(object))
    }

    @Test(
        "Only a JSON Web Token is replaced with a token placeholder",
        arguments: [
            "", "secret", "a.b.c", "eyJ", "eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ", "eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.",
            token(header: #"{"typ":"JWT"}"#, #"{"a":1}"#), token(#"["a"]"#), token(#"{"a":1}"#, "s g"),
            token(#"{"a":1}"#, "a.b"), token(header: #"{"alg":1}"#, #"{"a":1}"#), " " + token(#"{"a":1}"#),
        ]
    )
    func others(_ text: String) {
        #expect(placeholder.text(for: text) == placeholder.text)
    }

    @Test("A token placeholder is found in text and loses its number and times")
    func found() {
        let text = placeholder.text(for: Self.token(#"{"exp":1}"#))
        #expect(Placeholder.placeholders(in: "Bearer \(text), x") == [placeholder])
        #expect(
            Placeholder.withoutNumbers("Bearer \(text), \(text)") == "Bearer REDACTEDidToken, REDACTEDidToken"
        )
    }

    @Test(
        "A real token is not a placeholder, whatever it claims",
        arguments: [
            token(#"{"exp":1}"#, "cmVkYWN0ZWQ"),
            token(#"{"placeholder":"a"}"#, "cmVkYWN0ZWQ"),
        ]
    )
    func trueTokens(_ text: String) {
        #expect(Placeholder.placeholders(in: text).isEmpty)
    }

    @Test("A token that is longer than any header field stays unchanged")
    func long() {
        let text = Self.token("{\"a\":\"\(String(repeating: "b", count: 70_000))\"}")
        #expect(placeholder.text(for: text) == placeholder.text)
        #expect(Placeholder.placeholders(in: text).isEmpty)
    }
}
