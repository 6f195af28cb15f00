import Foundation
import Testing

@testable import Rewind

struct EscapeLayerTests {
    /// The decoded texts of a layer, and the text after each `x` was replaced with `<é>`.
    private static func look(_ layer: EscapeLayer, _ text: String) -> (shown: [String], edited: String) {
        var shown: [String] = []
        let edited = Data(text.utf8).withUnsafeBytes { bytes in
            let edits = layer.edits(in: bytes) { decoded in
                shown.append(String(decoding: decoded, as: UTF8.self))
                return decoded.indices.filter { decoded[$0] == UInt8(ascii: "x") }
                    .map { ByteEdit(range: $0..<$0 + 1, replacement: Array("<é>".utf8)) }
            }
            return bytes.applying(edits)
        }
        return (shown, String(decoding: edited, as: UTF8.self))
    }

    @Test(
        "A run is decoded, and only edited parts are encoded again",
        arguments: [
            (.percent, "a b%2fx%2F c", ["b/x/"], "a b%2f%3C%C3%A9%3E%2F c"),
            (.percent, "%78", ["x"], "%3C%C3%A9%3E"),
            (.percent, "\"%41+x\" \"%42\"", ["A+x", "B"], "\"%41+%3C%C3%A9%3E\" \"%42\""),
            (.form, "a+x%26 %42", ["a x&"], "a+%3C%C3%A9%3E%26 %42"),
            (.json, "\"\\u0078\\/\", x", ["x/"], "\"<é>\\/\", x"),
            (.json, "\"\\\"x\\\"\" \"x\"", ["\"x\""], "\"\\\"<é>\\\"\" \"x\""),
            (.json, "\\ud83d\\ude00x", ["😀x"], "\\ud83d\\ude00<é>"),
            (.html, "<a>&amp;x&#x41;</a>", ["a>&xA"], "<a>&amp;&lt;é&gt;&#x41;</a>"),
            (.html, "&#120; &quot;", ["x \""], "&lt;é&gt; &quot;"),
            (.json, "C:\\n\\", ["C:\n\\"], "C:\\n\\"),
        ] as [(EscapeLayer, String, [String], String)]
    )
    func runs(_ layer: EscapeLayer, _ text: String, _ shown: [String], _ edited: String) {
        let result = Self.look(layer, text)
        #expect(result.shown == shown)
        #expect(result.edited == edited)
    }

    @Test(
        "Text without valid escapes is not decoded",
        arguments: [
            (.percent, ""), (.percent, "%"), (.percent, "%4"), (.percent, "%zz x"), (.form, "%20x"),
            (.form, "a+x"),
            (.json, "\\"), (.json, "\\u12"), (.json, "\\ud83dx"), (.json, "\\dx"), (.html, "&"),
            (.html, "&#x;"), (.html, "&x;"),
            (.html, "?a=1&x=2"), (.html, "&#99999999;"), (.html, "&#xD800;"), (.html, "&;"),
        ] as [(EscapeLayer, String)]
    )
    func none(_ layer: EscapeLayer, _ text: String) {
        let result = Self.look(layer, text)
        #expect(result.shown.isEmpty)
        #expect(result.edited == text)
    }
}
