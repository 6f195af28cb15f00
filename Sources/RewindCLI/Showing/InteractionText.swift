import Foundation
import Rewind

/// An interaction in full, for a terminal: what was asked and what came back, with headers and bodies.
struct InteractionText {
    private let style: TextStyle
    private let limit: TextLimit?

    /// Creates texts.
    /// - Parameters:
    ///   - style: How words are set off.
    ///   - limit: How much of a body is shown; all of it where it is `nil`.
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
