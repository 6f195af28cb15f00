import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The cookies, credentials and cached responses of one test, stored in memory.
///
/// It starts empty. Only settings, such as the cookie policy, are copied from the process's own storage.
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
            // Without a path, Foundation reads the machine's folder even with a disk capacity of 0. This cache has no folder,
            // as a folder cannot exist below a file.
            return URLCache(
                memoryCapacity: capacity.memory,
                diskCapacity: capacity.disk,
                diskPath: "/dev/null/none"
            )
        }
    }

    /// Returns the value of a member. It is created outside the lock, as its initializer may use this storage.
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
    /// The storage of the test; `nil` if the configuration turns isolation off.
    ///
    /// A nested scope belongs to the same test and shares its storage.
    var isolatedStorage: TestStorage? {
        guard configuration.isolatesSharedStorage else { return nil }
        return state.withLock { $0.outer }?.isolatedStorage ?? storage
    }
}

/// The owner of the storage that the shared cookies, credentials and cached responses of the running code belong to.
enum StorageOwner: Sendable {
    /// The process, when no test runs.
    case machine
    case test(TestStorage)

    /// The owner for work on a queue, which has no route.
    @TaskLocal static var bound: StorageOwner?

    init(of stubber: Stubber) { self = stubber.isolatedStorage.map(Self.test) ?? .machine }

    /// The owner for the running code.
    ///
    /// Code that could belong to several running tests gets an empty storage. It must see neither the cookies of another
    /// test nor those of the machine.
    static func current(of load: @autoclosure () -> StorageOwner? = nil) -> StorageOwner {
        if let bound { return bound }
        if let route = Route.current { return StorageOwner(of: route.stubber) }
        if RunningTest.isKnown { return ActiveRoutes.shared.ofProcess.map { Self(of: $0.stubber) } ?? .machine }
        if let owner = load() { return owner }
        switch ActiveRoutes.shared.destination {
        case .network: return .machine
        case .stubber(let route): return StorageOwner(of: route.stubber)
        case .nowhere: return .nobody
        }
    }

    /// An empty storage that is used only once.
    static var nobody: StorageOwner { .test(TestStorage()) }

    var storage: TestStorage? {
        if case .test(let storage) = self { return storage }
        return nil
    }
}
