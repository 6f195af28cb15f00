import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The protocol classes of one stubber.
///
/// The class that the loading system chooses is the only thing that survives from `canInit`, where the task-local is
/// visible, to `startLoading`, where it is not. So each stubber has classes of its own.
struct Slot: Sendable {
    /// Accepts what is routed to the stubber.
    let routed: CassetteURLProtocol.Type
    /// Accepts everything, for sessions that were made for the stubber.
    let session: CassetteURLProtocol.Type

    fileprivate init(number: Int) {
        (routed, session) = Self.classes(Zero.self, digits: number)
    }

    /// Generic types nest as deep as the number has binary digits, so classes never run out.
    private static func classes<Digits>(
        _: Digits.Type,
        digits: Int
    ) -> (CassetteURLProtocol.Type, CassetteURLProtocol.Type) {
        guard digits > 0 else { return (RoutedProtocol<Digits>.self, SessionProtocol<Digits>.self) }
        return digits % 2 == 0
            ? classes(Even<Digits>.self, digits: digits / 2) : classes(Odd<Digits>.self, digits: digits / 2)
    }

    private enum Zero {}
    private enum Even<Rest> {}
    private enum Odd<Rest> {}
}

/// Accepts the requests that are routed to its stubber.
private final class RoutedProtocol<Digits>: CassetteURLProtocol {
    override class func canInit(with request: URLRequest) -> Bool {
        guard case .slot(let slot) = Route.destination, slot.routed == self, request.isLoadedByHTTP else {
            return false
        }
        return accepted()
    }
}

/// Accepts every request of the sessions it is put into.
private final class SessionProtocol<Digits>: CassetteURLProtocol {
    override class func canInit(with request: URLRequest) -> Bool {
        request.isLoadedByHTTP && accepted()
    }
}

extension URLRequest {
    /// Whether it is for `http` or `https`, the only schemes that are ever intercepted.
    var isLoadedByHTTP: Bool {
        guard let scheme = url?.scheme else { return false }
        return scheme == "http" || scheme == "https" || ["http", "https"].contains(scheme.lowercased())
    }
}

/// Which stubber a slot's classes belong to.
final class SlotTable: Sendable {
    static let shared = SlotTable()

    /// The stubber of a slot, and what is left of it when it is gone.
    struct Tenant {
        let stubber: Stubber?
        let testName: String?
        let loader: LiveLoader
    }

    private struct Entry {
        weak var stubber: Stubber?
        let testName: String?
        let loader: LiveLoader
    }

    private struct State {
        var tenants: [ObjectIdentifier: Entry] = [:]
        var slots: [Slot] = []
    }

    // A slot waits this many turns before it is used again, so that a load that was just accepted is never misled.
    private static let turns = 256
    private let state = Locked(State())

    /// The slot of a stubber, a new one where it has none yet.
    func slot(for stubber: Stubber) -> Slot {
        #if canImport(FoundationNetworking)
            EndedTask.prepare()
        #endif
        return state.withLock { state in
            if let own = state.slots.last(where: {
                state.tenants[ObjectIdentifier($0.routed)]?.stubber === stubber
            }) {
                return own
            }
            let isFree =
                state.slots.first.map { state.tenants[ObjectIdentifier($0.routed)]?.stubber == nil } ?? false
            let slot =
                state.slots.count >= Self.turns && isFree
                ? state.slots.removeFirst() : Slot(number: state.slots.count + 1)
            state.slots.append(slot)
            let tenant = Entry(stubber: stubber, testName: stubber.testName, loader: .of(stubber))
            state.tenants[ObjectIdentifier(slot.routed)] = tenant
            state.tenants[ObjectIdentifier(slot.session)] = tenant
            return slot
        }
    }

    /// The classes that route to the stubbers there are, for platforms where a session's configuration must name them.
    var routedClasses: [AnyClass] {
        state.withLock { state in
            state.slots.map(\.routed).filter { state.tenants[ObjectIdentifier($0)]?.stubber != nil }
        }
    }

    /// Whose requests a class loads.
    func tenant(of type: CassetteURLProtocol.Type) -> Tenant? {
        state.withLock { state in
            state.tenants[ObjectIdentifier(type)].map {
                Tenant(stubber: $0.stubber, testName: $0.testName, loader: $0.loader)
            }
        }
    }

    /// The stubber whose requests a class loads, while there is one.
    func stubber(of type: CassetteURLProtocol.Type) -> Stubber? {
        state.withLock { $0.tenants[ObjectIdentifier(type)]?.stubber }
    }
}
