import Foundation
import Rewind
import RewindTestSupport
import XCTest

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Runs the delivery code of Apple platforms with a client that checks the rules of Apple's loading system: every call and
/// outcome of `ThreeWayTests`, recorded from a real server and replayed without it.
final class ProtocolContractTests: XCTestCase, @unchecked Sendable {
    // Sound as @unchecked Sendable: it has no state.
    func testNoCallBreaksARuleOfTheLoadingSystem() async throws {
        let pairs = Conversation.all.filter { $0.name != Self.failingBefore }.flatMap { conversation in
            conversation.calls.filter { $0.form == .delegate || $0.form == .handler }.map { (conversation, $0) }
        }
        XCTAssertGreaterThan(pairs.count, 150)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (position, (conversation, call)) in pairs.enumerated() {
                if position >= 12 { try await group.next() }
                group.addTask {
                    let (recorded, replayed) = try await self.hold(conversation, call)
                    let name = "\(conversation.name) (\(call))"
                    XCTAssertEqual(recorded.broken, [], "\(name), recorded")
                    XCTAssertEqual(replayed.broken, [], "\(name), replayed")
                    XCTAssertEqual(recorded.lines, replayed.lines, name)
                    XCTAssertEqual(replayed.misses, [], name)
                }
            }
            try await group.waitForAll()
        }
    }

    func testAppsReceiveTheSameAsWithoutRewind() async throws {
        for conversation in Conversation.all where !Self.differing.contains(conversation.name) {
            for call in conversation.calls where call.form == .handler && call.kind != .uploadStream {
                let (recorded, replayed) = try await hold(conversation, call)
                let server = try RawServer(ServerScript.steps)
                let folder = try TemporaryDirectory()
                let transcript = await call.perform(conversation.step, at: server.url, in: folder)
                let native = Self.outcome(Self.withoutPort(transcript.lines, server))
                XCTAssertEqual(Self.outcome(recorded.lines), native, "\(conversation.name) (\(call)), recorded")
                XCTAssertEqual(Self.outcome(replayed.lines), native, "\(conversation.name) (\(call)), replayed")
            }
        }
    }

    /// Conversations in which Foundation on Linux deliberately differs, or fails before it calls a protocol.
    private static let differing = ["a redirect without a target", failingBefore]
    private static let failingBefore = "a missing file"

    func testTheClientDetectsEachBrokenRule() throws {
        let url = try XCTUnwrap(URL(string: "http://h/"))
        let head = try XCTUnwrap(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
        )
        let request = URLRequest(url: url)
        typealias Misconduct = @Sendable (ContractClient, URLProtocol) -> Void
        let response = head
        let good: Misconduct = { client, loader in
            client.urlProtocol(loader, didReceive: response, cacheStoragePolicy: .notAllowed)
            client.urlProtocol(loader, didLoad: Data("a".utf8))
            client.urlProtocolDidFinishLoading(loader)
        }
        let table: [(ContractClient.Rule?, Misconduct)] = [
            (nil, good),
            (.headBeforeData, { client, loader in client.urlProtocol(loader, didLoad: Data("a".utf8)) }),
            (
                .oneHead,
                { client, loader in
                    for _ in 0..<2 {
                        client.urlProtocol(loader, didReceive: response, cacheStoragePolicy: .notAllowed)
                    }
                }
            ),
            (.headBeforeEnd, { client, loader in client.urlProtocolDidFinishLoading(loader) }),
            (
                .oneEnd,
                { client, loader in
                    good(client, loader)
                    client.urlProtocol(loader, didFailWithError: URLError(.unknown))
                }
            ),
            (
                .nothingAfterEnd,
                { client, loader in
                    good(client, loader)
                    client.urlProtocol(loader, didLoad: Data("b".utf8))
                }
            ),
            (
                .nothingAfterStop,
                { client, loader in
                    client.stop()
                    client.urlProtocol(loader, didFailWithError: URLError(.cancelled))
                }
            ),
            (
                .noEmptyPiece,
                { client, loader in
                    client.urlProtocol(loader, didReceive: response, cacheStoragePolicy: .notAllowed)
                    client.urlProtocol(loader, didLoad: Data())
                }
            ),
            (
                .indicesFromZero,
                { client, loader in
                    client.urlProtocol(loader, didReceive: response, cacheStoragePolicy: .notAllowed)
                    client.urlProtocol(loader, didLoad: Data("ab".utf8).dropFirst())
                }
            ),
            (
                .noCache,
                { client, loader in
                    client.urlProtocol(loader, didReceive: response, cacheStoragePolicy: .allowed)
                }
            ),
            (
                .noRedirect,
                { client, loader in
                    client.urlProtocol(loader, wasRedirectedTo: request, redirectResponse: response)
                }
            ),
        ]
        for (rule, misconduct) in table {
            let thread = SimulatedThread()
            let done = expectation(description: "\(rule?.rawValue ?? "nothing")")
            let client = ContractClient(on: thread) { _ in }
            thread.perform {
                misconduct(client, RoutedStandIn(request: request, cachedResponse: nil, client: client))
                done.fulfill()
            }
            wait(for: [done], timeout: 60)
            XCTAssertEqual(client.broken, rule.map { [$0] } ?? [])
            thread.end()
        }
        let thread = SimulatedThread()
        defer { thread.end() }
        let client = ContractClient(on: thread) { _ in }
        client.urlProtocol(
            RoutedStandIn(request: request, cachedResponse: nil, client: client),
            didFailWithError: URLError(.unknown)
        )
        XCTAssertEqual(client.broken, [.thread])
        XCTAssertEqual(ContractClient.broken(by: ["response 200", "redirect to"]), [.decisionsFirst])
        XCTAssertEqual(ContractClient.broken(by: ["challenge", "redirect to", "response 200"]), [])
    }

    // MARK: -

    private struct Run {
        var lines: [String]
        var broken: [ContractClient.Rule]
        var misses: [String] = []
    }

    /// Runs a conversation with a real server while it is recorded, and again with the server stopped.
    private func hold(_ conversation: Conversation, _ call: SessionCall) async throws -> (Run, Run) {
        let server = try RawServer(ServerScript.steps)
        let folder = try TemporaryDirectory()
        let recorded = try await run(conversation, call, .all, server, folder)
        server.stop()
        return (recorded, try await run(conversation, call, .never, server, folder))
    }

    private func run(
        _ conversation: Conversation,
        _ call: SessionCall,
        _ mode: RecordingMode,
        _ server: RawServer,
        _ folder: TemporaryDirectory
    ) async throws -> Run {
        let misses = Locked<[String]>([])
        var configuration = Stubber.Configuration()
        configuration.redaction = .off
        configuration.requestMatchingFailed = { miss in misses.withLock { $0.append("\(miss)") } }
        var run = try await recordingFailures(in: folder.url, mode: mode, configuration: configuration) {
            _ in
            let simulated = Self.simulated(conversation.step, call, at: server.url, in: folder)
            simulated.resume()
            await conversation.step.afterStart?(
                RunningCall(task: nil, transcript: simulated.transcript, cancel: { simulated.cancel() })
            )
            await simulated.waitForEnd()
            // The real task is cancelled with the simulated one, and Foundation reports its end to the delegate.
            let lines = simulated.transcript.lines.filter { !$0.hasPrefix("delegate: complete") }
            return Run(lines: Self.withoutPort(lines, server), broken: simulated.broken)
        }
        run.misses = misses.withLock { $0 }
        return run
    }

    /// Creates a task of the given kind, like an app.
    private static func simulated(
        _ step: ConversationStep,
        _ call: SessionCall,
        at url: URL,
        in folder: TemporaryDirectory
    ) -> SimulatedTask {
        let transcript = Transcript()
        var request = step.request(url)
        let body = step.body ?? Data()
        if call.sendsBody, request.httpMethod == "GET" { request.httpMethod = "POST" }
        let file = folder["upload"]
        try? step.body?.write(to: file)
        let configuration = URLSessionConfiguration.ephemeral
        step.configure(configuration)
        let delegate = TranscribingDelegate(transcript, step.behavior)
        let session = URLSession(
            configuration: configuration,
            delegate: call.form == .delegate ? delegate : nil,
            delegateQueue: nil
        )
        let stream = call.kind == .uploadFile ? InputStream(url: file) : InputStream(data: body)
        let task: URLSessionTask
        switch call.kind {
        case .data: return SimulatedTask(session.dataTask(with: request), of: session, transcript: transcript)
        case .download:
            return SimulatedTask(session.downloadTask(with: request), of: session, transcript: transcript)
        case .body:
            request.httpBody = body
            task = session.dataTask(with: request)
        case .bodyStream:
            request.httpBodyStream = InputStream(data: body)
            task = session.dataTask(with: request)
        case .uploadData: task = session.uploadTask(with: request, from: body)
        case .uploadFile: task = session.uploadTask(with: request, fromFile: file)
        case .uploadStream: task = session.uploadTask(withStreamedRequest: request)
        }
        return SimulatedTask(task, of: session, body: stream, transcript: transcript)
    }

    private static func withoutPort(_ lines: [String], _ server: RawServer) -> [String] {
        lines.map { $0.replacingOccurrences(of: ":\(server.url.port ?? 0)", with: ":PORT") }
    }

    /// The data and the response that a caller receives, and the domain and code of its error.
    private static func outcome(_ lines: [String]) -> [String] {
        lines.compactMap { line in
            if line.hasPrefix("caller: data") || line.hasPrefix("caller: response") { return line }
            guard line.hasPrefix("caller: error") else { return nil }
            let words = line.split(separator: " ")
            guard let domain = words.firstIndex(of: "NSURLErrorDomain") else { return "caller: error nil" }
            return "caller: error \(words[domain]) \(words[domain + 1])"
        }.reduce(into: []) { lines, line in if !lines.contains(line) { lines.append(line) } }
    }
}
