#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// The storage that all sessions of a process share, made to be that of the running test.
    ///
    /// Sessions keep references to the shared objects, so these stay and are given other classes, which forward each
    /// call to the storage of the test that makes it.
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
                // An app may have replaced this one by an object of a class of its own, which is then left alone.
                if type(of: URLCache.shared) == URLCache.self {
                    changes.append(try ClassChange(of: URLCache.shared, to: Isolated.URLCache.self))
                }
                try verify(isCacheChanged: changes.count == 3)
            } catch {
                for change in changes { change.undo() }
                throw error
            }
            return { [changes] in for change in changes { change.undo() } }
        }

        /// Checks that calls arrive at the storage of a test.
        private static func verify(isCacheChanged: Bool) throws {
            let storage = TestStorage()
            let (memory, disk) = (54_321, 12_345)
            _ = storage.cookies(accepting: .never)
            _ = storage.cache(capacity: (memory, disk))
            try StorageOwner.$bound.withValue(.test(storage)) {
                guard policy(of: HTTPCookieStorage.shared) == .never else {
                    throw StorageIsolationError(cause: "calls of HTTPCookieStorage cannot be forwarded")
                }
                let space = URLProtectionSpace(
                    host: "rewind.invalid",
                    port: 80,
                    protocol: "http",
                    realm: nil,
                    authenticationMethod: nil
                )
                let credential = URLCredential(user: "rewind", password: "", persistence: .forSession)
                storage.credentials?.set(credential, for: space)
                guard credentials(of: URLCredentialStorage.shared, for: space) == ["rewind": credential] else {
                    throw StorageIsolationError(cause: "calls of URLCredentialStorage cannot be forwarded")
                }
                guard !isCacheChanged || capacity(of: URLCache.shared) == memory else {
                    throw StorageIsolationError(cause: "calls of URLCache cannot be forwarded")
                }
            }
        }

        // Each asks through the table of methods; inlined, the compiler would answer from what it knows of the class.

        @inline(never)
        private static func policy(of storage: HTTPCookieStorage) -> HTTPCookie.AcceptPolicy {
            storage.cookieAcceptPolicy
        }

        @inline(never)
        private static func credentials(
            of storage: URLCredentialStorage,
            for space: URLProtectionSpace
        ) -> [String: URLCredential]? {
            storage.credentials(for: space)
        }

        @inline(never)
        private static func capacity(of cache: URLCache) -> Int {
            cache.memoryCapacity
        }
    }

    /// Another class for one object, until it is undone.
    struct ClassChange: Sendable {
        // Sound as nonisolated(unsafe): the first word of an object that `object` keeps alive. It is written under the
        // lock of an `Installation` only.
        private nonisolated(unsafe) let header: UnsafeMutableRawPointer
        // Sound as nonisolated(unsafe): it is never used, only kept alive.
        private nonisolated(unsafe) let object: AnyObject
        private let original: UInt
        private let changed: UInt

        // The layout of objects and of class metadata is part of Swift's stable ABI: an object begins with the address
        // of its class, where the superclass stands at byte 8 and the size of instances at byte 24.
        private static let superclassOffset = 8
        private static let instanceSizeOffset = 24

        /// Changes the class of an object to a subclass without stored properties.
        /// - Throws: ``StorageIsolationError`` when the object or the classes are other than expected.
        init(of object: AnyObject, to subclass: AnyClass) throws {
            let parent: AnyClass = type(of: object)
            header = Unmanaged.passUnretained(object).toOpaque()
            self.object = object
            original = Self.address(of: parent)
            changed = Self.address(of: subclass)
            let isSubclass = Self.word(at: Self.superclassOffset, of: subclass) == original
            guard header.load(as: UInt.self) == original, isSubclass,
                Self.instanceSize(of: subclass) == Self.instanceSize(of: parent)
            else { throw StorageIsolationError(cause: "the shared \(parent) is not as expected") }
            header.storeBytes(of: changed, as: UInt.self)
        }

        /// Gives the object its own class again, unless somebody else has changed it since.
        func undo() {
            guard header.load(as: UInt.self) == changed else { return }
            header.storeBytes(of: original, as: UInt.self)
        }

        private static func address(of type: AnyClass) -> UInt {
            unsafeBitCast(type, to: UInt.self)
        }

        private static func word(at offset: Int, of type: AnyClass) -> UInt {
            unsafeBitCast(type, to: UnsafeRawPointer.self).load(fromByteOffset: offset, as: UInt.self)
        }

        private static func instanceSize(of type: AnyClass) -> UInt32 {
            unsafeBitCast(type, to: UnsafeRawPointer.self)
                .load(fromByteOffset: instanceSizeOffset, as: UInt32.self)
        }
    }
#endif
