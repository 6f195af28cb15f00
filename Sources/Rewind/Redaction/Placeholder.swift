import Foundation

/// The text that replaces a secret, such as `REDACTEDaccessTokenN1X`.
///
/// It consists of ASCII letters and digits only, so that no encoding that an app applies to it changes it.
package struct Placeholder: Hashable, Sendable {
    /// The name in lower camel case; for a text that the user chose, the whole text.
    package let name: String
    /// The number that distinguishes secrets with the same name; `nil` for a text that the user chose.
    package let number: Int?

    /// Creates a placeholder for a secret with a name such as `access_token` or `X-Api-Key`.
    package init(name: String, number: Int) {
        self.name = Self.camelCased(name)
        self.number = max(0, number)
    }

    /// Creates a placeholder with a text that the user chose.
    package init(chosen text: String) {
        name = text
        number = nil
    }

    /// Reads a numbered placeholder; `nil` unless the whole text is one.
    package init?(_ text: some StringProtocol) {
        let found = Array(text.utf8).withUnsafeBytes { Self.read(in: $0, at: 0) }
        guard let found, found.end == text.utf8.count else { return nil }
        self = found.placeholder
    }

    package var text: String { number.map { "\(withoutNumber)N\($0)X" } ?? name }

    /// The text that is the same for all secrets with the name.
    package var withoutNumber: String { number == nil ? name : Self.start + name }

    /// The first letters of every numbered placeholder.
    static let start = "REDACTED"

    /// Reads the numbered placeholder that begins at an index.
    static func read(in bytes: UnsafeRawBufferPointer, at place: Int) -> (placeholder: Placeholder, end: Int)? {
        guard bytes[place...].starts(with: start.utf8) else { return nil }
        let nameStart = place + start.utf8.count
        var index = nameStart
        while index < bytes.count, index - nameStart <= longestName,
            ByteSet.alphanumerics.contains(bytes[index])
        {
            if bytes[index] == UInt8(ascii: "R"), bytes[index...].starts(with: start.utf8) { return nil }
            if bytes[index] == UInt8(ascii: "N"), index > nameStart {
                let digitsEnd = ByteSet.digits.end(in: bytes, from: index + 1, atMost: 10)
                // No name contains an N before a digit.
                if digitsEnd > index + 1 {
                    let digits = String(decoding: bytes[index + 1..<digitsEnd], as: UTF8.self)
                    guard digitsEnd < bytes.count, bytes[digitsEnd] == UInt8(ascii: "X"),
                        let number = Int(digits), String(number) == digits
                    else { return nil }
                    let name = String(decoding: bytes[nameStart..<index], as: UTF8.self)
                    return (Placeholder(read: name, number: number), digitsEnd + 1)
                }
            }
            index += 1
        }
        return nil
    }

    private init(read name: String, number: Int) {
        self.name = name
        self.number = number
    }

    private static let longestName = 40

    /// The words of a name in lower camel case: `accessToken` for `access_token`.
    private static func camelCased(_ name: String) -> String {
        let words = name.utf8.split { !ByteSet.alphanumerics.contains($0) }
        var result: [UInt8] = []
        for word in words {
            let isCapital = word.allSatisfy(ByteSet.uppercase.contains)
            let letters = isCapital ? word.map { lowercased($0) } : Array(word)
            guard let first = letters.first else { continue }
            if result.isEmpty {
                // `samlResponse` for `SAMLResponse`.
                let capitals = letters.prefix(while: ByteSet.capitals.contains).count
                let count = capitals > 1 && capitals < letters.count ? capitals - 1 : 1
                result += letters.prefix(count).map(lowercased) + letters.dropFirst(count)
            } else {
                result.append(uppercased(first))
                result += letters.dropFirst()
            }
        }
        for index in result.indices.dropLast()
        where result[index] == UInt8(ascii: "N") && ByteSet.digits.contains(result[index + 1]) {
            result[index] = UInt8(ascii: "n")
        }
        if result.last == UInt8(ascii: "N") { result[result.count - 1] = UInt8(ascii: "n") }
        return result.isEmpty ? "secret" : String(decoding: result.prefix(longestName), as: UTF8.self)
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    private static func uppercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte & ~0x20 : byte
    }
}
