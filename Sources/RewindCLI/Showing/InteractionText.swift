import Foundation
import Rewind

/// An interaction in full, for a terminal: what was asked and what came back, with headers and bodies.
struct InteractionText {
    private let style: TextStyle
    private let limit: TextLimit?

    init(_ style: TextStyle, limit: TextLimit?) {
        self.style = style
        self.limit = limit
    }

    /// The text of an interaction of a number, among so many.
    func text(_ interaction: Interaction, number: Int, of count: Int) -> String {
        var lines = [
            style(.bold, "Interaction \(number) of \(count)") + ", " + InteractionFacts.timing(interaction)
        ]
        if let redactions = InteractionFacts.redactions(interaction) {
            lines.append(style(.yellow, redactions))
        }
        let request = interaction.request
        let requestLine = "\(request.method) \(request.url) \(request.httpVersion)"
        lines += [""] + message(style(.bold, VisibleText.line(requestLine)), request.headers, request.body)
        if let failure = InteractionFacts.failure(interaction) { lines += ["", style(.red, failure)] }
        if let response = interaction.response {
            let statusLine = "\(response.httpVersion) \(response.status) \(response.statusText)"
            let shown = VisibleText.line(statusLine).trimmingSpaces()
            let emphasis = Outcome.emphasis(of: response.status)
            lines += [""]
            lines += message(emphasis.map { style($0, shown) } ?? shown, response.headers, response.body)
        }
        return lines.joined(separator: "\n")
    }

    private func message(_ first: String, _ headers: HeaderList, _ body: Body?) -> [String] {
        let fields = headers.map { field in
            style(.cyan, VisibleText.line(field.name) + ":") + " " + VisibleText.line(field.value)
        }
        guard let body, !body.isEmpty else { return [first] + fields }
        return [first] + fields + ["", text(of: body, headers["Content-Type"])]
    }

    private func text(of body: Body, _ contentType: String?) -> String {
        let content = BodyText(body.data, contentType: contentType)
        guard let text = content.text else { return style(.dim, "[\(content.title)]") }
        let (shown, note) = limit?.cut(text) ?? (text[...], nil)
        let colored = content.isJSON ? json(String(shown)) : String(shown)
        return note.map { colored + "\n" + style(.dim, $0) } ?? colored
    }

    private func json(_ text: String) -> String {
        guard style != .plain else { return text }
        return JSONSpans(text).all.map { kind, text in
            switch kind {
            case .name: style(.cyan, String(text))
            case .string: style(.green, String(text))
            case .number, .word: style(.yellow, String(text))
            case .mark: String(text)
            }
        }.joined()
    }
}

/// What there is to say of an interaction beside its messages, in sentences.
enum InteractionFacts {
    /// When it was, and how long it took.
    static func timing(_ interaction: Interaction) -> String {
        let timing = interaction.timing
        let instant = TimeText.instant(interaction.startedAt).map { $0 + ", " } ?? ""
        guard let response = interaction.response else {
            return instant + "ended after " + TimeText.duration(milliseconds: timing.wait + timing.receive)
        }
        let (wait, receive) = (
            TimeText.duration(milliseconds: timing.wait), TimeText.duration(milliseconds: timing.receive)
        )
        let pieces = response.body.chunks.count
        return "\(instant)\(wait) to the head and \(receive) to the end"
            + (pieces > 1 ? ", in \(pieces) pieces" : "")
    }

    /// Where secrets were taken out of it; `nil` where nowhere.
    static func redactions(_ interaction: Interaction) -> String? {
        guard !interaction.redactedPlaces.isEmpty else { return nil }
        return "Secrets were taken out of "
            + interaction.redactedPlaces.map(VisibleText.line).joined(separator: ", ")
    }

    /// Why there is no whole response; `nil` where there is one.
    static func failure(_ interaction: Interaction) -> String? {
        switch interaction.outcome {
        case .response: nil
        case .failure(let failure, let partial):
            VisibleText.line(
                "Failed with \(failure.domain) \(failure.code)"
                    + (failure.message.isEmpty ? "" : ": \(failure.message)")
                    + (partial == nil ? "" : ", after what follows had come")
            )
        case .unknown(let reason): VisibleText.line("Has nothing to answer with: \(reason)")
        }
    }
}

/// The parts of JSON text that are set off from one another where it is shown.
struct JSONSpans {
    /// What a part is.
    enum Kind: Sendable {
        case name, string, number, word
        case mark
    }

    /// The parts in order; together they are the text.
    private(set) var all: [(kind: Kind, text: Substring)] = []

    init(_ text: String) {
        let bytes = text.utf8
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let start = index
            let kind = Self.kind(bytes[index])
            if kind == .string {
                index = Self.endOfString(bytes, from: index)
            } else {
                let isNumber = kind == .number
                let end = bytes[index...].firstIndex { byte in
                    // An exponent begins with a letter.
                    Self.kind(byte) != kind && !(isNumber && byte == UInt8(ascii: "e"))
                }
                index = end ?? bytes.endIndex
            }
            all.append((kind == .string && Self.isName(bytes[index...]) ? .name : kind, text[start..<index]))
        }
    }

    private static func kind(_ byte: UInt8) -> Kind {
        switch byte {
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "E"):
            .number
        case UInt8(ascii: "a")...UInt8(ascii: "z"): .word
        default: .mark
        }
    }

    private static func endOfString(_ bytes: String.UTF8View, from start: String.Index) -> String.Index {
        var isEscaped = false
        var index = bytes.index(after: start)
        while index < bytes.endIndex {
            let byte = bytes[index]
            index = bytes.index(after: index)
            if byte == UInt8(ascii: "\""), !isEscaped { return index }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return index
    }

    private static func isName(_ rest: Substring.UTF8View) -> Bool {
        rest.first { $0 != 0x20 } == UInt8(ascii: ":")
    }
}
