/// What is written where a secret stood: a name in angle brackets, such as `<access_token:1>` or `<user>`.
package struct Placeholder: Hashable, Sendable {
    /// What the secret was, in letters, digits, underscores, hyphens and full stops.
    package let name: String
    /// Tells apart different secrets of one name.
    package let number: Int?

    /// Creates a placeholder; each character that a name cannot have becomes an underscore.
    package init(name: String, number: Int? = nil) {
        let characters = name.map { character in
            character.utf8.count == 1 && character.utf8.allSatisfy(Self.isNameByte) ? character : "_"
        }
        self.name = characters.isEmpty ? "_" : String(characters)
        self.number = number.map { max(0, $0) }
    }

    /// Reads a text that is exactly a placeholder.
    package init?(_ text: some StringProtocol) {
        self.init(bytes: Array(text.utf8))
    }

    /// Reads the bytes of a text that is exactly a placeholder.
    init?(bytes: some BidirectionalCollection<UInt8>) {
        guard bytes.first == UInt8(ascii: "<"), bytes.last == UInt8(ascii: ">"), bytes.count > 2 else {
            return nil
        }
        self.init(content: bytes.dropFirst().dropLast())
    }

    /// Reads what stands between the brackets.
    init?(content: some BidirectionalCollection<UInt8>) {
        let parts = content.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, !first.isEmpty, first.allSatisfy(Self.isNameByte) else { return nil }
        if parts.count == 2 {
            let digits = String(decoding: parts[1], as: UTF8.self)
            guard let number = Int(digits), String(number) == digits, number >= 0 else { return nil }
            self.number = number
        } else {
            number = nil
        }
        name = String(decoding: first, as: UTF8.self)
    }

    /// The placeholder of the same name without a number.
    package var withoutNumber: Placeholder { Placeholder(name: name) }

    static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

extension Placeholder {
    /// A way to write a placeholder that suits what surrounds it.
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

    /// The raw spelling.
    package var text: String { text(.raw) }

    /// The placeholder in a spelling.
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
