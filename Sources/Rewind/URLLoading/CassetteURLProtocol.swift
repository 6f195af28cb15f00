import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The `URLProtocol` through which the loading system reaches a stubber: asks it about a request, delivers the answer.
class CassetteURLProtocol: URLProtocol {
    private var load: Load?
    private var isGivenUp = false
    /// Makes the end of the test wait for the load until the load holds its own token.
    private var pending: PendingWork.Token?

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    #if canImport(FoundationNetworking)
        /// Called on the thread that resumes the task; the load starts later. A test that ends in between has to wait for it.
        required init(request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?)
        {
            super.init(request: request, cachedResponse: cachedResponse, client: client)
            pending = owner?.stubber?.pendingWork.beginAnnounced()
        }
    #endif

    /// Accepts a request over HTTP, and one with a scheme of the app if there are stubs. On Linux, where the protocol is created later, the end of the test waits for it from now
    /// on.
    fileprivate class func accept(_ request: URLRequest) -> Bool {
        guard request.isLoadedByHTTP || owner(of: request)?.stubber?.takes(request.url) == true else {
            return false
        }
        #if canImport(FoundationNetworking)
            owner(of: request)?.stubber?.pendingWork.announce()
        #endif
        return true
    }

    override func startLoading() {
        // Foundation calls this again when a suspended task is resumed.
        if let load { return load.resume() }
        let route = taskRoute
        guard !isGivenUp, route?.begin() ?? true else { return }
        let owner = owner
        let load = Load(taskClient, of: owner, pending: pending ?? owner?.stubber?.pendingWork.begin())
        pending = nil
        self.load = load
        load.start(RequestMark.removed(from: request))
        route?.arrive()
    }

    override func stopLoading() {
        if let load { return load.stop() }
        // The task was cancelled before it was started.
        guard task?.state != .suspended else { return }
        isGivenUp = true
        pending = nil
    }

    var owner: RequestOwner? { Self.owner(of: request) }

    /// The owner is that of the request's mark if it has one, otherwise that of the class.
    class func owner(of request: URLRequest) -> RequestOwner? {
        if let number = RequestMark.number(in: request) { return StubberRegistry.shared.owner(ofMark: number) }
        return StubberRegistry.shared.owner(of: self)
    }
}

final class RoutedProtocol<Digits>: CassetteURLProtocol {
    override class func canInit(with request: URLRequest) -> Bool {
        guard case .stubber(let route) = Route.destination else { return false }
        return route.protocolClass == self && accept(request)
    }
}

final class SessionProtocol<Digits>: CassetteURLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { !Route.isLive && accept(request) }
}

final class MarkedProtocol: CassetteURLProtocol {
    override class func canInit(with request: URLRequest) -> Bool {
        RequestMark.number(in: request) != nil && accept(request)
    }
}

/// Refuses requests that may belong to any of several tests: a guess could give a test the answer of another.
final class UnroutableProtocol: CassetteURLProtocol {
    override class func canInit(with request: URLRequest) -> Bool {
        guard case .nowhere = Route.destination, RequestMark.number(in: request) == nil else { return false }
        return request.isLoadedByHTTP
    }

    override class func owner(of request: URLRequest) -> RequestOwner? {
        var tests: [String] = []
        if case .nowhere(let names) = ActiveRoutes.shared.destination { tests = names }
        return RequestOwner(refusing: .unknownTest(running: tests))
    }
}

#if canImport(FoundationNetworking)
    final class PassthroughProtocol: NativeHTTPProtocol {
        override class func canInit(with request: URLRequest) -> Bool {
            // The cheapest check comes first: Foundation calls this for every request while tests run.
            guard case .network = Route.destination, RequestMark.number(in: request) == nil else {
                return false
            }
            return request.isLoadedByHTTP
        }

        /// The storage of the test if the test's live request is made here, otherwise that of the machine.
        private let storage: StorageOwner

        required init(request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?)
        {
            // On the thread that resumes the task, which knows its test.
            storage = Route.isLive ? .current() : .machine
            super.init(request: request, cachedResponse: cachedResponse, client: client)
        }

        override func startLoading() {
            if let task { NativeLoads.shared.add(task, of: storage) }
            super.startLoading()
        }
    }
#endif

extension URLRequest {
    var isLoadedByHTTP: Bool {
        guard let scheme = url?.scheme else { return false }
        return scheme == "http" || scheme == "https" || ["http", "https"].contains(scheme.lowercased())
    }
}

/// The mark in a request that identifies its stubber, whatever thread the request is made on.
///
/// It is never sent. On Linux it is a document URL with a scheme of Rewind, which Foundation ignores and only an app's
/// cookie policy reads. On Apple platforms it is a property for protocols.
enum RequestMark {
    #if canImport(FoundationNetworking)
        private static let scheme = "rewind-stubber"

        /// Preserves the request's own document URL.
        static func set(_ number: Int, in request: inout URLRequest) {
            let document = removed(from: request).mainDocumentURL?.absoluteString ?? ""
            request.mainDocumentURL = URL(string: "\(scheme):\(number)?\(PercentEncoding.encoded(document))")
        }

        static func number(in request: URLRequest) -> Int? {
            // Few requests have a document URL, so this check comes first.
            guard let url = request.mainDocumentURL, url.scheme == scheme else { return nil }
            return Int(url.absoluteString.dropFirst(scheme.count + 1).prefix { $0 != "?" })
        }

        static func removed(from request: URLRequest) -> URLRequest {
            guard let mark = request.mainDocumentURL, mark.scheme == scheme else { return request }
            var request = request
            let document = mark.absoluteString.drop { $0 != "?" }.dropFirst()
            request.mainDocumentURL = PercentDecoding.decoded(String(document)).flatMap { URL(string: $0) }
            return request
        }
    #else
        private static let key = "rewind-stubber"

        static func set(_ number: Int, in request: inout URLRequest) {
            guard let copy = (request as NSURLRequest).mutableCopy() as? NSMutableURLRequest else { return }
            URLProtocol.setProperty(number, forKey: key, in: copy)
            request = copy as URLRequest
        }

        static func number(in request: URLRequest) -> Int? {
            URLProtocol.property(forKey: key, in: request) as? Int
        }

        /// Returns the request unchanged: here a redirect is a separate load, which needs the mark too.
        static func removed(from request: URLRequest) -> URLRequest { request }
    #endif
}

/// The stubber that a protocol class or a mark belongs to, or what is known of it after it was released.
struct RequestOwner {
    let stubber: Stubber?
    let identity: TestIdentity?
    let loader: LiveLoader
    var refusal = Miss.Reason.testEnded

    fileprivate init(_ stubber: Stubber?, identity: TestIdentity?, loader: LiveLoader) {
        self.stubber = stubber
        self.identity = identity
        self.loader = loader
    }

    init(refusing reason: Miss.Reason) {
        self.init(nil, identity: nil, loader: .shared)
        refusal = reason
    }
}

/// The protocol classes of one stubber.
///
/// A task-local is visible in `canInit` but not in `startLoading`. The only thing that the loading system carries from
/// one to the other is the class, so each stubber has its own classes.
struct ProtocolClasses: Sendable {
    let routed: CassetteURLProtocol.Type
    let session: CassetteURLProtocol.Type

    fileprivate init(number: Int) { (routed, session) = Self.classes(Zero.self, digits: number) }

    /// Nests a generic type for each binary digit of the number, so there are always enough classes.
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

final class StubberRegistry: Sendable {
    static let shared = StubberRegistry()

    fileprivate struct Entry {
        weak var stubber: Stubber?
        let id: ObjectIdentifier
        let identity: TestIdentity?
        let loader: LiveLoader
        /// Retains the stubber until its test ends, if a configuration uses its classes.
        var hold: StubberHold?
    }

    fileprivate struct Waiting {
        let classes: ProtocolClasses
        var freeSince: Int?
    }

    private struct MarkedStubber {
        weak var stubber: Stubber?
        let identity: TestIdentity?
    }

    fileprivate struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var classes: [ObjectIdentifier: ProtocolClasses] = [:]
        var line: [Waiting] = []
        var turn = 0
    }

    private struct Marks {
        /// The stubbers with marked requests; a mark is an index into this array and is never reused.
        var stubbers: [MarkedStubber] = []
        var numbers: [ObjectIdentifier: Int] = [:]
        var interception: InterceptionHold?
    }

    // Classes are reused only after this many turns, so that a request that was just accepted keeps its stubber.
    private static let turns = 256
    private let state = Locked(State())
    private let marks = Locked(Marks())

    // MARK: Classes

    func classes(for stubber: Stubber) -> ProtocolClasses {
        state.withLock { $0.classes(for: stubber, after: Self.turns) }
    }

    /// Retains a stubber until its test ends. A configuration uses its classes but cannot retain it.
    func keep(_ stubber: Stubber) {
        let hold = StubberHold(stubber)
        state.withLock { state in
            let classes = state.classes(for: stubber, after: Self.turns)
            for type in [classes.routed, classes.session] { state.entries[ObjectIdentifier(type)]?.hold = hold }
        }
    }

    func owner(of type: AnyClass) -> RequestOwner? {
        state.withLock { state in
            state.entries[ObjectIdentifier(type)].map {
                RequestOwner($0.stubber, identity: $0.identity, loader: $0.loader)
            }
        }
    }

    var count: Int { state.withLock { $0.line.count } }

    // MARK: Marks

    /// From the first mark on, sessions stay intercepted: a marked request must not go live after its test.
    func mark(of stubber: Stubber) -> Int {
        marks.withLock { marks in
            marks.interception =
                marks.interception ?? InterceptionHold(of: MarkedProtocol.self, isolating: false)
            let id = ObjectIdentifier(stubber)
            // A new stubber may have the address of a released one.
            if let known = marks.numbers[id], marks.stubbers[known].stubber === stubber { return known }
            marks.stubbers.append(MarkedStubber(stubber: stubber, identity: stubber.identity))
            marks.numbers[id] = marks.stubbers.count - 1
            return marks.stubbers.count - 1
        }
    }

    func owner(ofMark number: Int) -> RequestOwner? {
        let marked = marks.withLock { $0.stubbers.indices.contains(number) ? $0.stubbers[number] : nil }
        guard let marked else { return nil }
        guard let stubber = marked.stubber else {
            return RequestOwner(nil, identity: marked.identity, loader: .shared)
        }
        return owner(of: classes(for: stubber).routed)
    }

    /// For tests that check interception without marks.
    func stopInterceptingForMarks() { marks.withLock { $0.interception = nil } }
}

extension StubberRegistry.State {
    fileprivate mutating func classes(for stubber: Stubber, after turns: Int) -> ProtocolClasses {
        let id = ObjectIdentifier(stubber)
        // A new stubber may have the address of a released one.
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
            identity: stubber.identity,
            loader: .of(stubber)
        )
        entries[ObjectIdentifier(new.routed)] = entry
        entries[ObjectIdentifier(new.session)] = entry
        return new
    }

    /// Moves classes in use to the end of the line. Two steps a turn keep the line about as long as the list of stubbers.
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
