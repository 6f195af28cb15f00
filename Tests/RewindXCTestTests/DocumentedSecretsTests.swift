import Foundation
import RewindXCTest
import XCTest

/// What the article on secrets says of names and encodings is true, including its limits.
final class DocumentedSecretsTests: XCTestCase {
    private let secret = "hunter22-and-more"
    private var replacer: SecretReplacer {
        SecretReplacer([(secret, Placeholder(name: "password", number: 1))])
    }

    private func base64(_ text: String, wrapped: Bool = false) -> String {
        Data(text.utf8).base64EncodedString(options: wrapped ? .lineLength64Characters : [])
    }

    private func percent(_ text: String) -> String {
        text.utf8.map { String(format: "%%%02X", $0) }.joined()
    }

    func testEveryNameIsListed() throws {
        let article = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/Rewind/Rewind.docc/Secrets.md")
        let text = try String(contentsOf: article, encoding: .utf8)
        let names = [
            SecretNames.headers, SecretNames.likelyHeaders, SecretNames.harmlessHeaders, SecretNames.fields,
            SecretNames.likelyFields, SecretNames.possibleFields, SecretNames.harmlessFields,
            SecretNames.cookies,
            SecretNames.challengeParameters,
        ].flatMap(\.self)
        for name in names { XCTAssertTrue(text.contains("`\(name)`"), name) }
    }

    func testThreeLayersOfEncodingAreDecoded() {
        var text = secret
        for _ in 1...3 {
            text = percent(text)
            XCTAssertNotNil(replacer.replacing(in: text))
        }
        XCTAssertNil(replacer.replacing(in: percent(text)))
    }

    func testBase64InEscapesIsDecodedAndBase64InBase64IsNot() {
        XCTAssertNotNil(replacer.replacing(in: base64("user:\(secret)")))
        XCTAssertNotNil(replacer.replacing(in: base64("user%3A\(secret)")))
        XCTAssertNil(replacer.replacing(in: base64(percent("user:\(secret)"))), "every letter is escaped")
        XCTAssertNotNil(replacer.replacing(in: percent(base64("user:\(secret)"))))
        XCTAssertNil(replacer.replacing(in: base64(base64("user:\(secret)"))))
    }

    func testBase64OnSeveralLinesIsNotDecoded() {
        let text = String(repeating: "x", count: 42) + secret
        XCTAssertNotNil(replacer.replacing(in: base64(text)))
        XCTAssertNil(replacer.replacing(in: base64(text, wrapped: true)))
    }
}
