#if canImport(FoundationNetworking)
    import Foundation

    /// A great body in pieces, each of which leaves the memory when it was looked at.
    ///
    /// The body of a file beside a cassette is in memory only where somebody looked at it. A delegate that looks at
    /// one piece after the other would in the end have all of it there.
    struct ReleasedPieces: Sequence, IteratorProtocol {
        /// The number of bytes of a piece, a multiple of a page.
        private static var size: Int { 1 << 20 }

        private let body: Data
        private var position: Int

        init(_ body: Data) {
            self.body = body
            position = body.startIndex
        }

        /// Whether a body is so great that it is better given in pieces.
        static func suit(_ body: Data) -> Bool { body.count >= 16 * size }

        mutating func next() -> Data? {
            guard position < body.endIndex else { return nil }
            let slice = body[position..<Swift.min(position + Self.size, body.endIndex)]
            position = slice.endIndex
            // A few bytes are no load, and may stand in the value itself, which has no lasting place.
            guard slice.count == Self.size else { return Data(slice) }
            // The bytes stay where they are as long as the body lives, which every piece keeps alive and nobody changes.
            let pages = slice.withUnsafeBytes { $0 }
            guard let start = UnsafeMutableRawPointer(mutating: pages.baseAddress) else { return Data(slice) }
            return Data(
                bytesNoCopy: start,
                count: pages.count,
                deallocator: .custom { [body] _, _ in
                    // Pages of a file are read again by whoever looks again, and others stay as they are: this takes
                    // nothing away (madvise(2), MADV_PAGEOUT). What the system refuses it leaves where it is.
                    withExtendedLifetime(body) { Self.release(pages) }
                }
            )
        }

        /// `MADV_PAGEOUT` of Linux 5.4 and newer, which the headers that Swift sees lack.
        private static let pageOut: Int32 = 21

        private static func release(_ pages: UnsafeRawBufferPointer) {
            guard let base = pages.baseAddress else { return }
            let page = Int(sysconf(Int32(_SC_PAGESIZE)))
            let (start, end) = (UInt(bitPattern: base), UInt(bitPattern: base) + UInt(pages.count))
            let (first, last) = (start / UInt(page) * UInt(page), end / UInt(page) * UInt(page))
            guard last > first, let address = UnsafeMutableRawPointer(bitPattern: first) else { return }
            _ = madvise(address, Int(last - first), pageOut)
        }
    }
#endif
