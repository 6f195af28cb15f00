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
        guard case .stubber(let route) = Route.destination, route.slot.routed == self, request.isLoadedByHTTP
        else {
            return false
        }
        return accepts(request)
    }
}

/// Accepts every request of the sessions it is put into.
private final class SessionProtocol<Digits>: CassetteURLProtocol {
    override class func canInit(with request: URLRequest) -> Bool {
        request.isLoadedByHTTP && accepts(request)
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
        /// Why its requests are refused, where there is no stubber.
        var refusal = Miss.Reason.testOver
    }

    fileprivate struct Entry {
        weak var stubber: Stubber?
        let id: ObjectIdentifier
        let testName: String?
        let loader: LiveLoader
        /// Keeps the stubber until its test is over, where a configuration names the slot.
        var hold: StubberHold?
    }

    /// A slot in the line of those that may be used again.
    fileprivate struct Waiting {
        let slot: Slot
        /// The turn at which its stubber was found to be gone.
        var freeSince: Int?
    }

    fileprivate struct State {
        var tenants: [ObjectIdentifier: Entry] = [:]
        var slots: [ObjectIdentifier: Slot] = [:]
        var line: [Waiting] = []
        var turn = 0
    }

    // A slot waits this many turns before it is used again, so that a load that was just accepted is never misled.
    private static let turns = 256
    private let state = Locked(State())

    /// The slot of a stubber, a new one where it has none yet.
    func slot(for stubber: Stubber) -> Slot {
        state.withLock { $0.slot(for: stubber, after: Self.turns) }
    }

    /// Keeps a stubber until its test is over, as a configuration names its slot and cannot keep it itself.
    func keep(_ stubber: Stubber) {
        let hold = StubberHold(stubber)
        state.withLock { state in
            let slot = state.slot(for: stubber, after: Self.turns)
            for type in [slot.routed, slot.session] {
                state.tenants[ObjectIdentifier(type)]?.hold = hold
            }
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

    /// How many slots there are.
    var count: Int { state.withLock { $0.line.count } }
}

extension SlotTable.State {
    fileprivate mutating func slot(for stubber: Stubber, after turns: Int) -> Slot {
        let id = ObjectIdentifier(stubber)
        // The address of a stubber that is gone may be that of another one by now.
        if let own = slots[id], tenants[ObjectIdentifier(own.routed)]?.stubber === stubber { return own }
        let slot = freeSlot(after: turns) ?? Slot(number: line.count + 1)
        if let former = tenants[ObjectIdentifier(slot.routed)]?.id, slots[former]?.routed == slot.routed {
            slots[former] = nil
        }
        slots[id] = slot
        line.append(SlotTable.Waiting(slot: slot))
        let entry = SlotTable.Entry(
            stubber: stubber,
            id: id,
            testName: stubber.testName,
            loader: .of(stubber)
        )
        tenants[ObjectIdentifier(slot.routed)] = entry
        tenants[ObjectIdentifier(slot.session)] = entry
        return slot
    }

    /// Takes the first slot out of the line that has been free for long enough.
    ///
    /// Slots that are in use, or were until now, go to the end of the line. Two of them at each turn are enough to keep
    /// the line about as long as there are stubbers.
    private mutating func freeSlot(after turns: Int) -> Slot? {
        turn += 1
        for _ in 0..<2 {
            guard let first = line.first else { return nil }
            let isFree = tenants[ObjectIdentifier(first.slot.routed)]?.stubber == nil
            if isFree, let freeSince = first.freeSince {
                guard turn - freeSince >= turns else { return nil }
                return line.removeFirst().slot
            }
            line.removeFirst()
            line.append(SlotTable.Waiting(slot: first.slot, freeSince: isFree ? turn : nil))
        }
        return nil
    }
}

extension SlotTable.Tenant {
    /// The tenant of requests that nobody may answer.
    init(refusing reason: Miss.Reason) {
        self.init(stubber: nil, testName: nil, loader: .shared, refusal: reason)
    }
}
