import Foundation
import Testing

@testable import Rewind

/// Apps decode the first two parts of a JSON Web Token. They can do so with its placeholder.
struct TokenDecodingTests {
    private static func base64(_ text: String) -> String {
        String(decoding: Base64Alphabet.url.encoded(text.utf8, padded: false), as: UTF8.self)
    }

    private static func token(_ payload: String) -> String {
        "\(base64(#"{"alg":"RS256","kid":"k1"}"#)).\(base64(payload)).\(base64("the signature"))"
    }

    /// Decodes base64url as apps do: with Foundation, which knows the other alphabet and needs the padding.
    private static func decoded(_ part: Substring) -> Data? {
        let text = part.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        return Data(base64Encoded: text + String(repeating: "=", count: (4 - text.count % 4) % 4))
    }

    private struct Claims: Decodable {
        let sub: String
        let iss: String
        let exp: Date
        let aud: [String]?
    }

    private let placeholder = Placeholder(name: "id_token", number: 2)

    @Test("An app decodes header and claims with JSONSerialization")
    func serialization() throws {
        let text = placeholder.text(for: Self.token(#"{"sub":"ada","exp":1700000000}"#))
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        #expect(parts.count == 3)
        let objects = try parts.prefix(2).map { part in
            try JSONSerialization.jsonObject(with: try #require(Self.decoded(part))) as? [String: Any]
        }
        #expect(objects[0]?["alg"] as? String == "none")
        #expect(objects[0]?["typ"] as? String == "JWT")
        #expect(objects[1]?["sub"] as? String == "REDACTED")
        #expect(objects[1]?["exp"] as? Double == 1_700_000_000)
    }

    @Test("An app decodes the registered claims with JSONDecoder")
    func decoder() throws {
        let payload =
            #"{"iss":"https://id.example.com/","sub":"ada","aud":["a","b"],"exp":1700000000,"role":"admin"}"#
        let parts = placeholder.text(for: Self.token(payload)).split(separator: ".")
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        let claims = try decoder.decode(Claims.self, from: try #require(Self.decoded(parts[1])))
        #expect(claims.exp == Date(timeIntervalSince1970: 1_700_000_000))
        #expect(claims.sub == "REDACTED" && claims.iss == "REDACTED")
        #expect(claims.aud == ["REDACTED"])
    }

    @Test("The last part is the text of the placeholder, and valid base64", arguments: 0...5)
    func signature(_ length: Int) throws {
        let placeholder = Placeholder(name: "token" + String(repeating: "a", count: length), number: 7)
        let text = placeholder.text(for: Self.token(#"{"sub":"ada"}"#))
        #expect(text.split(separator: ".").dropFirst(2).first?.hasPrefix(placeholder.text) == true)
        #expect(Self.decoded(try #require(text.split(separator: ".").last)) != nil)
        #expect(text.utf8.allSatisfy { ByteSet.alphanumerics.contains($0) || $0 == UInt8(ascii: ".") })
        #expect(Placeholder.placeholders(in: "a \(text), \(text)") == [placeholder, placeholder])
    }

    @Test("Tokens in cassettes of earlier versions are found, and written in the new form")
    func former() throws {
        let claims = Self.base64(#"{"placeholder":"REDACTEDidTokenN2X","exp":1700000000}"#)
        let old = "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.\(claims).cmVkYWN0ZWQ"
        #expect(Placeholder.placeholders(in: "Bearer \(old)") == [placeholder])
        #expect(Placeholder.withoutNumbers(old) == "REDACTEDidToken")
        let studio = try Studio()
        var page = Interaction.page("https://h/a", #"{"id_token":"\#(old)"}"#)
        page.redactedPlaces = ["response body"]
        try studio.put([page])
        let stubber = try studio.stubber(.newEpisodes)
        #expect(stubber.decision(on: "https://h/a") == .replays(#"{"id_token":"\#(old)"}"#))
        try stubber.record("https://h/b", "new")
        try stubber.eject()
        let new = placeholder.jwtText(replacing: ["exp": 1_700_000_000])
        #expect(try studio.texts == [#"{"id_token":"\#(new)"}"#, "new"])
    }
}
