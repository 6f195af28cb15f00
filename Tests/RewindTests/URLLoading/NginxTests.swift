import Foundation
import Rewind
import RewindTestSupport
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Records requests to nginx and replays them after nginx was stopped.
///
/// `Tests/Integration/nginx.sh` starts nginx and runs these tests in one process. The first test makes all requests,
/// stops nginx and makes them again; each test then checks a part of the results.
final class NginxTests: XCTestCase {
    func testNginxIsStoppedBeforeTheReplay() async throws {
        let results = try await results()
        let refused = "\(NSURLErrorDomain) \(NSURLErrorCannotConnectToHost)"
        XCTAssertEqual(results.stopStatus, 0)
        XCTAssertEqual(results.afterTheStop.map(\.failure), [refused, refused])
    }

    func testTheWholeConversationIsReplayedByteForByte() async throws {
        let results = try await results()
        for request in NginxRequest.allCases {
            let live = try XCTUnwrap(results.live.answers[request])
            XCTAssertEqual(results.replayed.answers[request], live, request.rawValue)
        }
        XCTAssertEqual(results.replayed.delegate.outcome, results.live.delegate.outcome)
    }

    func testARecordedSessionReceivesTheSameAsOneWithoutRewind() async throws {
        let results = try await results()
        let own: Set = ["content-encoding", "content-length", "date", "x-connection"]
        for (request, native) in results.native.answers {
            let live = try XCTUnwrap(results.live.answers[request])
            XCTAssertEqual(live.map { $0.without(own) }, native.map { $0.without(own) }, request.rawValue)
        }
        XCTAssertEqual(results.native.answers.count, NginxRequest.allCases.count - 1)
        let (live, native) = (results.live.delegate.outcome, results.native.delegate.outcome)
        XCTAssertEqual(live.without(own), native.without(own))
    }

    func testGzippedTextIsDecodedOnce() async throws {
        let results = try await results()
        let text = try results.live.answer(.text)
        XCTAssertEqual(text.status, 200)
        XCTAssertEqual(text.body, try results.server.file("text.txt"))
        // Foundation keeps the field although it decodes the body, and so does a replay.
        XCTAssertEqual(text.header("Content-Encoding"), "gzip")
        XCTAssertEqual(text.header("Content-Type"), "text/plain; charset=utf-8")
        XCTAssertEqual(text.header("Vary"), "Accept-Encoding")
        XCTAssertEqual(try results.recorded("/text.txt").headers["Content-Encoding"], "gzip")
    }

    func testGzippedJSONIsDecodedOnce() async throws {
        let results = try await results()
        let json = try results.live.answer(.json)
        XCTAssertEqual(json.status, 200)
        XCTAssertEqual(json.body, try results.server.file("items.json"))
        XCTAssertEqual(try JSONDecoder().decode([Item].self, from: json.body).count, 1000)
        XCTAssertEqual(try results.recorded("/items.json").headers["Content-Encoding"], "gzip")
    }

    func testRangeRequestsReceiveTheirPartsInRecordedOrder() async throws {
        let results = try await results()
        let ranges = try XCTUnwrap(results.live.answers[.ranges])
        let blob = try results.server.file("blob.bin")
        XCTAssertEqual(ranges.map(\.status), [206, 206, 416])
        XCTAssertEqual(ranges[0].body, blob[1000..<301_000])
        XCTAssertEqual(ranges[0].header("Content-Range"), "bytes 1000-300999/5000000")
        XCTAssertEqual(ranges[0].header("Content-Length"), "300000")
        XCTAssertEqual(ranges[1].body, blob.suffix(10))
        XCTAssertEqual(ranges[1].header("Content-Range"), "bytes 4999990-4999999/5000000")
        XCTAssertEqual(ranges[2].header("Content-Range"), "bytes */5000000")
    }

    func testFiveMegabytesAreReplayedByteForByte() async throws {
        let results = try await results()
        let blob = try results.live.answer(.blob)
        XCTAssertEqual(blob.status, 200)
        XCTAssertEqual(blob.body, try results.server.file("blob.bin"))
        XCTAssertEqual(blob.header("Content-Length"), "5000000")
        XCTAssertEqual(blob.header("X-Protocol"), "HTTP/1.1")
    }

    func testAChunkedBodyIsCompleteAndItsChunksAreRecorded() async throws {
        let results = try await results()
        let stream = try results.live.answer(.stream)
        XCTAssertEqual(stream.status, 200)
        XCTAssertEqual(stream.body, try results.server.file("text.txt"))
        XCTAssertNil(stream.header("Content-Length"))
        XCTAssertGreaterThan(try results.recorded("/stream").body.chunks.count, 1)
    }

    func testTwentyRequestsShareKeepAliveConnections() async throws {
        let results = try await results()
        let answers = try XCTUnwrap(results.live.answers[.keptAlive])
        XCTAssertEqual(answers.map(\.status), Array(repeating: 200, count: 20))
        XCTAssertEqual(answers.map { $0.url?.query }, (0..<20).map { "n=\($0)" })
        let text = try results.server.file("text.txt")
        XCTAssertTrue(answers.allSatisfy { $0.body == text })
        let connections = Set(answers.map { $0.header("X-Connection") })
        XCTAssertFalse(connections.contains(nil))
        XCTAssertLessThan(connections.count, 20)
    }

    func testARedirectIsFollowed() async throws {
        let results = try await results()
        let redirect = try results.live.answer(.redirect)
        XCTAssertEqual(redirect.status, 200)
        XCTAssertEqual(redirect.url, results.server.http("/items.json"))
        XCTAssertEqual(redirect.body, try results.server.file("items.json"))
        XCTAssertEqual(try results.recorded("/old").status, 302)
    }

    func testAMissingFileIsA404() async throws {
        let results = try await results()
        let missing = try results.live.answer(.missing)
        XCTAssertEqual(missing.status, 404)
        XCTAssertTrue(missing.text.contains("404 Not Found"))
    }

    func testA401WithoutCredentialsIsRecordedAndReplayed() async throws {
        let results = try await results()
        for answers in [results.live, results.replayed] {
            let refusals = try XCTUnwrap(answers.answers[.unauthorized])
            XCTAssertEqual(refusals.count, 20)
            for refused in refusals {
                XCTAssertEqual(refused.status, 401)
                XCTAssertEqual(refused.url, results.server.http("/private.txt"))
                XCTAssertEqual(refused.header("WWW-Authenticate"), #"Basic realm="private""#)
                XCTAssertTrue(refused.text.contains("401 Authorization Required"))
            }
        }
    }

    func testCredentialsAreSentButNotInTheCassette() async throws {
        let results = try await results()
        let opened = try results.live.answer(.authorized)
        XCTAssertEqual(opened.status, 200)
        XCTAssertEqual(opened.body, try results.server.file("private.txt"))
        let sent = results.cassette.interactions.compactMap { $0.request.headers["Authorization"] }
        XCTAssertEqual(sent.count, 1)
        XCTAssertFalse(try XCTUnwrap(sent.first).contains(NginxRequest.credentials))
    }

    func testHEADReturnsHeadersWithoutABody() async throws {
        let results = try await results()
        let heads = try XCTUnwrap(results.live.answers[.heads])
        XCTAssertEqual(heads.map(\.status), [200, 200])
        XCTAssertEqual(heads.map(\.body), [Data(), Data()])
        XCTAssertEqual(heads[0].header("Content-Length"), "5000000")
        XCTAssertEqual(heads[1].header("Content-Type"), "text/plain; charset=utf-8")
    }

    func testJSONOverHTTP2IsReplayed() async throws {
        let results = try await results()
        let json = try results.live.answer(.secureJSON)
        XCTAssertNil(json.failure)
        XCTAssertEqual(json.status, 200)
        XCTAssertEqual(json.header("X-Protocol"), "HTTP/2.0")
        XCTAssertEqual(json.url, results.server.https("/items.json"))
        XCTAssertEqual(json.body, try results.server.file("items.json"))
    }

    func testFiveMegabytesOverHTTP2AreReplayedByteForByte() async throws {
        let results = try await results()
        let blob = try results.live.answer(.secureBlob)
        XCTAssertEqual(blob.status, 200)
        XCTAssertEqual(blob.header("X-Protocol"), "HTTP/2.0")
        XCTAssertEqual(blob.header("Content-Length"), "5000000")
        XCTAssertEqual(blob.body, try results.server.file("blob.bin"))
    }

    func testConcurrentRequestsOverHTTP2AreReplayed() async throws {
        let results = try await results()
        let answers = try XCTUnwrap(results.live.answers[.secureTogether])
        let text = try results.server.file("text.txt")
        XCTAssertEqual(answers.count, 20)
        XCTAssertTrue(answers.allSatisfy { $0.status == 200 && $0.body == text })
        XCTAssertEqual(Set(answers.map { $0.header("X-Protocol") }), ["HTTP/2.0"])
    }

    func testADelegateReceivesTheSameChunksOnReplay() async throws {
        let results = try await results()
        let (live, replayed) = (results.live.delegate, results.replayed.delegate)
        XCTAssertEqual(live.outcome.status, 200)
        XCTAssertEqual(live.outcome.body, try results.server.file("text.txt"))
        XCTAssertGreaterThan(live.pieces.count, 1)
        XCTAssertEqual(replayed.pieces, live.pieces)
    }

    // MARK: -

    private static let results = NginxServer().map { server in Task { try await NginxResults(with: server) } }

    private func results() async throws -> NginxResults {
        guard let results = Self.results else {
            throw XCTSkip(
                "needs nginx: run Tests/Integration/nginx.sh as root, which installs nginx-light, starts it and sets"
                    + " REWIND_NGINX_HTTP and REWIND_NGINX_HTTPS"
            )
        }
        return try await results.value
    }
}

/// An element of the list in `items.json`.
private struct Item: Decodable {
    let id: Int
    let name: String
    let path: String
}

/// The nginx that the environment variables describe.
private struct NginxServer: Sendable {
    private let plain: URL
    private let secure: URL
    private let files: URL
    private let stopCommand: String

    init?() {
        let environment = ProcessInfo.processInfo.environment
        guard let plain = environment["REWIND_NGINX_HTTP"].flatMap({ URL(string: $0) }),
            let secure = environment["REWIND_NGINX_HTTPS"].flatMap({ URL(string: $0) }),
            let files = environment["REWIND_NGINX_FILES"],
            let stopCommand = environment["REWIND_NGINX_STOP"]
        else { return nil }
        self.plain = plain
        self.secure = secure
        self.files = URL(fileURLWithPath: files)
        self.stopCommand = stopCommand
    }

    /// The URL of a path without TLS, over HTTP/1.1.
    func http(_ path: String) -> URL { URL(string: path, relativeTo: plain)?.absoluteURL ?? plain }

    /// The URL of a path with TLS, over HTTP/2.
    func https(_ path: String) -> URL { URL(string: path, relativeTo: secure)?.absoluteURL ?? secure }

    /// The bytes of a served file on disk.
    func file(_ name: String) throws -> Data { try Data(contentsOf: files.appendingPathComponent(name)) }

    /// Stops nginx and returns the exit status of the command.
    func stop() throws -> Int32 {
        try ChildProcess(URL(fileURLWithPath: "/bin/sh"), ["-c", stopCommand]).status
    }
}

/// The requests to nginx, in order.
private enum NginxRequest: String, CaseIterable {
    case text, json, ranges, blob, stream, keptAlive, redirect, missing, unauthorized, authorized, heads
    case secureJSON, secureBlob, secureTogether

    static let credentials = Data("ada:lovelace".utf8).base64EncodedString()

    func ask(_ server: NginxServer) async -> [Outcome] {
        switch self {
        case .text: return [await Outcome(of: server.http("/text.txt"))]
        case .json: return [await Outcome(of: server.http("/items.json"))]
        case .ranges:
            var outcomes: [Outcome] = []
            for range in ["1000-300999", "-10", "9000000-"] {
                outcomes.append(
                    await Outcome(of: Self.request(server.http("/blob.bin"), ["Range": "bytes=\(range)"]))
                )
            }
            return outcomes
        case .blob: return [await Outcome(of: server.http("/blob.bin"))]
        case .stream: return [await Outcome(of: server.http("/stream"))]
        case .keptAlive:
            var outcomes: [Outcome] = []
            for number in 0..<20 { outcomes.append(await Outcome(of: server.http("/text.txt?n=\(number)"))) }
            return outcomes
        case .redirect: return [await Outcome(of: server.http("/old"))]
        case .missing: return [await Outcome(of: server.http("/missing.txt"))]
        case .unauthorized:
            var outcomes: [Outcome] = []
            for _ in 0..<20 { outcomes.append(await Outcome(of: server.http("/private.txt"))) }
            return outcomes
        case .authorized:
            let fields = ["Authorization": "Basic \(Self.credentials)"]
            return [await Outcome(of: Self.request(server.http("/private.txt"), fields))]
        case .heads:
            return [
                await Outcome(of: Self.request(server.http("/blob.bin"), method: "HEAD")),
                await Outcome(of: Self.request(server.http("/text.txt"), method: "HEAD")),
            ]
        case .secureJSON: return [await Outcome(of: server.https("/items.json"))]
        case .secureBlob: return [await Outcome(of: server.https("/blob.bin"))]
        case .secureTogether: return await Self.together(server)
        }
    }

    private static func request(
        _ url: URL,
        _ fields: [String: String] = [:],
        method: String = "GET"
    ) -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = method
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    private static func together(_ server: NginxServer) async -> [Outcome] {
        await withTaskGroup(of: (Int, Outcome).self) { group in
            for number in 0..<20 {
                group.addTask { (number, await Outcome(of: server.https("/text.txt?n=\(number)"))) }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}

/// The answers to all requests of one run.
private struct NginxAnswers: Sendable {
    let answers: [NginxRequest: [Outcome]]
    let delegate: PieceCollector

    init(from server: NginxServer, without left: NginxRequest? = nil) async {
        var answers: [NginxRequest: [Outcome]] = [:]
        for request in NginxRequest.allCases where request != left {
            answers[request] = await request.ask(server)
        }
        self.answers = answers
        delegate = await PieceCollector.load(server.http("/stream?delegate"))
    }

    /// The only answer to a request.
    func answer(_ request: NginxRequest) throws -> Outcome {
        XCTAssertEqual(answers[request]?.count, 1)
        return try XCTUnwrap(answers[request]?.first)
    }
}

/// The answers without Rewind, during the recording, and on replay after nginx was stopped.
private struct NginxResults: Sendable {
    let server: NginxServer
    let native: NginxAnswers
    let live: NginxAnswers
    let replayed: NginxAnswers
    let cassette: Cassette
    let stopStatus: Int32
    let afterTheStop: [Outcome]

    init(with server: NginxServer) async throws {
        self.server = server
        let folder = try TemporaryDirectory()
        // Some versions of Foundation never end a task that receives a challenge.
        native = await NginxAnswers(from: server, without: .unauthorized)
        live = try await withCassette("nginx", in: folder.url, mode: .once) { _ in
            await NginxAnswers(from: server)
        }
        stopStatus = try server.stop()
        afterTheStop = [
            await Outcome(of: server.http("/items.json")), await Outcome(of: server.https("/items.json")),
        ]
        replayed = try await withCassette("nginx", in: folder.url, mode: .never) { _ in
            await NginxAnswers(from: server)
        }
        cassette = try Cassette(contentsOf: folder["nginx.har"])
    }

    /// The first recorded response to a request for a path without TLS.
    func recorded(_ path: String) throws -> Interaction.Response {
        let url = server.http(path).absoluteString
        return try XCTUnwrap(cassette.interactions.first { $0.request.url == url }?.response)
    }
}

/// Collects what the delegate of a data task receives.
private final class PieceCollector: NSObject, URLSessionDataDelegate {
    private struct State: Sendable {
        var pieces: [Data] = []
        var response: URLResponse?
        var error: (any Error)?
        var continuation: CheckedContinuation<Void, Never>?
    }

    private let state = Locked(State())

    var pieces: [Data] { state.withLock(\.pieces) }

    var outcome: Outcome {
        let (pieces, response, error) = state.withLock { ($0.pieces, $0.response, $0.error) }
        return Outcome(Data(pieces.joined()), response, error)
    }

    /// Loads a URL with a data task of a separate session.
    static func load(_ url: URL) async -> PieceCollector {
        let collector = PieceCollector()
        let session = URLSession(configuration: .default, delegate: collector, delegateQueue: nil)
        await withCheckedContinuation { continuation in
            collector.state.withLock { $0.continuation = continuation }
            session.dataTask(with: url).resume()
        }
        session.finishTasksAndInvalidate()
        return collector
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        state.withLock { $0.response = response }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        state.withLock { $0.pieces.append(data) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let continuation = state.withLock { state in
            state.error = error
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume()
    }
}

extension Outcome {
    /// The value of a header field, whose name is in lower case with HTTP/2.
    fileprivate func header(_ name: String) -> String? {
        headers.first { $0.key.lowercased() == name.lowercased() }?.value
    }

    /// The outcome without some header fields.
    fileprivate func without(_ names: Set<String>) -> Outcome {
        var outcome = self
        outcome.headers = headers.filter { !names.contains($0.key.lowercased()) }
        return outcome
    }
}
