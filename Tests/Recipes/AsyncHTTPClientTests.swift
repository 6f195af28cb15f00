import Foundation
import Rewind
import RewindTestSupport
import Testing

/// The code of the article on AsyncHTTPClient, with a stand-in for it that sends requests through sockets.
@Suite(.timeLimit(.minutes(5)))
struct AsyncHTTPClientTests {
    /// What an app can see of a response or an error.
    private func outcome(
        _ method: HTTPMethod,
        _ url: String,
        _ body: HTTPClientRequest.Body? = nil,
        timeout: TimeAmount = .seconds(60)
    ) async -> [String] {
        var request = HTTPClientRequest(url: url)
        request.method = method
        request.headers.add(name: "X-Number", value: "1")
        request.headers.add(name: "X-Number", value: "2")
        request.body = body
        var seen: [String] = []
        do {
            let response = try await HTTPClient.shared.execute(recording: request, timeout: timeout)
            seen = ["\(response.status)", "\(response.version)", "\(response.url?.absoluteString ?? "")"]
            seen += response.headers.map { "\($0.name): \($0.value)" }
            for try await piece in response.body {
                seen.append(Data(piece.readableBytesView).base64EncodedString())
            }
        } catch {
            seen.append("\(type(of: error)) \(error)")
        }
        return seen
    }

    private func conversation(with server: URL) async -> [[String]] {
        let base = server.absoluteString
        var all: [[String]] = []
        for path in [
            "json", "visit", "visit", "binary/70000", "gzip", "cookies", "empty", "chunks/3", "status/404",
            "redirect/2",
            "loop", "cut",
        ] { all.append(await outcome(.GET, "\(base)/\(path)")) }
        all.append(await outcome(.HEAD, "\(base)/json"))
        all.append(await outcome(.POST, "\(base)/echo?1", .bytes(ByteBuffer(string: "hello"))))
        all.append(await outcome(.POST, "\(base)/echo?2"))
        let pieces = AsyncStream<ByteBuffer> { continuation in
            for number in 0..<5 { continuation.yield(ByteBuffer(string: "piece \(number), ")) }
            continuation.finish()
        }
        all.append(await outcome(.PUT, "\(base)/echo?3", .stream(pieces, length: .unknown)))
        all.append(await outcome(.GET, "\(base)/slow/5000", timeout: .milliseconds(200)))
        return all
    }

    @Test("What an app sees is the same without the server, errors and redirects included") func replays()
        async throws
    {
        let runs = try await RecordAndReplay { await conversation(with: $0[0].url) }
        for (live, replayed) in zip(runs.live, runs.replayed) {
            // Pieces arrive at once on replay.
            #expect(live.joined() == replayed.joined())
        }
        #expect(runs.live.count == runs.cassette.interactions.count)
        let errors = runs.live.compactMap(\.last).filter { $0.contains("Error") }
        #expect(
            errors == [
                "HTTPClientError HTTPClientError.redirectLimitReached",
                "HTTPParserError stream ended at an unexpected time",
                "HTTPClientError HTTPClientError.deadlineExceeded",
            ]
        )
        // The server sends back what it received.
        let echoes = zip(runs.cassette.interactions, runs.live).filter { $0.0.request.url.contains("/echo?") }
        let received = echoes.map { $0.1.filter { $0 != "" }.suffix(1).compactMap { Data(base64Encoded: $0) } }
        #expect(received.first == [Data("hello".utf8)])
        #expect(received.last == [Data("piece 0, piece 1, piece 2, piece 3, piece 4, ".utf8)])
        let redirected = try #require(
            runs.cassette.interactions.first { $0.request.url.hasSuffix("/redirect/2") }
        )
        #expect(redirected.response?.status == 200)
        #expect(redirected.response?.url?.hasSuffix("/json") == true)
        #expect(redirected.request.headers.values(for: "X-Number") == ["1", "2"])
    }

    @Test("A refused connection has the recorded error number") func refused() async throws {
        let errors = try await RecordAndReplay { servers -> [CInt?] in
            _ = await outcome(.GET, servers[0]["/json"].absoluteString)
            do {
                _ = try await HTTPClient.shared.execute(
                    recording: HTTPClientRequest(url: "http://127.0.0.1:1/"),
                    timeout: .seconds(60)
                )
                return []
            } catch {
                return [(error as? IOError)?.errnoCode]
            }
        }
        #expect(errors.live == [ECONNREFUSED])
        #expect(errors.replayed == errors.live)
    }

    @Test("Stubs, their delays and their errors are those of the client") func stubs() async throws {
        try await withStubs { stubber in
            stubber.stub(.path("/late"), respond: .status(204).delayed(by: .seconds(3600)))
            stubber.stub(.path("/timeout"), respond: .timeout)
            stubber.stub(.path("/lost"), respond: .failure(.networkConnectionLost))
            stubber.stub(.path("/ok"), respond: .text("fine"))
            let timeout = TimeAmount.milliseconds(50)
            #expect(
                await outcome(.GET, "http://a.test/late", timeout: timeout).last?.contains("deadlineEx") == true
            )
            #expect(
                await outcome(.GET, "http://a.test/timeout", timeout: timeout).last?.contains("deadlineEx")
                    == true
            )
            #expect(await outcome(.GET, "http://a.test/lost").last?.contains("remoteConnectionClosed") == true)
            #expect(await outcome(.GET, "http://a.test/ok").last == Data("fine".utf8).base64EncodedString())
            let request = Task { await outcome(.GET, "http://a.test/late") }
            request.cancel()
            #expect(await request.value == ["HTTPClientError HTTPClientError.cancelled"])
        }
    }

    @Test("Any other error is thrown as it is") func otherErrors() {
        let error = NSError(domain: "App", code: 7, userInfo: [NSLocalizedDescriptionKey: "no"])
        #expect(HTTPClientError.translated(error) as NSError === error)
        #expect(HTTPClientError.translated(HTTPClientError.readTimeout) as? HTTPClientError == .readTimeout)
        #expect(HTTPClientError.translated(URLError(.badURL)) as? URLError == URLError(.badURL))
    }
}
