#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// Lets Foundation's HTTP protocol receive header lines that are not UTF-8, which it does not read, and responses with
    /// trailer fields, with which it crashes.
    ///
    /// Rewind replaces the function to which libcurl passes header lines, and calls the original one with a line that
    /// Foundation can read. libcurl does not tell the original function: it is the one word of libcurl's handle that the
    /// call of `curl_easy_setopt` changed. If anything is not as expected, nothing is changed.
    enum HeaderBytes {
        private typealias Receive =
            @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int
        private typealias SetFunction = @convention(c) (UnsafeMutableRawPointer, CInt, Receive) -> CInt

        private static let original = Locked<Receive?>(nil)

        private static let receive: Receive = { line, size, count, user in
            guard let original = original.withLock({ $0 }) else { return 0 }
            let bytes = UnsafeRawBufferPointer(start: line, count: size * count)
            if isTrailer(bytes, of: user) { return bytes.count }
            guard var marked = MarkedBytes.marking(bytes) else { return original(line, size, count, user) }
            let result = marked.withUnsafeMutableBytes { marked in
                original(marked.baseAddress?.assumingMemoryBound(to: CChar.self), 1, marked.count, user)
            }
            return result == marked.count ? bytes.count : result
        }

        /// The first letters of a status line, "HTTP".
        private static let statusStart = Array("HTTP".utf8).withUnsafeBytes {
            $0.loadUnaligned(as: UInt32.self)
        }

        /// The loads whose last line was the end of a head. Entries of ended loads stay until their address is used again.
        private static let completed = Locked<Set<UInt>>([])

        /// Whether a line follows a complete head, and does not begin another one.
        private static func isTrailer(_ line: UnsafeRawBufferPointer, of user: UnsafeMutableRawPointer?) -> Bool
        {
            let load = UInt(bitPattern: user)
            let isStatus = line.count > 4 && line.loadUnaligned(as: UInt32.self) == Self.statusStart
            let isEnd =
                line.count <= 2 && (line.elementsEqual("\r\n".utf8) || line.elementsEqual("\n".utf8))
            return completed.withLock { completed in
                if isStatus {
                    completed.remove(load)
                } else if completed.contains(load) {
                    return true
                } else if isEnd {
                    completed.insert(load)
                }
                return false
            }
        }

        /// Changes the function of one load, before it starts.
        static func accept(in native: URLProtocol) {
            guard let set, let option, let sizeOfBlock, let handle = handle(of: native) else { return }
            // The original function is the same for all loads.
            if original.withLock({ $0 != nil }) {
                _ = set(handle, option, receive)
                return
            }
            let count = min(sizeOfBlock(handle), 64 * 1024) / MemoryLayout<UInt>.size
            let words = handle.assumingMemoryBound(to: UInt.self)
            let before = Array(UnsafeBufferPointer(start: words, count: count))
            original.withLock { original in
                _ = set(handle, option, receive)
                let changed = before.indices.filter { words[$0] != before[$0] }
                let own = unsafeBitCast(receive, to: UInt.self)
                if changed.count == 1, words[changed[0]] == own, before[changed[0]] != 0 {
                    original = unsafeBitCast(before[changed[0]], to: Receive.self)
                } else {
                    for index in changed { words[index] = before[index] }
                }
            }
        }

        private typealias SizeFunction = @convention(c) (UnsafeMutableRawPointer) -> Int

        /// The size of a block that `malloc` allocated, as libcurl's handles are.
        private static let sizeOfBlock: SizeFunction? = symbol("malloc_usable_size").map {
            unsafeBitCast($0, to: SizeFunction.self)
        }

        private static let set: SetFunction? = symbol("CFURLSession_easy_setopt_wc").map {
            unsafeBitCast($0, to: SetFunction.self)
        }

        private static let option: CInt? = symbol("CFURLSessionOptionHEADERFUNCTION").map {
            $0.load(as: CInt.self)
        }

        private static func symbol(_ name: String) -> UnsafeMutableRawPointer? {
            // A null handle means all libraries of the process.
            dlsym(nil, name)
        }

        /// libcurl's handle of a load: `easyHandle.rawHandle` in Foundation's classes.
        private static func handle(of native: URLProtocol) -> UnsafeMutableRawPointer? {
            guard let (address, _) = fieldsOfLoad?.place(of: "easyHandle", in: native),
                let object = address.load(as: UnsafeRawPointer?.self)
            else { return nil }
            let easy = Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
            let fields = fieldsOfHandle.withLock { fields in
                let known = fields ?? StoredFields(of: type(of: easy))
                fields = known
                return known
            }
            guard let (raw, kind) = fields.place(of: "rawHandle", in: easy),
                kind == UnsafeMutableRawPointer.self
            else { return nil }
            return raw.load(as: UnsafeMutableRawPointer.self)
        }

        // Stored, because finding the fields of a class takes a tenth of the time of a request.
        private static let fieldsOfHandle = Locked<StoredFields?>(nil)
        private static let fieldsOfLoad: StoredFields? = {
            var type: AnyClass? = NativeHTTPProtocol.nativeClass
            while let present = type, present != URLProtocol.self {
                let fields = StoredFields(of: present)
                if fields.contains("easyHandle") { return fields }
                type = _getSuperclass(present)
            }
            return nil
        }()
    }
#endif
