import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Whose requests a protocol class or a mark leads to: a stubber, and what is left of it when it is gone.
struct RequestOwner {
    let stubber: Stubber?
    let testName: String?
    let loader: LiveLoader
    /// Why the requests are refused, where there is no stubber.
    var refusal = Miss.Reason.testOver

    fileprivate init(_ stubber: Stubber?, testName: String?, loader: LiveLoader) {
        self.stubber = stubber
        self.testName = testName
        self.loader = loader
    }

    /// The owner of requests that nobody may answer.
    init(refusing reason: Miss.Reason) {
        self.init(nil, testName: nil, loader: .shared)
        refusal = reason
    }
}

/// The protocol classes of one stubber.
///
/// The class that the loading system chooses is the only thing that survives from `canInit`, where the task-local is
/// visible, to `startLoading`, where it is not. So each stubber has classes of its own.
struct ProtocolClasses: Sendable {
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

/// Finds the stubber of a request by the protocol class that was chosen for it, or by the mark that it has.
final class StubberRegistry: Sendable {
    static let shared = StubberRegistry()

    fileprivate struct Entry {
        weak var stubber: Stubber?
        let id: ObjectIdentifier
        let testName: String?
        let loader: LiveLoader
        /// Keeps the stubber until its test is over, where a configuration names its classes.
        var hold: StubberHold?
    }

    /// Classes in the line of those that may be used again.
    fileprivate struct Waiting {
        let classes: ProtocolClasses
        /// The turn at which their stubber was found to be gone.
        var freeSince: Int?
    }

    private struct MarkedStubber {
        weak var stubber: Stubber?
        let testName: String?
    }

    fileprivate struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var classes: [ObjectIdentifier: ProtocolClasses] = [:]
        var line: [Waiting] = []
        var turn = 0
    }

    private struct Marks {
        /// The stubbers that have marked requests, by the numbers of their marks, which are never used again.
        var stubbers: [MarkedStubber] = []
        var numbers: [ObjectIdentifier: Int] = [:]
        var interception: InterceptionHold?
    }

    // Classes wait this many turns before they are used again, so that a load that was just accepted is never misled.
    private static let turns = 256
    private let state = Locked(State())
    private let marks = Locked(Marks())

    // MARK: Classes

    /// The classes of a stubber, new ones where it has none yet.
    func classes(for stubber: Stubber) -> ProtocolClasses {
        state.withLock { $0.classes(for: stubber, after: Self.turns) }
    }

    /// Keeps a stubber until its test is over, as a configuration names its classes and cannot keep it itself.
    func keep(_ stubber: Stubber) {
        let hold = StubberHold(stubber)
        state.withLock { state in
            let classes = state.classes(for: stubber, after: Self.turns)
            for type in [classes.routed, classes.session] { state.entries[ObjectIdentifier(type)]?.hold = hold }
        }
    }

    /// Whose requests a class loads.
    func owner(of type: AnyClass) -> RequestOwner? {
        state.withLock { state in
            state.entries[ObjectIdentifier(type)].map {
                RequestOwner($0.stubber, testName: $0.testName, loader: $0.loader)
            }
        }
    }

    /// How many pairs of classes there are.
    var count: Int { state.withLock { $0.line.count } }

    // MARK: Marks

    /// The number of a stubber's mark.
    ///
    /// From the first mark on, sessions are intercepted for good: a request that is made after its test, with the mark
    /// of that test, must not slip to the network.
    func mark(of stubber: Stubber) -> Int {
        marks.withLock { marks in
            marks.interception =
                marks.interception ?? InterceptionHold(of: MarkedProtocol.self, isolating: false)
            let id = ObjectIdentifier(stubber)
            // The address of a stubber that is gone may be that of another one by now.
            if let known = marks.numbers[id], marks.stubbers[known].stubber === stubber { return known }
            marks.stubbers.append(MarkedStubber(stubber: stubber, testName: stubber.testName))
            marks.numbers[id] = marks.stubbers.count - 1
            return marks.stubbers.count - 1
        }
    }

    /// Whose requests have a number in their marks.
    func owner(ofMark number: Int) -> RequestOwner? {
        let marked = marks.withLock { $0.stubbers.indices.contains(number) ? $0.stubbers[number] : nil }
        guard let marked else { return nil }
        guard let stubber = marked.stubber else {
            return RequestOwner(nil, testName: marked.testName, loader: .shared)
        }
        return owner(of: classes(for: stubber).routed)
    }

    /// Intercepts sessions no longer for the sake of marks; only for tests of what else does.
    func stopInterceptingForMarks() {
        marks.withLock { $0.interception = nil }
    }
}

extension StubberRegistry.State {
    fileprivate mutating func classes(for stubber: Stubber, after turns: Int) -> ProtocolClasses {
        let id = ObjectIdentifier(stubber)
        // The address of a stubber that is gone may be that of another one by now.
        if let own = classes[id], entries[ObjectIdentifier(own.routed)]?.stubber === stubber { return own }
        let new = freeClasses(after: turns) ?? ProtocolClasses(number: line.count + 1)
        if let former = entries[ObjectIdentifier(new.routed)]?.id, classes[former]?.routed == new.routed {
            classes[former] = nil
        }
        classes[id] = new
        line.append(StubberRegistry.Waiting(classes: new))
        let entry = StubberRegistry.Entry(
            stubber: stubber,
            id: id,
            testName: stubber.testName,
            loader: .of(stubber)
        )
        entries[ObjectIdentifier(new.routed)] = entry
        entries[ObjectIdentifier(new.session)] = entry
        return new
    }

    /// Takes the first classes out of the line that have been free for long enough.
    ///
    /// Those that are in use, or were until now, go to the end of the line. Two of them at each turn are enough to keep
    /// the line about as long as there are stubbers.
    private mutating func freeClasses(after turns: Int) -> ProtocolClasses? {
        turn += 1
        for _ in 0..<2 {
            guard let first = line.first else { return nil }
            let isFree = entries[ObjectIdentifier(first.classes.routed)]?.stubber == nil
            if isFree, let freeSince = first.freeSince {
                guard turn - freeSince >= turns else { return nil }
                line.removeFirst()
                return first.classes
            }
            line.removeFirst()
            line.append(StubberRegistry.Waiting(classes: first.classes, freeSince: isFree ? turn : nil))
        }
        return nil
    }
}
