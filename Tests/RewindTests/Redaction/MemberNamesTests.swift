import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct MemberNamesTests {
    @Test("Remembered names say the same as names that are looked up")
    func same() {
        var generator = SplitMix64(seed: 74)
        let rules = SecretRules(.default)
        let parts = [
            "token", "id", "access", "_", "name", "password", "X", "9", "key", "-", "\\u0041", "[0]", "e",
        ]
        // Names in one text, most of them several times.
        var names: [String] = [""]
        for _ in 0..<1_500 {
            names.append(
                (0..<Int(generator.next() % 4)).map { _ in parts[Int(generator.next() % 13)] }.joined()
            )
        }
        let text = Data(names.joined(separator: "\n").utf8)
        text.withUnsafeBytes { bytes in
            let known = MemberNames(rules, host: "")
            for name in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
                let name = UnsafeRawBufferPointer(rebasing: name)
                let expected = rules.meaning(ofField: name, host: "")
                let found = known.number(of: name).flatMap { known[$0] }
                #expect(found?.role == expected?.role, "\(String(decoding: name, as: UTF8.self))")
                #expect(found?.context?.names == expected?.context?.names)
            }
        }
    }
}
