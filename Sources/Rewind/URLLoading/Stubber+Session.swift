import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#else
    import ObjectiveC
#endif

extension Stubber {
    /// A new session all of whose HTTP requests this stubber decides about, whatever else is going on.
    ///
    /// The session keeps the stubber until ``eject(testFailed:)``.
    public var session: URLSession {
        let configuration = URLSessionConfiguration.default
        putProtocolClass(into: configuration)
        if let isolatedStorage { SharedStorage.replace(in: configuration, by: isolatedStorage) }
        return .keeping(self, configuration: configuration)
    }

    /// Makes the sessions created from a configuration ask this stubber about every HTTP request.
    ///
    /// Where the configuration uses the shared storage of cookies, credentials and cached responses, it is given that of
    /// the stubber's test, unless ``Stubber/Configuration/isolatesSharedStorage`` is `false`.
    ///
    /// ```swift
    /// let client = Client(session: URLSession(configuration: stubber.install(in: .default)))
    /// ```
    ///
    /// The stubber is kept until ``eject(testFailed:)``, as a configuration may be copied any number of times.
    /// - Parameter configuration: The configuration, to be used after the call.
    /// - Returns: The same configuration.
    @discardableResult
    public func install(in configuration: URLSessionConfiguration) -> URLSessionConfiguration {
        putProtocolClass(into: configuration)
        if let isolatedStorage { SharedStorage.replace(in: configuration, by: isolatedStorage) }
        StubberRegistry.shared.keep(self)
        return configuration
    }

    func putProtocolClass(into configuration: URLSessionConfiguration) {
        let own: AnyClass = StubberRegistry.shared.classes(for: self).session
        configuration.protocolClasses = [own] + (configuration.protocolClasses ?? []).filter { $0 != own }
    }

    /// Marks a request as one that this stubber decides about, on whatever thread it is made and whatever tests run.
    ///
    /// For clients that make their tasks on queues of their own, in the place where they let a request be changed:
    ///
    /// ```swift
    /// AF.request(url, requestModifier: stubber.route)
    /// ```
    ///
    /// The mark is never sent, recorded or shown. Once the stubber is ejected, requests with it are refused. On Linux it
    /// stands in the request's `mainDocumentURL` until the request is loaded.
    /// - Parameter request: The request.
    public func route(_ request: inout URLRequest) {
        RequestMark.set(StubberRegistry.shared.mark(of: self), in: &request)
    }

    // MARK: The running code

    /// The stubber of the code that runs, where there is one.
    public static var current: Stubber? { Route.current?.stubber }

    /// Runs code whose requests, and those of the tasks it starts, this stubber decides about.
    ///
    /// For work that does not inherit the test's task, such as a detached task, a timer or a block on a queue.
    /// - Parameter body: The code.
    /// - Returns: What the code returns.
    /// - Throws: What the code throws.
    public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        let route = ActiveRoutes.shared.route(of: self) ?? Route(self)
        return try Route.$current.withValue(route, operation: body)
    }

    /// Runs code whose requests, and those of the tasks it starts, this stubber decides about.
    ///
    /// For work that does not inherit the test's task, such as a detached task.
    /// - Parameters:
    ///   - isolation: The actor on which the code runs; the caller's.
    ///   - body: The code.
    /// - Returns: What the code returns.
    /// - Throws: What the code throws.
    public func run<Result>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        let route = ActiveRoutes.shared.route(of: self) ?? Route(self)
        return try await Route.$current.withValue(route, operation: body)
    }
}

extension Route {
    convenience init(_ stubber: Stubber) {
        let type = StubberRegistry.shared.classes(for: stubber).routed
        let isolating = stubber.configuration.isolatesSharedStorage
        self.init(to: stubber, through: type, keeping: InterceptionHold(of: type, isolating: isolating))
    }
}

/// Keeps a stubber alive for a session or a configuration, until the stubber's test is over.
final class StubberHold: Sendable {
    private let stubber: Locked<Stubber?>

    init(_ stubber: Stubber) {
        self.stubber = Locked(stubber)
        stubber.whenOver { [weak self] in self?.end() }
    }

    private func end() {
        // Let go outside the lock, for this may be the last that keeps it.
        let stubber = stubber.withLock { stubber in
            defer { stubber = nil }
            return stubber
        }
        withExtendedLifetime(stubber) {}
    }
}

extension URLSession {
    static func keeping(_ stubber: Stubber, configuration: URLSessionConfiguration) -> URLSession {
        let hold = StubberHold(stubber)
        #if canImport(FoundationNetworking)
            // The session keeps its queue, and that keeps what is put under a key. All else is as Foundation makes it.
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 1
            let underlying = DispatchQueue(label: "rewind.session", attributes: .concurrent)
            underlying.setSpecific(key: StubberHold.key, value: hold)
            queue.underlyingQueue = underlying
            return URLSession(configuration: configuration, delegate: nil, delegateQueue: queue)
        #else
            let session = URLSession(configuration: configuration)
            objc_setAssociatedObject(session, StubberHold.key, hold, .OBJC_ASSOCIATION_RETAIN)
            return session
        #endif
    }
}

extension StubberHold {
    #if canImport(FoundationNetworking)
        fileprivate static let key = DispatchSpecificKey<StubberHold>()
    #else
        // Sound as nonisolated(unsafe): only its address is used, as a key.
        fileprivate nonisolated(unsafe) static let key = UnsafeRawPointer(
            UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
        )
    #endif
}

extension SharedStorage {
    static func replace(in configuration: URLSessionConfiguration, by storage: TestStorage) {
        guard isReplaceable else { return }
        // The settings to begin with are the machine's, whatever test asks.
        StorageOwner.$bound.withValue(.machine) {
            let (cookies, cache) = (HTTPCookieStorage.shared, URLCache.shared)
            if configuration.httpCookieStorage === cookies {
                configuration.httpCookieStorage = storage.cookies(accepting: cookies.cookieAcceptPolicy)
            }
            if configuration.urlCredentialStorage === URLCredentialStorage.shared {
                configuration.urlCredentialStorage = storage.credentials
            }
            if configuration.urlCache === cache {
                configuration.urlCache = storage.cache(capacity: (cache.memoryCapacity, cache.diskCapacity))
            }
        }
    }
}

#if canImport(FoundationNetworking)
    extension Stubber {
        /// Makes a session that exists already ask this stubber about every HTTP request it makes from now on.
        ///
        /// Only swift-corelibs-foundation reads a session's configuration again for each task; on Apple's platforms a
        /// session keeps the one it was made with. The session keeps its storage of cookies and credentials too.
        /// - Parameter session: The session.
        public func install(in session: URLSession) {
            putProtocolClass(into: session.configuration)
            StubberRegistry.shared.keep(self)
        }
    }
#endif
