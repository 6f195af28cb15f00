import Foundation

extension Placeholder {
    /// The placeholder in the shape of a token (RFC 7519), for clients that look into theirs.
    ///
    /// Of the claims of the token it replaces, the numbers that say when it is valid are kept.
    package func jwtText(keeping payload: JSON? = nil) -> String {
        var claims = #""placeholder":"\#(text)""#
        for name in ["exp", "iat", "nbf"] {
            if case .number(let number)? = payload?[name] { claims += ",\"\(name)\":\(number.literal)" }
        }
        return [Self.tokenHeader, "{\(claims)}", Self.tokenSignature]
            .map { String(decoding: Base64Alphabet.url.encoded($0.utf8, padded: false), as: UTF8.self) }
            .joined(separator: ".")
    }

    /// The placeholder that stands for a token: in its shape if it has the shape of RFC 7519, else `nil`.
    package func jwtText(replacing token: String) -> String? {
        guard token.utf8.starts(with: "eyJ".utf8) else { return nil }
        return JSONWebToken(Array(token.utf8)).map { jwtText(keeping: $0.payload) }
    }

    /// The placeholder that a token of its shape spells.
    init?(_ token: JSONWebToken) {
        guard token.parts[2].elementsEqual(Base64Alphabet.url.encoded(Self.tokenSignature.utf8, padded: false)),
            let text = token.payload["placeholder"]?.stringValue
        else { return nil }
        self.init(text)
    }

    private static var tokenHeader: String { #"{"alg":"none","typ":"JWT"}"# }
    private static var tokenSignature: String { "redacted" }
}
