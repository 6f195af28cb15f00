import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The cookies, credentials and cached responses of one test, in memory only.
///
/// It starts empty; only settings, such as which cookies are accepted, begin as they are in the machine's own storage.
final class TestStorage: Sendable {
    private struct Made: Sendable {
        var cookies: HTTPCookieStorage?
        var credentials: URLCredentialStorage?
        var cache: URLCache?
    }

    private let made = Locked(Made())

    func cookies(accepting policy: @autoclosure () -> HTTPCookie.AcceptPolicy) -> HTTPCookieStorage? {
        make(\.cookies) {
            let cookies = URLSessionConfiguration.ephemeral.httpCookieStorage
            cookies?.cookieAcceptPolicy = policy()
            return cookies
        }
    }

    var credentials: URLCredentialStorage? {
        make(\.credentials) { URLSessionConfiguration.ephemeral.urlCredentialStorage }
    }

    func cache(capacity: @autoclosure () -> (memory: Int, disk: Int)) -> URLCache? {
        make(\.cache) {
            let capacity = capacity()
            // Without a path Foundation reads the machine's folder even where the capacity on disk is 0. Below a file
            // there can be no folder, so this cache has none.
            return URLCache(
                memoryCapacity: capacity.memory,
                diskCapacity: capacity.disk,
                diskPath: "/dev/null/none"
            )
        }
    }

    /// The value of a member, made outside of the lock, as what makes it may ask this storage.
    private func make<Value>(_ member: WritableKeyPath<Made, Value?>, _ new: () -> Value?) -> Value? {
        if let value = made.withLock({ $0[keyPath: member] }) { return value }
        let value = new()
        return made.withLock { made in
            if let first = made[keyPath: member] { return first }
            made[keyPath: member] = value
            return value
        }
    }
}

extension Stubber {
    /// The storage of its test; `nil` where the configuration turns isolation off.
    ///
    /// A scope inside another belongs to the same test and shares its storage.
    var isolatedStorage: TestStorage? {
        guard configuration.isolatesSharedStorage else { return nil }
        return state.withLock { $0.outer }?.isolatedStorage ?? storage
    }
}

/// Whose cookies, credentials and cached responses the running code means by the shared ones.
enum StorageOwner: Sendable {
    /// The machine's, that is, those of the process when no test runs.
    case machine
    case test(TestStorage)

    /// The owner for work on a queue, where there is no route.
    @TaskLocal static var bound: StorageOwner?

    init(of stubber: Stubber) { self = stubber.isolatedStorage.map(Self.test) ?? .machine }

    /// The owner for the code that runs.
    ///
    /// Work of one of several tests that does not say which is given an empty storage. It must see neither the cookies
    /// of another test nor those of the machine.
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

    var storage: TestStorage? {
        if case .test(let storage) = self { return storage }
        return nil
    }
}
