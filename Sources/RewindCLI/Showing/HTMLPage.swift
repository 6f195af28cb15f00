import Foundation
import Rewind

/// A cassette as one page that asks for nothing: no file, no network, and no script but its own.
///
/// The policy in its head names the digests of its style and its script (Content Security Policy 3, section 2.3.1), so
/// that nothing a cassette brings along could run even if it got out of its quotes.
struct HTMLPage {
    private let cassette: ShownCassette
    private let limit: TextLimit?

    /// Takes a cassette.
    /// - Parameters:
    ///   - cassette: The cassette.
    ///   - limit: How much of a body is shown; all of it where it is `nil`.
    init(_ cassette: ShownCassette, limit: TextLimit?) {
        self.cassette = cassette
        self.limit = limit
    }

    /// The page.
    var text: String {
        let waterfall = Waterfall(cassette.interactions.map(\.interaction))
        let rows = zip(cassette.interactions, waterfall.bars).map { shown, bar in
            HTMLInteraction(shown.interaction, number: shown.number, limit: limit)
                .text(bar: bar, duration: waterfall.duration)
        }
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
            <p>\(HTMLText.line(cassette.totals))</p>
            <div class="tools">
            <input id="filter" type="search" placeholder="Filter by any text, such as POST or 404" aria-label="Filter">
            <span id="count"></span>
            <button id="open" type="button">Open all</button>
            <button id="close" type="button">Close all</button>
            </div>
            </header>
            <main>
            <div class="row head"><span>#</span><span>Method</span><span>Status</span><span>URL</span><span>Type</span>\
            <span class="size">Size</span><span class="time">Time</span><span>Waterfall</span></div>
            \(rows.joined(separator: "\n"))
            </main>
            <script>\(PageScript.text)</script>
            </body>
            </html>
            """
    }

    private static var policy: String {
        let style = "style-src '\(digest(PageStyle.text))'"
        let script = "script-src '\(digest(PageScript.text))'"
        return "default-src 'none'; \(style); \(script); img-src data:; base-uri 'none'; form-action 'none'"
    }

    private static func digest(_ text: String) -> String {
        "sha256-" + Data(SHA256Digest(text.utf8).bytes).base64EncodedString()
    }
}
