import Foundation
import Testing

@testable import Rewind

/// Texts that repeat what a search looks for, without ever ending it.
struct ScanGrowthTests {
    private static func scan(_ text: [UInt8]) {
        text.withUnsafeBytes { _ = CredentialScanner().findings(in: $0) }
    }

    private static func repeated(_ unit: String, to count: Int) -> [UInt8] {
        Array(String(repeating: unit, count: count / unit.utf8.count + 1).utf8.prefix(count))
    }

    /// Repeated units for the formats, apart from the prefixes.
    private static let units = [
        "token=", "token=a1", "token:", "token: a1B2", "\"token\":\"", "\"token\":", "secret_key=",
        "%3Dtoken%3D",
        "token \"value\"", "-----BEGIN ", "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B", "-----BEGIN PRIVATE KEY", "----", "a://",
        "a://b:", "a://b:c", "a://b:c@", "eyJ", "-eyJ", ".eyJ", "eyJ.", "eyJ-.eyJ", "eyJhbGciOiJub25lIn0.",
        "-eyJhbGciOiJub25lIn0", "Basic ", "Basic Og==", "Bearer ", "Bearer a.", ":AA", "1:AA", "12345678:AAaaa",
        "A/", "QUFB", "%41", "\\n", "\\u0041", "<", "{\"", "0|", "1111111111111110|", "AAAA", "MTIz", "MTIz.",
        "hooks.slack.com/services/", "hooks.slack.com\\/", "discord.com/api/webhooks/1/", "8Q~", "-us1",
        "abcdefghijmsh", "_mmk",
    ]

    /// The unit as it is, and after a hyphen, which can be a part of many tokens.
    private static func variants(_ unit: String) -> [String] { [unit, "-" + unit] }

    @Test("The search for credentials is linear in a text that repeats one unit", arguments: units)
    func repeating(_ unit: String) {
        for unit in Self.variants(unit) {
            let ratio = Growth.ratio(8_000) { Self.scan(Self.repeated(unit, to: $0)) }
            #expect(ratio <= Growth.limit, "\(unit)")
        }
    }

    /// A limit to the length of a credential makes any search linear, but if each place is searched up to the limit, the
    /// search is too slow.
    @Test("The time does not depend on how often a unit is repeated without an end", arguments: units)
    func runs(_ unit: String) {
        for unit in Self.variants(unit) {
            let texts = [225, 900].map { length in
                let run = String(decoding: Self.repeated(unit, to: length), as: UTF8.self) + " "
                return Self.repeated(run, to: 18_000)
            }
            let ratio = Growth.ratio(1, limit: 2.5) { Self.scan(texts[$0 == 1 ? 0 : 1]) }
            #expect(ratio <= 2.5, "\(unit)")
        }
    }

    @Test("The search for credentials is linear in a text that repeats a prefix")
    func repeatingPrefixes() {
        for prefix in Set(CredentialPatterns.all.map(\.prefix)) {
            for unit in Self.variants(String(decoding: prefix, as: UTF8.self)) {
                let ratio = Growth.ratio(2_000) { Self.scan(Self.repeated(unit, to: $0)) }
                #expect(ratio <= Growth.limit, "\(unit)")
            }
        }
    }

    /// Literals and a text, for a number of literals.
    private static let literals: [(name: String, make: @Sendable (Int) -> ([[UInt8]], [UInt8]))] = [
        (
            "a long common prefix",
            { count in
                let literals = (0..<count).map { Array((String(repeating: "ab", count: 20) + "\($0)").utf8) }
                return (literals, Array(literals.joined()))
            }
        ),
        (
            "the same first two bytes",
            { count in
                let literals = (0..<count).map { Array("ab\($0 &* 2_654_435_761 % 1_000_003)".utf8) }
                return (literals, Array(literals.joined(separator: [UInt8(ascii: " ")])))
            }
        ),
        (
            "random texts",
            { count in
                let literals = (0..<count).map { Array("\($0 &* 2_654_435_761)".utf8.reversed()) }
                return (literals, repeated("3.1415926535897932", to: count * 20))
            }
        ),
        (
            "prefixes of each other",
            { count in
                // The lengths grow with the root of the total, so the total is linear in the count.
                let longest = Int(Double(count).squareRoot())
                let literals = (2...longest).map { [UInt8](repeating: UInt8(ascii: "a"), count: $0) }
                return (literals, repeated(String(repeating: "a", count: longest - 1) + "b", to: count * 4))
            }
        ),
    ]

    @Test("The search for many literals is linear", arguments: literals.indices)
    func manyLiterals(_ index: Int) {
        let sample = Self.literals[index]
        let ratio = Growth.ratio(3_000) { count in
            let (literals, text) = sample.make(count)
            let table = LiteralTable(literals)
            text.withUnsafeBytes { bytes in
                var position = 0
                while let place = table.candidate(in: bytes, from: position) {
                    let found = table.first(in: bytes, at: place) { $0 }
                    position = found.map { place + literals[$0].count } ?? place + 1
                }
            }
        }
        #expect(ratio <= Growth.limit, "\(sample.name)")
    }

    @Test("Adding literals one by one is almost linear")
    func addingLiterals() {
        let ratio = Growth.ratio(1_000) { count in
            var table = LiteralTable([])
            for number in 0..<count { table.append([Array("secret\(number &* 2_654_435_761)".utf8)]) }
        }
        #expect(ratio <= Growth.limit)
    }
}
