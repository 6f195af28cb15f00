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
    private static let mark = CredentialCheck.withheld.text
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

/// What a stubber may print: text without the secrets of its traffic.
///
/// It learns the secrets of requests and responses only when something is printed. It has secrets of its own, so that
/// printing does not change how requests are matched.
package final class PrintFilter: Sendable {
    private enum Source: Sendable {
        case request(IncomingRequest)
        indirect case exchange(Interaction)
    }

    private let redaction: Redaction
    private let unread = Locked<[Source]>([])
    /// Each one has a limited number of secrets, so that learning one more takes the same time for any number of secrets.
    private let redactors: Locked<[Redactor]>

    package init(_ redaction: Redaction) {
        self.redaction = redaction
        redactors = Locked([Redactor(redaction)])
    }

    /// Adds a request whose secrets must not be printed.
    /// - Parameters:
    ///   - request: The request.
    ///   - isKept: Whether the request is in memory anyway. Of the others, only the latest small ones are read.
    func add(_ request: IncomingRequest, isKept: Bool) {
        add(.request(request), isKept: isKept, size: request.light.body?.count ?? 0)
    }

    /// Adds an interaction whose secrets must not be printed.
    func add(_ interaction: Interaction, isKept: Bool) {
        let size = (interaction.request.body?.count ?? 0) + (interaction.response?.body.count ?? 0)
        add(.exchange(interaction), isKept: isKept, size: size)
    }

    private func add(_ source: Source, isKept: Bool, size: Int) {
        guard isKept || size <= Self.latestSize else { return }
        unread.withLock { unread in
            if !isKept, unread.count >= Self.latestCount { unread.removeFirst() }
            unread.append(source)
        }
    }

    package func printable(_ text: String) -> String {
        redactors.withLock { redactors in
            learn(&redactors)
            let known = redactors.dropLast().reduce(text) { $1.replacingKnown(in: $0) }
            return redactors.last?.printable(known) ?? known
        }
    }

    /// A request to print or to compare with recorded ones in a message.
    package func printable(_ request: Interaction.Request) -> Interaction.Request {
        redactors.withLock { redactors in
            learn(&redactors)
            var shown = Interaction(request: request, outcome: .unknown(reason: ""))
            for redactor in redactors { shown = redactor.replacingKnown(in: shown) }
            if let last = redactors.last { shown.request = last.redact(shown.request) }
            guard let scanner = redactors.last?.credentialScanner else { return shown.request }
            shown = redaction.credentialCheck?.withholding(in: shown) ?? shown
            shown.request.url = PrintedText.withoutCredentials(shown.request.url, scanner)
            return shown.request
        }
    }

    private func learn(_ redactors: inout [Redactor]) {
        let sources = unread.withLock { unread in
            defer { unread = [] }
            return unread
        }
        for source in sources {
            if let last = redactors.last, last.ledger.searchedCount >= Self.secretCount {
                redactors.append(Redactor(redaction))
            }
            guard let redactor = redactors.last else { return }
            switch source {
            case .request(let request): _ = redactor.redact(request.full)
            case .exchange(let interaction): redactor.learn(interaction)
            }
        }
    }

    private static let latestCount = 64
    private static let latestSize = 65_536
    private static let secretCount = 256
}

extension Stubber {
    /// A text without secrets of the stubber's traffic, for messages.
    package func printable(_ text: String) -> String { printFilter.printable(text) }

    package func printable(_ request: Interaction.Request) -> Interaction.Request {
        printFilter.printable(request)
    }
}
