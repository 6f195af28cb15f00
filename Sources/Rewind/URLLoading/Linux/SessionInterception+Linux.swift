#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// Intercepts every session on Linux: the native protocol is made to decline, so that ours are asked.
    ///
    /// swift-corelibs-foundation asks the classes of a session's configuration first, and these begin with its own
    /// HTTP protocol, which accepts. The entry of its `canInit` in the class's table of methods is found by comparing
    /// the tables of three classes of our own, replaced by a function that says no, checked, and put back at the end.
    enum SessionInterception {
        /// Whether a protocol class is asked once for each task, on the thread that resumes it.
        static let asksOnce = true

        /// Makes what must be there before a task ends.
        static func prepare() { EndedTask.prepare() }

        /// Has a class of a stubber asked about every session's tasks.
        static func register(_ type: CassetteURLProtocol.Type) { _ = URLProtocol.registerClass(type) }

        static func unregister(_ type: CassetteURLProtocol.Type) { URLProtocol.unregisterClass(type) }

        @Sendable static func install() throws -> @Sendable () -> Void {
            // `shared` copies the list of registered classes when it is first touched: it must not see ours.
            _ = URLSession.shared
            guard let native = NativeHTTPProtocol.nativeClass, accepts(native) else {
                throw InterceptionError(cause: "its HTTP protocol is not where it was")
            }
            let entry = try MethodTable(of: native).entry(of: try offsetOfCanInit())
            let original = entry.load(as: UInt.self)
            entry.storeBytes(of: unsafeBitCast(decline, to: UInt.self), as: UInt.self)
            // Sound as nonisolated(unsafe): an address in a class's metadata, which is never freed; it is written
            // here and in the undo, which `Interception` calls under its lock.
            nonisolated(unsafe) let place = entry
            let restore: @Sendable () -> Void = { place.storeBytes(of: original, as: UInt.self) }
            guard !accepts(native) else {
                restore()
                throw InterceptionError(cause: "its HTTP protocol would not decline")
            }
            let own: [AnyClass] = [PassthroughProtocol.self, UnroutableProtocol.self]
            for type in own { _ = URLProtocol.registerClass(type) }
            return {
                for type in own { URLProtocol.unregisterClass(type) }
                restore()
            }
        }

        private static let decline: @convention(c) () -> Bool = { false }

        /// The place of `canInit` in the table of every protocol class: where a class that overrides only it differs
        /// from its parent, and one that overrides nothing does not.
        private static func offsetOfCanInit() throws -> Int {
            let parent = MethodTable(of: URLProtocol.self)
            let plain = MethodTable(of: PlainProbe.self)
            let overriding = MethodTable(of: OverridingProbe.self)
            let offsets = parent.offsets.filter { offset in
                parent.word(at: offset) == plain.word(at: offset)
                    && parent.word(at: offset) != overriding.word(at: offset)
            }
            guard offsets.count == 1 else {
                throw InterceptionError(cause: "its table of methods is not as expected")
            }
            return offsets[0]
        }

        /// Asks through the table of methods; inlined, the compiler would answer from what it knows of the class.
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

    /// The words of a class's metadata behind its header, among which its methods stand.
    private struct MethodTable {
        private let metadata: UnsafeMutableRawPointer
        private let size: Int

        // The layout of class metadata is part of Swift's stable ABI: the class's size stands at byte 32 behind the
        // address point, what lies before that point at byte 36, and the methods follow the descriptor at 40 to 55.
        private static let sizeOffset = 32
        private static let addressPointOffset = 36
        private static let firstMethod = 56

        init(of type: AnyClass) {
            metadata = unsafeBitCast(type, to: UnsafeMutableRawPointer.self)
            let whole = Int(metadata.load(fromByteOffset: Self.sizeOffset, as: UInt32.self))
            size = whole - Int(metadata.load(fromByteOffset: Self.addressPointOffset, as: UInt32.self))
        }

        var offsets: StrideTo<Int> { stride(from: Self.firstMethod, to: size, by: MemoryLayout<UInt>.size) }

        func word(at offset: Int) -> UInt {
            offset < size ? metadata.load(fromByteOffset: offset, as: UInt.self) : 0
        }

        func entry(of offset: Int) throws -> UnsafeMutableRawPointer {
            guard offset < size else { throw InterceptionError(cause: "its table of methods is too short") }
            return metadata + offset
        }
    }
#endif
