import Foundation
import RewindServer
import RewindTestSupport

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A message that contains a secret once, and where to find it after recording.
struct PlacedSecret: Sendable {
    let secret: String
    var method = "POST"
    var path = "/"
    var headers: [(String, String)] = []
    var body: Data?
    var answerHeaders: [(String, String)] = []
    var answer = Data()
    var charset = MessageCharset.utf8

    init(_ secret: String) { self.secret = secret }
}

/// What a recording does with a secret.
enum SecretOutcome: String {
    /// No decoding of the cassette contains it.
    case redacted = "yes"
    /// The save is refused, so the secret is not written.
    case refused = "refused"
    /// The cassette contains it.
    case written = "no"
}

/// Records messages from a real server, each in its own cassette, and searches what was written.
final class SecretRecorder: Sendable {
    private let folder: TemporaryDirectory
    private let server: HTTPServer
    private let url: URL
    private let current = Locked<PlacedSecret?>(nil)

    init() throws {
        folder = try TemporaryDirectory()
        let current = current
        server = HTTPServer { _, response in
            let message = current.withLock { $0 }
            var headers = HeaderList()
            for (name, value) in message?.answerHeaders ?? [] { headers.append(name, value) }
            try response.respond(status: 200, headers: headers, body: message?.answer ?? Data())
        }
        url = try server.start()
    }

    func stop() { server.stop() }

    /// Records messages in one cassette.
    func outcome(of messages: [PlacedSecret]) async throws -> SecretOutcome {
        let name = UUID().uuidString
        do {
            try await withCassette(name, in: folder.url, mode: .all) { _ in
                for message in messages { try await send(message) }
            }
        } catch let error as CassetteError {
            guard case .unredactedCredentials = error.problem else { throw error }
            return .refused
        }
        let file = folder[name + ".har"]
        var texts = [String(decoding: try Data(contentsOf: file), as: UTF8.self)]
        for (interaction, message) in zip(try Cassette(contentsOf: file).interactions, messages) {
            texts += [interaction.request.body?.data, interaction.response?.body.data].compactMap { $0 }
                .map { message.charset.decoded($0) }
            texts.append(interaction.request.url)
        }
        guard let secret = messages.last?.secret else { return .redacted }
        return texts.contains { DecodedTexts($0).contains(secret) } ? .written : .redacted
    }

    private func send(_ message: PlacedSecret) async throws {
        current.withLock { $0 = message }
        var address = url.absoluteString
        while address.hasSuffix("/") { address.removeLast() }
        guard let url = URL(string: address + message.path) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = message.method
        request.httpBody = message.body
        for (name, value) in message.headers { request.addValue(value, forHTTPHeaderField: name) }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        _ = try await URLSession(configuration: configuration).data(for: request)
    }
}

/// A table of Markdown.
struct MarkdownTable {
    let head: [String]
    var rows: [[String]] = []

    var text: String {
        let lines = [head, head.map { _ in "---" }] + rows
        return lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
    }
}

/// The section of an article between two comments, which a test writes.
struct GeneratedSection {
    let name: String
    let article: URL

    private var begin: String { "<!-- generated: \(name) -->" }
    private var end: String { "<!-- end: \(name) -->" }

    init(_ name: String, of article: String) {
        self.name = name
        self.article =
            URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../../../Sources/Rewind/Rewind.docc/\(article)").standardizedFileURL
    }

    /// The text in the article; with `WRITE_GOLDEN` set, it is replaced first.
    func text(replacedBy new: String) throws -> String? {
        let whole = try String(contentsOf: article, encoding: .utf8)
        guard let begin = whole.range(of: begin + "\n"),
            let end = whole.range(of: "\n" + end, range: begin.upperBound..<whole.endIndex)
        else { return nil }
        guard ProcessInfo.processInfo.environment["WRITE_GOLDEN"] != nil else {
            return String(whole[begin.upperBound..<end.lowerBound])
        }
        let written = whole[..<begin.upperBound] + new + whole[end.lowerBound...]
        try Data(written.utf8).write(to: article)
        return new
    }
}
