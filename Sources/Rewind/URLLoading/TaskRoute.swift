import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The stubber or the network that a task's requests go to, captured when the task is resumed.
///
/// Apple's loading system calls protocols on a queue of the session, where neither the task-local of a test nor the
/// current test is visible. `-resume` runs on the caller's thread, where both are. So the route is captured there,
/// attached to the task, and read in `canInit(with:)`. From then on, the end of the test waits for the load.
final class TaskRoute: Sendable {
    private enum Stage {
        case expected
        /// The load was started, or will never start.
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
        if let request, case .stubber(let route) = destination,
            request.isLoadedByHTTP || route.stubber.takes(request.url)
        {
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

    /// Ends the wait for the load to start: the stubber has the request now, or the load will never start.
    func arrive() { pending?.end() }

    /// Records a task that was cancelled before its load started. Whether it had started depends on timing alone, so the
    /// cassette contains the task in both cases.
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

    /// The miss of a task that no protocol can load; `nil` if the task may run. Reported once, at its test.
    func refusal(of kind: UnsupportedTask, for request: URLRequest?) -> Miss? {
        let wasDecided = state.withLock { state in
            defer { state.isDecided = true }
            return state.isDecided
        }
        // Rewind will not load it.
        begin()
        arrive()
        guard !wasDecided, let request, case .stubber(let route) = destination else { return nil }
        return route.stubber.refusal(of: kind, for: Interaction.Request(request, body: nil))
    }
}

/// The decisions of the one protocol class that loads the tasks of all stubbers on Apple platforms.
enum TaskRouting {
    static func accepts(_ request: URLRequest?, under route: TaskRoute?) -> Bool {
        guard let request else { return false }
        guard request.isLoadedByHTTP else {
            return owner(of: request, under: route)?.stubber?.takes(request.url) ?? false
        }
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

    /// The order of protocol classes: first that of a single stubber, which is in the list of its sessions, then the one
    /// for all stubbers, then those of the app.
    static func classes(_ classes: [AnyClass], with type: AnyClass) -> [AnyClass] {
        guard !classes.contains(where: { $0 == InnerSessionProtocol.self }) else { return classes }
        let others = classes.filter { $0 != type }
        return others.filter { $0 is CassetteURLProtocol.Type } + [type]
            + others.filter { !($0 is CassetteURLProtocol.Type) }
    }
}

/// Marks the configuration of the inner session, and its copies, whose requests Rewind does not intercept.
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
    /// Refuses the task with a miss, or lets it run and prints a note if the mode records.
    func refusal(of kind: UnsupportedTask, for request: Interaction.Request) -> Miss? {
        switch answerToUnsupported(request, kind.rawValue) {
        case .refuse(let miss): return miss
        case .forward, .play, .compute: break
        }
        if isRecording {
            Note.print("cannot record a \(kind.rawValue): \(printable(redactor.redact(request)))")
        }
        return nil
    }
}
