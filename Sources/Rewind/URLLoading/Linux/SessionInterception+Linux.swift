#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// Intercepts every session on Linux: the native protocol is made to decline, so that ours are asked.
    ///
    /// swift-corelibs-foundation asks the classes of a session's configuration first, and these begin with its own
    /// HTTP protocol, which accepts. The entry of its `canInit` in the class's table of methods is found by comparing
    /// the tables of three classes of our own, replaced by a function that says no, checked, and put back at the end.
    enum SessionInterception {
        /// Has a class of a stubber asked about every session's tasks.
        static func register(_ type: CassetteURLProtocol.Type) { _ = URLProtocol.registerClass(type) }

        static func unregister(_ type: CassetteURLProtocol.Type) { URLProtocol.unregisterClass(type) }

        @Sendable static func install() throws -> @Sendable () -> Void {
            // `shared` copies the list of registered classes when it is first touched: it must not see ours.
            _ = URLSession.shared
            guard let native = NativeHTTPProtocol.nativeClass, accepts(native) else {
                throw InterceptionError(cause: "its HTTP protocol is not where it was")
            }
            // Sound as nonisolated(unsafe): an address in a class's metadata, which is never freed; it is written
            // here and in the undo, which `Interception` calls under its lock.
            nonisolated(unsafe) let entry = try entryOfCanInit(of: native)
            let original = entry.load(as: UInt.self)
            entry.storeBytes(of: unsafeBitCast(decline, to: UInt.self), as: UInt.self)
            let restore: @Sendable () -> Void = { entry.storeBytes(of: original, as: UInt.self) }
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

        /// The place of `canInit` in the metadata of a protocol class: where a class that overrides only it differs from
        /// its parent, and one that overrides nothing does not.
        private static func entryOfCanInit(of type: AnyClass) throws -> UnsafeMutableRawPointer {
            let parent = ClassMetadata(URLProtocol.self)
            let (plain, overriding) = (ClassMetadata(PlainProbe.self), ClassMetadata(OverridingProbe.self))
            let offsets = parent.offsetsOfMethods.filter { offset in
                parent.word(at: offset) == plain.word(at: offset)
                    && parent.word(at: offset) != overriding.word(at: offset)
            }
            let metadata = ClassMetadata(type)
            guard offsets.count == 1, metadata.offsetsOfMethods.contains(offsets[0]) else {
                throw InterceptionError(cause: "its table of methods is not as expected")
            }
            return metadata.address + offsets[0]
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

    /// The metadata of a class, whose layout is part of Swift's stable ABI.
    struct ClassMetadata {
        let address: UnsafeMutableRawPointer

        init(_ type: AnyClass) {
            address = unsafeBitCast(type, to: UnsafeMutableRawPointer.self)
        }

        var superclass: UInt { word(at: 8) }

        var instanceSize: UInt32 { address.load(fromByteOffset: 24, as: UInt32.self) }

        /// The places of methods, which follow the descriptor at 40 to 55. The whole size is at byte 32, and at 36 how much
        /// of it is before the address.
        var offsetsOfMethods: StrideTo<Int> {
            let whole = Int(address.load(fromByteOffset: 32, as: UInt32.self))
            let before = Int(address.load(fromByteOffset: 36, as: UInt32.self))
            return stride(from: 56, to: whole - before, by: MemoryLayout<UInt>.size)
        }

        func word(at offset: Int) -> UInt { address.load(fromByteOffset: offset, as: UInt.self) }
    }
#endif
