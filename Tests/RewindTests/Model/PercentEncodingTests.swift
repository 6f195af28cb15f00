import Foundation
import Rewind
import RewindTestSupport
import Testing

struct PercentEncodingTests {
    @Test(
        "Unreserved characters are decoded, and other triplets are in upper case",
        arguments: [
            ("", ""), ("abc", "abc"), ("%61", "a"), ("%2d%2E%5f%7E", "-._~"), ("%2f%3A", "%2F%3A"),
            ("%c3%A9", "%C3%A9"), ("a+b", "a+b"), ("%25", "%25"), ("%2561", "%2561"), ("%20", "%20"),
            ("é%65", "%C3%A9e"), ("{a b}", "%7Ba%20b%7D"), ("a|b\\^`\"<>", "a%7Cb%5C%5E%60%22%3C%3E"),
            ("a[1]", "a%5B1%5D"),
            ("%00%7f%ff", "%00%7F%FF"), ("%30%39%5A%7a", "09Zz"), ("x%61%62", "xab"),
        ]
    )
    func normalized(_ text: String, _ normal: String) {
        #expect(PercentEncoding.normalized(text) == normal)
    }

    @Test(
        "An incomplete triplet stays unchanged",
        arguments: ["%", "%%", "%6", "a%", "%zz", "%6g", "%!1", "100%", "%-61"]
    )
    func malformed(_ text: String) {
        #expect(PercentEncoding.normalized(text) == text)
    }

    @Test("A triplet after a stray percent sign is normalized")
    func stray() {
        #expect(PercentEncoding.normalized("%%61%6") == "%a%6")
    }

    @Test(
        "Decoding never completes a stray percent sign to a triplet",
        arguments: [
            ("%5%32", "%5%32"), ("%%35%32", "%5%32"), ("%%352", "%%352"), ("%%61%62c", "%a%62c"),
            ("%%61g", "%ag"), ("%5%67", "%5g"), ("%g%32", "%g2"), ("%5x%32", "%5x2"),
        ]
    )
    func strayTriplet(_ text: String, _ normal: String) {
        #expect(PercentEncoding.normalized(text) == normal)
        #expect(PercentEncoding.normalized(normal) == normal)
    }

    @Test("Normalizing twice changes nothing")
    func idempotence() {
        for byte in 0...255 as ClosedRange<UInt8> {
            for text in ["%" + String(byte, radix: 16), "%0" + String(byte, radix: 16), "a%4\(byte)b"] {
                let once = PercentEncoding.normalized(text)
                #expect(PercentEncoding.normalized(once) == once)
            }
        }
    }

    @Test(
        "Every reserved byte is encoded",
        arguments: [
            ("", ""), ("AZaz09-._~", "AZaz09-._~"), (" ", "%20"), ("a&b=c+d", "a%26b%3Dc%2Bd"),
            ("%41", "%2541"),
            ("é", "%C3%A9"), ("😀", "%F0%9F%98%80"), ("\0\n\u{7F}", "%00%0A%7F"),
            ("/:?#[]@", "%2F%3A%3F%23%5B%5D%40"),
        ]
    )
    func encoded(_ text: String, _ encoded: String) {
        #expect(PercentEncoding.encoded(text) == encoded)
        #expect(encoded.removingPercentEncoding == text)
        #expect(PercentEncoding.normalized(encoded) == encoded)
    }
}
