import Foundation
import RewindServer
import RewindTestSupport
import Testing

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Records labelled messages from a real server, stops it, and replays them.
@Suite(.serialized)
struct LabelledRecordingTests {
    /// Every sixth message that a client can send and receive as it is.
    private static func messages() throws -> [LabelledMessage] {
        let possible = try LabelledMessages().messages.filter { message in
            let (request, response) = (message.interaction.request, message.interaction.response)
            let names = (response?.headers.fields ?? []).map { $0.name.lowercased() }
            return URL(string: request.url) != nil && !request.url.contains("@")
                && !["HEAD", "PURGE"].contains(request.method)
                && !(request.method == "GET" && request.body != nil)
                && (200..<300).contains(response?.status ?? 0) && Set(names).count == names.count
                && Set(names).isDisjoint(with: ["www-authenticate", "location", "content-md5"])
                && request.headers["Proxy-Authorization"] == nil
                && request.headers["Sec-WebSocket-Version"] == nil
        }
        return possible.enumerated().filter { $0.offset % 6 == 0 }.map(\.element)
    }

    private static func request(_ message: LabelledMessage, to server: URL) throws -> URLRequest {
        let recorded = message.interaction.request
        let path = recorded.url.components(separatedBy: "://").last?.drop { $0 != "/" } ?? "/"
        let url = try #require(URL(string: server.absoluteString.trimmingSuffix("/") + path))
        var request = URLRequest(url: url)
        request.httpMethod = recorded.method
        request.httpBody = recorded.body?.data
        for field in recorded.headers { request.addValue(field.value, forHTTPHeaderField: field.name) }
        return request
    }

    private static var session: URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        return URLSession(configuration: configuration)
    }

    @Test("Recorded messages contain no labelled secret, and replay without the server")
    func recordAndReplay() async throws {
        let messages = try Self.messages()
        #expect(messages.count >= 36)
        let folder = try TemporaryDirectory()
        let current = Locked<Interaction.Response?>(nil)
        let server = HTTPServer { _, response in
            let answer = current.withLock { $0 } ?? Interaction.Response(status: 500)
            try response.respond(status: answer.status, headers: answer.headers, body: answer.body.data)
        }
        let url = try server.start()
        defer { server.stop() }
        let session = Self.session
        var problems: [String] = []
        for (index, message) in messages.enumerated() {
            let request = try Self.request(message, to: url)
            current.withLock { $0 = message.interaction.response }
            do {
                try await withCassette("message-\(index)", in: folder.url, mode: .once) { _ in
                    let outcome = await Outcome(of: request, in: session)
                    #expect(outcome.status == message.interaction.response?.status, "\(message.title)")
                }
            } catch {
                // Keys with the format of a provider stop the save, so they are not written.
                let isKey = RedactionRates([message]).failures.contains { $0.kind == .refused }
                if !isKey { problems.append("not saved: \(message.title): \(error)") }
            }
        }
        server.stop()
        var recorded: [(LabelledMessage, Interaction)] = []
        for (index, message) in messages.enumerated() {
            let file = folder["message-\(index).har"]
            guard let data = try? Data(contentsOf: file),
                let interaction = try Cassette(contentsOf: file).interactions.first
            else { continue }
            recorded.append((message, interaction.aligned(with: message.interaction)))
            let text = DecodedTexts(String(decoding: data, as: UTF8.self))
            for (_, value) in message.values
            where value.kind == .secret && value.value.count > 5 && text.contains(value.value) {
                problems.append("in the file: \(message.category).txt:\(value.line) '\(value.value)'")
            }
            let request = try Self.request(message, to: url)
            let name = "message-\(index)"
            let outcome = try await withCassette(name, in: folder.url, mode: .never) { _ in
                await Outcome(of: request, in: session)
            }
            var replayed = message.interaction
            replayed.outcome = .response(
                Interaction.Response(
                    status: outcome.status,
                    headers: HeaderList(
                        outcome.headers.map { HeaderList.Field(name: $0.key, value: $0.value) }
                    ),
                    body: Interaction.Body(outcome.body)
                )
            )
            replayed.request = interaction.request
            if outcome.status != message.interaction.response?.status {
                problems.append("not replayed: \(message.title): \(outcome.failure ?? "")")
            } else {
                recorded.append((message, replayed.aligned(with: message.interaction)))
            }
        }
        problems += RedactionRates(recorded).failures.map(\.description)
        for problem in problems { print("recording: \(problem)") }
        #expect(problems.isEmpty)
    }
}

extension Interaction {
    /// The interaction with the URL's host and the order of fields of another one.
    fileprivate func aligned(with other: Interaction) -> Interaction {
        func fields(_ list: HeaderList, like model: HeaderList) -> HeaderList {
            HeaderList(model.map { HeaderList.Field(name: $0.name, value: list[$0.name] ?? "") })
        }
        var aligned = self
        let path = request.url.components(separatedBy: "://").last?.drop { $0 != "/" } ?? ""
        let parts = other.request.url.components(separatedBy: "://")
        let host = parts.last?.prefix { $0 != "/" } ?? ""
        aligned.request.url = "\(parts.first ?? "")://\(host)\(path)"
        aligned.request.headers = fields(request.headers, like: other.request.headers)
        if var answer = response, let model = other.response {
            answer.headers = fields(answer.headers, like: model.headers)
            aligned.outcome = .response(answer)
        }
        return aligned
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
