/// How an encoder of HTML and XML writes the characters that mean something there.
enum HTMLFlavor {
    /// The text in every flavor.
    static func spellings(of value: String) -> [[UInt8]] {
        var texts = [value.replacing("&", "&amp;").replacing("<", "&lt;")]
        for (character, references) in references where value.unicodeScalars.contains(character) {
            texts = texts.flatMap { text in
                references.map { text.replacing(String(character), $0) }
            }
        }
        return texts.map { Array($0.utf8) }
    }

    private static let references: [(Unicode.Scalar, [String])] = [
        (">", ["&gt;", ">"]),
        ("\"", ["&quot;", "\"", "&#34;", "&#x22;"]),
        ("'", ["'", "&#39;", "&#x27;", "&apos;", "&#039;"]),
        ("+", ["+", "&#43;", "&#x2B;"]),
    ]
}

extension String {
    /// The text with a part put in place of another one, compared by scalars.
    fileprivate func replacing(_ part: String, _ other: String) -> String {
        var result = ""
        for scalar in unicodeScalars {
            if String(scalar) == part { result += other } else { result.unicodeScalars.append(scalar) }
        }
        return result
    }
}
