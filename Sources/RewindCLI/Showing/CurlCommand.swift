import Foundation
import Rewind
import RewindServer

/// The curl command that sends a recorded request again, without the headers that curl adds by default.
///
/// A body that contains control characters, or is too long for an argument, is piped to curl in base64.
struct CurlCommand {
    /// The size of the largest body that is passed as an argument; Linux limits an argument to 128 KiB.
    private static let longestArgument = 65_536

    private let request: Interaction.Request
    private let redactions: String?

    init(_ interaction: Interaction) {
        (request, redactions) = (interaction.request, InteractionFacts.redactions(interaction))
    }

    /// The command, after comments on what differs from the recorded request.
    var text: String {
        let url = request.urlWithoutFragment
        guard ["http", "https"].contains(URLParts(url).scheme), VisibleText.line(url) == url else {
            return "# curl cannot request this URL: \(VisibleText.line(url))"
        }
        let fields = CurlHeaders(request)
        let (pipe, data) = body
        var comments = redactions.map { ["# \($0). Replace each <…> with your own value."] } ?? []
        comments += InteractionFacts.absence(of: request).map { ["# \($0)"] } ?? []
        comments += fields.omitted.map { "# Omitted header, which curl cannot send: \(VisibleText.line($0))" }
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
        // With --request HEAD, curl would wait for a body.
        case "HEAD" where request.body == nil: ["--head"]
        case "GET" where request.body == nil: []
        case "POST" where request.body != nil: []
        default: ["--request \(ShellWord.quoted(VisibleText.line(request.method)))"]
        }
    }

    /// The line that pipes the bytes, if needed, and the options that pass them to curl.
    private var body: (pipe: [String], words: [String]) {
        guard let data = request.body?.data else { return ([], []) }
        let text = data.count <= Self.longestArgument ? String(wellFormed: data) : nil
        if let text, VisibleText.lines(text) == text { return ([], ["--data-raw " + ShellWord.quoted(text)]) }
        return (["printf %s \(data.base64EncodedString()) | base64 -d |"], ["--data-binary @-"])
    }
}

private struct CurlHeaders {
    /// The options, including those that remove the default headers of curl.
    private(set) var options: [String] = []
    private(set) var omitted: [String] = []

    init(_ request: Interaction.Request) {
        for field in request.headers.withoutPseudoFields where !Self.isSet(field, by: request) {
            let value = field.value.trimmingSpaces()
            // curl reads a file if the name begins with `@`, which is not a token.
            guard field.name.utf8.isToken, VisibleText.line(value) == value else {
                omitted.append(field.name)
                continue
            }
            // With nothing after the colon, curl would remove the header.
            add(value.isEmpty ? "\(field.name);" : "\(field.name): \(value)")
        }
        let body = request.body?.count
        for (name, isAdded) in [
            ("User-Agent", true), ("Accept", true), ("Content-Type", body != nil),
            ("Expect", (body ?? 0) > 1024),
        ] where isAdded && request.headers[name] == nil { add("\(name):") }
    }

    private mutating func add(_ field: String) { options.append("--header " + ShellWord.quoted(field)) }

    /// Whether curl sets the header to the recorded value by itself, from the URL and the body.
    private static func isSet(_ field: HeaderList.Field, by request: Interaction.Request) -> Bool {
        field.hasName("Content-Length") || field.hasName("Transfer-Encoding")
            || field.hasName("Host") && field.value.lowercased() == URLParts(request.url).authority
    }
}
