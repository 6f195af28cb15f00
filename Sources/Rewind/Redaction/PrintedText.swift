import Foundation

/// Removes what looks like a credential from text that is printed.
package enum PrintedText {
    /// Replaces what looks like a credential by a fixed word, also where the text is percent-encoded or escaped as in JSON.
    package static func withoutCredentials(_ text: String, _ scanner: CredentialScanner = CredentialScanner())
        -> String
    {
        var result: String?
        // Replacing one credential may reveal another one, which began inside it.
        for _ in 0..<4 {
            guard let next = (result ?? text).edited({ edits(in: $0, scanner, depth: 0) }) else { break }
            result = next
        }
        return result ?? text
    }

    /// The edits of credentials, also of those in escaped text.
    private static func edits(in bytes: UnsafeRawBufferPointer, _ scanner: CredentialScanner, depth: Int)
        -> [ByteEdit]
    {
        var edits = scanner.findings(in: bytes).map { ByteEdit($0.range, mark) }
        guard depth < deepestEscapes else { return edits }
        for layer in [EscapeLayer.percent, .json] {
            edits += layer.edits(in: bytes) { self.edits(in: $0, scanner, depth: depth + 1) }
        }
        return edits.sorted { $0.range.lowerBound < $1.range.lowerBound }.reduce(into: []) { joined, next in
            // Overlapping edits become one, as what is left of either of them would be part of a credential.
            if let last = joined.last, next.range.lowerBound < last.range.upperBound {
                let end = Swift.max(last.range.upperBound, next.range.upperBound)
                joined[joined.count - 1] = ByteEdit(last.range.lowerBound..<end, mark)
            } else {
                joined.append(next)
            }
        }
    }

    private static let deepestEscapes = 3
    package static let mark = "REDACTEDwithheld"
}

extension Redactor {
    /// A text without the secrets that are known so far, and without what looks like a credential.
    package func printable(_ text: String) -> String {
        guard let credentialScanner else { return replacingKnown(in: text) }
        return PrintedText.withoutCredentials(replacingKnown(in: text), credentialScanner)
    }

    func replacingKnown(in text: String) -> String {
        let data = Data(text.utf8)
        let replaced = replacingKnown(in: data)
        return replaced == data ? text : String(decoding: replaced, as: UTF8.self)
    }
}
