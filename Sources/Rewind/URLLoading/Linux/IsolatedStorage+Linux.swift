#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// Redirects the storage that all sessions of a process share to the storage of the running test.
    ///
    /// Sessions retain the shared objects, so the objects stay and their classes are changed to subclasses, which forward
    /// each call to the storage of the test that makes it.
    enum SharedStorage {
        static let isReplaceable = true

        @Sendable static func install() throws -> @Sendable () -> Void {
            var changes: [ClassChange] = []
            do {
                changes.append(
                    try ClassChange(of: HTTPCookieStorage.shared, to: Isolated.HTTPCookieStorage.self)
                )
                changes.append(
                    try ClassChange(of: URLCredentialStorage.shared, to: Isolated.URLCredentialStorage.self)
                )
                // An app may have replaced the cache by one of its own class, which is then not changed.
                let isOwnCache = type(of: URLCache.shared) != URLCache.self
                if !isOwnCache {
                    changes.append(try ClassChange(of: URLCache.shared, to: Isolated.URLCache.self))
                }
                try verify(includingCache: !isOwnCache)
            } catch {
                for change in changes { change.undo() }
                throw error
            }
            return { [changes] in for change in changes { change.undo() } }
        }

        /// Must not be inlined: the compiler could then call the methods of the original classes directly.
        @inline(never)
        private static func verify(includingCache: Bool) throws {
            let storage = TestStorage()
            let credential = URLCredential(user: "rewind", password: "", persistence: .forSession)
            let space = URLProtectionSpace(
                host: "rewind.invalid",
                port: 80,
                protocol: "http",
                realm: nil,
                authenticationMethod: nil
            )
            let capacity = 54_321
            _ = storage.cookies(accepting: .never)
            _ = storage.cache(capacity: (capacity, 12_345))
            storage.credentials?.set(credential, for: space)
            try StorageOwner.$bound.withValue(.test(storage)) {
                for (name, isForwarded) in [
                    ("HTTPCookieStorage", HTTPCookieStorage.shared.cookieAcceptPolicy == .never),
                    (
                        "URLCredentialStorage",
                        URLCredentialStorage.shared.credentials(for: space) == ["rewind": credential]
                    ),
                    ("URLCache", !includingCache || URLCache.shared.memoryCapacity == capacity),
                ] where !isForwarded {
                    throw StorageIsolationError(cause: "calls to \(name) cannot be forwarded")
                }
            }
        }
    }

    struct ClassChange: Sendable {
        // Sound as nonisolated(unsafe): the first word of an object that `object` keeps alive. It is written only under
        // the lock of an `Installation`.
        private nonisolated(unsafe) let header: UnsafeMutableRawPointer
        // Sound as nonisolated(unsafe): it is never used, only kept alive.
        private nonisolated(unsafe) let object: AnyObject
        private let original: UInt
        private let changed: UInt

        /// Changes the class of an object to a subclass without stored properties.
        init(of object: AnyObject, to subclass: AnyClass) throws {
            let parent: AnyClass = type(of: object)
            header = Unmanaged.passUnretained(object).toOpaque()
            self.object = object
            original = unsafeBitCast(parent, to: UInt.self)
            changed = unsafeBitCast(subclass, to: UInt.self)
            let metadata = ClassMetadata(subclass)
            // In Swift's stable ABI, an object begins with the address of its class.
            guard header.load(as: UInt.self) == original, metadata.superclass == original,
                metadata.instanceSize == ClassMetadata(parent).instanceSize
            else { throw StorageIsolationError(cause: "the shared \(parent) is not as expected") }
            header.storeBytes(of: changed, as: UInt.self)
        }

        /// Restores the class of the object, unless other code has changed it since.
        func undo() {
            guard header.load(as: UInt.self) == changed else { return }
            header.storeBytes(of: original, as: UInt.self)
        }
    }

    /// The classes of the shared objects while tests run. They have the names that an app expects.
    ///
    /// They have no stored properties and are never instantiated: see ``ClassChange``. Outside of a test, or if its isolation
    /// is off, they call the superclass. A method that the superclass implements by calling others is not overridden.
    enum Isolated {
        final class HTTPCookieStorage: FoundationNetworking.HTTPCookieStorage, @unchecked Sendable {
            // Sound as @unchecked Sendable, like its parent: it adds no state.

            /// The test's storage. Foundation's HTTP protocol calls it on a queue, where only the URL identifies the test.
            private func own(loading url: URL? = nil) -> FoundationNetworking.HTTPCookieStorage? {
                StorageOwner.current(of: NativeLoads.shared.owner(loading: url)).storage?
                    .cookies(accepting: super.cookieAcceptPolicy)
            }

            override var cookies: [HTTPCookie]? { own().map(\.cookies) ?? super.cookies }

            override func cookies(for url: URL) -> [HTTPCookie]? {
                own(loading: url).map { $0.cookies(for: url) } ?? super.cookies(for: url)
            }

            override func sortedCookies(using sortOrder: [NSSortDescriptor]) -> [HTTPCookie] {
                own()?.sortedCookies(using: sortOrder) ?? super.sortedCookies(using: sortOrder)
            }

            override func setCookie(_ cookie: HTTPCookie) {
                own()?.setCookie(cookie) ?? super.setCookie(cookie)
            }

            override func setCookies(_ cookies: [HTTPCookie], for url: URL?, mainDocumentURL: URL?) {
                StorageOwner.$bound.withValue(.current(of: NativeLoads.shared.owner(loading: url))) {
                    super.setCookies(cookies, for: url, mainDocumentURL: mainDocumentURL)
                }
            }

            override func deleteCookie(_ cookie: HTTPCookie) {
                own()?.deleteCookie(cookie) ?? super.deleteCookie(cookie)
            }

            override func removeCookies(since date: Date) {
                own()?.removeCookies(since: date) ?? super.removeCookies(since: date)
            }

            override var cookieAcceptPolicy: HTTPCookie.AcceptPolicy {
                get { own()?.cookieAcceptPolicy ?? super.cookieAcceptPolicy }
                set { (own()?.cookieAcceptPolicy = newValue) ?? (super.cookieAcceptPolicy = newValue) }
            }
        }

        final class URLCredentialStorage: FoundationNetworking.URLCredentialStorage, @unchecked Sendable {
            // Sound as @unchecked Sendable, like its parent: it adds no state.

            private var own: FoundationNetworking.URLCredentialStorage? {
                StorageOwner.current().storage?.credentials
            }

            override var allCredentials: [URLProtectionSpace: [String: URLCredential]] {
                own?.allCredentials ?? super.allCredentials
            }

            override func credentials(for space: URLProtectionSpace) -> [String: URLCredential]? {
                own.map { $0.credentials(for: space) } ?? super.credentials(for: space)
            }

            override func set(_ credential: URLCredential, for space: URLProtectionSpace) {
                own?.set(credential, for: space) ?? super.set(credential, for: space)
            }

            override func remove(
                _ credential: URLCredential,
                for space: URLProtectionSpace,
                options: [String: AnyObject]?
            ) {
                own?.remove(credential, for: space, options: options)
                    ?? super.remove(credential, for: space, options: options)
            }

            override func defaultCredential(for space: URLProtectionSpace) -> URLCredential? {
                own.map { $0.defaultCredential(for: space) } ?? super.defaultCredential(for: space)
            }

            override func setDefaultCredential(_ credential: URLCredential, for space: URLProtectionSpace) {
                own?.setDefaultCredential(credential, for: space)
                    ?? super.setDefaultCredential(credential, for: space)
            }
        }

        final class URLCache: FoundationNetworking.URLCache, @unchecked Sendable {
            // Sound as @unchecked Sendable, like its parent: it adds no state.

            private var own: FoundationNetworking.URLCache? {
                StorageOwner.current().storage?.cache(capacity: (super.memoryCapacity, super.diskCapacity))
            }

            /// Runs code of the superclass with the owner of a task.
            private func withOwner(of task: URLSessionDataTask, _ body: () -> Void) {
                StorageOwner.$bound.withValue(.current(of: NativeLoads.shared.owner(of: task)), operation: body)
            }

            override func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
                own.map { $0.cachedResponse(for: request) } ?? super.cachedResponse(for: request)
            }

            override func getCachedResponse(
                for dataTask: URLSessionDataTask,
                completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
            ) {
                let owner = StorageOwner.current(of: NativeLoads.shared.owner(of: dataTask))
                guard let request = dataTask.currentRequest else { return completionHandler(nil) }
                // The superclass uses such a queue too, but without the owner.
                DispatchQueue.global(qos: .background).async {
                    completionHandler(
                        StorageOwner.$bound.withValue(owner) { self.cachedResponse(for: request) }
                    )
                }
            }

            override func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {
                own?.storeCachedResponse(cachedResponse, for: request)
                    ?? super.storeCachedResponse(cachedResponse, for: request)
            }

            override func storeCachedResponse(
                _ cachedResponse: CachedURLResponse,
                for dataTask: URLSessionDataTask
            ) {
                withOwner(of: dataTask) { super.storeCachedResponse(cachedResponse, for: dataTask) }
            }

            override func removeCachedResponse(for request: URLRequest) {
                own?.removeCachedResponse(for: request) ?? super.removeCachedResponse(for: request)
            }

            override func removeCachedResponse(for dataTask: URLSessionDataTask) {
                withOwner(of: dataTask) { super.removeCachedResponse(for: dataTask) }
            }

            override func removeAllCachedResponses() {
                own?.removeAllCachedResponses() ?? super.removeAllCachedResponses()
            }

            override func removeCachedResponses(since date: Date) {
                own?.removeCachedResponses(since: date) ?? super.removeCachedResponses(since: date)
            }

            override var memoryCapacity: Int {
                get { own?.memoryCapacity ?? super.memoryCapacity }
                set { (own?.memoryCapacity = newValue) ?? (super.memoryCapacity = newValue) }
            }

            override var diskCapacity: Int {
                get { own?.diskCapacity ?? super.diskCapacity }
                set { (own?.diskCapacity = newValue) ?? (super.diskCapacity = newValue) }
            }

            override var currentMemoryUsage: Int { own?.currentMemoryUsage ?? super.currentMemoryUsage }
            override var currentDiskUsage: Int { own?.currentDiskUsage ?? super.currentDiskUsage }
        }
    }
#endif
