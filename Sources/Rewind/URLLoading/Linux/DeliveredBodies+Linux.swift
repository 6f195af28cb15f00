#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// A large body in pieces, each of which leaves the memory after a delegate has looked at it.
    ///
    /// The body of a file beside a cassette is in memory only where somebody looked at it. A delegate that looks at
    /// one piece after the other would in the end have all of it there: `replay/pieces-memory` needs this.
    struct ReleasedPieces: Sequence, IteratorProtocol {
        /// The number of bytes of a piece, a multiple of a page.
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
            // A few bytes are no load, and may be in the value itself, which has no lasting place.
            guard slice.count == Self.size else { return Data(slice) }
            // The bytes stay where they are as long as the body lives, which every piece keeps alive and nobody changes.
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

        /// Lets the system take pages out of memory (madvise(2), MADV_PAGEOUT of Linux 5.4, which the headers that Swift
        /// sees lack). Whoever looks again reads them again from the file; what belongs to no file stays as it is.
        private static func release(_ start: UnsafeMutableRawPointer, _ count: Int) {
            let page = UInt(sysconf(Int32(_SC_PAGESIZE)))
            let first = UInt(bitPattern: start) / page * page
            let last = (UInt(bitPattern: start) + UInt(count)) / page * page
            guard last > first else { return }
            _ = madvise(UnsafeMutableRawPointer(bitPattern: first), Int(last - first), 21)
        }
    }

    /// The file a download task ends with.
    ///
    /// Foundation takes it from a property of the protocol that only its own protocols can set, and stops the process
    /// where it is missing (`DownloadCanaries`). So it is put there directly.
    enum DownloadFile {
        private static let fields = StoredFields(of: URLProtocol.self)

        /// Foundation removes none; they last as long as the process, as nothing says when the app has read one.
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
            var description: String { "this version of Foundation hides where a download's file is kept" }
        }
    }

    /// The dictionary of a protocol's properties, whose keys Foundation does not show.
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
