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
        /// The system has not started the load, and the end of the test waits for it.
        case expected
        /// The load was started, or will never be.
        case begun
        /// The task was cancelled before that.
        case cancelled
    }

    private struct State {
        var stage: Stage
        /// Whether the stubber waits for the load.
        var isWaitedFor: Bool
        var isDecided = false
    }

    /// Where the task was resumed.
    let destination: Route.Destination
    private let state: Locked<State>

    /// Captures the route of the running code.
    /// - Parameter request: The request of the task that is being resumed.
    init(resuming request: URLRequest?) {
        destination = request.flatMap(RequestMark.number) == nil ? Route.destination : .network
        var stubber: Stubber?
        if let request, request.isLoadedByHTTP, case .stubber(let route) = destination {
            stubber = route.stubber
        }
        state = Locked(State(stage: stubber == nil ? .begun : .expected, isWaitedFor: stubber != nil))
        stubber?.requestIsArriving()
    }

    deinit {
        arrive()
    }

    /// Notes that the system starts the load.
    /// - Returns: Whether there is anything to load; not for a task that was cancelled before.
    @discardableResult
    func begin() -> Bool {
        state.withLock { state in
            if state.stage == .expected { state.stage = .begun }
            return state.stage != .cancelled
        }
    }

    /// Ends the wait for the load, which the stubber knows of by now, or which will never begin.
    func arrive() {
        let wasWaitedFor = state.withLock { state in
            defer { state.isWaitedFor = false }
            return state.isWaitedFor
        }
        if wasWaitedFor, case .stubber(let route) = destination { route.stubber.requestArrived() }
    }

    /// Notes that the task is cancelled, which has a place on the cassette also where its load was not started yet.
    ///
    /// Whether the system starts such a load depends on timing, which must not decide what is recorded or missed.
    /// - Parameter request: The request of the task.
    func cancel(_ request: URLRequest?) {
        let isEarly = state.withLock { state in
            defer { if state.stage == .expected { state.stage = .cancelled } }
            return state.stage == .expected
        }
        guard isEarly, let request, case .stubber(let route) = destination else { return }
        let light = Request(request, body: request.httpBody)
        route.stubber.noteCancelled(light) { light.adding(request.allHTTPHeaderFields ?? [:]) }
        arrive()
    }

    /// Why a task that no protocol can load may not be resumed; reported at its test.
    /// - Parameters:
    ///   - kind: The kind of task.
    ///   - request: Its request.
    /// - Returns: The miss; `nil` where the task may go to the network, and from the second call on: `-resume` calls that of
    ///   the parent class, and may be called again.
    func refusal(of kind: UnsupportedTask, for request: URLRequest?) -> Miss? {
        let wasDecided = state.withLock { state in
            defer { state.isDecided = true }
            return state.isDecided
        }
        // No load of ours will begin for it.
        begin()
        arrive()
        guard !wasDecided, let request, case .stubber(let route) = destination else { return nil }
        return route.stubber.refusal(of: kind, for: Request(request, body: nil))
    }
}

/// The decisions of the one protocol class that loads the tasks of all stubbers, where tasks keep their routes.
enum TaskRouting {
    /// Whether the class loads a task.
    /// - Parameters:
    ///   - request: The task's request.
    ///   - route: The route that was attached when it was resumed; `nil` where nobody saw that.
    /// - Returns: Whether it does.
    static func accepts(_ request: URLRequest?, under route: TaskRoute?) -> Bool {
        guard let request, request.isLoadedByHTTP else { return false }
        if RequestMark.number(in: request) != nil { return true }
        return switch route?.destination ?? ActiveRoutes.shared.destination {
        case .network: false
        case .stubber, .nowhere: true
        }
    }

    /// Whose request a task makes that was accepted.
    static func tenant(of request: URLRequest, under route: TaskRoute?) -> SlotTable.Tenant? {
        if let number = RequestMark.number(in: request) { return MarkedStubbers.shared.tenant(number) }
        return switch route?.destination ?? ActiveRoutes.shared.destination {
        case .network: nil
        case .stubber(let route): SlotTable.shared.tenant(of: route.slot.routed)
        case .nowhere(let tests): SlotTable.Tenant(refusing: .notRouted(tests: tests))
        }
    }

    /// The protocol classes of a session, as the loading system is to see them.
    ///
    /// Those of one stubber, which are in the lists of its own sessions, come first, and the app's own come last.
    /// - Parameters:
    ///   - classes: The classes in the session's configuration.
    ///   - type: The class that loads the tasks of all stubbers.
    /// - Returns: The classes; unchanged for the inner session of the live loader.
    static func classes(_ classes: [AnyClass], with type: AnyClass) -> [AnyClass] {
        guard !classes.contains(where: { $0 == InnerSessionProtocol.self }) else { return classes }
        let others = classes.filter { $0 != type }
        return others.filter { $0 is CassetteURLProtocol.Type } + [type]
            + others.filter { !($0 is CassetteURLProtocol.Type) }
    }
}

/// Marks the configuration of the inner session, whose requests no protocol of ours may see; it loads nothing.
///
/// The list of protocol classes is what a session's copy of its configuration keeps.
final class InnerSessionProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { false }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func startLoading() {}
    override func stopLoading() {}
}

/// A kind of task that no protocol is asked about.
enum UnsupportedTask: String, Sendable {
    case webSocket = "WebSocket task"
    case background = "task of a background session"
}
