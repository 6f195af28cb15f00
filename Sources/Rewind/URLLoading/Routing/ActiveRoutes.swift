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

    /// The route of a stubber, while it is active.
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
