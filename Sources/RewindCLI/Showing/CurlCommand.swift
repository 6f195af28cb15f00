import Foundation
import Rewind
import RewindServer

/// The command that makes a recorded request again, without what curl would add of its own. A body that a
/// terminal could not show as it is, or that is too long for a word, comes through a pipe in base64.
struct CurlCommand {
    /// The bytes of the longest body that stands in a word; Linux takes no word of more than 128 KiB.
    private static let longestWord = 65_536

    private let request: Interaction.Request
    private let redactions: String?

    init(_ interaction: Interaction) {
        (request, redactions) = (interaction.request, InteractionFacts.redactions(interaction))
    }

    /// The command, under comments on what is not as it was.
    var text: String {
        let url = request.urlWithoutFragment
        guard ["http", "https"].contains(URLParts(url).scheme), VisibleText.line(url) == url else {
            return "# curl cannot be given this URL: \(VisibleText.line(url))"
        }
        let fields = CurlHeaders(request)
        let (pipe, data) = body
        var comments = redactions.map { ["# \($0); put yours in place of <…>."] } ?? []
        comments += fields.omitted.map { "# Left out, as it has control characters: \(VisibleText.line($0))" }
        let words = ["curl " + ShellWord.quoted(url)] + flags(for: url) + method + fields.options + data
        return (comments + pipe + [words.joined(separator: " \\\n  ")]).joined(separator: "\n")
    }

    private func flags(for url: String) -> [String] {
        let codings = request.headers["Accept-Encoding"]?.lowercased() ?? ""
        let isCoded = ["gzip", "deflate", "br", "zstd"].contains(where: codings.contains)
        let flags = [
            ("--globoff", url.contains(where: "[]{}".contains)),
            ("--path-as-is", url.contains("/./") || url.contains("/../")), ("--compressed", isCoded),
        ]
        return flags.filter(\.1).map(\.0)
    }

    private var method: [String] {
        switch request.method {
        // Told to ask for HEAD in any other way, curl would wait for a body.
        case "HEAD" where request.body == nil: ["--head"]
        case "GET" where request.body == nil: []
        case "POST" where request.body != nil: []
        default: ["--request \(ShellWord.quoted(VisibleText.line(request.method)))"]
        }
    }

    /// The line that makes the bytes, where they come through a pipe, and the words that give them to curl.
    private var body: (pipe: [String], words: [String]) {
        guard let data = request.body?.data else { return ([], []) }
        let text = data.count <= Self.longestWord ? String(wellFormed: data) : nil
        if let text, VisibleText.lines(text) == text { return ([], ["--data-raw " + ShellWord.quoted(text)]) }
        return (["printf %s \(data.base64EncodedString()) | base64 -d |"], ["--data-binary @-"])
    }
}

private struct CurlHeaders {
    /// The options, those that keep curl from adding fields of its own among them.
    private(set) var options: [String] = []
    private(set) var omitted: [String] = []

    init(_ request: Interaction.Request) {
        for field in request.headers.withoutPseudoFields where !Self.isSet(field, by: request) {
            let value = field.value.trimmingSpaces()
            // What curl takes for the name of a file, as it begins with `@`, is no token.
            guard field.name.utf8.isToken, VisibleText.line(value) == value else {
                omitted.append(field.name)
                continue
            }
            // A field with nothing after the colon would be taken away.
            add(value.isEmpty ? "\(field.name);" : "\(field.name): \(value)")
        }
        let body = request.body?.count
        for (name, isAdded) in [
            ("User-Agent", true), ("Accept", true), ("Content-Type", body != nil),
            ("Expect", (body ?? 0) > 1024),
        ] where isAdded && request.headers[name] == nil { add("\(name):") }
    }

    private mutating func add(_ field: String) { options.append("--header " + ShellWord.quoted(field)) }

    /// Whether curl sets a field as it was, from the URL and the body.
    private static func isSet(_ field: HeaderList.Field, by request: Interaction.Request) -> Bool {
        field.hasName("Content-Length") || field.hasName("Transfer-Encoding")
            || field.hasName("Host") && field.value.lowercased() == URLParts(request.url).authority
    }
}
