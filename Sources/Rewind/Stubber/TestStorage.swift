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

    /// The test's cookies.
    /// - Parameter policy: Which cookies it accepts until the test says otherwise.
    /// - Returns: The storage, which is made at the first call.
    func cookies(accepting policy: @autoclosure () -> HTTPCookie.AcceptPolicy) -> HTTPCookieStorage? {
        make(\.cookies) {
            let cookies = URLSessionConfiguration.ephemeral.httpCookieStorage
            cookies?.cookieAcceptPolicy = policy()
            return cookies
        }
    }

    /// The test's credentials.
    var credentials: URLCredentialStorage? {
        make(\.credentials) { URLSessionConfiguration.ephemeral.urlCredentialStorage }
    }

    /// The test's cached responses.
    /// - Parameter capacity: How many bytes it may hold in memory, and how many it says it may hold on the disk.
    /// - Returns: The cache, which is made at the first call.
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
