#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// The classes of the shared objects while tests run; they have the names that an app expects to see.
    ///
    /// None has stored properties, and none is ever made: see `ClassChange`. Where the running code has no test or its
    /// test turned isolation off, each call goes to the object itself.
    enum Isolated {
        final class HTTPCookieStorage: FoundationNetworking.HTTPCookieStorage, @unchecked Sendable {
            // Sound as @unchecked Sendable, like its parent: it adds no state.

            /// The test's storage. The native protocol uses it on a queue, where only the URL tells whose it is.
            private func own(loading url: URL? = nil) -> FoundationNetworking.HTTPCookieStorage? {
                StorageOwner.current(of: NativeLoads.shared.owner(loading: url)).storage?
                    .cookies(accepting: super.cookieAcceptPolicy)
            }

            override var cookies: [HTTPCookie]? {
                if let own = own() { own.cookies } else { super.cookies }
            }

            override func cookies(for url: URL) -> [HTTPCookie]? {
                if let own = own(loading: url) { own.cookies(for: url) } else { super.cookies(for: url) }
            }

            override func sortedCookies(using sortOrder: [NSSortDescriptor]) -> [HTTPCookie] {
                if let own = own() {
                    own.sortedCookies(using: sortOrder)
                } else {
                    super.sortedCookies(using: sortOrder)
                }
            }

            override func setCookie(_ cookie: HTTPCookie) {
                if let own = own() { own.setCookie(cookie) } else { super.setCookie(cookie) }
            }

            override func setCookies(_ cookies: [HTTPCookie], for url: URL?, mainDocumentURL: URL?) {
                if let own = own(loading: url) {
                    own.setCookies(cookies, for: url, mainDocumentURL: mainDocumentURL)
                } else {
                    StorageOwner.$bound.withValue(.machine) {
                        super.setCookies(cookies, for: url, mainDocumentURL: mainDocumentURL)
                    }
                }
            }

            override func deleteCookie(_ cookie: HTTPCookie) {
                if let own = own() { own.deleteCookie(cookie) } else { super.deleteCookie(cookie) }
            }

            override func removeCookies(since date: Date) {
                if let own = own() { own.removeCookies(since: date) } else { super.removeCookies(since: date) }
            }

            override var cookieAcceptPolicy: HTTPCookie.AcceptPolicy {
                get { own()?.cookieAcceptPolicy ?? super.cookieAcceptPolicy }
                set {
                    if let own = own() {
                        own.cookieAcceptPolicy = newValue
                    } else {
                        super.cookieAcceptPolicy = newValue
                    }
                }
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
                if let own { own.credentials(for: space) } else { super.credentials(for: space) }
            }

            override func set(_ credential: URLCredential, for space: URLProtectionSpace) {
                if let own { own.set(credential, for: space) } else { super.set(credential, for: space) }
            }

            override func remove(_ credential: URLCredential, for space: URLProtectionSpace) {
                if let own { own.remove(credential, for: space) } else { super.remove(credential, for: space) }
            }

            override func remove(
                _ credential: URLCredential,
                for space: URLProtectionSpace,
                options: [String: AnyObject]?
            ) {
                if let own {
                    own.remove(credential, for: space, options: options)
                } else {
                    super.remove(credential, for: space, options: options)
                }
            }

            override func defaultCredential(for space: URLProtectionSpace) -> URLCredential? {
                if let own { own.defaultCredential(for: space) } else { super.defaultCredential(for: space) }
            }

            override func setDefaultCredential(_ credential: URLCredential, for space: URLProtectionSpace) {
                if let own {
                    own.setDefaultCredential(credential, for: space)
                } else {
                    super.setDefaultCredential(credential, for: space)
                }
            }
        }

        final class URLCache: FoundationNetworking.URLCache, @unchecked Sendable {
            // Sound as @unchecked Sendable, like its parent: it adds no state.

            private func own(_ owner: StorageOwner = .current()) -> FoundationNetworking.URLCache? {
                owner.storage?.cache(capacity: (super.memoryCapacity, super.diskCapacity))
            }

            private func own(for task: URLSessionDataTask) -> FoundationNetworking.URLCache? {
                own(.current(of: NativeLoads.shared.owner(of: task)))
            }

            override func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
                if let own = own() {
                    own.cachedResponse(for: request)
                } else {
                    super.cachedResponse(for: request)
                }
            }

            override func getCachedResponse(
                for dataTask: URLSessionDataTask,
                completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
            ) {
                if let own = own(for: dataTask) {
                    return own.getCachedResponse(for: dataTask, completionHandler: completionHandler)
                }
                // The parent looks on a queue, where the owner that was found here would not be known.
                guard let request = dataTask.currentRequest else { return completionHandler(nil) }
                DispatchQueue.global(qos: .background).async {
                    completionHandler(
                        StorageOwner.$bound.withValue(.machine) { self.cachedResponse(for: request) }
                    )
                }
            }

            override func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {
                if let own = own() {
                    own.storeCachedResponse(cachedResponse, for: request)
                } else {
                    super.storeCachedResponse(cachedResponse, for: request)
                }
            }

            override func storeCachedResponse(
                _ cachedResponse: CachedURLResponse,
                for dataTask: URLSessionDataTask
            ) {
                if let own = own(for: dataTask) {
                    own.storeCachedResponse(cachedResponse, for: dataTask)
                } else {
                    StorageOwner.$bound.withValue(.machine) {
                        super.storeCachedResponse(cachedResponse, for: dataTask)
                    }
                }
            }

            override func removeCachedResponse(for request: URLRequest) {
                if let own = own() {
                    own.removeCachedResponse(for: request)
                } else {
                    super.removeCachedResponse(for: request)
                }
            }

            override func removeCachedResponse(for dataTask: URLSessionDataTask) {
                if let own = own(for: dataTask) {
                    own.removeCachedResponse(for: dataTask)
                } else {
                    StorageOwner.$bound.withValue(.machine) { super.removeCachedResponse(for: dataTask) }
                }
            }

            override func removeAllCachedResponses() {
                if let own = own() { own.removeAllCachedResponses() } else { super.removeAllCachedResponses() }
            }

            override func removeCachedResponses(since date: Date) {
                if let own = own() {
                    own.removeCachedResponses(since: date)
                } else {
                    super.removeCachedResponses(since: date)
                }
            }

            override var memoryCapacity: Int {
                get { own()?.memoryCapacity ?? super.memoryCapacity }
                set {
                    if let own = own() {
                        own.memoryCapacity = newValue
                    } else {
                        super.memoryCapacity = newValue
                    }
                }
            }

            override var diskCapacity: Int {
                get { own()?.diskCapacity ?? super.diskCapacity }
                set {
                    if let own = own() { own.diskCapacity = newValue } else { super.diskCapacity = newValue }
                }
            }

            override var currentMemoryUsage: Int { own()?.currentMemoryUsage ?? super.currentMemoryUsage }

            override var currentDiskUsage: Int { own()?.currentDiskUsage ?? super.currentDiskUsage }
        }
    }
#endif
