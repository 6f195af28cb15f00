import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#else
    import ObjectiveC
#endif

extension Stubber {
    /// A new session whose HTTP requests this stubber answers, on any thread and in any scope.
    ///
    /// Each access returns a new session with the default configuration. The session retains the stubber until
    /// ``eject(testFailed:)``.
    public var session: URLSession {
        let configuration = URLSessionConfiguration.default
        putProtocolClass(into: configuration)
        if let isolatedStorage { SharedStorage.replace(in: configuration, by: isolatedStorage) }
        return .retaining(self, configuration: configuration)
    }

    /// Makes this stubber answer every HTTP request of the sessions that are created from a configuration.
    ///
    /// If the configuration uses the shared storage for cookies, credentials and cached responses, that is replaced by the
    /// storage of the stubber's test, unless ``Stubber/Configuration/isolatesSharedStorage`` is `false`.
    ///
    /// ```swift
    /// let client = Client(session: URLSession(configuration: stubber.install(in: .default)))
    /// ```
    ///
    /// Rewind retains the stubber until ``eject(testFailed:)``.
    /// - Parameter configuration: The configuration to change. Create sessions from it after the call.
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

    /// Marks a request so that this stubber answers it, on any thread and whatever tests run at the same time.
    ///
    /// Use it with clients that create tasks on their own queues, where they let you change a request:
    ///
    /// ```swift
    /// AF.request(url, requestModifier: stubber.route)
    /// ```
    ///
    /// The mark is never sent, recorded or printed. After ``eject(testFailed:)``, marked requests fail with a miss. On Linux
    /// the mark is in the request's `mainDocumentURL` until the request is loaded.
    /// - Parameter request: The request to mark.
    public func route(_ request: inout URLRequest) {
        RequestMark.set(StubberRegistry.shared.mark(of: self), in: &request)
    }

    // MARK: The running code

    /// The stubber of the scope or test that the calling code runs in, otherwise the active stubber (``activate()``); `nil`
    /// if there is none.
    public static var current: Stubber? { (Route.current ?? ActiveRoutes.shared.ofProcess)?.stubber }

    /// Runs a closure whose requests this stubber answers, including those of the tasks it starts.
    ///
    /// Use it for code that does not inherit the test's task, such as a detached task, a timer or a block on a queue.
    /// - Parameter body: The closure to run.
    /// - Returns: The return value of the closure.
    /// - Throws: Any error that the closure throws.
    public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        let route = ActiveRoutes.shared.route(of: self) ?? Route(self)
        return try Route.$assignment.withValue(.route(route), operation: body)
    }

    /// Runs an async closure whose requests this stubber answers, including those of the tasks it starts.
    ///
    /// Use it for code that does not inherit the test's task, such as a detached task.
    /// - Parameters:
    ///   - isolation: The actor on which the closure runs; the caller's by default.
    ///   - body: The closure to run.
    /// - Returns: The return value of the closure.
    /// - Throws: Any error that the closure throws.
    public func run<Result>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        let route = ActiveRoutes.shared.route(of: self) ?? Route(self)
        return try await Route.$assignment.withValue(.route(route), operation: body)
    }
}

extension Route {
    convenience init(_ stubber: Stubber) {
        let type = StubberRegistry.shared.classes(for: stubber).routed
        let isolating = stubber.configuration.isolatesSharedStorage
        self.init(to: stubber, through: type, holding: InterceptionHold(of: type, isolating: isolating))
    }
}

/// Retains a stubber for a session or a configuration, until the stubber's test ends.
final class StubberHold: Sendable {
    private let stubber: Locked<Stubber?>

    init(_ stubber: Stubber) {
        self.stubber = Locked(stubber)
        stubber.whenEnded { [weak self] in self?.end() }
    }

    private func end() {
        // Released outside the lock, as this may be the last reference.
        let stubber = stubber.withLock { stubber in
            defer { stubber = nil }
            return stubber
        }
        withExtendedLifetime(stubber) {}
    }
}

extension URLSession {
    static func retaining(_ stubber: Stubber, configuration: URLSessionConfiguration) -> URLSession {
        let hold = StubberHold(stubber)
        #if canImport(FoundationNetworking)
            // The session retains its queue, and the queue retains the stubber under a key. The queue is otherwise the
            // same as the one that Foundation creates.
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
        // The initial settings are those of the machine, in every test.
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
        /// Makes this stubber answer every HTTP request that an existing session makes from now on. Linux only.
        ///
        /// swift-corelibs-foundation reads a session's configuration again for each task; on Apple platforms a session
        /// copies its configuration when it is created. The session's storage of cookies and credentials is not replaced.
        /// - Parameter session: The session to change.
        public func install(in session: URLSession) {
            putProtocolClass(into: session.configuration)
            StubberRegistry.shared.keep(self)
        }
    }
#endif
