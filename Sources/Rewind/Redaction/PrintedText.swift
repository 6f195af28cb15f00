import Foundation

/// Removes what looks like a credential from text that is printed.
package enum PrintedText {
    /// Replaces what looks like a credential by a fixed word, also where the text is percent-encoded or escaped as in JSON.
    package static func withoutCredentials(_ text: String, _ scanner: CredentialScanner = CredentialScanner())
        -> String
    {
        var bytes = Array(text.utf8)
        // Finding one credential may reveal another one, which began inside it.
        for _ in 0..<4 {
            let ranges = ranges(in: bytes, scanner)
            if ranges.isEmpty { break }
            for range in ranges.reversed() { bytes.replaceSubrange(range, with: mark.utf8) }
        }
        return bytes.count == text.utf8.count && bytes.elementsEqual(text.utf8)
            ? text : String(decoding: bytes, as: UTF8.self)
    }

    /// The places of credentials in order, without overlaps.
    private static func ranges(in bytes: [UInt8], _ scanner: CredentialScanner) -> [Range<Int>] {
        var found = bytes.withUnsafeBytes { scanner.findings(in: $0) }.map(\.range)
        var layer = UnescapedBytes(bytes)
        for _ in 0..<deepestEscapes {
            guard let unescaped = layer.unescaped() else { break }
            layer = unescaped
            let findings = layer.bytes.withUnsafeBytes { scanner.findings(in: $0) }
            found += findings.map { layer.origin(of: $0.range) }
        }
        return found.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { ranges, next in
            if let last = ranges.last, next.lowerBound < last.upperBound {
                ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, next.upperBound)
            } else {
                ranges.append(next)
            }
        }
    }

    private static let deepestEscapes = 3
    package static let mark = "REDACTEDwithheld"
}

/// Text without escapes, and the places of its bytes in the text with escapes.
private struct UnescapedBytes {
    let bytes: [UInt8]
    /// The start of each byte in the original text, and at the end its length.
    private let starts: [Int]

    init(_ bytes: [UInt8]) { self.init(bytes, starts: Array(0...bytes.count)) }

    private init(_ bytes: [UInt8], starts: [Int]) {
        self.bytes = bytes
        self.starts = starts
    }

    func origin(of range: Range<Int>) -> Range<Int> { starts[range.lowerBound]..<starts[range.upperBound] }

    /// Decodes `%3A` and `\u003A` once; `nil` if there is nothing to decode.
    func unescaped() -> UnescapedBytes? {
        guard bytes.contains(UInt8(ascii: "%")) || bytes.contains(UInt8(ascii: "\\")) else { return nil }
        var (decoded, places): ([UInt8], [Int]) = ([], [])
        var position = 0
        while position < bytes.count {
            places.append(starts[position])
            if let escape = escape(at: position) {
                decoded.append(escape.byte)
                position += escape.length
            } else {
                decoded.append(bytes[position])
                position += 1
            }
        }
        guard decoded.count < bytes.count else { return nil }
        return UnescapedBytes(decoded, starts: places + [starts[bytes.count]])
    }

    private func escape(at position: Int) -> (byte: UInt8, length: Int)? {
        switch bytes[position] {
        case UInt8(ascii: "%"): byte(at: position + 1).map { ($0, 3) }
        case UInt8(ascii: "\\") where bytes[position...].starts(with: Array("\\u00".utf8)):
            byte(at: position + 4).flatMap { $0 < 0x80 ? ($0, 6) : nil }
        default: nil
        }
    }

    private func byte(at position: Int) -> UInt8? {
        guard position + 1 < bytes.count, let high = Hexadecimal.value(of: bytes[position]),
            let low = Hexadecimal.value(of: bytes[position + 1])
        else { return nil }
        return high << 4 | low
    }
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
