import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Where the requests of a task go, found out when the task is resumed and kept with it.
///
/// Apple's loading system asks protocols in a block on a queue of the session, where neither the task-local of a test
/// nor the current test is visible. `-resume` runs on the caller's thread, where both are. So the route is captured
/// there, attached to the task, and read when the protocol class is asked. The attachment counts as a request that is
/// arriving: the end of a test waits for its load.
final class TaskRoute: Sendable {
    private enum Stage {
        case expected
        /// The load was started, or will never be.
        case begun
        case cancelled
    }

    private struct State {
        var stage: Stage
        var isDecided = false
    }

    let destination: Route.Destination
    private let pending: PendingWork.Token?
    private let state: Locked<State>

    init(resuming request: URLRequest?) {
        destination = request.flatMap(RequestMark.number) == nil ? Route.destination : .network
        var stubber: Stubber?
        if let request, request.isLoadedByHTTP, case .stubber(let route) = destination {
            stubber = route.stubber
        }
        pending = stubber?.pendingWork.begin()
        state = Locked(State(stage: stubber == nil ? .begun : .expected))
    }

    @discardableResult
    func begin() -> Bool {
        state.withLock { state in
            if state.stage == .expected { state.stage = .begun }
            return state.stage != .cancelled
        }
    }

    /// Ends the wait for the load, which the stubber knows of by now, or which will never begin.
    func arrive() { pending?.end() }

    /// A cancelled task has a place on the cassette also where its load was not started, which depends on timing alone.
    func cancel(_ request: URLRequest?) {
        let isEarly = state.withLock { state in
            defer { if state.stage == .expected { state.stage = .cancelled } }
            return state.stage == .expected
        }
        guard isEarly, let request, case .stubber(let route) = destination else { return }
        let light = Interaction.Request(request, body: request.httpBody)
        route.stubber.noteCancelled(IncomingRequest(light) { light.adding(request.allHTTPHeaderFields ?? [:]) })
        arrive()
    }

    /// Why a task that no protocol can load may not be resumed; reported at its test.
    func refusal(of kind: UnsupportedTask, for request: URLRequest?) -> Miss? {
        let wasDecided = state.withLock { state in
            defer { state.isDecided = true }
            return state.isDecided
        }
        // No load of ours will begin for it.
        begin()
        arrive()
        guard !wasDecided, let request, case .stubber(let route) = destination else { return nil }
        return route.stubber.refusal(of: kind, for: Interaction.Request(request, body: nil))
    }
}

/// The decisions of the one protocol class that loads the tasks of all stubbers, where tasks keep their routes.
enum TaskRouting {
    static func accepts(_ request: URLRequest?, under route: TaskRoute?) -> Bool {
        guard let request, request.isLoadedByHTTP else { return false }
        if RequestMark.number(in: request) != nil { return true }
        return switch route?.destination ?? ActiveRoutes.shared.destination {
        case .network: false
        case .stubber, .nowhere: true
        }
    }

    static func owner(of request: URLRequest, under route: TaskRoute?) -> RequestOwner? {
        if let number = RequestMark.number(in: request) { return StubberRegistry.shared.owner(ofMark: number) }
        return switch route?.destination ?? ActiveRoutes.shared.destination {
        case .network: nil
        case .stubber(let route): StubberRegistry.shared.owner(of: route.protocolClass)
        case .nowhere(let tests): RequestOwner(refusing: .unknownTest(running: tests))
        }
    }

    /// Those of one stubber, which are in the lists of its own sessions, come first, and the app's own come last.
    static func classes(_ classes: [AnyClass], with type: AnyClass) -> [AnyClass] {
        guard !classes.contains(where: { $0 == InnerSessionProtocol.self }) else { return classes }
        let others = classes.filter { $0 != type }
        return others.filter { $0 is CassetteURLProtocol.Type } + [type]
            + others.filter { !($0 is CassetteURLProtocol.Type) }
    }
}

/// Marks the inner session, whose requests no protocol of ours may see, in the list that copies of its configuration keep.
final class InnerSessionProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { false }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func startLoading() {}
    override func stopLoading() {}
}

enum UnsupportedTask: String, Sendable {
    case webSocket = "WebSocket task"
    case background = "task of a background session"
}

extension Stubber {
    /// Reported at the test; a mode that records lets the task go, with a note that it is not recorded.
    func refusal(of kind: UnsupportedTask, for request: Interaction.Request) -> Miss? {
        switch answerToUnsupported(request, kind.rawValue) {
        case .refuse(let miss): return miss
        case .forward, .play, .compute: break
        }
        if isRecording { Note.print("a \(kind.rawValue) is not recorded: \(redactor.redact(request))") }
        return nil
    }
}
