import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#else
    import ObjectiveC
#endif

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
    /// A session that keeps a stubber as long as it exists itself.
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
