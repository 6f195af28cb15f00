/// What an encoder of JSON strings escapes beyond what it must (RFC 8259 section 7).
struct JSONFlavor {
    private let escapesSlash: Bool
    private let escapesMarkup: Bool
    private let escapesForeign: Bool
    private let isUppercase: Bool

    /// The text as the content of a JSON string in every flavor, and of a string inside such a string.
    static func spellings(of value: String) -> [[UInt8]] {
        var flavors: [JSONFlavor] = []
        for number in 0..<16 {
            flavors.append(
                JSONFlavor(
                    escapesSlash: number & 1 != 0,
                    escapesMarkup: number & 2 != 0,
                    escapesForeign: number & 4 != 0,
                    isUppercase: number & 8 != 0
                )
            )
        }
        let once = flavors.map { $0.escaped(value) }
        let twice = once.flatMap { text in flavors.prefix(2).map { $0.escaped(text) } }
        return (once + twice).map { Array($0.utf8) }
    }

    private func escaped(_ value: String) -> String {
        var result = ""
        for scalar in value.unicodeScalars {
            if scalar.isASCII, let letter = JSONEscapes.letter(forByte: UInt8(scalar.value)) {
                result += "\\\(Character(Unicode.Scalar(letter)))"
            } else if scalar == "/", escapesSlash {
                result += "\\/"
            } else if scalar.value < 0x20 || !scalar.isASCII && escapesForeign
                || escapesMarkup && "<>&'+`".unicodeScalars.contains(scalar)
            {
                for unit in UTF16.encode(scalar) ?? .init() { result += escape(unit) }
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private func escape(_ unit: UInt16) -> String {
        "\\u" + Hexadecimal.text(unit, digits: 4, uppercase: isUppercase)
    }
}
