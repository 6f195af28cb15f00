import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct WellFormedUTF8Tests {
    @Test("A wrong byte anywhere in a long text is found, and characters may be anywhere")
    func pieces() {
        var generator = SplitMix64(seed: 72)
        let text = Array(String(repeating: "aü€😀", count: 4_000).utf8)
        for shift in 0..<10 {
            let bytes = Array(repeating: UInt8(ascii: "x"), count: shift) + text
            #expect(WellFormedUTF8.isAll(of: Data(bytes)))
            for _ in 0..<12 {
                var wrong = bytes
                let place =
                    generator.next() % 2 == 0
                    ? 8_192 - 4 + Int(generator.next() % 8) : Int(generator.next() % 40_000)
                wrong[place] = [0xFF, 0x80, 0xC3, 0x41][Int(generator.next() % 4)]
                let isValid = String(decoding: wrong, as: UTF8.self).utf8.elementsEqual(wrong)
                #expect(WellFormedUTF8.isAll(of: Data(wrong)) == isValid, "\(wrong[place]) at \(place)")
            }
        }
        // U+FFFD itself, and the three bytes that it replaces.
        let replacement = Array(String(repeating: "\u{FFFD}", count: 10_000).utf8)
        #expect(WellFormedUTF8.isAll(of: Data(replacement)))
        #expect(!WellFormedUTF8.isAll(of: Data(replacement.map { $0 == 0xEF ? 0xFF : $0 })))
    }

    @Test("Two bytes and three bytes are judged as the standard library does")
    func short() {
        let seconds: [UInt8] = [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF]
        for lead in 0...255 as ClosedRange<UInt8> {
            for second in seconds {
                for rest: [UInt8] in [[], [0x80], [0x80, 0x80], [0x41], [0xBF, 0xC0]] {
                    let bytes = [lead, second] + rest
                    let isValid = String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes)
                    #expect(WellFormedUTF8.isAll(of: Data(bytes)) == isValid, "\(bytes)")
                }
            }
        }
    }
}
