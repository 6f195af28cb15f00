import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct SecretReplacerPropertyTests {
    private static let alphabets = [
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", "abc012+/=&%", "ab<>\"'&é \\/",
        "xyz123-_.~",
        "é😀%+ =\"<", "0123456789abcdef", "aA0!*'();:@&=+$,/?#[] ",
    ]

    /// A secret of 8 to 40 characters that does not begin or end with a space.
    private static func secret(_ random: inout SplitMix64) -> String {
        let alphabet = alphabets.randomElement(using: &random) ?? ""
        return "k" + random.text(Int.random(in: 6...38, using: &random), of: alphabet) + "z"
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// A text in which characters are encoded at random.
    private static func percentMix(_ text: String, _ random: inout SplitMix64) -> String {
        text.utf8.map { byte in
            let isPlain = PercentEncoding.encoded(String(Unicode.Scalar(byte))).utf8.count == 1
            let isLeft = byte < 0x80 && (isPlain || "!$'()*,;:@/?".utf8.contains(byte))
            if isLeft, Bool.random(using: &random) { return String(Unicode.Scalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: Bool.random(using: &random))
            return "%" + (digits.count == 1 ? "0" : "") + digits
        }.joined()
    }

    /// Whether a text contains a secret, in any encoding or inside base64.
    private static func shows(_ secret: String, _ text: String) -> Bool {
        let bytes = Data(text.utf8)
        if SecretSpellings.all(of: secret).contains(where: { bytes.range(of: Data($0.utf8)) != nil }) {
            return true
        }
        var decodings = [
            text.removingPercentEncoding, text.replacingOccurrences(of: "+", with: " ").removingPercentEncoding,
        ]
        decodings.append(text.removingPercentEncoding?.removingPercentEncoding)
        for run in text.split(whereSeparator: { !($0.isASCII && Base64Alphabet.isDigit($0.asciiValue ?? 0)) }) {
            for skipped in 0..<4 {
                decodings.append(Base64Alphabet.decoded(run.utf8.dropFirst(skipped)).map(Self.text))
            }
        }
        return decodings.contains { $0.map { Data($0.utf8).range(of: Data(secret.utf8)) != nil } ?? false }
    }

    @Test("A secret in random context and any encoding is replaced", arguments: 1...12)
    func surroundings(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<6 {
            let secret = Self.secret(&random)
            let placeholder = Placeholder(name: "key", number: 1)
            let others = (0..<3).map { (Self.secret(&random), Placeholder(name: "other", number: $0)) }
            let replacer = SecretReplacer([(secret, placeholder)] + others)
            var spellings = SecretSpellings.all(of: secret)
            spellings += [
                Self.percentMix(secret, &random), Self.percentMix(Self.percentMix(secret, &random), &random),
            ]
            let inner =
                random.text(Int.random(in: 0...7, using: &random), of: "aB3:{}\"") + secret
                + random.text(Int.random(in: 0...7, using: &random), of: "aB3:{}\"")
            for alphabet in [Base64Alphabet.standard, .url] {
                let encoded = Self.text(alphabet.encoded(inner.utf8, padded: Bool.random(using: &random)))
                spellings += [encoded, Self.percentMix(encoded, &random)]
            }
            for spelling in spellings {
                let before = random.text(Int.random(in: 0...12, using: &random), of: "ab1 =&\"\n,;") + " "
                let after = " " + random.text(Int.random(in: 0...12, using: &random), of: "ab1 =&\"\n,;")
                let text = before + spelling + after
                let clean = replacer.replacing(in: text) ?? text
                #expect(!Self.shows(secret, clean), "\(secret) | \(text) | \(clean)")
                #expect(clean.hasPrefix(before) && clean.hasSuffix(after))
                #expect(replacer.replacing(in: clean) == nil, "\(secret) | \(text) | \(clean)")
            }
        }
    }

    @Test("JSON stays valid after a secret is replaced", arguments: 100...105)
    func json(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<10 {
            let secret = Self.secret(&random)
            let replacer = SecretReplacer([(secret, Placeholder(name: "key", number: 1))])
            let inner: JSON = ["deep": .string("x\"\(secret)")]
            let text = String(decoding: inner.serialized(), as: UTF8.self)
            let document: JSON = ["a": .string(secret), "b": [.string("1 \(secret)é"), 2], "c": .string(text)]
            let clean = try #require(replacer.replacing(in: document.serialized()))
            let read = try JSON(parsing: clean)
            #expect(read["a"] == "REDACTEDkeyN1X" && read["b"] == ["1 REDACTEDkeyN1Xé", 2])
            let nested = try JSON(parsing: Data((read["c"]?.stringValue ?? "").utf8))
            #expect(nested["deep"] == "x\"REDACTEDkeyN1X")
        }
    }

    @Test("Forms and URLs keep their items after a secret is replaced", arguments: 200...205)
    func forms(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<10 {
            let secret = Self.secret(&random)
            let replacer = SecretReplacer([(secret, Placeholder(name: "key", number: 1))])
            let encoded = Self.percentMix(secret, &random)
            let url = "https://example.com/%20/a?x=1%26&s=\(encoded)&y=%2B\(encoded)%C3%A9#f"
            let clean = replacer.replacing(in: url, escapedBy: .percent)
            #expect(clean == "https://example.com/%20/a?x=1%26&s=REDACTEDkeyN1X&y=%2BREDACTEDkeyN1X%C3%A9#f")
            let items = URLComponents(string: clean ?? "")?.queryItems
            #expect(items?.map(\.value) == ["1&", "REDACTEDkeyN1X", "+REDACTEDkeyN1Xé"])
        }
    }
}
