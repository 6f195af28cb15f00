import Foundation
import Rewind
import Testing

struct Base64AlphabetTests {
    @Test("Base64 is equal to that of Foundation", arguments: 0...40)
    func encoded(_ count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ 77) }
        let padded = Base64Alphabet.standard.encoded(bytes, padded: true)
        #expect(String(decoding: padded, as: UTF8.self) == Data(bytes).base64EncodedString())
        let bare = Base64Alphabet.url.encoded(bytes, padded: false)
        #expect(!bare.contains { "+/=".utf8.contains($0) })
        #expect(Base64Alphabet.decoded(bare) == bytes)
        #expect(Base64Alphabet.decoded(padded.filter { $0 != UInt8(ascii: "=") }) == bytes)
    }

    @Test("The two alphabets differ in two digits")
    func differences() {
        #expect(Base64Alphabet.standard.encoded([0xFB, 0xFF, 0xBF], padded: true) == Array("+/+/".utf8))
        #expect(Base64Alphabet.url.encoded([0xFB, 0xFF, 0xBF], padded: true) == Array("-_-_".utf8))
    }

    @Test(
        "Characters outside both alphabets are not decoded",
        arguments: ["=", "YQ==", "Y Q", "é", "YW.I", "\0"]
    )
    func foreign(_ text: String) {
        #expect(Base64Alphabet.decoded(text.utf8) == nil)
    }
}
