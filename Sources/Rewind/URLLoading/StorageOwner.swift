import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Whose cookies, credentials and cached responses the running code means by the shared ones.
enum StorageOwner: Sendable {
    /// The machine's, that is, those of the process when no test runs.
    case machine
    /// Those of a test.
    case test(TestStorage)

    /// The owner for work on a queue, where there is no route.
    @TaskLocal static var bound: StorageOwner?

    /// The owner for the requests of a stubber.
    init(of stubber: Stubber) {
        self = stubber.isolatedStorage.map(Self.test) ?? .machine
    }

    /// The owner for the code that runs.
    ///
    /// Work of one of several tests that does not say which is given an empty storage. It must see neither the cookies
    /// of another test nor those of the machine.
    /// - Parameter load: The owner of the native load that is the reason of the call, where there is one.
    /// - Returns: The owner.
    static func current(of load: @autoclosure () -> StorageOwner? = nil) -> StorageOwner {
        if let bound { return bound }
        if let route = Route.current { return StorageOwner(of: route.stubber) }
        if RunningTest.isKnown { return .machine }
        if let owner = load() { return owner }
        switch ActiveRoutes.shared.destination {
        case .network: return .machine
        case .stubber(let route): return StorageOwner(of: route.stubber)
        case .nowhere: return .nobody
        }
    }

    /// An empty storage that nobody sees again.
    static var nobody: StorageOwner { .test(TestStorage()) }

    /// The storage of the test; `nil` for the machine's.
    var storage: TestStorage? {
        if case .test(let storage) = self { return storage }
        return nil
    }
}

extension SharedStorage {
    /// Replaces the shared storage in a configuration, and leaves any other.
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

extension Configuration {
    /// The same, with the storage of a stubber's test on the live side.
    func isolated(by stubber: Stubber) -> Configuration {
        guard let storage = stubber.isolatedStorage,
            let session = liveSession?.copy() as? URLSessionConfiguration
        else { return self }
        SharedStorage.replace(in: session, by: storage)
        var isolated = self
        isolated.liveSession = session
        return isolated
    }
}
