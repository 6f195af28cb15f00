import Foundation

/// The tie between a piece of running code and the stubber that serves its requests.
///
/// A task-local carries it into everything the code awaits and every task it starts. Interception lasts as long as
/// any task still carries a route, so that work which outlives its test is refused and does not slip to the network.
final class Route: Sendable {
    /// The route of the code that runs, if it has one.
    @TaskLocal static var current: Route?

    let stubber: Stubber
    let slot: Slot

    /// Makes the stubber an active one, and requests of the process interceptable.
    init(_ stubber: Stubber) {
        self.stubber = stubber
        slot = SlotTable.shared.slot(for: stubber)
        Interception.shared.retain(slot)
    }

    deinit {
        Interception.shared.release(slot)
    }

    /// Where a request made by the running code goes.
    enum Destination {
        /// To this stubber's slot.
        case slot(Slot)
        /// To the network, untouched.
        case network
        /// Nowhere, as any of these tests may have made it.
        case nowhere(tests: [String])
    }

    static var destination: Destination {
        if let current { return .slot(current.slot) }
        return ActiveRoutes.shared.destination
    }
}

/// The routes whose tests are running: the one registry that finds the stubber of a request without a task-local.
final class ActiveRoutes: Sendable {
    static let shared = ActiveRoutes()

    private let routes = Locked<[Route]>([])

    func add(_ route: Route) {
        routes.withLock { $0.append(route) }
    }

    func remove(_ route: Route) {
        routes.withLock { routes in routes.removeAll { $0 === route } }
    }

    var destination: Route.Destination {
        routes.withLock { routes in
            switch routes.count {
            case 0: .network
            case 1: .slot(routes[0].slot)
            default: .nowhere(tests: routes.map { $0.stubber.testName ?? "(unnamed)" })
            }
        }
    }
}
