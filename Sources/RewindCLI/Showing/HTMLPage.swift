import Foundation
import Rewind

/// A cassette as a self-contained page that loads no file, uses no network and runs only its own script.
///
/// The content security policy in its head names the digests of its style and script (Content Security Policy 3, section
/// 2.3.1). So text of a cassette could not run as a script even if it were not escaped.
struct HTMLPage {
    let cassette: ShownCassette
    let limit: TextLimit?

    func write(to output: (String) throws -> Void) rethrows {
        var summary = CassetteSummary()
        for (_, interaction) in cassette.interactions { summary.add(interaction) }
        let waterfall = summary.waterfall
        try output(start(summary))
        for (position, (shown, bar)) in zip(cassette.interactions, waterfall.bars).enumerated() {
            let row = HTMLInteraction(interaction: shown.interaction, number: shown.number, limit: limit)
            try output((position > 0 ? "\n" : "") + row.text(bar: bar, duration: waterfall.duration))
        }
        try output(Self.end)
    }

    private func start(_ summary: CassetteSummary) -> String {
        let format = cassette.foreignFormat.map { " <small>\(HTMLText.line($0))</small>" } ?? ""
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <meta name="color-scheme" content="light dark">
            <title>\(HTMLText.line(cassette.path.split(separator: "/").last ?? "")) – Rewind</title>
            <style>\(PageStyle.text)</style>
            </head>
            <body>
            <header>
            <h1>\(HTMLText.line(cassette.path))\(format)</h1>
            <p>\(HTMLText.line(summary.totals))</p>
            \(cassette.positions.isEmpty ? "" : Self.legend)
            <div class="tools">
            <input id="filter" type="search" placeholder="Filter by any text, such as POST or 404" aria-label="Filter">
            <span id="count" role="status"></span>
            <button id="open" type="button">Open all</button>
            <button id="close" type="button">Close all</button>
            </div>
            </header>
            <main>
            <div class="row head"><span>#</span><span>Method</span><span>Status</span><span>URL</span><span>Type</span>\
            <span class="size">Size</span><span class="time">Time</span><span>Waterfall</span></div>

            """
    }

    private static let end = """

        </main>
        <script>\(PageScript.text)</script>
        </body>
        </html>
        """

    /// Says what a row does and what the parts of its bar mean. The keys look like the parts in `drawing(of:_:)`.
    private static let legend = """
        <p class="legend"><span>Select a row to see its request and response.</span>
        <span class="keys">Waterfall: <span class="key wait"></span> waiting for the response,
        <span class="key receive"></span> receiving it. Long pauses are shortened.</span></p>
        """

    private static var policy: String {
        let style = "style-src '\(digest(PageStyle.text))'"
        let script = "script-src '\(digest(PageScript.text))'"
        return "default-src 'none'; \(style); \(script); img-src data:; base-uri 'none'; form-action 'none'"
    }

    private static func digest(_ text: String) -> String {
        "sha256-" + Data(SHA256Digest(text.utf8).bytes).base64EncodedString()
    }
}

private struct HTMLInteraction {
    let interaction: Interaction
    let number: Int
    let limit: TextLimit?

    /// The size of the largest image that is shown if long bodies are cut.
    private static let largestImage = 5_000_000

    func text(bar: Waterfall.Bar, duration: Double) -> String {
        let outcome = Outcome(of: interaction)
        let request = interaction.request
        let url = request.readableURL
        let start = url.beforePath
        let origin = start.endIndex < url.endIndex ? start : ""
        let cells = [
            HTMLText.span("number", "\(number)"), HTMLText.span("method", request.method),
            HTMLText.span("status \(Self.name(of: outcome))", outcome.status),
            "<span class=\"url\" title=\"\(HTMLText.line(request.url))\">"
                + HTMLText.span("origin", origin) + HTMLText.span("path", url.dropFirst(origin.count))
                + (outcome.redirect.map { " " + HTMLText.span("more", "→ \($0)") } ?? "")
                + (outcome.operations.map { " " + HTMLText.span("more", $0) } ?? "") + "</span>",
            HTMLText.span("type", outcome.type), HTMLText.span("size", outcome.size),
            HTMLText.span("time", outcome.time), Self.drawing(of: bar, duration),
        ]
        return """
            <details class="interaction" id="i\(number)"><summary class="row">\(cells.joined())</summary>
            <div class="messages">\(facts)
            \(requestText)
            \(responseText)
            </div></details>
            """
    }

    private var facts: String {
        let sentences = [
            InteractionFacts.timing(interaction), InteractionFacts.redactions(interaction),
            InteractionFacts.responseURL(interaction),
        ]
        let shown = sentences.compactMap { $0 }.map(HTMLText.line).joined(separator: "<br>")
        let failure = InteractionFacts.failure(interaction).map {
            "<p class=\"failure\">\(HTMLText.line($0))</p>"
        }
        let absence = InteractionFacts.absence(of: interaction.request).map {
            "<p class=\"failure\">\(HTMLText.line($0))</p>"
        }
        return "<p class=\"facts\">\(shown)</p>\(absence ?? "")\(failure ?? "")"
    }

    private var requestText: String {
        let request = interaction.request
        let line = "\(request.description) \(request.httpVersion)"
        return section("Request", line.trimmingSpaces(), request.headers, request.body)
    }

    private var responseText: String {
        guard let response = interaction.recordedResponse else { return "" }
        return section("Response", InteractionFacts.statusLine(response), response.headers, response.body)
    }

    private func section(_ title: String, _ line: String, _ headers: HeaderList, _ body: Interaction.Body?)
        -> String
    {
        let rows = headers.map { field in
            "<tr><th scope=\"row\">\(HTMLText.line(field.name))</th><td>\(HTMLText.line(field.value))</td></tr>"
        }
        let table = rows.isEmpty ? "" : "<table>\(rows.joined())</table>"
        let content = body.flatMap { $0.isEmpty ? nil : self.body($0, headers["Content-Type"]) } ?? ""
        return
            "<section><h2>\(title)</h2><p class=\"line\">\(HTMLText.line(line))</p>\(table)\(content)</section>"
    }

    private func body(_ body: Interaction.Body, _ contentType: String?) -> String {
        let content = BodyText(body.data, contentType: contentType)
        var parts = ["<figcaption>\(HTMLText.line(content.title))</figcaption>"]
        if let image = content.image, limit == nil || body.count <= Self.largestImage {
            let data = body.data.base64EncodedString()
            parts.append(
                "<img alt=\"\(HTMLText.line(content.title))\" src=\"data:\(image.mediaType);base64,\(data)\">"
            )
        }
        if let text = content.text {
            let (shown, note) = limit?.cut(text) ?? (text[...], nil)
            let marked = content.isJSON ? Self.marked(String(shown)) : HTMLText.lines(shown)
            parts.append(
                "<pre>\(marked)</pre>" + (note.map { "<p class=\"more\">\(HTMLText.line($0))</p>" } ?? "")
            )
        }
        return "<figure>\(parts.joined())</figure>"
    }

    private static func marked(_ json: String) -> String {
        JSONSpans(json).all.map { kind, text in
            switch kind {
            case .name: "<i class=\"n\">\(HTMLText.lines(text))</i>"
            case .string: "<i class=\"s\">\(HTMLText.lines(text))</i>"
            case .literal: "<i class=\"w\">\(HTMLText.lines(text))</i>"
            case .mark: HTMLText.lines(text)
            }
        }.joined()
    }

    private static func name(of outcome: Outcome) -> String {
        switch outcome.emphasis {
        case .green: "good"
        case .cyan: "moved"
        case .yellow: "doubtful"
        case .red: "bad"
        default: "plain"
        }
    }

    /// An SVG drawing, because the policy of the page forbids style attributes.
    private static func drawing(of bar: Waterfall.Bar, _ duration: Double) -> String {
        func place(_ time: Double) -> Double { duration > 0 ? time / duration * 1000 : 0 }
        // The parts also differ in height, as not everyone can distinguish their colors.
        func rectangle(_ name: String, _ height: Int, _ start: Double, _ width: Double) -> String {
            String(
                format:
                    "<rect class=\"\(name)\" x=\"%.1f\" y=\"\((16 - height) / 2)\" width=\"%.1f\" height=\"\(height)\"/>",
                start,
                width
            )
        }
        let start = min(place(bar.start), 990)
        let wait = max(place(bar.wait), 10)
        let receive = rectangle("receive", 10, start + wait, place(bar.receive))
        return
            "<svg class=\"waterfall\" viewBox=\"0 0 1000 16\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
            + rectangle("wait", 4, start, wait) + receive + "</svg>"
    }
}

/// Text from a cassette, escaped for elements and for quoted attributes.
enum HTMLText {
    static func lines(_ text: some StringProtocol) -> String { escaped(VisibleText.lines(String(text))) }
    static func line(_ text: some StringProtocol) -> String { escaped(VisibleText.line(String(text))) }

    static func span(_ name: String, _ text: some StringProtocol) -> String {
        "<span class=\"\(name)\">\(line(text))</span>"
    }

    private static func escaped(_ text: String) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count + text.utf8.count / 8)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): result += "&amp;".utf8
            case UInt8(ascii: "<"): result += "&lt;".utf8
            case UInt8(ascii: ">"): result += "&gt;".utf8
            case UInt8(ascii: "\""): result += "&quot;".utf8
            case UInt8(ascii: "'"): result += "&#39;".utf8
            default: result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
