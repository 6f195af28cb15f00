#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// A large body in chunks, each of which is paged out after a delegate has used it.
    ///
    /// A body in a file beside the cassette is memory-mapped, so only the pages that were read are in memory. A delegate
    /// that reads one chunk after the other would end up with all of them in memory: `replay/pieces-memory` needs this.
    struct ReleasedPieces: Sequence, IteratorProtocol {
        /// The size of a chunk in bytes, a multiple of a page.
        private static var size: Int { 1 << 20 }

        private let body: Data
        private var position: Int

        init(_ body: Data) {
            self.body = body
            position = body.startIndex
        }

        static func suit(_ body: Data) -> Bool { body.count >= 16 * size }

        mutating func next() -> Data? {
            guard position < body.endIndex else { return nil }
            let slice = body[position..<Swift.min(position + Self.size, body.endIndex)]
            position = slice.endIndex
            // The last chunk is copied: it is small, and a small `Data` may store its bytes inline, without a stable address.
            guard slice.count == Self.size else { return Data(slice) }
            // The address is stable while the body is alive: every chunk retains it, and nothing changes it.
            let pages = slice.withUnsafeBytes { $0 }
            guard let start = UnsafeMutableRawPointer(mutating: pages.baseAddress) else { return Data(slice) }
            return Data(
                bytesNoCopy: start,
                count: pages.count,
                deallocator: .custom { [body] start, count in
                    withExtendedLifetime(body) { Self.release(start, count) }
                }
            )
        }

        /// Lets the kernel page out memory (madvise(2), MADV_PAGEOUT of Linux 5.4, value 21, which Swift's headers lack).
        /// Pages of a file are read again when they are needed; other memory keeps its content.
        private static func release(_ start: UnsafeMutableRawPointer, _ count: Int) {
            let page = UInt(sysconf(Int32(_SC_PAGESIZE)))
            let first = UInt(bitPattern: start) / page * page
            let last = (UInt(bitPattern: start) + UInt(count)) / page * page
            guard last > first else { return }
            _ = madvise(UnsafeMutableRawPointer(bitPattern: first), Int(last - first), 21)
        }
    }

    /// The file of a finished download task.
    ///
    /// Foundation reads its URL from a property of the protocol that only its own protocols can set, and crashes if it is
    /// missing (`DownloadCanaries`). So this sets the property through its address.
    enum DownloadFile {
        private static let fields = StoredFields(of: URLProtocol.self)

        /// The files written so far, removed when the process exits: Foundation does not remove them, and there is no sign of
        /// when the app has read one.
        private static let written: Locked<[URL]> = {
            atexit {
                for url in DownloadFile.written.withLock({ $0 }) {
                    try? FileManager.default.removeItem(at: url)
                }
            }
            return Locked([])
        }()

        static func hand(_ body: Data, to loader: URLProtocol) throws {
            guard let (address, type) = fields.place(of: "properties", in: loader),
                let holder = type as? any TemporaryFileHolding.Type
            else { throw UnexpectedLayout() }
            let url = FileManager.default.temporaryDirectory
                .appendingPathComponent("CFNetworkDownload_\(UUID().uuidString).tmp")
            try body.write(to: url)
            written.withLock { $0.append(url) }
            guard holder.put(url, at: address) else { throw UnexpectedLayout() }
        }

        private struct UnexpectedLayout: Error, CustomStringConvertible {
            var description: String { "the file of a download cannot be set in this version of Foundation" }
        }
    }

    /// The dictionary of a protocol's properties, whose key type is private to Foundation.
    private protocol TemporaryFileHolding {
        static func put(_ url: URL, at address: UnsafeMutableRawPointer) -> Bool
    }

    extension Dictionary: TemporaryFileHolding
    where Key: RawRepresentable, Key.RawValue == String, Value == Any {
        fileprivate static func put(_ url: URL, at address: UnsafeMutableRawPointer) -> Bool {
            guard let key = Key(rawValue: "temporaryFileURL") else { return false }
            address.assumingMemoryBound(to: Self.self).pointee[key] = url
            return true
        }
    }
#endif
