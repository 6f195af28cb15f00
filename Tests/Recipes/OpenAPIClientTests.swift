import Foundation
import Rewind
import RewindTestSupport
import Testing

/// The code of the article on OpenAPI clients, with a transport on the stand-in of AsyncHTTPClient.
@Suite(.timeLimit(.minutes(5)))
struct OpenAPIClientTests {
    @Sendable private func send(
        _ request: HTTPRequest,
        _ body: HTTPBody?,
        _ baseURL: URL
    ) async throws -> (HTTPResponse, HTTPBody?) {
        var sent = HTTPClientRequest(url: baseURL.absoluteString + (request.path ?? ""))
        sent.method = HTTPMethod(rawValue: request.method.rawValue)
        for field in request.headerFields { sent.headers.add(name: field.name.rawName, value: field.value) }
        if let body {
            let length: HTTPClientRequest.Body.Length =
                if case .known(let count) = body.length { .known(count) } else { .unknown }
            sent.body = .stream(body.map { ByteBuffer(bytes: $0) }, length: length)
        }
        let received = try await HTTPClient.shared.execute(sent, timeout: .seconds(60))
        var response = HTTPResponse(
            status: .init(code: Int(received.status.code), reasonPhrase: received.status.reasonPhrase)
        )
        for header in received.headers {
            guard let name = HTTPField.Name(header.name) else { continue }
            response.headerFields.append(HTTPField(name: name, value: header.value))
        }
        guard request.method != .head else { return (response, nil) }
        return (
            response,
            HTTPBody(received.body.map { $0.readableBytesView }, length: .unknown, iterationBehavior: .single)
        )
    }

    private func outcome(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: HTTPBody?,
        at baseURL: URL
    ) async -> [String] {
        do {
            let (response, received) = try await RecordingMiddleware().intercept(
                HTTPRequest(method: method, path: path),
                body: body,
                baseURL: baseURL,
                operationID: "operation",
                next: send
            )
            let fields = response.headerFields.map { "\($0.name.rawName): \($0.value)" }
            var bytes = Data()
            if let received { bytes = try await Data(collecting: received, upTo: .max) }
            return ["\(response.status)"] + fields + [bytes.base64EncodedString()]
        } catch {
            return ["\(HTTPClientError.translated(error))"]
        }
    }

    private func conversation(at baseURL: URL) async -> [[String]] {
        let streamed = AsyncStream<ArraySlice<UInt8>> { continuation in
            continuation.yield([1, 2])
            continuation.yield([3])
            continuation.finish()
        }
        let calls: [(HTTPRequest.Method, String, HTTPBody?)] = [
            (.get, "/json?page=1", nil), (.head, "/json", nil), (.get, "/cookies", nil), (.get, "/empty", nil),
            (.get, "/chunks/3", nil), (.get, "/status/500", nil), (.get, "/binary/70000", nil),
            (.post, "/echo?1", HTTPBody(Data("hello".utf8))), (.post, "/echo?2", nil),
            (.post, "/echo?3", HTTPBody()),
            (.post, "/echo?4", HTTPBody(streamed, length: .unknown, iterationBehavior: .single)),
        ]
        var all: [[String]] = []
        for (method, path, body) in calls { all.append(await outcome(method, path, body, at: baseURL)) }
        return all
    }

    @Test("Operations are replayed byte for byte without the server") func replays() async throws {
        let runs = try await RecordAndReplay { await conversation(at: $0[0].url) }
        #expect(runs.live == runs.replayed)
        #expect(runs.cassette.interactions.count == runs.live.count)
        #expect(runs.cassette.interactions[7].request.body?.data == Data("hello".utf8))
        // The server sends back what it received.
        #expect(runs.live[7].last == Data("hello".utf8).base64EncodedString())
        #expect(runs.live[10].last == Data([1, 2, 3]).base64EncodedString())
    }

    @Test("The error of a transport comes back with its text") func errors() async throws {
        let runs = try await RecordAndReplay { servers in
            [
                await outcome(.get, "/json", nil, at: servers[0].url),
                await outcome(.get, "/cut", nil, at: servers[0].url),
            ]
        }
        #expect(runs.replayed.last == ["stream ended at an unexpected time"])
    }
}
