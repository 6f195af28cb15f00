import Foundation
import Testing

@testable import Rewind

struct PrintedTextTests {
    private static let credentials = [
        "ghp_" + "x7Kq2mZ9vB4nR6tY8wL1cF3hJ5pD0sG2aE4u", "AIza" + "SyD3kLm9QwErTyUiOpAsDfGhJkLzXcVbNm1",
        "110201543:AA" + "HdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1",
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
    ]

    private static func isHidden(_ credential: String, in text: String) -> Bool {
        !text.contains(credential) && !text.contains(PercentEncoding.encoded(credential))
            && !text.contains(credential.suffix(20))
    }

    @Test("What looks like a credential is replaced in any context", arguments: credentials)
    func formats(_ credential: String) {
        let once = PercentEncoding.encoded("a=\(credential)")
        let contexts = [
            credential, "GET https://h/p/\(credential)/x", "https://h/q?z=\(credential)&b=1",
            "https://h/q?z=\(once)",
            "https://h/q?u=" + PercentEncoding.encoded("https://h/r?z=\(once)"),
            #"{"url": "https://h/?a=1\u0026z=\#(credential)"}"#, "a \(credential), b \(credential)\nc",
        ]
        for context in contexts {
            let text = PrintedText.withoutCredentials(context)
            #expect(Self.isHidden(credential, in: text), "\(text)")
            #expect(text.contains(PrintedText.mark), "\(text)")
        }
    }

    @Test(
        "Other text stays, byte for byte",
        arguments: ["", "100 % of Grüße \\u00", "GET https://h/a%20b?c=%C3%A9 → 200"]
    )
    func others(_ text: String) { #expect(PrintedText.withoutCredentials(text) == text) }
}
