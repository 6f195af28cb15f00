import Foundation
import Rewind

/// An interaction in full, as text for a terminal.
struct InteractionText {
    let style: TextStyle
    let limit: TextLimit?

    func text(_ interaction: Interaction, number: Int, of count: Int) -> String {
        var lines = [
            style(.bold, "Interaction \(number) of \(count)") + ", " + InteractionFacts.timing(interaction)
        ]
        if let redactions = InteractionFacts.redactions(interaction) {
            lines.append(style(.yellow, redactions))
        }
        let request = interaction.request
        let requestLine = "\(request.description) \(request.httpVersion)"
        lines += [""] + message(style(.bold, VisibleText.line(requestLine)), request.headers, request.body)
        if let absence = InteractionFacts.absence(of: request) { lines += ["", style(.yellow, absence)] }
        if let failure = InteractionFacts.failure(interaction) { lines += ["", style(.red, failure)] }
        if let response = interaction.recordedResponse {
            let shown = VisibleText.line(InteractionFacts.statusLine(response))
            let emphasis = interaction.isReplayable ? Outcome.emphasis(of: response.status) : .yellow
            if let url = InteractionFacts.responseURL(interaction) { lines += ["", url] }
            lines += [""] + message(emphasis.map { style($0, shown) } ?? shown, response.headers, response.body)
        }
        return lines.joined(separator: "\n")
    }

    private func message(_ first: String, _ headers: HeaderList, _ body: Interaction.Body?) -> [String] {
        let fields = headers.map { field in
            style(.cyan, VisibleText.line(field.name) + ":") + " " + VisibleText.line(field.value)
        }
        guard let body, !body.isEmpty else { return [first] + fields }
        return [first] + fields + ["", text(of: body, headers["Content-Type"])]
    }

    private func text(of body: Interaction.Body, _ contentType: String?) -> String {
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
            case .literal: style(.yellow, String(text))
            case .mark: String(text)
            }
        }.joined()
    }
}

/// Facts about an interaction beside its request and response.
enum InteractionFacts {
    static func timing(_ interaction: Interaction) -> String {
        let timing = interaction.timing
        let instant = TimeText.instant(interaction.startedAt).map { $0 + ", " } ?? ""
        guard let response = interaction.recordedResponse else {
            return instant + "ended after " + TimeText.duration(milliseconds: timing.wait + timing.receive)
        }
        let (wait, receive) = (
            TimeText.duration(milliseconds: timing.wait), TimeText.duration(milliseconds: timing.receive)
        )
        let chunks = response.body.chunks.count
        return "\(instant)\(wait) to the response headers, \(receive) for the body"
            + (chunks > 1 ? " in \(chunks) chunks" : "")
    }

    /// Why the body of a request is not known; `nil` if it is known, or if there is none.
    static func absence(of request: Interaction.Request) -> String? {
        request.bodyAbsence.map { VisibleText.line("Unknown request body: \($0)") }
    }

    /// The first line of a response; `?` for a status that the file does not have.
    static func statusLine(_ response: Interaction.Response) -> String {
        let status = response.status == 0 ? "?" : "\(response.status)"
        return "\(response.httpVersion) \(status) \(response.statusText)".trimmingSpaces()
    }

    static func redactions(_ interaction: Interaction) -> String? {
        guard !interaction.redactedPlaces.isEmpty else { return nil }
        return "Redacted: "
            + interaction.redactedPlaces.map(VisibleText.line).joined(separator: ", ")
    }

    /// The URL of a response that came from another one than was requested.
    static func responseURL(_ interaction: Interaction) -> String? {
        interaction.recordedResponse?.url.map { url in
            VisibleText.line("Response from \(Placeholder.readable(inURL: url))")
        }
    }

    static func failure(_ interaction: Interaction) -> String? {
        switch interaction.outcome {
        case .response: nil
        case .failure(let failure, let partial):
            VisibleText.line(
                "Failed with \(failure.line)" + (failure.message.isEmpty ? "" : ": \(failure.message)")
                    + (partial == nil ? "" : " (after the partial response below)")
            )
        case .unknown(let reason):
            VisibleText.line(
                "No response to replay: \(reason)"
                    + (interaction.unreplayableResponse == nil ? "" : " (the rest of the response is below)")
            )
        }
    }
}

/// The parts of JSON text that are shown in different colors.
struct JSONSpans {
    enum Kind: Sendable {
        case name, string
        /// A number, `true`, `false` or `null`.
        case literal
        /// Brackets, commas, colons and white space.
        case mark
    }

    private(set) var all: [(kind: Kind, text: Substring)] = []

    /// Splits a text, which may be cut off anywhere and so be invalid JSON.
    init(_ text: String) {
        let bytes = text.utf8
        var start = bytes.startIndex
        while start < bytes.endIndex {
            let kind = Self.kind(bytes[start])
            let rest = bytes[start...].dropFirst()
            var isEscaped = false
            let last = rest.firstIndex { byte in
                guard kind == .string else { return Self.kind(byte) != kind }
                defer { isEscaped = byte == UInt8(ascii: "\\") && !isEscaped }
                return byte == UInt8(ascii: "\"") && !isEscaped
            }
            let end = last.map { kind == .string ? bytes.index(after: $0) : $0 } ?? bytes.endIndex
            let isName = kind == .string && bytes[end...].first { $0 != 0x20 } == UInt8(ascii: ":")
            all.append((isName ? .name : kind, text[start..<end]))
            start = end
        }
    }

    private static func kind(_ byte: UInt8) -> Kind {
        switch byte {
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "E"):
            .literal
        default: .mark
        }
    }
}
