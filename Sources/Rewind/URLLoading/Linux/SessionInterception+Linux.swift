#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// Intercepts every session on Linux: makes Foundation's HTTP protocol decline, so that Rewind's protocols are called.
    ///
    /// swift-corelibs-foundation first calls the protocol classes of a session's configuration, and the first of these is
    /// its own HTTP protocol, which accepts. Rewind finds the entry of `canInit` in that class's method table by comparing
    /// the tables of three known classes, replaces it with a function that returns `false`, verifies that, and restores
    /// it at the end.
    enum SessionInterception {
        static func register(_ type: CassetteURLProtocol.Type) { _ = URLProtocol.registerClass(type) }
        static func unregister(_ type: CassetteURLProtocol.Type) { URLProtocol.unregisterClass(type) }

        @Sendable static func install() throws -> @Sendable () -> Void {
            // `shared` copies the list of registered classes on first use, before Rewind's are in it.
            _ = URLSession.shared
            guard let native = NativeHTTPProtocol.nativeClass, accepts(native) else {
                throw InterceptionError(cause: "its HTTP protocol was not found")
            }
            // Sound as nonisolated(unsafe): an address in a class's metadata, which is never freed. It is written only
            // here and in the undo, both of which run under the lock of `Installation`.
            nonisolated(unsafe) let entry = try entryOfCanInit(of: native)
            let original = entry.load(as: UInt.self)
            entry.storeBytes(of: unsafeBitCast(decline, to: UInt.self), as: UInt.self)
            let restore: @Sendable () -> Void = { entry.storeBytes(of: original, as: UInt.self) }
            guard !accepts(native) else {
                restore()
                throw InterceptionError(cause: "its HTTP protocol still accepts requests")
            }
            let own: [AnyClass] = [PassthroughProtocol.self, UnroutableProtocol.self]
            for type in own { _ = URLProtocol.registerClass(type) }
            return {
                for type in own { URLProtocol.unregisterClass(type) }
                restore()
            }
        }

        private static let decline: @convention(c) () -> Bool = { false }

        /// The address of the entry of `canInit` in the metadata of a protocol class. At its offset, a class that overrides
        /// only `canInit` differs from its superclass, and a class that overrides nothing does not.
        private static func entryOfCanInit(of type: AnyClass) throws -> UnsafeMutableRawPointer {
            let parent = ClassMetadata(URLProtocol.self)
            let (plain, overriding) = (ClassMetadata(PlainProbe.self), ClassMetadata(OverridingProbe.self))
            let offsets = parent.offsetsOfMethods.filter { offset in
                parent.word(at: offset) == plain.word(at: offset)
                    && parent.word(at: offset) != overriding.word(at: offset)
            }
            let metadata = ClassMetadata(type)
            guard offsets.count == 1, metadata.offsetsOfMethods.contains(offsets[0]) else {
                throw InterceptionError(cause: "its method table is not as expected")
            }
            return metadata.address + offsets[0]
        }

        /// Calls `canInit` through the method table. If this were inlined, the compiler could call it directly.
        @inline(never)
        private static func accepts(_ type: URLProtocol.Type) -> Bool {
            guard let url = URL(string: "http://rewind.invalid/") else { return false }
            return type.canInit(with: URLRequest(url: url))
        }

        private class PlainProbe: URLProtocol {}
        private class OverridingProbe: URLProtocol {
            override class func canInit(with request: URLRequest) -> Bool { request.url == nil }
        }
    }

    /// The metadata of a class, whose layout is part of Swift's stable ABI.
    struct ClassMetadata {
        let address: UnsafeMutableRawPointer

        init(_ type: AnyClass) { address = unsafeBitCast(type, to: UnsafeMutableRawPointer.self) }

        var superclass: UInt { word(at: 8) }
        var instanceSize: UInt32 { address.load(fromByteOffset: 24, as: UInt32.self) }

        /// The offsets of the methods, which follow the descriptor at bytes 40 to 55. The total size is at byte 32; byte 36
        /// has the size of the part before the address.
        var offsetsOfMethods: StrideTo<Int> {
            let whole = Int(address.load(fromByteOffset: 32, as: UInt32.self))
            let before = Int(address.load(fromByteOffset: 36, as: UInt32.self))
            return stride(from: 56, to: whole - before, by: MemoryLayout<UInt>.size)
        }

        func word(at offset: Int) -> UInt { address.load(fromByteOffset: offset, as: UInt.self) }
    }

    /// Loads with Foundation's HTTP protocol, for the same task, client and queue, while that declines requests itself.
    class NativeHTTPProtocol: URLProtocol {
        static let nativeClass: URLProtocol.Type? = {
            let classes = URLSessionConfiguration.default.protocolClasses ?? []
            return classes.first { "\($0)".contains("HTTP") } as? URLProtocol.Type
        }()

        private var native: URLProtocol?

        override class func canInit(with request: URLRequest) -> Bool { request.isLoadedByHTTP }
        override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

        override func startLoading() {
            if native == nil {
                native = Self.chain(behind: self)
                // Not in the app's own loads, which must behave as without Rewind.
                if let native, type(of: self) == NativeHTTPProtocol.self { HeaderBytes.accept(in: native) }
            }
            native?.startLoading()
        }

        override func stopLoading() {
            // If the task was resumed before this call, Foundation would crash.
            if task?.state != .running { native?.stopLoading() }
        }

        static func chain(behind outer: URLProtocol) -> URLProtocol? {
            guard let task = outer.task else { return nil }
            return nativeClass?.init(task: task, cachedResponse: outer.cachedResponse, client: outer.client)
        }
    }

    /// The owners of the tasks that Foundation's HTTP protocol loads: it stores cookies and responses on a queue where no
    /// route is visible.
    final class NativeLoads: Sendable {
        static let shared = NativeLoads()

        private struct Entry: Sendable {
            weak var task: URLSessionTask?
            let owner: StorageOwner
        }

        private let entries = Locked<[ObjectIdentifier: Entry]>([:])

        func add(_ task: URLSessionTask, of owner: StorageOwner) {
            entries.withLock { entries in
                entries = entries.filter { $0.value.task != nil }
                entries[ObjectIdentifier(task)] = Entry(task: task, owner: owner)
            }
        }

        func owner(of task: URLSessionTask) -> StorageOwner? {
            entries.withLock { entries in
                entries[ObjectIdentifier(task)].flatMap { $0.task === task ? $0.owner : nil }
            }
        }

        /// The owner of the task that loads a URL; ``StorageOwner/nobody`` if that is ambiguous, `nil` if no task loads from its
        /// host.
        func owner(loading url: URL?) -> StorageOwner? {
            guard let url else { return nil }
            let loads = running(from: url)
            for candidates in [loads, loads.filter { $0.url == url }] {
                guard let owner = candidates.first?.owner else { continue }
                if candidates.allSatisfy({ $0.owner.storage === owner.storage }) { return owner }
            }
            return loads.isEmpty ? nil : .nobody
        }

        func isLoading(from url: URL, otherThan owner: StorageOwner) -> Bool {
            running(from: url).contains { $0.owner.storage !== owner.storage }
        }

        /// The tasks that load from the host of a URL, as cookies belong to a host or more.
        private func running(from url: URL) -> [(url: URL, owner: StorageOwner)] {
            let entries = entries.withLock { Array($0.values) }
            return entries.compactMap { entry in
                guard let task = entry.task, task.state != .completed, let loaded = task.currentRequest?.url,
                    loaded.host?.lowercased() == url.host?.lowercased(), loaded.port == url.port
                else { return nil }
                return (loaded, entry.owner)
            }
        }
    }
#endif
