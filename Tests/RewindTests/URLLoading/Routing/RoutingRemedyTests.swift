import Foundation
import RewindTestSupport
import XCTest

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Each way that the miss "Several tests are running" suggests works as it is written there, and no other one does.
final class RoutingRemedyTests: XCTestCase {
    private var server: ConversationServer!
    private var folder: TemporaryDirectory!

    override func setUpWithError() throws {
        server = try ConversationServer()
        folder = try TemporaryDirectory()
    }

    override func tearDown() {
        server.stop()
        StubberRegistry.shared.stopInterceptingForMarks()
    }

    /// Where a request is made, outside of the test's task.
    private enum Place: String, CaseIterable, Sendable {
        case detachedTask, block, timer, clientWithAQueue
    }

    /// What the test does about it.
    private enum Remedy: String, CaseIterable, Sendable {
        case none, session, install, route, run

        func works(at place: Place) -> Bool {
            switch self {
            case .none: false
            case .session, .install, .route: true
            // The client creates its task on a queue of its own.
            case .run: place != .clientWithAQueue
            }
        }
    }

    private func ask(_ url: URL, at place: Place, _ remedy: Remedy, _ stubber: Stubber) async -> Outcome {
        let session: URLSession
        switch remedy {
        case .session: session = stubber.session
        case .install:
            let configuration = URLSessionConfiguration.default
            stubber.install(in: configuration)
            session = URLSession(configuration: configuration)
        case .none, .route, .run: session = .shared
        }
        var request = URLRequest(url: url)
        if remedy == .route { stubber.route(&request) }
        let ready = request
        @Sendable func send(_ receive: @escaping @Sendable (Outcome) -> Void) {
            session.dataTask(with: ready) { receive(Outcome($0, $1, $2)) }.resume()
        }
        @Sendable func work(_ receive: @escaping @Sendable (Outcome) -> Void) {
            if remedy == .run { stubber.run { send(receive) } } else { send(receive) }
        }
        return await withCheckedContinuation { continuation in
            switch place {
            case .detachedTask: Task.detached { work { continuation.resume(returning: $0) } }
            case .block: DispatchQueue.global().async { work { continuation.resume(returning: $0) } }
            case .timer:
                DispatchQueue.main.async {
                    let timer = Timer(timeInterval: 0.01, repeats: false) { _ in
                        work { continuation.resume(returning: $0) }
                    }
                    RunLoop.main.add(timer, forMode: .common)
                }
            case .clientWithAQueue:
                let client = DispatchQueue(label: "client")
                if remedy == .run {
                    stubber.run { client.async { send { continuation.resume(returning: $0) } } }
                } else {
                    client.async { send { continuation.resume(returning: $0) } }
                }
            }
        }
    }

    func testEachRemedyWorksWhereTheMessageSaysSo() async throws {
        let url = server["visit"]
        for mode in [RecordingMode.once, .never] {
            if mode == .never { server.stop() }
            for place in Place.allCases {
                for remedy in Remedy.allCases {
                    let name = "\(place)-\(remedy)"
                    let scope = try CassetteScope(Stubber(cassette: name, in: folder.url, mode: mode))
                    let other = try CassetteScope(Stubber(cassette: "other", in: folder.url, mode: .once))
                    let outcome = await scope.run {
                        await ask(url, at: place, remedy, scope.stubber)
                    }
                    await scope.settle()
                    let problems = Note.withReader({ _ in }) {
                        scope.end(testFailed: false) + other.end(testFailed: false)
                    }
                    XCTAssertEqual(problems.count, 0, name)
                    if remedy.works(at: place) {
                        XCTAssertEqual(outcome.status, 200, "\(name) in mode \(mode)")
                    } else {
                        XCTAssertEqual(outcome.failure, "Rewind 5", "\(name) in mode \(mode)")
                    }
                }
            }
        }
        let working = Place.allCases.flatMap { place in
            Remedy.allCases.filter { $0.works(at: place) }.map { "\(place)-\($0).har" }
        }
        XCTAssertEqual(folder.files, working.sorted())
        XCTAssertEqual(server.requestCount, working.count)
    }

    func testTheMessageShowsFiveTestsAndACount() async throws {
        let scopes = try (0..<16).map { number in
            let location = try CassetteLocation(name: "\(number)", in: folder.url)
            return try CassetteScope(
                Stubber(
                    at: location,
                    mode: .never,
                    testName: "PageTests.page(number:)",
                    displayName: "PageTests.page(number: \(number))",
                    environment: Environment([:])
                )
            )
        }
        defer { for scope in scopes { _ = scope.end(testFailed: false) } }
        let url = server["visit"]
        let error = await Task.detached { () -> String in
            do {
                _ = try await URLSession.shared.data(from: url)
                return ""
            } catch { return error.localizedDescription }
        }.value
        let shown = (0..<5).map { "PageTests.page(number: \($0))" }.joined(separator: ", ")
        let words = error.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        XCTAssertTrue(words.contains("running: \(shown) … and 11 more In a Swift Testing test"), error)
        XCTAssertTrue(error.contains("\n    let stubber = try #require(Stubber.current)\n"), error)
        XCTAssertFalse(error.contains("number: 5"), error)
    }
}
