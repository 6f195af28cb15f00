/// One way in which a secret may stand in a message, and what is to be written there instead.
package struct SecretSpelling: Hashable, Sendable {
    /// How the text of the secret was changed.
    package enum Form: Hashable, Sendable {
        /// Not at all.
        case raw
        /// As in URLs and forms.
        case percent
        /// As in URLs inside URLs.
        case doublePercent
        /// As in JSON strings.
        case json
        /// As in HTML and XML.
        case html
        /// As base64 of the secret alone.
        case base64
    }

    /// How the text of the secret was changed.
    package let encoding: Form
    /// The secret in this spelling.
    package let text: [UInt8]
    /// The placeholder in this spelling.
    package let replacement: [UInt8]
}

extension SecretSpelling {
    /// Every spelling of a secret, each text once.
    package static func all(of value: String, placeholder: Placeholder) -> [SecretSpelling] {
        guard !value.isEmpty else { return [] }
        let token = placeholder.jwtText(replacing: value)
        var spellings = SpellingList(token: token.map { Array($0.utf8) })
        spellings.add(.raw, [Array(value.utf8)], placeholder.text)
        let percent = PercentFlavor.spellings(of: value)
        spellings.add(.percent, percent, placeholder.text(.percent))
        spellings.add(.doublePercent, percent.map(PercentFlavor.encodedAgain), placeholder.text(.doublePercent))
        spellings.add(.json, JSONFlavor.spellings(of: value), placeholder.text)
        spellings.add(.html, HTMLFlavor.spellings(of: value), placeholder.text(.html))
        for alphabet in [Base64Alphabet.standard, .url] {
            for padded in [true, false] {
                let replacement = alphabet.encoded((token ?? placeholder.text).utf8, padded: padded)
                let text = alphabet.encoded(value.utf8, padded: padded)
                spellings.add(SecretSpelling(encoding: .base64, text: text, replacement: replacement))
            }
        }
        return spellings.spellings
    }

    /// Collects spellings whose text is new.
    private struct SpellingList {
        /// What replaces a secret that is a token, which looks the same in all spellings but base64.
        let token: [UInt8]?
        var spellings: [SecretSpelling] = []
        var texts: Set<[UInt8]> = []

        init(token: [UInt8]?) {
            self.token = token
        }

        mutating func add(_ encoding: Form, _ texts: [[UInt8]], _ replacement: String) {
            for text in texts {
                add(
                    SecretSpelling(
                        encoding: encoding,
                        text: text,
                        replacement: token ?? Array(replacement.utf8)
                    )
                )
            }
        }

        mutating func add(_ spelling: SecretSpelling) {
            if texts.insert(spelling.text).inserted { spellings.append(spelling) }
        }
    }
}
