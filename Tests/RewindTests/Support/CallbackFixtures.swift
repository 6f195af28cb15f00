import Foundation
import Rewind
import RewindTestSupport
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A closure that a test passes to Rewind.
enum UserClosure: String, CaseIterable, Sendable {
    case beforePlayback, beforeRecord, didBeginRecording, didEndRecording, requestMatchingFailed
    case log, passthrough, projection, comparison, overriding, redaction
    case stubCondition, stubAnswer, stubTransform, computedTransform, waitingCondition
    case clock

    /// The runs in which Rewind calls the closure.
    var phases: [CallbackFixtures.Phase] {
        switch self {
        case .beforePlayback, .comparison, .overriding, .requestMatchingFailed, .clock: [.replay]
        case .beforeRecord, .didBeginRecording, .didEndRecording: [.recording]
        default: [.recording, .replay]
        }
    }

    /// Sets the closure in a configuration; the others belong to stubs.
    func set(in configuration: inout Stubber.Configuration, _ act: CallbackAct) {
        switch self {
        case .beforePlayback:
            configuration.beforePlayback = {
                act.run(for: $0.request.url)
                return $0
            }
        case .beforeRecord:
            configuration.beforeRecord = {
                act.run(for: $0.request.url)
                return $0
            }
        case .didBeginRecording: configuration.didBeginRecording = { act.run(for: $0.url) }
        case .didEndRecording: configuration.didEndRecording = { act.run(for: $0.request.url) }
        case .requestMatchingFailed: configuration.requestMatchingFailed = { act.run(for: $0.request.url) }
        case .log: configuration.log = { act.run(for: $0) }
        case .passthrough:
            configuration.passthrough = {
                act.run(for: $0.url)
                return false
            }
        case .projection:
            configuration.matching += [
                .custom("own") { request in
                    act.run(for: request.url)
                    return request.method
                }
            ]
        case .comparison:
            configuration.matching += [
                .custom("own") { live, recorded in
                    act.run(for: live.url)
                    return live.method == recorded.method
                }
            ]
        case .overriding:
            configuration.matching = configuration.matching.overriding(.path) { live, recorded in
                act.run(for: live ?? "")
                return live == recorded
            }
        case .redaction:
            configuration.redaction.add(
                .values(name: "own") { text in
                    act.run(for: text)
                    return []
                }
            )
        case .clock:
            configuration.timing = .recorded
            configuration.clock = ActingClock(act: act)
        case .stubCondition, .stubAnswer, .stubTransform, .computedTransform, .waitingCondition: break
        }
    }

    func add(to stubber: Stubber, _ act: CallbackAct) {
        switch self {
        case .stubCondition:
            stubber.stub(
                .request {
                    act.run(for: $0.url)
                    return false
                },
                respond: .status(500)
            )
        case .stubAnswer:
            stubber.stub(.path("/json")) { request in
                await act.runAsync(for: request.url)
                return .recorded
            }
        case .stubTransform:
            stubber.stub(.path("/json"), respond: .recorded { _ in act.run(for: "/json") })
        case .computedTransform: stubber.stub(.path("/json")) { _ in .recorded { _ in act.run(for: "/json") } }
        case .waitingCondition:
            let condition = RequestCondition.request {
                act.run(for: $0.url)
                return false
            }
            stubber.watchRequests(condition) { _ in }
        default: break
        }
    }
}

/// What the code of a test does in a closure, once.
final class CallbackAct: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        /// Waits for a request of a new session.
        case request
        case invalidation
        /// Uses the stubber that calls the closure.
        case stubber
    }

    private struct State: Sendable {
        var stubber: Stubber?
        var note: String?
    }

    private let kind: Kind
    private let subject: String
    private let inner: URL
    private let state = Locked(State())

    init(_ kind: Kind, for subject: String, requesting inner: URL) {
        self.kind = kind
        self.subject = subject
        self.inner = inner
    }

    /// Acts at the next call for the subject.
    func arm(_ stubber: Stubber) { state.withLock { $0.stubber = stubber } }

    var note: String? { state.withLock { $0.note } }

    private func disarm(for text: String) -> Stubber? {
        guard text.contains(subject) else { return nil }
        return state.withLock { state in
            defer { state.stubber = nil }
            return state.stubber
        }
    }

    func run(for text: String) {
        guard let stubber = disarm(for: text) else { return }
        let note: String
        switch kind {
        case .request:
            note = Outcome(waitingFor: inner).text
        case .invalidation:
            let session = URLSession(configuration: .ephemeral)
            session.dataTask(with: inner).cancel()
            session.invalidateAndCancel()
            note = "invalidated"
        case .stubber: note = Self.use(stubber)
        }
        state.withLock { $0.note = note }
    }

    func runAsync(for text: String) async {
        guard kind == .request else { return run(for: text) }
        guard disarm(for: text) != nil else { return }
        let text = await Outcome(of: inner, in: URLSession(configuration: .ephemeral)).text
        state.withLock { $0.note = text }
    }

    private static func use(_ stubber: Stubber) -> String {
        let stub = stubber.stub(.path("/never"), respond: .status(200))
        stub.remove()
        stubber.mode = stubber.mode
        _ = (stubber.isRecording, stubber.requestsInFlight, stubber.cassetteURL, stubber.session)
        return "\(stubber.requests.count) request"
    }
}

/// A clock of a test that acts when a response sleeps on it.
private struct ActingClock: Clock {
    let act: CallbackAct

    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        await act.runAsync(for: "/json")
    }
}

/// The test that `CallbackTests` runs in a child process, as a closure may end or block the process.
final class CallbackFixtures: XCTestCase {
    /// The environment variable with the closure.
    static let closure = "REWIND_FIXTURE_CLOSURE"

    enum Phase: String, Sendable {
        case recording, replay
    }

    func testClosure() async throws {
        guard let name = ProcessInfo.processInfo.environment[Self.closure],
            let closure = UserClosure(rawValue: name)
        else { throw XCTSkip("run by CallbackTests in a child process") }
        alarm(60)
        for kind in CallbackAct.Kind.allCases {
            let folder = try TemporaryDirectory()
            let server = try ConversationServer()
            defer { server.stop() }
            for phase in [Phase.recording, .replay] {
                if phase == .replay { server.stop() }
                let answer = try await answer(to: closure, kind, phase, server, in: folder)
                print("ANSWER", kind, phase, answer)
                fflush(nil)
            }
        }
    }

    private final class Client: Sendable {
        let session = URLSession(configuration: .ephemeral)
        let released: DispatchSemaphore

        init(_ released: DispatchSemaphore) { self.released = released }

        deinit {
            session.invalidateAndCancel()
            released.signal()
        }
    }

    /// A load outlives its test, and releases the last reference to what a closure of the test has captured.
    func testRelease() throws {
        guard ProcessInfo.processInfo.environment[Self.closure] != nil else {
            throw XCTSkip("run by CallbackTests in a child process")
        }
        alarm(60)
        let folder = try TemporaryDirectory()
        let server = try ConversationServer()
        defer { server.stop() }
        let released = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        do {
            var configuration = Stubber.Configuration()
            configuration.didEndRecording = { [client = Client(released)] _ in withExtendedLifetime(client) {} }
            let stubber = try Stubber(at: folder["talk.har"], mode: .once, configuration: configuration)
            stubber.session.dataTask(with: server["slow/300"]) { _, _, _ in ended.signal() }.resume()
            while stubber.requestsInFlight.isEmpty { usleep(1000) }
            try stubber.eject()
        }
        ended.wait()
        released.wait()
        print("ANSWER released")
    }

    private func answer(
        to closure: UserClosure,
        _ kind: CallbackAct.Kind,
        _ phase: Phase,
        _ server: ConversationServer,
        in folder: TemporaryDirectory
    ) async throws -> String {
        let misses = closure == .requestMatchingFailed && phase == .replay
        let path = misses ? "missing" : "json"
        let act = CallbackAct(kind, for: "/" + path, requesting: server["visit"])
        var configuration = Stubber.Configuration()
        closure.set(in: &configuration, act)
        let mode = phase == .recording ? RecordingMode.once : .never
        return try await withCassette("talk", in: folder.url, mode: mode, configuration: configuration) {
            stubber in
            closure.add(to: stubber, act)
            if closure.phases.contains(phase) { act.arm(stubber) }
            let outer = await Outcome(of: server[path])
            guard closure.phases.contains(phase) else {
                // The replay of other closures needs what they request.
                if phase == .recording { _ = await Outcome(of: server["visit"]) }
                return "\(outer.status) without"
            }
            // Some closures are called after the answer.
            while act.note == nil { try await Task.sleep(for: .milliseconds(1)) }
            return "\(outer.failure ?? "\(outer.status)") \(act.note ?? "")"
        }
    }
}
