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
        Interception.shared.retain(slot.routed, isolating: stubber.configuration.isolatesSharedStorage)
    }

    deinit {
        Interception.shared.release(slot.routed, isolating: stubber.configuration.isolatesSharedStorage)
    }

    /// Where a request made by the running code goes.
    enum Destination: Sendable {
        /// To the stubber of this route.
        case stubber(Route)
        /// To the network, untouched.
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

/// Whether the code that runs belongs to a test, which only a door for people can tell.
package enum RunningTest {
    private static let lookup = Locked<(@Sendable () -> Bool)?>(nil)

    /// Lets a door tell; it is asked on the thread that makes a request.
    package static func isToldBy(_ door: @escaping @Sendable () -> Bool) {
        lookup.withLock { $0 = door }
    }

    static var isKnown: Bool {
        lookup.withLock { $0 }?() ?? false
    }
}
