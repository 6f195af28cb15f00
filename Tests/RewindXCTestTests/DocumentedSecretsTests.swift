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

    private func article() throws -> String {
        let article = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/Rewind/Rewind.docc/Secrets.md")
        return try String(contentsOf: article, encoding: .utf8)
    }

    /// The names in backticks between two texts of the article.
    private func names(after start: String, before end: String) throws -> Set<String> {
        let rest = try XCTUnwrap(try article().components(separatedBy: start).dropFirst().first, start)
        let list = try XCTUnwrap(rest.components(separatedBy: end).first, end)
        let names = list.components(separatedBy: "`").enumerated().filter { !$0.offset.isMultiple(of: 2) }
        return Set(names.map(\.element))
    }

    func testEveryListHasTheNamesOfTheCodeAndNoOthers() throws {
        let lists: [(Set<String>, start: String, end: String)] = [
            (
                SecretNames.headers, "Header fields whose value is secret:",
                "Header fields whose value is secret if"
            ),
            (
                SecretNames.likelyHeaders, "Header fields whose value is secret if it looks generated:",
                "Query items,"
            ),
            (SecretNames.fields, "arguments of GraphQL that are secret:", "Fields that are secret if"),
            (SecretNames.likelyFields, "Fields that are secret if the value looks generated:", "Fields that"),
            (SecretNames.possibleFields, "Fields that are secret if the value is random:", "In a form"),
            (SecretNames.cookies, "any other cookie is secret if its value looks generated:", "Not secret,"),
            (
                SecretNames.harmlessFields.union(SecretNames.harmlessHeaders),
                "Not secret, although the end of the name is:", "In `WWW-Authenticate`"
            ),
            (SecretNames.challengeParameters, "`Proxy-Authenticate`, the parameters", "are redacted"),
        ]
        for (names, start, end) in lists {
            let listed = try self.names(after: start, before: end)
            XCTAssertEqual(listed.subtracting(names).sorted(), [], start)
            XCTAssertEqual(names.subtracting(listed).sorted(), [], start)
        }
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
