import Foundation

/// Connects running code with the stubber that answers its requests.
///
/// A task-local carries the route into everything the code awaits and every task it starts. Interception lasts as long as
/// any task has a route, so that requests after the end of the test are refused and do not reach the network.
final class Route: Sendable {
    /// What the running code carries.
    enum Assignment: Sendable {
        case route(Route)
        /// The code makes the live request of a recording. Its requests go to the network, and nothing records them again.
        case live(within: Route?)
    }

    @TaskLocal static var assignment: Assignment?

    static var current: Route? {
        switch assignment {
        case .route(let route), .live(let route?): route
        case .live(nil), nil: nil
        }
    }

    /// Whether the running code makes the live request of a recording.
    static var isLive: Bool { if case .live = assignment { true } else { false } }

    /// Runs code that makes a live request.
    static func live<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await $assignment.withValue(.live(within: current), operation: body)
    }

    let stubber: Stubber
    let protocolClass: AnyClass
    private let interception: any Sendable

    init(to stubber: Stubber, through protocolClass: AnyClass, holding interception: any Sendable) {
        self.stubber = stubber
        self.protocolClass = protocolClass
        self.interception = interception
    }

    enum Destination: Sendable {
        case stubber(Route)
        case network
        /// Refused, as the request could belong to any of these tests.
        case nowhere(tests: [String])
    }

    static var destination: Destination {
        switch assignment {
        case .route(let route): return .stubber(route)
        case .live: return .network
        case nil: break
        }
        // A test without a cassette uses the network, even while other tests have cassettes.
        if RunningTest.isKnown { return ActiveRoutes.shared.ofProcess.map(Destination.stubber) ?? .network }
        return ActiveRoutes.shared.destination
    }
}

/// Whether the running code belongs to a test, and to which one, which only a test framework knows.
package enum RunningTest {
    private static let lookup = Locked<(@Sendable () -> Bool)?>(nil)
    private static let identification = Locked<(@Sendable () -> RunnableTest?)?>(nil)

    /// Installs the functions of a test framework. They are called on the thread that makes a request or a stubber.
    package static func setLookup(
        isKnown: @escaping @Sendable () -> Bool,
        identification current: @escaping @Sendable () -> RunnableTest?
    ) {
        lookup.withLock { $0 = isKnown }
        identification.withLock { $0 = current }
    }

    static var isKnown: Bool { lookup.withLock { $0 }?() ?? false }

    /// Adds the test in which a scope or a server is created: that of the outer scope, or the one that a framework knows.
    static func completed(_ identity: TestIdentity) -> TestIdentity {
        guard identity.test == nil else { return identity }
        if case .command = identity.kind { return identity }
        let outer = Route.current?.stubber.identity.test
        return identity.within(outer ?? identification.withLock { $0 }?())
    }
}

/// The routes whose tests are running, and that of the active stubber. This registry finds the stubber of a request
/// without a task-local.
final class ActiveRoutes: Sendable {
    static let shared = ActiveRoutes()

    private struct Entry {
        let route: Route
        let outer: Route?
    }

    private let entries = Locked<[Entry]>([])
    private let process = Locked<Route?>(nil)

    /// The route of the active stubber, which serves the whole process like a scope around all others.
    var ofProcess: Route? { process.withLock { $0 } }

    /// Replaces the route of the process, if a condition holds for the present one.
    func setProcess(_ route: Route?, if condition: (Route?) -> Bool) {
        // Released outside the lock, as the end of a route may undo the interception.
        let former = process.withLock { process -> Route? in
            guard condition(process) else { return nil }
            defer { process = route }
            return process
        }
        withExtendedLifetime(former) {}
    }

    func add(_ route: Route, within outer: Route?) {
        entries.withLock { $0.append(Entry(route: route, outer: outer)) }
    }

    func remove(_ route: Route) {
        // Released outside the lock, as the end of a route may undo the interception.
        let removed = entries.withLock { entries -> [Entry] in
            let removed = entries.filter { $0.route === route }
            entries.removeAll { $0.route === route }
            return removed
        }
        withExtendedLifetime(removed) {}
    }

    func route(of stubber: Stubber) -> Route? {
        if let route = ofProcess, route.stubber === stubber { return route }
        return entries.withLock { entries in entries.last { $0.route.stubber === stubber }?.route }
    }

    /// The destination of a request without a route: the innermost scope, if there is only one; the active stubber, if
    /// there is none.
    var destination: Route.Destination {
        let ofProcess = ofProcess
        return entries.withLock { entries in
            let innermost = entries.filter { entry in !entries.contains { $0.outer === entry.route } }
            return switch innermost.count {
            case 0: ofProcess.map(Route.Destination.stubber) ?? .network
            case 1: .stubber(innermost[0].route)
            default: .nowhere(tests: innermost.map { $0.route.stubber.displayName ?? Miss.unnamedTest })
            }
        }
    }
}
