import Foundation

extension Placeholder {
    /// The placeholder in the format of a JSON Web Token (RFC 7519), for clients that decode the token.
    ///
    /// It ends with the text of the placeholder, where the signature of a token is. The first two parts are JSON that begins
    /// with a space, so that they do not begin with `eyJ` like those of every real token: neither people nor programs that
    /// search for secrets take it for one.
    ///
    /// It has the times of the replaced token, so that it expires when that one does, and its other registered claims with the
    /// value `REDACTED`. It contains only letters, digits and two full stops.
    package func jwtText(replacing payload: JSON? = nil) -> String {
        var claims = #""placeholder":"\#(text)""#
        for name in ["iss", "sub", "aud", "exp", "nbf", "iat", "jti"] {
            switch payload?[name] {
            case .number(let number): claims += ",\"\(name)\":\(number.literal)"
            case .string: claims += ",\"\(name)\":\"\(Self.start)\""
            case .array: claims += ",\"\(name)\":[\"\(Self.start)\"]"
            default: break
            }
        }
        // Some clients decode the last part too, so its length must be one that base64 has.
        let padding = String(repeating: "X", count: (4 - text.utf8.count % 4) % 4)
        return [Self.tokenHeader, Self.base64(" {\(claims)}"), text + padding].joined(separator: ".")
    }

    /// The replacement of a secret. A JSON Web Token is replaced by one, so that clients can decode it.
    package func text(for value: String) -> String {
        guard number != nil, value.utf8.starts(with: "eyJ".utf8), let token = JSONWebToken(Array(value.utf8))
        else { return text }
        return jwtText(replacing: token.payload)
    }

    init?(_ token: JSONWebToken) {
        let headers = [Self.tokenHeader, Self.formerTokenHeader]
        guard headers.contains(where: { token.parts[0].elementsEqual($0.utf8) }),
            let text = token.payload["placeholder"]?.stringValue
        else { return nil }
        self.init(text)
    }

    static let tokenHeader = base64(#" {"alg":"none","typ":"JWT"}"#)
    /// The header of the tokens in cassettes of earlier versions.
    static let formerTokenHeader = base64(#"{"alg":"none","typ":"JWT"}"#)

    private static func base64(_ text: String) -> String {
        String(decoding: Base64Alphabet.url.encoded(text.utf8, padded: false), as: UTF8.self)
    }
}

/// A JSON Web Token (RFC 7519 section 3): three parts in base64url, of which the first two are JSON objects.
struct JSONWebToken {
    let payload: JSON
    let parts: [[UInt8]]

    /// Reads a token; `nil` unless the whole text is one.
    init?(_ text: some Collection<UInt8>) {
        let parts = Array(text).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map {
            Array($0)
        }
        guard parts.count == 3, text.count <= Self.longest, !parts[2].isEmpty,
            let header = Self.object(parts[0]), header["alg"]?.stringValue != nil,
            let payload = Self.object(parts[1]), Base64Alphabet.decoded(parts[2]) != nil
        else { return nil }
        (self.payload, self.parts) = (payload, parts)
    }

    /// The maximum length in bytes; no server accepts header fields of this size.
    static var longest: Int { 65_536 }

    /// Whether a text begins with a brace and a quote in base64, as every token does, or with a space, as placeholders do.
    static func isStart(_ text: some Collection<UInt8>) -> Bool {
        text.starts(with: "eyJ".utf8) || text.starts(with: "IHsi".utf8)
    }

    private static func object(_ part: [UInt8]) -> JSON? {
        guard isStart(part), let bytes = Base64Alphabet.decoded(part),
            let json = try? JSON(parsing: Data(bytes)), json.objectValue != nil
        else { return nil }
        return json
    }

    /// The longest range from an index that may be a token.
    static func range(in bytes: UnsafeRawBufferPointer, from start: Int) -> Range<Int>? {
        var dots = 0
        var end = start
        while end < bytes.count, end - start < longest {
            if bytes[end] == UInt8(ascii: ".") {
                guard dots < 2 else { break }
                dots += 1
            } else if !ByteSet.wordOrHyphen.contains(bytes[end]) {
                break
            }
            end += 1
        }
        return dots == 2 ? start..<end : nil
    }
}
