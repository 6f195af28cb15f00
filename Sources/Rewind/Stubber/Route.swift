import Foundation

/// The tie between a piece of running code and the stubber that serves its requests.
///
/// A task-local carries it into everything the code awaits and every task it starts. Interception lasts as long as
/// any task still carries a route, so that work which outlives its test is refused and does not slip to the network.
final class Route: Sendable {
    @TaskLocal static var current: Route?

    let stubber: Stubber
    let protocolClass: AnyClass
    private let interception: any Sendable

    init(to stubber: Stubber, through protocolClass: AnyClass, keeping interception: any Sendable) {
        self.stubber = stubber
        self.protocolClass = protocolClass
        self.interception = interception
    }

    enum Destination: Sendable {
        case stubber(Route)
        case network
        /// Nowhere, as any of these tests may have made it.
        case nowhere(tests: [String])
    }

    static var destination: Destination {
        if let current { return .stubber(current) }
        // A test that has no cassette keeps its network, whatever other tests do at the same time.
        if RunningTest.isKnown { return .network }
        return ActiveRoutes.shared.destination
    }
}

/// Whether the code that runs belongs to a test, which only a test framework can tell.
package enum RunningTest {
    private static let lookup = Locked<(@Sendable () -> Bool)?>(nil)

    /// Lets a test framework tell; it is asked on the thread that makes a request.
    package static func isToldBy(_ framework: @escaping @Sendable () -> Bool) {
        lookup.withLock { $0 = framework }
    }

    static var isKnown: Bool { lookup.withLock { $0 }?() ?? false }
}

/// The routes whose tests are running: the one registry that finds the stubber of a request without a task-local.
final class ActiveRoutes: Sendable {
    static let shared = ActiveRoutes()

    private struct Entry {
        let route: Route
        let outer: Route?
    }

    private let entries = Locked<[Entry]>([])

    func add(_ route: Route, within outer: Route?) {
        entries.withLock { $0.append(Entry(route: route, outer: outer)) }
    }

    func remove(_ route: Route) {
        // Taken out and let go outside the lock: the end of a route may undo the interception.
        let removed = entries.withLock { entries -> [Entry] in
            let removed = entries.filter { $0.route === route }
            entries.removeAll { $0.route === route }
            return removed
        }
        withExtendedLifetime(removed) {}
    }

    func route(of stubber: Stubber) -> Route? {
        entries.withLock { entries in entries.last { $0.route.stubber === stubber }?.route }
    }

    /// Where a request goes of which nothing else is known: to the innermost scope, if there is but one.
    var destination: Route.Destination {
        entries.withLock { entries in
            let innermost = entries.filter { entry in !entries.contains { $0.outer === entry.route } }
            return switch innermost.count {
            case 0: .network
            case 1: .stubber(innermost[0].route)
            default: .nowhere(tests: innermost.map { $0.route.stubber.testName ?? "(unnamed)" })
            }
        }
    }
}
