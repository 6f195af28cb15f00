import Foundation

/// The text that replaces a secret: a name in angle brackets, such as `<access_token:1>` or `<user>`.
package struct Placeholder: Hashable, Sendable {
    /// The name: letters, digits, underscores, hyphens and full stops.
    package let name: String
    /// The number that distinguishes secrets with the same name.
    package let number: Int?

    /// Creates a placeholder. Characters that a name cannot contain become underscores.
    package init(name: String, number: Int? = nil) {
        let characters = name.map { character in
            character.utf8.count == 1 && character.utf8.allSatisfy(ByteSet.dotted.contains) ? character : "_"
        }
        self.name = characters.isEmpty ? "_" : String(characters)
        self.number = number.map { max(0, $0) }
    }

    /// Reads a placeholder; `nil` unless the whole text is one.
    package init?(_ text: some StringProtocol) { self.init(bytes: Array(text.utf8)) }

    init?(bytes: some BidirectionalCollection<UInt8>) {
        guard bytes.first == UInt8(ascii: "<"), bytes.last == UInt8(ascii: ">"), bytes.count > 2
        else { return nil }
        self.init(content: bytes.dropFirst().dropLast())
    }

    /// Reads the text between the brackets.
    init?(content: some BidirectionalCollection<UInt8>) {
        let parts = content.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, !first.isEmpty, first.allSatisfy(ByteSet.dotted.contains)
        else { return nil }
        if parts.count == 2 {
            let digits = String(decoding: parts[1], as: UTF8.self)
            guard let number = Int(digits), String(number) == digits, number >= 0 else { return nil }
            self.number = number
        } else {
            number = nil
        }
        name = String(decoding: first, as: UTF8.self)
    }

    package var withoutNumber: Placeholder { Placeholder(name: name) }

    /// How a placeholder is escaped, depending on the text around it.
    package enum Spelling: Hashable, Sendable, CaseIterable {
        /// As in `<user:1>`.
        case raw
        /// As in `%3Cuser%3A1%3E`, for URLs and forms.
        case percent
        /// As in `%253Cuser%253A1%253E`, for URLs inside URLs.
        case doublePercent
        /// As in `&lt;user:1&gt;`, for HTML and XML.
        case html
    }

    package var text: String { text(.raw) }

    package func text(_ spelling: Spelling) -> String {
        let number = number.map { ":\($0)" } ?? ""
        return switch spelling {
        case .raw: "<\(name)\(number)>"
        case .percent: PercentEncoding.encoded("<\(name)\(number)>")
        case .doublePercent: PercentEncoding.encoded(PercentEncoding.encoded("<\(name)\(number)>"))
        case .html: "&lt;\(name)\(number)&gt;"
        }
    }
}

extension Placeholder {
    /// The placeholder in the format of a JSON Web Token (RFC 7519), for clients that decode the token.
    ///
    /// Copies the numeric claims `exp`, `iat` and `nbf`, so that the token expires when the replaced one does.
    package func jwtText(copyingTimesOf payload: JSON? = nil) -> String {
        var claims = #""placeholder":"\#(text)""#
        for name in ["exp", "iat", "nbf"] {
            if case .number(let number)? = payload?[name] { claims += ",\"\(name)\":\(number.literal)" }
        }
        return [Self.tokenHeader, "{\(claims)}", Self.tokenSignature]
            .map { String(decoding: Base64Alphabet.url.encoded($0.utf8, padded: false), as: UTF8.self) }
            .joined(separator: ".")
    }

    /// The placeholder for a token; `nil` if the text is not a JSON Web Token.
    package func jwtText(replacing token: String) -> String? {
        guard token.utf8.starts(with: "eyJ".utf8) else { return nil }
        return JSONWebToken(Array(token.utf8)).map { jwtText(copyingTimesOf: $0.payload) }
    }

    init?(_ token: JSONWebToken) {
        guard token.parts[2].elementsEqual(Base64Alphabet.url.encoded(Self.tokenSignature.utf8, padded: false)),
            let text = token.payload["placeholder"]?.stringValue
        else { return nil }
        self.init(text)
    }

    private static var tokenHeader: String { #"{"alg":"none","typ":"JWT"}"# }
    private static var tokenSignature: String { "redacted" }
}

/// A JSON Web Token (RFC 7519 section 3): three parts in base64url, of which the first two are JSON objects.
struct JSONWebToken {
    let header: JSON
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
        (self.header, self.payload, self.parts) = (header, payload, parts)
    }

    /// The maximum length in bytes; no server accepts header fields of this size.
    static var longest: Int { 65_536 }

    private static func object(_ part: [UInt8]) -> JSON? {
        // Every object begins with a brace and a quote, which are `eyJ` in base64.
        guard part.starts(with: Array("eyJ".utf8)), let bytes = Base64Alphabet.decoded(part),
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
