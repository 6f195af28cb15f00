import Foundation
import Testing

@testable import Rewind

/// Programs that search repositories for secrets do not report placeholders of JSON Web Tokens.
struct TokenScannerTests {
    /// A pattern of such a program.
    struct Scanner: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let pattern: String

        init(_ source: String, _ pattern: String) { (testDescription, self.pattern) = (source, pattern) }

        static let all = [
            Scanner(
                "gitleaks, config/gitleaks.toml, jwt",
                #"\b(ey[a-zA-Z0-9]{17,}\.ey[a-zA-Z0-9\/\\_-]{17,}\.(?:[a-zA-Z0-9\/\\_-]{10,}={0,2})?)(?:[\x60'"\s;]|\\[nr]|$)"#
            ),
            Scanner("gitleaks, config/gitleaks.toml, the beginning of jwt-base64", #"\bZXlK"#),
            Scanner(
                "trufflehog, pkg/detectors/jwt",
                #"\b((?:eyJ|ewogIC|ewoid)[A-Za-z0-9_-]{12,}={0,2}\.(?:eyJ|ewo)[A-Za-z0-9_-]{12,}={0,2}\.[A-Za-z0-9_-]{12,})\b"#
            ),
            Scanner(
                "detect-secrets, plugins/jwt.py",
                #"eyJ[A-Za-z0-9-_=]+\.[A-Za-z0-9-_=]+\.?[A-Za-z0-9-_.+/=]*?"#
            ),
        ]

        func matches(_ text: String) -> Bool { text.range(of: pattern, options: .regularExpression) != nil }
    }

    private static func base64(_ text: String) -> String {
        String(decoding: Base64Alphabet.url.encoded(text.utf8, padded: false), as: UTF8.self)
    }

    private static let token =
        base64(#"{"alg":"HS256","typ":"JWT"}"#) + "."
        + base64(
            #"{"iss":"https://id.example.com/","sub":"ada","aud":["a","b"],"exp":1700000000,"nbf":1,"jti":"x"}"#
        )
        + "." + base64("the signature of the token")

    @Test("No pattern matches a placeholder, whatever is around it", arguments: Scanner.all)
    func scanners(_ scanner: Scanner) {
        let names = ["id_token", "access_token", "jwt", "a", "authorization", "session"]
        for name in names {
            for number in [1, 22, 333] {
                let text = Placeholder(name: name, number: number).text(for: Self.token)
                for surrounded in [
                    text, "Bearer \(text)", "\"\(text)\"", #"\"\#(text)\", "#, "?token=\(text)&a=1",
                ] {
                    #expect(!scanner.matches(surrounded), "\(surrounded)")
                    #expect(!scanner.matches(Data(surrounded.utf8).base64EncodedString()))
                }
            }
        }
    }

    @Test("The patterns match a real token", arguments: Scanner.all)
    func realTokens(_ scanner: Scanner) {
        #expect(scanner.matches("\"\(Self.token)\"") || scanner.matches(Self.base64(Self.token)))
    }
}
